import { expect } from 'vitest'
import type { Reply } from './world.ts'

const statuses = {
  VALIDATION: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMIT: 429,
} as const

/** Expects a refusal in its usual shape: a code, a sentence, the id of the request, and details if there are any. */
export function expectRefusal({ status, body, headers }: Reply, code: keyof typeof statuses, detail?: string) {
  expect({ status, ...(body as object) }).toEqual({
    status: statuses[code],
    error: {
      code,
      message: expect.stringMatching(sentence),
      requestId: headers['x-request-id'],
      ...((detail || hasDetails(body)) && { details: detailed }),
    },
  })
  if (detail) expect(body).toMatchObject({ error: { details: [{ code: detail }] } })
}

const sentence = /^\S+ .+\.$/s
const detailed = expect.toSatisfy((details: { path: string; message: string }[]) =>
  details.every(({ path, message }) => typeof path === 'string' && sentence.test(message)),
)
const hasDetails = (body: unknown) => (body as { error?: { details?: unknown } })?.error?.details !== undefined

/** A bulk call answers an outcome for each record: if all were refused, that of the first counts. */
export function statusOf({ status, body }: Reply): number {
  const { results = [] } = (body ?? {}) as { results?: { ok: boolean; error?: { code: keyof typeof statuses } }[] }
  const [first] = results
  return first?.error && results.every(({ ok }) => ok === false) ? statuses[first.error.code] : status
}

import { expect } from 'vitest'
import type { Reply } from './world.ts'

export const statuses = {
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

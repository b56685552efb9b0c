import { Failure } from '../../../../core/define/failure.ts'
import { parseUrl } from '../../../../core/values/url.ts'
import { recipientsOf } from '../actions/email-send.ts'
import { requestHeaders } from '../actions/request-headers.ts'
import { bindingsIn } from '../engine/bindings.ts'
import { isRecord } from '../engine/elements.ts'

type LiteralProblem = { path: string; message: string }

/** What webhook.post and email.send would refuse when they run, as far as it does not depend on bindings. */
export function* literalProblems(ref: string | null, input: Record<string, unknown>): Generator<LiteralProblem> {
  if (ref === 'webhook.post') {
    const { url, headers } = input
    if (isLiteral(url) && !/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
      yield { path: 'url', message: 'url must be a web address that begins with https:// or http://.' }
    for (const name of isRecord(headers) ? Object.keys(headers) : [])
      yield* refusalBy(`headers.${name}`, () => requestHeaders([{ name, parts: [] }], undefined))
  }
  if (ref !== 'email.send') return
  const { to } = input
  if (isLiteral(to)) yield* refusalBy('to', () => recipientsOf(to))
  for (const [n, each] of Array.isArray(to) ? to.entries() : [])
    if (isLiteral(each)) yield* refusalBy(`to.${n}`, () => recipientsOf([each]))
}

/** An empty text has a warning of its own. */
const isLiteral = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '' && bindingsIn(value).length === 0

function* refusalBy(path: string, check: () => unknown): Generator<LiteralProblem> {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    yield { path, message: error.details?.[0]?.message ?? error.message }
  }
}

import type { KeyObject } from 'node:crypto'
import { checkSignedQuery, type SignedObject, signedQuery } from './signed-url.ts'

/** The `token` of an address that opens one object to whoever holds it, for 15 minutes (THR-26). */
export function linkToken(key: KeyObject, object: SignedObject, now: Date): string {
  const { organization, expires, signature } = signedQuery(key, object, { now })
  return [organization, expires, signature].join('.')
}

/** The organization whose object the token opens, or undefined: altered, for something else, or expired. */
export function checkLinkToken(
  key: KeyObject,
  object: Pick<SignedObject, 'purpose' | 'objectId'>,
  { token, now }: { token: string; now: Date },
): { organizationId: string } | undefined {
  const [organization = '', expires = '', signature = '', ...more] = token.split('.')
  if (more.length > 0) return undefined
  return checkSignedQuery(key, object, { query: { organization, expires, signature }, now })
}

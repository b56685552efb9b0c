import type { KeyObject } from 'node:crypto'
import { checkSignedQuery, type SignedObject, signedQuery } from './signed-url.ts'

/** The `token` of a link that gives its holder access to one object for 15 minutes (THR-26). */
export function linkToken(key: KeyObject, object: SignedObject, now: Date): string {
  const { organization, expires, signature } = signedQuery(key, object, { now })
  return [organization, expires, signature].join('.')
}

/** The organization of the object; undefined if the token was altered, is for something else, or has expired. */
export function checkLinkToken(
  key: KeyObject,
  object: Pick<SignedObject, 'purpose' | 'objectId'>,
  { token, now }: { token: string; now: Date },
): { organizationId: string } | undefined {
  const [organization = '', expires = '', signature = '', ...more] = token.split('.')
  if (more.length > 0) return undefined
  return checkSignedQuery(key, object, { query: { organization, expires, signature }, now })
}

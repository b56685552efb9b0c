import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { joined } from './cipher.ts'

/** What a link opens, and for what: a link to preview a file does not download it. */
export type SignedObject = { purpose: string; objectId: string; organizationId: string }

/** What a signed address carries in its query beside the object's id in its path. */
export type SignedQuery = { organization: string; expires: string; signature: string }

const usualLifeS = 15 * 60
/** Processes' clocks may differ by this much (FLT-07). */
const toleranceS = 60

/** Whoever holds the address may open the object until it expires; the key is `derived('signed-url')` (THR-26). */
export function signedQuery(
  key: KeyObject,
  object: SignedObject,
  { now, lifeS = usualLifeS }: { now: Date; lifeS?: number },
): SignedQuery {
  const expires = String(Math.floor(now.getTime() / 1000) + lifeS)
  return { organization: object.organizationId, expires, signature: signatureOf(key, object, expires) }
}

/** The organization whose object it is, or undefined: forged, altered, for something else, or expired. */
export function checkSignedQuery(
  key: KeyObject,
  { purpose, objectId }: Pick<SignedObject, 'purpose' | 'objectId'>,
  { query, now }: { query: SignedQuery; now: Date },
): { organizationId: string } | undefined {
  const { organization: organizationId, expires, signature } = query
  const expected = Buffer.from(signatureOf(key, { purpose, objectId, organizationId }, expires))
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return now.getTime() / 1000 <= Number(expires) + toleranceS ? { organizationId } : undefined
}

const signatureOf = (key: KeyObject, { purpose, objectId, organizationId }: SignedObject, expires: string) =>
  createHmac('sha256', key)
    .update(joined('kontor link', purpose, objectId, organizationId, expires))
    .digest('base64url')

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { joined } from './cipher.ts'

/** The object of a link and its purpose: a link to preview a file does not download it. */
export type SignedObject = { purpose: string; objectId: string; organizationId: string }

/** The query of a signed URL; the id of the object is in its path. */
export type SignedQuery = { organization: string; expires: string; signature: string }

const usualLifeS = 15 * 60
/** How much the clocks of processes may differ (FLT-07). */
const toleranceS = 60

/** The holder of the URL may open the object until it expires; the key is `derived('signed-url')` (THR-26). */
export function signedQuery(
  key: KeyObject,
  object: SignedObject,
  { now, lifeS = usualLifeS }: { now: Date; lifeS?: number },
): SignedQuery {
  const expires = String(Math.floor(now.getTime() / 1000) + lifeS)
  return { organization: object.organizationId, expires, signature: signatureOf(key, object, expires) }
}

/** The organization of the object; undefined if the query is forged, altered, for something else, or expired. */
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

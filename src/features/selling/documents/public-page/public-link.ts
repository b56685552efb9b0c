import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../../../core/define/services.ts'
import { joined } from '../../../../core/secrets/cipher.ts'

/** The document that a public address opens, as long as the document still has this version of its link. */
export type PublicLink = { organizationId: string; id: string; linkVersion: number }

export const linkPurpose = 'document'

/** The operations that the page runs; it finds them in the list by name. */
export const viewName = 'invoices_customer_view'
export const noteViewName = 'invoices_customer_viewed'

/** The address of the public page of a document; it works until the link is renewed. */
export const publicLinkUrl = (
  { secrets, installation }: Pick<Services, 'secrets' | 'installation'>,
  linked: PublicLink,
): string => `${installation.url}/d/${tokenOf(secrets.derived('document-link'), linked)}`

/** What a token opens, or undefined if its signature is wrong. Whether its version is the current one is checked later. */
export function readToken({ secrets }: Pick<Services, 'secrets'>, token: string): PublicLink | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== payloadBytes + signatureBytes) return undefined
  const linked = {
    organizationId: toId(bytes.subarray(0, 16)),
    id: toId(bytes.subarray(16, 32)),
    linkVersion: bytes.readUInt32BE(32),
  }
  const expected = Buffer.from(tokenOf(secrets.derived('document-link'), linked))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected) ? linked : undefined
}

const payloadBytes = 16 + 16 + 4
const signatureBytes = 32

function tokenOf(key: KeyObject, { organizationId, id, linkVersion }: PublicLink): string {
  const version = Buffer.alloc(4)
  version.writeUInt32BE(linkVersion)
  const payload = Buffer.concat([toBytes(organizationId), toBytes(id), version])
  const signature = createHmac('sha256', key)
    .update(joined('kontor document', payload.toString('hex')))
    .digest()
  return Buffer.concat([payload, signature]).toString('base64url')
}

const toBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const toId = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Services } from '../../../core/define/services.ts'
import { joined } from '../../../core/secrets/cipher.ts'

/** What a public address opens: one document, as long as the document still has this version of its link. */
export type PublicLink = { organizationId: string; id: string; linkVersion: number }

export const linkPurpose = 'document'

/** The address of the page of a document, for whoever holds it; it lives until the link is renewed. */
export const publicLinkUrl = (
  { secrets, installation }: Pick<Services, 'secrets' | 'installation'>,
  linked: PublicLink,
): string => `${installation.url}/d/${tokenOf(secrets.derived('document-link'), linked)}`

/** What a token opens, or undefined for anything that we did not sign. Whether it is the current one, the document says. */
export function readToken({ secrets }: Pick<Services, 'secrets'>, token: string): PublicLink | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== factBytes + signatureBytes) return undefined
  const linked = {
    organizationId: toId(bytes.subarray(0, 16)),
    id: toId(bytes.subarray(16, 32)),
    linkVersion: bytes.readUInt32BE(32),
  }
  const expected = Buffer.from(tokenOf(secrets.derived('document-link'), linked))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected) ? linked : undefined
}

const factBytes = 16 + 16 + 4
const signatureBytes = 32

function tokenOf(key: KeyObject, { organizationId, id, linkVersion }: PublicLink): string {
  const version = Buffer.alloc(4)
  version.writeUInt32BE(linkVersion)
  const facts = Buffer.concat([toBytes(organizationId), toBytes(id), version])
  const signature = createHmac('sha256', key)
    .update(joined('kontor document', facts.toString('hex')))
    .digest()
  return Buffer.concat([facts, signature]).toString('base64url')
}

const toBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const toId = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

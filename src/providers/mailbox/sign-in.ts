import type { MailboxAccess } from '../../core/outside/mailbox.ts'
import { isLoopback, toAddress } from '../egress/address.ts'
import type { Explain } from './explain.ts'
import type { Wire } from './wire.ts'

/** The first message of XOAUTH2, for IMAP and POP3. */
export const toXOAuth2 = (username: string, accessToken: string): string =>
  Buffer.from(`user=${username}\u0001auth=Bearer ${accessToken}\u0001\u0001`).toString('base64')

/**
 * Encrypts a connection that began without TLS. A server on the same machine may go without, unless TLS is wanted; no other
 * is told a password that others could read on its way.
 */
export async function requireEncryption({
  wire,
  access: { withoutTls },
  explain,
  canEncrypt,
  encrypt,
}: {
  wire: Pick<Wire, 'remoteAddress'>
  access: Pick<MailboxAccess, 'withoutTls'>
  explain: Explain
  canEncrypt: boolean
  encrypt: () => Promise<void>
}): Promise<void> {
  const address = toAddress(wire.remoteAddress ?? '')
  const isLocal = address !== undefined && isLoopback(address)
  if (withoutTls && isLocal) return
  if (canEncrypt) return encrypt()
  if (!isLocal || withoutTls === false) throw explain.notEncrypted()
}

/** Whether a refusal is about the server and not about the user. */
export const asksToWait = (code: string, text: string): boolean =>
  /^(UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\b/.test(code) ||
  /^(SYS\/TEMP|IN-USE|LOGIN-DELAY)$/.test(code) ||
  /\b(temporar(y|ily)|try again later|too many (simultaneous )?connections)\b/i.test(text)

import type { MailboxAccess, MailboxFailure } from '../../core/outside/mailbox.ts'
import { isLoopback, toAddress } from '../egress/address.ts'
import type { Explain } from './explain.ts'
import type { ImapSession, Status } from './imap-session.ts'
import type { Wire } from './wire.ts'

type Login = { session: ImapSession; explain: Explain; access: Pick<MailboxAccess, 'username' | 'login'> }

/** Signs in: with XOAUTH2 for an access token; else with AUTHENTICATE PLAIN where it is offered, or with LOGIN. */
export async function logIn({ session, explain, access: { username, login } }: Login): Promise<void> {
  const can = await session.capabilities()
  const authenticate = (mechanism: string, secret: string) => {
    const inFirstLine = can.has('SASL-IR')
    // A refusal may come as a question, which is answered with nothing (the error response of XOAUTH2).
    const answers = inFirstLine ? [] : [secret]
    return session.run({
      parts: [`AUTHENTICATE ${mechanism}${inFirstLine ? ` ${secret}` : ''}`],
      onContinue: () => answers.shift() ?? '',
    })
  }
  if ('accessToken' in login) {
    if (!can.has('AUTH=XOAUTH2')) throw explain.noWayToLogIn()
    return accept(await authenticate('XOAUTH2', toXOAuth2(username, login.accessToken)), explain)
  }
  const canLogIn = !can.has('LOGINDISABLED')
  if (can.has('AUTH=PLAIN')) {
    const said = await authenticate('PLAIN', Buffer.from(`\0${username}\0${login.password}`).toString('base64'))
    if (said.status !== 'BAD' || !canLogIn) return accept(said, explain)
  }
  if (!canLogIn) throw explain.noWayToLogIn()
  accept(await session.run({ parts: ['LOGIN ', toArgument(username), ' ', toArgument(login.password)] }), explain)
}

/** The first message of XOAUTH2, for IMAP and POP3. */
export const toXOAuth2 = (username: string, accessToken: string): string =>
  Buffer.from(`user=${username}\u0001auth=Bearer ${accessToken}\u0001\u0001`).toString('base64')

/** A quoted string, or a literal for what cannot be quoted. */
export const toArgument = (text: string): string | Buffer =>
  /^[\x20-\x7e]{0,500}$/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : Buffer.from(text)

/**
 * Encrypts a connection that began without TLS. A server on the same machine may go without; no other is told a password
 * that others could read on its way.
 */
export async function requireEncryption({
  wire,
  explain,
  canEncrypt,
  encrypt,
}: {
  wire: Pick<Wire, 'remoteAddress'>
  explain: Explain
  canEncrypt: boolean
  encrypt: () => Promise<void>
}): Promise<void> {
  if (canEncrypt) return encrypt()
  const address = toAddress(wire.remoteAddress ?? '')
  if (!address || !isLoopback(address)) throw explain.notEncrypted()
}

function accept({ status, code, text }: Status, explain: Explain): void {
  if (status !== 'OK')
    throw asksToWait(code, text) ? explain.failure('UNAVAILABLE', text) : explain.failure('LOGIN', text)
}

/** Whether a refusal is about the server and not about the user. */
export const asksToWait = (code: string, text: string): boolean =>
  /^(UNAVAILABLE|INUSE|LIMIT|SERVERBUG)\b/.test(code) ||
  /^(SYS\/TEMP|IN-USE|LOGIN-DELAY)$/.test(code) ||
  /\b(temporar(y|ily)|try again later|too many (simultaneous )?connections)\b/i.test(text)

/** A refusal of a command other than those that sign in or open a folder. */
export const toRefusal = ({ status, code, text }: Status, explain: Explain): MailboxFailure =>
  status === 'BAD' && !asksToWait(code, text) ? explain.failure('GARBAGE', text) : explain.failure('UNAVAILABLE', text)

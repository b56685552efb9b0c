import type { MailboxAccess, MailboxFailure } from '../../core/outside/mailbox.ts'
import type { Explain } from './explain.ts'
import type { ImapSession, Status } from './imap-session.ts'
import { asksToWait, toXOAuth2 } from './sign-in.ts'

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

/** A quoted string, or a literal for what cannot be quoted. */
export const toArgument = (text: string): string | Buffer =>
  /^[\x20-\x7e]{0,500}$/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : Buffer.from(text)

function accept({ status, code, text }: Status, explain: Explain): void {
  if (status !== 'OK')
    throw asksToWait(code, text) ? explain.failure('UNAVAILABLE', text) : explain.failure('LOGIN', text)
}

/** A refusal of a command other than those that sign in or open a folder. */
export const toRefusal = ({ status, code, text }: Status, explain: Explain): MailboxFailure =>
  status === 'BAD' && !asksToWait(code, text) ? explain.failure('GARBAGE', text) : explain.failure('UNAVAILABLE', text)

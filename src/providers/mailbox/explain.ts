import { MailboxFailure, type MailboxTrouble } from '../../core/outside/mailbox.ts'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { toLine } from '../../core/values/line.ts'

/** FOLDER has a sentence of its own, and no client finds a connection DISABLED. */
type Explained = Exclude<MailboxTrouble, 'FOLDER' | 'DISABLED'>

/** Failures of one mailbox. The sentences contain no address, user name or password, and at most one line of the server. */
export type Explain = {
  /** `said` is what the server said. */
  failure(trouble: Explained, said?: string): MailboxFailure
  /** `names` are the folders that the mailbox has. */
  noFolder(names: readonly string[]): MailboxFailure
  /** The server offers no encryption, so nothing secret was sent. */
  notEncrypted(): MailboxFailure
  /** The server offers no way to sign in with what there is. */
  noWayToLogIn(): MailboxFailure
  /** Failures of egress; every other error is returned as it is. */
  fromEgress(error: unknown): unknown
}

type Subject = {
  protocol: 'IMAP' | 'POP3'
  username: string
  login: { password: string } | { accessToken: string }
}

export function explainFor({ protocol, username, login }: Subject): Explain {
  const ports = protocol === 'IMAP' ? { tls: 993, plain: 143 } : { tls: 995, plain: 110 }
  const usesToken = 'accessToken' in login
  const secret = usesToken ? login.accessToken : login.password

  const sentences: Record<Explained, string> = {
    NAME: "The mail server's name cannot be found, or it may not be called. Check the name of the server.",
    REFUSED: `The mail server does not accept connections. Check its name and the port, usually ${ports.tls} with TLS.`,
    SILENT: `The mail server did not answer in time. Check the port and whether it uses TLS (usually ${ports.tls} with TLS, ${ports.plain} without), or try again later.`,
    CERTIFICATE:
      "No secure connection to the mail server could be made. Check the port, and that the server's certificate is valid for its name.",
    LOGIN: usesToken
      ? 'The mail provider no longer accepts the sign-in. Connect the mailbox again.'
      : 'The mail server does not accept the user name and password. Check both; some providers need a password for apps.',
    CLOSED: 'The mail server closed the connection. Try again later.',
    GARBAGE: `The answer of the server cannot be understood. Check that it is a server for ${protocol}, and the port.`,
    GONE: 'The message is no longer in the mailbox.',
    UNAVAILABLE: 'The mail server asks to try again later.',
  }

  /** One line of the server without what identifies the account. */
  function cleaned(text: string): string {
    // Looked for in all of the text: a part of the secret at its cut end would show.
    if (text.includes(secret) || text.normalize().includes(secret.slice(0, lineMax / 2))) return ''
    const line = toLine(text.normalize(), lineMax)
    if (line === '') return ''
    const anonymous = username === '' ? line : line.split(username).join('…')
    return anonymous.replace(/\S+@\S+/g, '…').replace(/\b\d{1,3}(\.\d{1,3}){3}\b|\b[\da-f]*:[\da-f]*:[\da-f:]*/gi, '…')
  }

  function failure(trouble: Explained, said = ''): MailboxFailure {
    const line = cleaned(said)
    return new MailboxFailure(trouble, line ? `${sentences[trouble]} The server said: ${line}` : sentences[trouble])
  }

  return {
    failure,

    noFolder(names) {
      const shown = names.slice(0, foldersMax).map((name) => `"${toLine(name, 60)}"`)
      const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : ''
      const list = shown.length > 0 ? ` The mailbox has ${shown.join(', ')}${more}.` : ''
      return new MailboxFailure('FOLDER', `The mailbox has no folder of that name. Choose another one.${list}`)
    },

    notEncrypted: () =>
      new MailboxFailure(
        'CERTIFICATE',
        `The mail server offers no encryption on this port, so nobody was signed in. Turn TLS on and use its port, usually ${ports.tls}.`,
      ),

    noWayToLogIn: () =>
      new MailboxFailure(
        'LOGIN',
        usesToken
          ? 'The mail server does not accept the sign-in of a provider. Use a user name and password.'
          : 'The mail server accepts no user name and password. Connect the mailbox through its provider, or allow passwords at the provider.',
      ),

    fromEgress(error) {
      if (!(error instanceof TargetFailure)) return error
      if (error.reason !== 'port') return failure(troubleOf[error.reason] ?? 'NAME')
      return new MailboxFailure(
        'NAME',
        `This port may not be used. Mail servers usually use ${ports.tls} with TLS and ${ports.plain} without.`,
      )
    },
  }
}

/** The other reasons of egress are about the name of the server. */
const troubleOf: Partial<Record<TargetFailure['reason'], Explained>> = {
  refused: 'REFUSED',
  silent: 'SILENT',
  broken: 'CLOSED',
  busy: 'UNAVAILABLE',
  insecure: 'CERTIFICATE',
  unreadable: 'GARBAGE',
}

const lineMax = 160
const foldersMax = 20

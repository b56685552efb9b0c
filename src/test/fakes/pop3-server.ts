import { headOf } from '../../simulators/mail/message.ts'
import { listen, type Peer, type RunningServer, type ServerSettings } from '../../simulators/mail/peer.ts'
import {
  authorized,
  folderOf,
  type MailAccounts,
  readPlain,
  readXOAuth2,
  type StoredMessage,
  tokenRefusal,
} from '../../simulators/mail/store.ts'

export type Pop3ServerSettings = ServerSettings & {
  accounts: MailAccounts
  /** Commands and capabilities that the server does not know, such as `UIDL`, `CAPA` or `PIPELINING`. */
  without?: readonly string[]
  /** Called with every command. */
  onCommand?: (line: string) => void
}

type Maildrop = { uidValidity: number; messages: readonly StoredMessage[] }
type Connection = { peer: Peer; settings: Pop3ServerSettings; username: string; maildrop: Maildrop | undefined }
type Handler = (connection: Connection, argument: string) => Promise<string | Buffer>

/** Serves INBOX to POP3 clients (RFC 1939). Clients delete nothing: DELE is refused. */
export function startPop3Server(settings: Pop3ServerSettings): Promise<RunningServer> {
  return listen(settings, async (peer) => {
    const connection: Connection = { peer, settings, username: '', maildrop: undefined }
    if (!(await peer.misbehave('GREETING'))) await peer.send('+OK Mail simulator ready\r\n')
    for (;;) if (!(await serveCommand(connection))) return
  })
}

/** False when the client is done. */
async function serveCommand(connection: Connection): Promise<boolean> {
  const { peer, settings, maildrop } = connection
  const line = (await peer.line()).toString()
  settings.onCommand?.(line)
  const [, word = '', argument = ''] = /^(\S*) ?(.*)$/s.exec(line) ?? []
  const name = word.toUpperCase()
  if (await peer.misbehave(name)) return true
  const known = { ...anyTime, ...(maildrop ? afterLogin : beforeLogin) }[name]
  const answer = known && !settings.without?.includes(name) ? await known(connection, argument) : '-ERR Unknown command'
  await peer.send(typeof answer === 'string' ? `${answer}\r\n` : answer)
  if (name === 'STLS' && peer.canEncrypt) await peer.encrypt()
  return name !== 'QUIT'
}

const anyTime: Record<string, Handler> = {
  CAPA: async ({ peer, settings: { without = [] } }) => {
    const mechanisms = ['PLAIN', 'XOAUTH2'].filter((name) => !without.includes(name))
    const login = peer.canEncrypt
      ? ['STLS']
      : ['USER', ...(mechanisms.length > 0 ? [`SASL ${mechanisms.join(' ')}`] : [])]
    const all = ['TOP', 'UIDL', 'PIPELINING', 'RESP-CODES', ...login].filter((name) => !without.includes(name))
    return ['+OK Capabilities', ...all, '.'].join('\r\n')
  },
  QUIT: async () => '+OK Goodbye',
}

const beforeLogin: Record<string, Handler> = {
  STLS: async ({ peer }) => (peer.canEncrypt ? '+OK Begin TLS now' : '-ERR TLS is not offered'),

  USER: async (connection, username) => {
    if (connection.peer.canEncrypt) return '-ERR Use STLS first'
    connection.username = username
    return '+OK'
  },

  PASS: (connection, password) =>
    connection.username === ''
      ? Promise.resolve('-ERR USER comes first')
      : logIn(connection, { username: connection.username, password }),

  AUTH: async (connection, argument) => {
    const { peer, settings } = connection
    const [mechanism = '', first] = argument.split(' ')
    const name = mechanism.toUpperCase()
    if (peer.canEncrypt) return '-ERR Use STLS first'
    if (!['PLAIN', 'XOAUTH2'].includes(name) || settings.without?.includes(name)) return '-ERR Unknown mechanism'
    const said = first ?? (await ask(peer, ''))
    if (said === '*') return '-ERR Cancelled'
    if (name === 'PLAIN') return logIn(connection, readPlain(said))
    const answer = await logIn(connection, readXOAuth2(said))
    if (!connection.maildrop) await ask(peer, tokenRefusal)
    return answer
  },
}

async function ask(peer: Peer, question: string): Promise<string> {
  await peer.send(`+ ${question}\r\n`)
  return (await peer.line()).toString('latin1')
}

async function logIn(connection: Connection, login: Parameters<typeof authorized>[1] | undefined): Promise<string> {
  if (!login) return '-ERR The message cannot be read'
  const account = await authorized(connection.settings.accounts, login)
  if (!account) return '-ERR [AUTH] The user name or password is wrong'
  const { uidValidity = 1, messages = [] } = folderOf(await account.folders(), 'INBOX') ?? {}
  connection.maildrop = { uidValidity, messages }
  return `+OK ${messages.length} messages`
}

const afterLogin: Record<string, Handler> = {
  STAT: async ({ maildrop, settings }) => {
    const messages = maildrop?.messages ?? []
    return `+OK ${messages.length} ${messages.reduce((sum, { size }) => sum + sizeTold(settings, size), 0)}`
  },

  LIST: async (connection, argument) =>
    table(connection, argument, ({ size }) => `${sizeTold(connection.settings, size)}`),
  UIDL: async (connection, argument) =>
    table(connection, argument, ({ uid }) => `${connection.maildrop?.uidValidity}-${uid}`),

  TOP: async (connection, argument) => {
    const [number, count] = argument.split(' ').map(Number)
    const message = connection.maildrop?.messages[(number ?? 0) - 1]
    if (!message || count === undefined || !(count >= 0)) return '-ERR There is no such message'
    const { head, body } = headOf(await message.source())
    const lines = body.toString('latin1').split('\r\n').slice(0, count)
    return toContent(Buffer.concat([head, Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1')]))
  },

  RETR: async ({ maildrop }, argument) => {
    const message = maildrop?.messages[Number(argument) - 1]
    return message ? toContent(await message.source()) : '-ERR There is no such message'
  },

  NOOP: async () => '+OK',
  RSET: async () => '+OK',
  DELE: async () => '-ERR Messages cannot be deleted here',
}

const sizeTold = ({ faults }: Pop3ServerSettings, size: number) => faults?.sizeTold?.(size) ?? size

function table({ maildrop }: Connection, argument: string, told: (message: StoredMessage) => string) {
  const messages = maildrop?.messages ?? []
  if (argument !== '') {
    const message = messages[Number(argument) - 1]
    return message ? `+OK ${Number(argument)} ${told(message)}` : '-ERR There is no such message'
  }
  return ['+OK', ...messages.map((message, at) => `${at + 1} ${told(message)}`), '.'].join('\r\n')
}

/** A positive answer with content: lines that begin with a dot get another one, and a dot alone is the end. */
function toContent(content: Buffer): Buffer {
  const text = content.toString('latin1').replace(/(^|\r\n)\./g, '$1..')
  return Buffer.from(`+OK\r\n${text}${text === '' || text.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1')
}

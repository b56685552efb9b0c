import { readCommand, textOf } from './imap-arguments.ts'
import type { Answer, Handler, ImapBehaviour, ImapConnection } from './imap-connection.ts'
import { folderCommands } from './imap-folders.ts'
import { messageCommands } from './imap-messages.ts'
import { listen, type Peer, type RunningServer } from './peer.ts'
import { authorized, type MailAccounts, readPlain, readXOAuth2, tokenRefusal } from './store.ts'

export type ImapServerSettings = ImapBehaviour & { accounts: MailAccounts }

/** Serves mailboxes to IMAP clients (RFC 3501). Clients read and mark messages; they add, move and delete none. */
export function startImapServer(settings: ImapServerSettings): Promise<RunningServer> {
  return listen(settings, async (peer) => {
    const connection: ImapConnection = {
      peer,
      settings,
      accounts: settings.accounts,
      account: undefined,
      open: undefined,
    }
    if (!(await peer.misbehave('GREETING')))
      await peer.send(`* OK [CAPABILITY ${capabilitiesOf(connection)}] Mail simulator ready\r\n`)
    for (;;) if (!(await serveCommand(connection))) return
  })
}

/** False when the client is done. */
async function serveCommand(connection: ImapConnection): Promise<boolean> {
  const { peer } = connection
  const command = await readCommand(peer)
  if (command.name === undefined) {
    await peer.send(`${command.tag} BAD The command cannot be read\r\n`)
    return true
  }
  const [first] = command.arguments
  const name = command.name === 'UID' ? `UID ${textOf(first).toUpperCase()}` : command.name
  if (await peer.misbehave(name, command.tag)) return true
  const handler = handlerOf(connection, command.name)
  await peer.send(`${command.tag} ${await handler(connection, command)}\r\n`)
  if (command.name === 'STARTTLS' && peer.canEncrypt) await peer.encrypt()
  return command.name !== 'LOGOUT'
}

function handlerOf({ account, open }: ImapConnection, name: string): Handler {
  const handler = anyTime[name]
  if (handler) return handler
  if (!account) return beforeLogin[name] ?? (async () => 'BAD Sign in first')
  const other = folderCommands[name]
  if (other) return other
  const ofMessages = messageCommands[name]
  if (!ofMessages) return async () => 'BAD Unknown command'
  return open ? ofMessages : async () => 'BAD Select a folder first'
}

function capabilitiesOf({ peer, account, settings: { without = [] } }: ImapConnection): string {
  const signIn = ['AUTH=PLAIN', 'AUTH=XOAUTH2', 'SASL-IR']
  const early = without.includes('LOGINDISABLED') ? signIn : ['LOGINDISABLED']
  const login = peer.canEncrypt ? ['STARTTLS', ...early] : signIn
  const all = ['IMAP4rev1', 'ID', 'IDLE', 'NAMESPACE', 'UNSELECT', 'LITERAL+', ...(account ? [] : login)]
  return all.filter((name) => !without.includes(name)).join(' ')
}

/** Nobody signs in before STARTTLS, where it is offered, unless the settings say otherwise. */
const mustEncrypt = ({ peer, settings: { without = [] } }: ImapConnection) =>
  peer.canEncrypt && !without.includes('LOGINDISABLED')

const anyTime: Record<string, Handler> = {
  CAPABILITY: async (connection) => {
    await connection.peer.send(`* CAPABILITY ${capabilitiesOf(connection)}\r\n`)
    return 'OK Done'
  },
  ID: async ({ peer }) => {
    await peer.send('* ID ("name" "Mail simulator")\r\n')
    return 'OK Done'
  },
  LOGOUT: async ({ peer }) => {
    await peer.send('* BYE Goodbye\r\n')
    return 'OK Done'
  },
}

const beforeLogin: Record<string, Handler> = {
  NOOP: async () => 'OK Done',

  STARTTLS: async ({ peer }) => (peer.canEncrypt ? 'OK Begin TLS now' : 'BAD TLS is not offered'),

  LOGIN: async (connection, { arguments: [username, password] }) => {
    if (mustEncrypt(connection)) return 'NO [PRIVACYREQUIRED] Use STARTTLS first'
    if (typeof username !== 'string' || typeof password !== 'string') return 'BAD LOGIN has a user name and a password'
    return logIn(connection, { username: textOf(username), password: textOf(password) })
  },

  AUTHENTICATE: async (connection, { arguments: [mechanism, first] }) => {
    const { peer, settings } = connection
    const name = textOf(mechanism).toUpperCase()
    if (mustEncrypt(connection)) return 'NO [PRIVACYREQUIRED] Use STARTTLS first'
    if (!capabilitiesOf(connection).split(' ').includes(`AUTH=${name}`)) return 'NO Unknown mechanism'
    if (first !== undefined && settings.without?.includes('SASL-IR')) return 'BAD Too many arguments'
    const said = first === undefined ? await ask(peer, '') : textOf(first)
    if (said === '*') return 'BAD Cancelled'
    if (name === 'PLAIN') return logIn(connection, readPlain(said))
    const answer = await logIn(connection, readXOAuth2(said))
    if (!connection.account) await ask(peer, tokenRefusal)
    return answer
  },
}

async function ask(peer: Peer, question: string): Promise<string> {
  await peer.send(`+ ${question}\r\n`)
  return (await peer.line()).toString('latin1')
}

async function logIn(connection: ImapConnection, login: Parameters<typeof authorized>[1] | undefined): Promise<Answer> {
  if (!login) return 'BAD The message cannot be read'
  connection.account = await authorized(connection.accounts, login)
  if (!connection.account) return 'NO [AUTHENTICATIONFAILED] The user name or password is wrong'
  return `OK [CAPABILITY ${capabilitiesOf(connection)}] Signed in`
}

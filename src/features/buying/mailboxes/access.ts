import type { Inside } from '../../../core/define/operation.ts'
import { type MailboxAccess, MailboxFailure } from '../../../core/outside/mailbox.ts'
import { isLostSecret } from '../../../core/secrets/vault.ts'
import type { MailConnection, Provider } from './connection.ts'
import { accessFor } from './oauth/access.ts'
import { openPassword } from './secrets.ts'

type Context = {
  read<T>(work: (reading: Pick<Inside, 'db'>) => Promise<T>): Promise<T>
} & Pick<Inside, 'secrets'> &
  Parameters<typeof accessFor>[0]

const servers: Record<Provider, { protocol: 'IMAP' | 'POP3'; host: string | null }> = {
  GMAIL: { protocol: 'IMAP', host: 'imap.gmail.com' },
  OUTLOOK: { protocol: 'IMAP', host: 'outlook.office365.com' },
  IMAP: { protocol: 'IMAP', host: null },
  POP3: { protocol: 'POP3', host: null },
}

const ports = { IMAP: { tls: 993, plain: 143 }, POP3: { tls: 995, plain: 110 } }

/** How the mailbox of a connection is opened. Throws MailboxFailure if it is disabled or something is missing. */
export async function accessOf(context: Context, connection: MailConnection): Promise<MailboxAccess> {
  const { read, secrets } = context
  const { organizationId, provider, useTls, username, folderOrLabel: folder } = connection
  if (!connection.enabled)
    throw new MailboxFailure('DISABLED', 'The connection is disabled. Enable it, then poll it again.')
  const isOfProvider = provider === 'GMAIL' || provider === 'OUTLOOK'
  if (isOfProvider && username && connection.tokenExpiresAt !== null) {
    const access = await accessFor(context, { ...connection, provider })
    return { organizationId, protocol: 'IMAP', username, folder, ...access }
  }
  const { protocol, host: usual } = servers[provider]
  const host = connection.host ?? usual
  const port = connection.port ?? ports[protocol][useTls ? 'tls' : 'plain']
  if (!host) throw incomplete('host')
  const password = await read(({ db }) => openPassword({ db, secrets }, connection)).catch(failIfLost)
  if (isOfProvider && !password) throw notSignedIn()
  if (!username) throw incomplete('username')
  if (!password) throw incomplete('password')
  const tls = useTls && port !== ports[protocol].plain // there the connection begins without TLS
  const login = { password: password.reveal() }
  return { organizationId, protocol, host, port, tls, withoutTls: !useTls, username, login, folder }
}

const failIfLost = (error: unknown): never => {
  if (!isLostSecret(error)) throw error
  throw new MailboxFailure(
    'LOGIN',
    'The password of the mailbox was lost together with the key of this installation. Enter it again.',
  )
}

const incomplete = (field: string) =>
  new MailboxFailure('DISABLED', `The connection has no ${field}. Enter it, then poll it again.`)

const notSignedIn = () =>
  new MailboxFailure(
    'DISABLED',
    'Nobody has signed in to this mailbox yet. Connect it with its provider, then poll it again.',
  )

import type { Socket } from 'node:net'
import type { Egress } from '../../core/outside/egress.ts'
import { type Mailbox, type MailboxAccess, type MailboxClient, MailboxFailure } from '../../core/outside/mailbox.ts'
import { type Explain, explainFor } from './explain.ts'
import { openImap } from './imap.ts'
import { openPop3 } from './pop3.ts'
import { openWire, type Wire, type WireLimits } from './wire.ts'

export type MailboxLimits = WireLimits & {
  /** How long it may take to sign in and open the folder. */
  openMs: number
  /** How long the server may take to say goodbye. */
  goodbyeMs: number
}

/** A connection on which nothing has been said yet. */
export type Opening = {
  wire: Wire
  access: MailboxAccess
  explain: Explain
  startTls: (socket: Socket) => Promise<Socket>
  limits: MailboxLimits
}

type Settings = {
  egress: Pick<Egress, 'socket' | 'startTls'>
  /** Shorter limits, for tests. */
  limits?: Partial<MailboxLimits>
}

/** Reads mailboxes of IMAP and POP3 servers. Every connection is made by egress, which also verifies certificates. */
export function openMailboxClient({ egress, limits: shorter }: Settings): MailboxClient {
  const limits = { ...defaultLimits, ...shorter }
  return {
    async open(access, signal): Promise<Mailbox> {
      try {
        return await openWith(access, limits, signal)
      } catch (error) {
        if (!mayBeginWithoutTls(access, error)) throw error
        const greetingMs = Math.min(limits.silenceMs, soonMs)
        const startTls = { ...access, tls: false, withoutTls: false }
        return openWith(startTls, { ...limits, greetingMs }, signal).catch(() => {
          throw error // no STARTTLS either: what was asked for failed for this reason
        })
      }
    },
  }

  async function openWith(access: MailboxAccess, limits: MailboxLimits, signal: AbortSignal): Promise<Mailbox> {
    const { organizationId, protocol, host, port, tls } = access
    const explain = explainFor(access)
    const socket = await egress.socket({ organizationId, host, port, tls, kind: 'mail', signal }).catch((error) => {
      throw explain.fromEgress(error)
    })
    const wire = openWire({ socket, limits, explain, signal })
    const startTls = (plain: Socket) => egress.startTls(plain, host)
    const timer = setTimeout(() => wire.fail(explain.failure('SILENT')), limits.openMs)
    try {
      return await openers[protocol]({ wire, access, explain, startTls, limits })
    } catch (error) {
      throw wire.fail(error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** On a port of no fixed use the server may expect STARTTLS. It then greets at once, which is no TLS. */
const mayBeginWithoutTls = ({ tls, port }: MailboxAccess, error: unknown) =>
  tls && !tlsPorts.has(port) && error instanceof MailboxFailure && error.trouble === 'CERTIFICATE'
const tlsPorts = new Set([993, 995])
/** How long the greeting of a server may take that was not understood before. */
const soonMs = 3_000

const openers = { IMAP: openImap, POP3: openPop3 }
const defaultLimits: MailboxLimits = { silenceMs: 30_000, commandMs: 100_000, openMs: 30_000, goodbyeMs: 2_000 }

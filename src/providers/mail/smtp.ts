import nodemailer from 'nodemailer'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import type { Mail, Outcome } from '../../core/outside/mail.ts'
import { toLine } from '../../core/values/line.ts'
import { type MailMessage, messagesFor } from './message.ts'

/** Time limits for a mail server: to connect, to greet, between two answers, and for the whole delivery. */
export type MailLimits = { connectMs: number; greetingMs: number; silenceMs: number; totalMs: number }

const defaultLimits: MailLimits = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 20_000, totalMs: 60_000 }

type Server = { url: string; from: string; limits?: MailLimits }

/**
 * Sends mail through an SMTP server. Every recipient gets a separate message, because the server may answer differently
 * for each and recipients must not see each other's address.
 */
export function smtpMail({ url, from, limits = defaultLimits }: Server): Mail {
  const options = optionsOf({ url, from, limits })
  const open = () => {
    const pool = new SMTPPool(options)
    const transport = nodemailer.createTransport(pool)
    transport.on('error', () => {}) // each message reports its own failure; without a listener the process would end
    return { pool, transport }
  }
  let current = open()
  const retired = new Set<SMTPPool>()

  /**
   * Replaces a pool whose server sends too slowly: it never times out in nodemailer, because it never falls silent. The
   * old pool takes no new messages; its running deliveries may finish within their time, then it is closed.
   */
  function retire({ pool }: typeof current) {
    if (retired.has(pool)) return
    retired.add(pool)
    if (current.pool === pool) current = open()
    pool.close()
    setTimeout(() => {
      pool.close({ force: true })
      retired.delete(pool)
    }, limits.totalMs).unref()
  }

  async function deliver(message: MailMessage): Promise<Outcome> {
    const pool = current
    const sending = pool.transport.sendMail(toOptions(message, from))
    const timeout = timer(limits.totalMs, () => retire(pool))
    try {
      await Promise.race([sending, timeout.expired])
      return { address: message.to, ok: true, messageId: message.messageId }
    } catch (error) {
      return { address: message.to, ok: false, ...explain(error) }
    } finally {
      timeout.stop()
    }
  }

  return {
    send: (message) => Promise.all(messagesFor(message, from).map((each) => ('ok' in each ? each : deliver(each)))),
    close() {
      for (const pool of [current.pool, ...retired]) pool.close({ force: true })
    },
  }
}

function optionsOf({ url, from, limits }: Required<Server>) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  // Without requireTLS an attacker who hides STARTTLS would see the user name and password in clear text.
  const tls = searchParams.get('tls') ?? (isLoopback(host) ? 'off' : 'on')
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && tls === 'on',
    tls: { rejectUnauthorized: true },
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    name: from.slice(from.lastIndexOf('@') + 1),
    connectionTimeout: limits.connectMs,
    dnsTimeout: limits.connectMs,
    greetingTimeout: limits.greetingMs,
    socketTimeout: limits.silenceMs,
    maxResponseSize: 64 * 1024,
    maxConnections: 5,
    maxMessages: 100,
    maxRequeues: 1, // a message is sent again if the server had closed the idle connection
    idleTimeout: limits.silenceMs / 2,
  }
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)

const toOptions = (
  { to, from, replyTo, messageId, subject, text, html, attachments }: MailMessage,
  envelopeFrom: string,
) => ({
  from,
  to: { name: '', address: to },
  ...(replyTo && { replyTo }),
  envelope: { from: envelopeFrom, to: [to] },
  messageId,
  subject,
  text,
  html,
  attachments: attachments.map(({ fileName, ...rest }) => ({ filename: fileName, ...rest })),
  headers: { 'Auto-Submitted': 'auto-generated' }, // prevents automatic replies (RFC 3834)
  disableFileAccess: true,
  disableUrlAccess: true,
})

type SmtpError = { code?: string; responseCode?: number; response?: string }

/** The reason of a failure for users. It contains no name, address or password of the server. */
function explain(error: unknown): { reason: string; retry: boolean } {
  const { code = '', responseCode, response = '' } = error as SmtpError
  if (responseCode && responseCode >= 400 && responseCode < 600) {
    return { reason: `The mail server answered: ${toLine(response)}`, retry: responseCode < 500 }
  }
  return { reason: reasons[code] ?? 'The connection to the mail server was interrupted.', retry: true }
}

const reasons: Record<string, string> = {
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The mail server cannot be found.',
  ETLS: 'The mail server offers no trusted TLS connection.',
  EPROTOCOL: 'The server that answered is not a mail server.',
}

function timer(ms: number, onExpiry: () => void) {
  let handle: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_, reject) => {
    handle = setTimeout(() => {
      onExpiry()
      reject(Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' }))
    }, ms)
  })
  return { expired, stop: () => clearTimeout(handle) }
}

import nodemailer from 'nodemailer'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import type { Mail, Outcome } from '../../core/outside/mail.ts'
import { toLine } from '../../core/values/line.ts'
import { type MailMessage, messagesFor } from './message.ts'

/** How long a mail server may take: until connected, until it greets, between two signs of life, and for all of it. */
export type MailLimits = { connectMs: number; greetingMs: number; silenceMs: number; totalMs: number }

const usual: MailLimits = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 20_000, totalMs: 60_000 }

type Server = { url: string; from: string; limits?: MailLimits }

/**
 * Mail through an SMTP server. Every recipient gets a message of their own in a transaction of its own: their answers
 * differ, nobody sees another's address, and what is counted is what was accepted.
 */
export function smtpMail({ url, from, limits = usual }: Server): Mail {
  const options = optionsOf({ url, from, limits })
  const open = () => {
    const pool = new SMTPPool(options)
    const transport = nodemailer.createTransport(pool)
    transport.on('error', () => {}) // every message hears of its own trouble; without a listener the process would end
    return { pool, transport }
  }
  let current = open()
  const retired = new Set<SMTPPool>()

  /**
   * A server that keeps trickling never falls silent, so nodemailer would wait for it. The pool takes no more messages;
   * those of others that are under way may finish, and whatever is still open after their time is cut.
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

  async function deliver(letter: MailMessage): Promise<Outcome> {
    const used = current
    const sending = used.transport.sendMail(toOptions(letter, from))
    const late = timer(limits.totalMs, () => retire(used))
    try {
      await Promise.race([sending, late.rings])
      return { address: letter.to, ok: true, messageId: letter.messageId }
    } catch (error) {
      return { address: letter.to, ok: false, ...explain(error) }
    } finally {
      late.stop()
    }
  }

  return {
    send: (message) =>
      Promise.all(messagesFor(message, from).map((letter) => ('ok' in letter ? letter : deliver(letter)))),
    close() {
      for (const pool of [current.pool, ...retired]) pool.close({ force: true })
    },
  }
}

function optionsOf({ url, from, limits }: Required<Server>) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const secure = protocol === 'smtps:'
  // A name and password never travel in the clear because somebody in between hid STARTTLS.
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
    maxRequeues: 1, // a connection that the server closed while it was idle costs the message nothing
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
  headers: { 'Auto-Submitted': 'auto-generated' }, // so that holiday answers stay away (RFC 3834)
  disableFileAccess: true,
  disableUrlAccess: true,
})

type Trouble = { code?: string; responseCode?: number; response?: string }

/** What went wrong, for a person; nothing of it tells names, addresses or passwords of the server. */
function explain(error: unknown): { reason: string; retry: boolean } {
  const { code = '', responseCode, response = '' } = error as Trouble
  if (responseCode && responseCode >= 400 && responseCode < 600) {
    return { reason: `The mail server answered: ${toLine(response)}`, retry: responseCode < 500 }
  }
  return { reason: sentences[code] ?? 'The connection to the mail server broke.', retry: true }
}

const sentences: Record<string, string> = {
  ETIMEDOUT: 'The mail server did not answer in time.',
  EDNS: 'The mail server cannot be found.',
  ETLS: 'The mail server offers no connection that can be trusted.',
  EPROTOCOL: 'What answered is no mail server.',
}

function timer(ms: number, ring: () => void) {
  let handle: NodeJS.Timeout | undefined
  const rings = new Promise<never>((_, reject) => {
    handle = setTimeout(() => {
      ring()
      reject(Object.assign(new Error('The mail server took too long.'), { code: 'ETIMEDOUT' }))
    }, ms)
  })
  return { rings, stop: () => clearTimeout(handle) }
}

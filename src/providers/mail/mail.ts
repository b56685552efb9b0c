import type { Pool } from '../../core/define/operation.ts'
import type { Mail } from '../../core/outside/mail.ts'
import type { Secret } from '../../core/secrets/secret.ts'
import { outboxMail } from './outbox.ts'
import { smtpMail } from './smtp.ts'

type Settings = { mode: 'local' | 'strict'; smtpUrl: Secret | undefined; mailFrom: string }

/** The mail provider for the settings: a server, the local outbox, or none. */
export function mailFor({ mode, smtpUrl, mailFrom }: Settings, system: Pool): Mail {
  if (smtpUrl) return smtpMail({ url: smtpUrl.reveal(), from: mailFrom })
  return mode === 'local' ? outboxMail(system, mailFrom) : noMail
}

/** In strict mode without a server every delivery fails with the reason. */
const noMail: Mail = {
  send: async ({ to }) => to.map((address) => ({ address, ok: false, reason: notConfigured, retry: false })),
  close() {},
}
const notConfigured = 'Mail is not set up on this server: SMTP_URL and MAIL_FROM are missing.'

import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Egress } from '../core/outside/egress.ts'
import type { MailOAuth } from '../core/outside/mail-oauth.ts'
import type { Secrets } from '../core/secrets/secrets.ts'
import { demoMailboxes } from '../demo/mailbox/mailbox.ts'
import { gmailClient, outlookClient } from '../providers/mail-oauth/clients.ts'
import { openMailOAuth } from '../providers/mail-oauth/mail-oauth.ts'
import { openMailboxClient } from '../providers/mailbox/mailbox.ts'
import { simulatedClient } from '../simulators/mail-provider/clients.ts'
import { type SimulatedMailboxes, simulateMailboxes } from '../simulators/mail-provider/mailboxes.ts'
import { mountMailProvider } from '../simulators/mail-provider/mount.ts'

/** Where mailboxes are connected: at the providers, or in local mode without their client ids at the simulator. */
export function openInstallationMailOAuth(config: Config, egress: Pick<Egress, 'callService'>): MailOAuth {
  const { mode, url } = config
  const simulated = (provider: 'GMAIL' | 'OUTLOOK') => (mode === 'local' ? simulatedClient(provider, url) : undefined)
  const clients = {
    GMAIL: config.gmailClient ? gmailClient(config.gmailClient) : simulated('GMAIL'),
    OUTLOOK: config.outlookClient ? outlookClient(config.outlookClient) : simulated('OUTLOOK'),
  }
  return openMailOAuth(clients, egress)
}

/** Opens mailboxes of mail servers, and in local mode the simulated ones. */
export function openMailboxes({ mode }: Config, egress: Egress, secrets: Secrets): SimulatedMailboxes {
  const client = openMailboxClient({ egress })
  if (mode !== 'local') return { client, close: async () => {} }
  return simulateMailboxes(client, { mailboxes: demoMailboxes, key: secrets.derived('mail-simulator') })
}

/** The simulators of services outside, which only local mode serves. */
export function mountSimulators(server: FastifyInstance, { mode, url }: Config, secrets: Secrets) {
  if (mode !== 'local') return
  mountMailProvider(server, { url, key: secrets.derived('mail-simulator'), accounts: demoMailboxes })
}

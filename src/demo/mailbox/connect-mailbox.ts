import { type SimulatedMailbox, simulatedMailHost } from '../../core/outside/simulated-mailbox.ts'
import type { CallOperation } from '../call-operation.ts'

/** Connects a simulated mailbox, unless the company has done so. It is polled when somebody asks for it. */
export async function connectMailbox(
  call: CallOperation,
  organizationId: string,
  { address: username, password }: SimulatedMailbox,
): Promise<void> {
  const { connections } = await call<{ connections: { username: string | null }[] }>('integrations_email_settings', {
    organizationId,
  })
  if (connections.some((connection) => connection.username === username)) return
  await call('integrations_email_settings_post', {
    ...{ organizationId, name: 'Receipts (simulated mailbox)', provider: 'IMAP' },
    ...{ host: simulatedMailHost, port: 143, useTls: false, username, password },
  })
}

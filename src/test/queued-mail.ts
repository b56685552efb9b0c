import { openMessage } from '../features/platform/mail/sealed-message.ts'
import { theApp } from './world.ts'

/** The mail queued for an address, decrypted, oldest first. */
export const queuedTo = (address: string) =>
  theApp().system.use(async (db) => {
    const rows = await db
      .selectFrom('mailDeliveries')
      .selectAll()
      .where('to', '=', address)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    return rows.map(({ id, subject, organizationId, template, ...row }) => ({
      subject,
      organizationId,
      template,
      text: openMessage(theApp().services.secrets, { id, ...row })?.text ?? '',
    }))
  })

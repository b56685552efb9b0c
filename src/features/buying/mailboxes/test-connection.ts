import { operation } from '../../../core/define/operation.ts'
import { one, toUuid } from '../../../core/define/query.ts'
import { Id, nullable, OneOf, Type } from '../../../core/define/schema.ts'
import { MailboxFailure } from '../../../core/outside/mailbox.ts'
import { timeLimit } from '../../../core/values/time-limit.ts'
import { accessOf } from './access.ts'
import { connectionById } from './connection.ts'

const testMs = 40_000

export const test = operation({
  name: 'integrations_email_settings_test',
  http: 'POST /api/expenses/email-settings/{id}/test',
  does: 'Tries the connection to a mailbox: signs in and opens the folder, reads no message, and explains what fails.',
  scope: 'integrations:write',
  role: 'MANAGER',
  within: { table: 'mailConnections', by: 'id' },
  input: Type.Object({ organizationId: Type.Optional(Id), id: Id }),
  output: Type.Object({
    ok: Type.Boolean(),
    trouble: nullable(
      OneOf('NAME', 'REFUSED', 'SILENT', 'CERTIFICATE', 'LOGIN', 'FOLDER', 'CLOSED', 'GARBAGE', 'GONE', 'UNAVAILABLE', 'DISABLED'),
    ), // biome-ignore format: a list of words
    message: Type.String({ description: 'What works, or what fails and what to do about it.' }),
  }),
  rate: 'polls',
  outside: true,
  async run(context, { id }) {
    const connection = await context.tx(({ db }) => one(connectionById(db, toUuid(id)), 'mail connection'))
    const found = await tried(async () => {
      const read = <T>(work: Parameters<typeof context.tx<T>>[0]) => context.tx(work)
      const access = await accessOf({ ...context, read }, { ...connection, enabled: true })
      const mailbox = await context.mailboxClient.open(access, timeLimit(testMs))
      await mailbox.close().catch(() => {})
    })
    return context.once(async ({ db }) => {
      if (found.ok)
        await db
          .updateTable('mailConnections')
          .set({ attention: null, failures: 0, retryAt: null })
          .where('id', '=', connection.id)
          .execute()
      return found
    })
  },
})

async function tried(open: () => Promise<void>) {
  try {
    await open()
    return { ok: true, trouble: null, message: 'The mailbox can be read.' }
  } catch (error) {
    if (!(error instanceof MailboxFailure)) throw error
    return { ok: false, trouble: error.trouble, message: error.message }
  }
}

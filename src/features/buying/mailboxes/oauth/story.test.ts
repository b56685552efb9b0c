import { expect, test } from 'vitest'
import { connectMailbox } from '../../../../test/mailboxes/connect-mailbox.ts'
import { listening } from '../../../../test/oauth-client.ts'
import { poll } from '../../../../test/polls.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const api = listening()

const pollOf = async (amy: Someone) => {
  const { id } = await connectionOf(amy)
  return poll(amy, id, { providers: { ...theApp().providers, mailOAuth: api.app().providers.mailOAuth } })
}

async function connectionOf(amy: Someone) {
  const organizationId = String(amy.organizationId)
  const listed = await amy.call('integrations_email_settings', { organizationId })
  const [connection] = (listed as { connections: { id: string; attention: string | null }[] }).connections
  if (!connection) throw new Error('There is no connection.')
  return connection
}

test('a connected mailbox of the simulator is polled with its token, and its ten receipts become expenses', {
  timeout: 180_000,
}, async () => {
  const amy = await member('MANAGER')
  await connectMailbox(api.url, amy)
  const run = await pollOf(amy)
  expect(run).toMatchObject({ status: 'DONE', errorMessage: null })
  const said = run.messages.map(({ subject, outcome, reason }) => `${outcome} ${subject} ${reason ?? ''}`)
  expect(run.expensesCreated, said.join('\n')).toBeGreaterThanOrEqual(9)
  expect(run.emailsScanned).toBeGreaterThanOrEqual(29)
  const outcomeOf = (subject: RegExp) =>
    run.messages.filter((message) => subject.test(message.subject ?? '')).map(({ outcome }) => outcome)
  const receipts = outcomeOf(/^(Invoice |E-invoice |Your receipt |Lunch with|Paper for)/)
  expect(new Set(receipts), said.join('\n')).toEqual(new Set(['CREATED']))
  expect(outcomeOf(/^Fwd: /)).toEqual(['DUPLICATE'])
  expect(
    outcomeOf(/^(Invitation|Your invoice is ready|Five new|Exhibition texts)/).every(
      (outcome) => outcome === 'SKIPPED_NOT_EXPENSE',
    ),
    said.join('\n'),
  ).toBe(true)
})

test('a mailbox whose access was revoked needs attention, and none after it is connected again', async () => {
  const amy = await member('MANAGER')
  await connectMailbox(api.url, amy)
  const { id } = await connectionOf(amy)
  const expire = () =>
    theApp().system.raw.query(
      `update mail_connections set token_expires_at = now(), last_polled_at = now() where id = '${id}'`,
    )
  await expire()
  expect(await pollOf(amy)).toMatchObject({ status: 'DONE' })
  const { rows } = await theApp().system.raw.query(`select tokens from mail_connections where id = '${id}'`)
  const place = { table: 'mail_connections', column: 'tokens', rowId: id, organizationId: String(amy.organizationId) }
  const stored = await theApp().system.use((db) => theApp().services.secrets.vault.open(db, place, rows[0].tokens))
  const { refresh } = JSON.parse(stored.reveal()) as { refresh: string }
  await fetch(`${api.url}/simulator/mail/revoke`, { method: 'POST', body: new URLSearchParams({ token: refresh }) })
  await expire()
  expect(await pollOf(amy)).toMatchObject({
    status: 'ERROR',
    errorMessage: expect.stringContaining('Connect it again'),
  })
  expect(await connectionOf(amy)).toMatchObject({ id, attention: expect.stringContaining('Connect it again') })
  await connectMailbox(api.url, amy)
  expect(await connectionOf(amy)).toMatchObject({ id, attention: null })
  await theApp().system.raw.query(`update mail_connections set last_polled_at = now() where id = '${id}'`)
  expect(await pollOf(amy)).toMatchObject({ status: 'DONE' })
})

test('a connection of a provider at which nobody has signed in says so', async () => {
  const amy = await member('MANAGER')
  const { id } = await amy.call('integrations_email_settings_post', {
    organizationId: String(amy.organizationId),
    name: 'Mail',
    provider: 'GMAIL',
  })
  const tried = await amy.call('integrations_email_settings_test', { id })
  expect(tried).toMatchObject({
    ok: false,
    trouble: 'DISABLED',
    message: expect.stringContaining('Nobody has signed in'),
  })
  await connectMailbox(api.url, amy)
  const { connections } = (await amy.call('integrations_email_settings', {
    organizationId: String(amy.organizationId),
  })) as { connections: { id: string; username: string | null }[] }
  const connected = connections.find(({ username }) => username !== null)
  expect(await amy.call('integrations_email_settings_test', { id: String(connected?.id) })).toMatchObject({ ok: true })
})

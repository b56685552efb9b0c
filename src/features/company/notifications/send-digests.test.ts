import '../../../test/own-world.ts'
import { parseCrontab } from 'graphile-worker'
import { beforeEach, expect, test } from 'vitest'
import { crontab, jobs } from '../../../catalog/jobs.ts'
import { withConnection } from '../../../core/run/connection.ts'
import { newId } from '../../../core/values/id.ts'
import { doJob } from '../../../test/job.ts'
import { queuedTo } from '../../../test/queued-mail.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'
import { dueIn } from './digest.ts'
import { sendDigestBatch, sendDigests } from './send-digests.ts'

const ask = (text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows as Record<string, unknown>[])

beforeEach(() => ask("update users set digest = 'NONE'"))

/** What the job does at a given time; how many people it looked after. */
const digest = (at: string, mode: 'local' | 'strict' = 'local') =>
  withConnection(theApp().system, true, ({ db }) => {
    const { secrets } = theApp().services
    const inside = {
      db,
      secrets,
      installation: { mode, url: 'https://books.example.com', signUp: 'open' as const, signUpByLetter: false },
    }
    return sendDigestBatch(inside, new Date(at))
  })

const mailTo = ({ userId }: Someone) => queuedTo(`${userId}@example.test`)

const addAccount = (who: Someone, accountName: string) =>
  who.call('bank_accounts_create', { organizationId: who.organizationId ?? '', accountName, bankName: 'DBS' })

const monday = '2026-06-01T00:30:00Z' // half past eight in Singapore
const tuesday = '2026-06-02T00:30:00Z'

test('no digest is sent to people who did not choose one', async () => {
  const amy = await member('OWNER')
  await addAccount(amy, 'Main')
  expect(await digest(monday)).toBe(0)
  expect(await mailTo(amy)).toEqual([])
})

test('a digest lists unread notifications, comes from Kontor, and is sent once a day', async () => {
  const amy = await member('OWNER')
  await amy.call('users_me_update', { digest: 'DAILY', name: 'Amy' })
  await addAccount(amy, 'Main')
  await addAccount(amy, 'Seen')
  const [seen] = (await amy.call('users_notifications')).notifications
  await amy.call('users_notification_read', { id: seen?.id ?? '' })
  expect(await digest('2026-05-31T23:30:00Z')).toBe(0) // half past seven
  expect(await Promise.all([digest(monday), digest(monday), digest('2026-06-01T09:00:00Z')])).toEqual(
    expect.arrayContaining([1, 0, 0]),
  )
  const mail = await mailTo(amy)
  expect(mail).toMatchObject([
    { subject: 'There is one thing to know', organizationId: null, template: 'notification-digest' },
  ])
  expect(mail[0]?.text).toContain('Amy added the bank account Main of Acme.')
  expect(mail[0]?.text).not.toContain('Seen')
  expect(await ask("select from graphile_worker.jobs where task_identifier = 'send-mail'")).toHaveLength(1)
})

test('THR-18: names in a digest are cut to 60 characters and have no links, and reasons are complete', async () => {
  const amy = await member('OWNER')
  const name = `Visit https://evil.example or evil.example ${'now '.repeat(30)}`.trim()
  await amy.call('users_me_update', { digest: 'DAILY', name })
  await amy.call('organizations_update', { id: amy.organizationId ?? '', name })
  await addAccount(amy, name)
  const reason = 'The owner may not do this: it needs the role MANAGER in the organization, and yours is VIEWER.'
  await ask(
    `insert into notifications (id, user_id, organization_id, kind, data) values ($1, $2, $3, 'AUTOMATION_PAUSED', $4)`,
    [
      newId(),
      amy.userId,
      amy.organizationId,
      JSON.stringify({ by: null, organization: 'Acme', name: 'Dunning', reason }),
    ],
  )
  expect(await digest(monday)).toBe(1)
  const [mail] = await mailTo(amy)
  expect(mail?.text).not.toMatch(/evil\.example|(now ){15}/)
  expect(mail?.text).toContain('added the bank account Visit or evil. example now')
  expect(mail?.text).toContain(reason)
})

test('the next digest lists new notifications only, and is not sent without any', async () => {
  const amy = await member('OWNER')
  await amy.call('users_me_update', { digest: 'DAILY', locale: 'he' })
  await addAccount(amy, 'First')
  expect(await digest(monday)).toBe(1)
  expect(await digest(tuesday)).toBe(1)
  await addAccount(amy, 'Second')
  await addAccount(amy, 'Third')
  expect(await digest('2026-06-03T00:30:00Z')).toBe(1)
  const mail = await mailTo(amy)
  expect(mail.map(({ subject }) => subject)).toEqual(['יש עדכון אחד בשבילך', 'יש 2 עדכונים בשבילך'])
  expect(mail[1]?.text).not.toContain('First')
})

test('a weekly digest is sent on Mondays', async () => {
  const amy = await member('OWNER')
  await amy.call('users_me_update', { digest: 'WEEKLY' })
  await addAccount(amy, 'Main')
  expect([await digest('2026-05-31T00:30:00Z'), await digest(tuesday)]).toEqual([0, 0])
  expect(await digest(monday)).toBe(1)
  expect(await mailTo(amy)).toHaveLength(1)
})

test('an organization can exclude its notifications from digests', async () => {
  const amy = await member('OWNER')
  await amy.call('users_me_update', { digest: 'DAILY' })
  await amy.call('settings_update', { id: amy.organizationId ?? '', digest: false })
  await addAccount(amy, 'Main')
  expect(await digest(monday)).toBe(1)
  expect(await mailTo(amy)).toEqual([])
})

test('no digest is sent to disabled users, nor in strict mode to unconfirmed addresses', async () => {
  const [amy, bob] = [await member('OWNER'), await member('OWNER')]
  for (const each of [amy, bob]) await each.call('users_me_update', { digest: 'DAILY' })
  for (const each of [amy, bob]) await addAccount(each, 'Main')
  await ask('update users set disabled_at = now() where id = $1', [bob.userId])
  expect(await digest(monday, 'strict')).toBe(0)
  await ask('update users set email_verified_at = now() where id = any ($1)', [[amy.userId, bob.userId]])
  expect(await digest(monday, 'strict')).toBe(1)
  expect([(await mailTo(amy)).length, (await mailTo(bob)).length]).toEqual([1, 0])
})

test('the worker sends every due digest once, however many there are', async () => {
  const many = `insert into users (id, name, email, digest) select gen_random_uuid(), 'Many', gen_random_uuid() || '@many.test', 'DAILY'
    from generate_series(1, 250)`
  await ask(many)
  await ask(`insert into notifications (id, user_id, kind, data)
    select gen_random_uuid(), id, 'MEMBER_LEFT', '{"name": "Bob", "organization": "Acme"}' from users where name = 'Many'`)
  while ((await digest('2026-06-01T09:00:00Z')) > 0);
  expect(await digest('2026-06-01T20:00:00Z')).toBe(0)
  const sent = await ask(
    `select count(*) as n, count(distinct "to") as people from mail_deliveries where "to" like '%@many.test'`,
  )
  expect(sent).toEqual([{ n: 250, people: 250 }])
})

test('sending digests is a job of the worker, every hour', async () => {
  expect(jobs).toContain(sendDigests)
  expect(parseCrontab(crontab).map(({ task }) => task)).toContain(sendDigests.name)
  const amy = await member('OWNER')
  const timezone = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'].find((zone) => dueIn(zone, new Date())) ?? 'UTC'
  await amy.call('organizations_update', { id: amy.organizationId ?? '', timezone })
  await amy.call('users_me_update', { digest: 'DAILY' })
  await addAccount(amy, 'Main')
  const logError = (error: unknown) => expect(error).toBeUndefined()
  for (let time = 0; time < 2; time++) await doJob(sendDigests, {}, { logError })
  expect(await mailTo(amy)).toHaveLength(1)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribers } from '../../catalog/jobs.ts'
import { addDays, today } from '../../core/values/day.ts'
import { runAutomation } from '../../features/work/automations/engine/run-automation.ts'
import { type App, createApp } from '../../program/app.ts'
import { fireDue } from '../../worker/clock.ts'
import { mailbox } from '../fakes/smtp.ts'
import { doJob } from '../job.ts'
import { connected, newest } from '../mcp.ts'
import { sell } from '../sales-documents.ts'
import { member, type Someone, testConfig, theApp, theDatabase, withKey } from '../world.ts'

/**
 * An agent that knows nothing of Kontor builds "remind customers three days after the due date, unless disputed", with the compact
 * list, the search and the catalog alone. docs/agents.md shows the same calls.
 */

let app: App
let url: string
let mails: Awaited<ReturnType<typeof mailbox>>

beforeAll(async () => {
  mails = await mailbox()
  const settings = { SMTP_URL: `smtp://127.0.0.1:${mails.port}`, MAIL_FROM: 'kontor@example.com' }
  app = await createApp(testConfig(settings), theDatabase())
  url = await app.server.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(async () => {
  await app.close()
  await mails.close()
})

const zone = 'Asia/Singapore'
const dueDaysAgo = (days: number) => addDays(today(new Date(), zone), -days)

/** A customer with an invoice that was due so many days ago. */
const customerOwing = (amy: Someone, name: string, days: number, more: object = {}) =>
  owing(amy, { name, email: `${name}@example.com` }, days, more)

async function owing(amy: Someone, customer: { name: string; email?: string }, days: number, more: object = {}) {
  const { id: customerId } = await amy.call('customers_create', { country: 'SG', ...customer })
  const dates = { issueDate: dueDaysAgo(20), dueDate: dueDaysAgo(days) }
  return sell(amy, { customerId, status: 'SENT', ...dates, ...more })
}

const ask = (text: string, values: unknown[] = []) => theApp().system.raw.query(text, values)

/** A day passes: every due date is a day further back, and the clock strikes eight in the morning of that day. */
async function nextMorning({ organizationId = '' }: Someone, daysLater: number) {
  await ask(
    `alter table documents disable trigger guard_document;
     update documents set due_date = due_date - 1 where organization_id = '${organizationId}';
     alter table documents enable trigger guard_document`,
  )
  const now = `${addDays(today(new Date(), zone), daysLater)}T00:30:00Z` // 08:30 in Singapore
  await theApp().system.use((_, connection) => fireDue(connection, { type: 'schedule.daily', subscribers, now }))
  const runs = await ask("select id from automation_runs where organization_id = $1 and status = 'RUNNING'", [
    organizationId,
  ])
  const options = { providers: app.providers, flags: { [`organization:${organizationId}`]: true as const } }
  for (const { id } of runs.rows) await doJob(runAutomation, { runId: id }, options)
  return runs.rows.length
}

const recipients = () => mails.received.flatMap(({ to }) => to)

test('an agent builds, tests, repairs and enables reminders with the catalog alone, and each late customer gets one', async () => {
  const amy = await member('OWNER')
  const { organizationId = '' } = amy
  await customerOwing(amy, 'three', 3)
  await customerOwing(amy, 'two', 2)
  await customerOwing(amy, 'one', 1)
  await customerOwing(amy, 'later', -10)
  await customerOwing(amy, 'long-ago', 8)
  await owing(amy, { name: 'no-address' }, 3)
  await customerOwing(amy, 'paid', 2, { status: 'PAID', paymentDate: dueDaysAgo(1), paymentMethod: 'CASH' })
  await customerOwing(amy, 'draft', 2, { status: 'DRAFT' })
  for (const days of [2, 3]) {
    const { id } = await customerOwing(amy, `disputed-${days}`, days)
    await amy.call('invoices_events_post', { id, type: 'DISPUTED', payload: { reason: 'Not ordered' } } as never)
  }

  const client = await connected(await withKey(amy), newest, `${url}/mcp?tools=compact`)
  const known = (await client.listTools()).tools.map(({ name }) => name)
  const call = async (name: string, input: object) => {
    expect(known).toContain(name)
    const { structuredContent, isError } = await client.callTool({ name, arguments: { ...input } })
    expect(isError ?? false, `${name}: ${JSON.stringify(structuredContent)}`).toBe(false)
    // biome-ignore lint/suspicious/noExplicitAny: the answer of any tool
    return structuredContent as Record<string, any>
  }

  // What there is: the tools for automations, then the parts of one.
  const { tools } = await call('search_tools', { query: 'remind customers automatically', limit: 5 })
  expect((tools as { name: string }[]).map(({ name }) => name)).toContain('automations_create')
  const find = async (kind: string, query: string) => {
    const { found } = await call('automations_catalog', { kind, query })
    return (found[kind] as { name: string }[]).map(({ name }) => name)
  }
  expect(await find('triggers', 'every day')).toContain('schedule.daily')
  expect(await find('actions', 'send an email')).toContain('email.send')
  expect(await find('filters', 'invoices overdue, in dispute')).toContain('Document')
  const parts = await call('automations_catalog', { names: ['schedule.daily', 'email.send', 'Document', 'Customer'] })
  expect(parts).toMatchObject({ unknown: [], actions: [{ name: 'email.send' }] })
  const { Document } = parts.filterCatalog as Record<string, { fields: object[]; morphisms: object }>
  expect(Document?.fields).toEqual(expect.arrayContaining([{ name: 'daysOverdue', type: 'number' }, { name: 'inDispute', type: 'boolean' }]))
  expect(Document?.morphisms).toMatchObject({ customer: 'Customer' })

  // The filter first: what does it find today?
  const spec = {
    root: 'Document',
    follows: [{ from: 'Document', name: 'customer' }],
    predicates: [
      { object: 'Document', field: 'daysOverdue', op: 'eq', value: 3 },
      { object: 'Document', field: 'inDispute', op: 'eq', value: false },
    ],
    extract: [
      { as: 'number', path: 'Document.invoiceNumber' },
      { as: 'owed', path: 'Document.openBalance' },
      { as: 'currency', path: 'Document.currency' },
      { as: 'name', path: 'Customer.name' },
      { as: 'email', path: 'Customer.email' },
    ],
  }
  expect(await call('automations_preview', { organizationId, spec })).toMatchObject({
    count: 2,
    sample: expect.arrayContaining([
      expect.objectContaining({ name: 'three', email: 'three@example.com', owed: 109 }),
      expect.objectContaining({ name: 'no-address', email: null }),
    ]),
  })

  // Built with a mistake: the filter calls the address email, not mail. Who has no address is left out.
  const hasAddress = { left: '{{item.email}}', op: 'exists' }
  const graph = (to: string, found: object = spec) => ({
    blocks: [
      { id: 'morning', kind: 'TRIGGER', ref: 'schedule.daily' },
      { id: 'late', kind: 'FILTER', config: { spec: found } },
      {
        id: 'remind',
        kind: 'ACTION',
        ref: 'email.send',
        config: {
          input: {
            to,
            subject: 'Invoice {{item.number}} is overdue',
            body: 'Dear {{item.name}},\n\nplease pay {{item.currency}} {{item.owed}}.',
          },
        },
      },
    ],
    edges: [
      { id: 'e1', fromBlockId: 'morning', toBlockId: 'late' },
      { id: 'e2', fromBlockId: 'late', toBlockId: 'remind', mode: 'FOR_EACH', cond: hasAddress },
    ],
  })
  const { id } = await call('automations_create', { organizationId, name: 'Reminders', ...graph('{{item.mail}}') })

  // The test fails before anything is sent, and the run shows which step, with which input.
  const failed = await call('automations_test', { id, payload: {} })
  expect(failed).toMatchObject({ status: 'FAILED' })
  const { steps } = (await call('automations_run', { id, runId: failed.id })) as unknown as {
    steps: { blockId: string; status: string; input: { to?: unknown }; error: unknown }[]
  }
  const wrong = steps.find(({ status }) => status === 'FAILED')
  expect(wrong).toMatchObject({ blockId: 'remind', input: { to: null } })
  expect(JSON.stringify(wrong?.error)).toMatch(/to\b|address|recipient/i)
  expect(recipients()).toEqual([])

  // Repaired and tested: a test really acts, so today's customer has the reminder now.
  await call('automations_update', { id, ...graph('{{item.email}}') })
  expect(await call('automations_test', { id, payload: {} })).toMatchObject({ status: 'SUCCEEDED' })
  expect(recipients()).toEqual(['three@example.com'])

  // A test for which the filter finds nobody succeeds too, and shows nothing of the mail.
  const nobody = { ...spec, predicates: [{ object: 'Document', field: 'daysOverdue', op: 'eq', value: 999 }] }
  const { id: idle } = await call('automations_create', { organizationId, name: 'Nobody', ...graph('{{item.email}}', nobody) })
  const unproved = await call('automations_test', { id: idle, payload: {} })
  expect(unproved).toMatchObject({ status: 'SUCCEEDED', steps: expect.arrayContaining([expect.objectContaining({ blockId: 'remind', status: 'SKIPPED' })]) })

  expect(await call('automations_enable', { id })).toMatchObject({ status: 'ENABLED' })

  // The following mornings.
  expect(await nextMorning(amy, 1)).toBe(1)
  expect(recipients()).toEqual(['three@example.com', 'two@example.com'])
  expect(await nextMorning(amy, 2)).toBe(1)
  expect(await nextMorning(amy, 3)).toBe(1)
  expect(recipients()).toEqual(['three@example.com', 'two@example.com', 'one@example.com'])
  const { runs } = (await call('automations_runs', { id })) as unknown as { runs: { status: string }[] }
  expect(runs.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'FAILED'])
  expect(mails.received[1]?.raw.toString()).toMatch(/Subject: Invoice .* is overdue/)
}) // biome-ignore format: a list of calls

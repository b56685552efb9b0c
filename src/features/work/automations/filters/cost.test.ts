import { beforeAll, expect, test, vi } from 'vitest'
import { withTransaction } from '../../../../core/run/transaction-context.ts'
import { Connection } from '../../../../db/wire/connection.ts'
import { automate, graphOf, runSoFar, trigger } from '../../../../test/automations/automations.ts'
import { customer, preview, take, where } from '../../../../test/automations/filters.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { runFilter } from './filter.ts'

let amy: Someone
let customerId: string

/** A customer with seven hundred documents, as one that buys every day has after some years. */
beforeAll(async () => {
  amy = await member('CONTRIBUTOR')
  customerId = (await customer(amy, 'Globex')).id
  await theApp().system.raw.query(
    `insert into documents (organization_id, id, document_type, counterparty_id, counterparty_name, currency, minor_digits,
       issue_date, subtotal_minor, tax_minor, total_minor, generator_version)
     select $1, gen_random_uuid(), 'INVOICE', $2, 'Globex', 'SGD', 2, '2026-01-01', 1000, 0, 1000, '1'
     from generate_series(1, 700)`,
    [amy.organizationId, customerId],
  )
  await theApp().system.raw.query('analyze customers, documents')
})

const documentsAs = (as: string) => ({ from: 'Customer', name: 'documents', as })
const recipients = { from: 'Customer', name: 'recipients' }
const sumOf = (...names: string[]) => names.map((name) => ({ as: name, path: `${name}.total`, fn: 'sum' }))

const affordable = { root: 'Customer', follows: [documentsAs('First')], extract: sumOf('First') }
/** Every combination of three documents of a customer: 343 million. */
const triples = {
  ...affordable,
  follows: [documentsAs('First'), documentsAs('Second'), documentsAs('Third')],
  extract: sumOf('First', 'Second', 'Third'),
}
const withRecipients = { ...triples, follows: [recipients, ...triples.follows] }
const refusal = (at: string, n: number) => ({
  status: 400,
  details: [
    { path: `${at}.follows.${n}`, code: 'FILTER_TOO_EXPENSIVE', message: expect.stringContaining('Customer to First') },
  ],
})

test('THR-13: a filter that would read too much is refused before it runs, with the relation to leave out', async () => {
  expect(await preview(amy, affordable)).toMatchObject({ sample: [{ First: 7_000 }] })
  await expect(preview(amy, triples)).rejects.toMatchObject(refusal('spec', 0))
  await expect(preview(amy, withRecipients)).rejects.toMatchObject({
    details: [{ path: expect.stringMatching(/follows.[123]/) }],
  })
})

test('THR-13: a condition that leaves little makes the same filter affordable', async () => {
  const narrow = {
    ...triples,
    predicates: [
      where('First', 'invoiceNumber', 'eq', '1'),
      where('Second', 'id', 'eq', customerId),
      where('Third', 'id', 'eq', customerId),
    ],
  }
  expect(await preview(amy, narrow)).toMatchObject({ sample: [{ First: 0, Second: 0, Third: 0 }] })
})

test('THR-13: an expensive filter is refused in a run as well', async () => {
  const runId = await runSoFar(amy, await automate(amy, graphOf([trigger('invoice.paid')]), { armed: false }), [])
  const run = (spec: object) =>
    withTransaction(theApp().confined, amy, ({ db }) => {
      const rights = { role: 'VIEWER', scopes: null } as const
      const organizationId = amy.organizationId ?? ''
      const context = { db, now: new Date(), timezone: 'UTC', organizationId, runId, rights }
      return runFilter(context, { ...spec, shape: 'scalar' })
    })
  expect((await run(affordable)).output).toBe(7_000)
  await expect(run(triples)).rejects.toMatchObject(refusal('config.spec', 0))
})

test('the planner is asked only about filters with relations to many, and about sums without a condition', async () => {
  const asked = vi.spyOn(Connection.prototype, 'query')
  const isExplained = async (spec: object) => {
    asked.mockClear()
    await preview(amy, spec)
    return asked.mock.calls.some(([text]) => text.includes('explain'))
  }
  const sum = { root: 'Document', extract: sumOf('Document') }
  expect(await isExplained({ root: 'Document', extract: take('Document.id') })).toBe(false)
  expect(await isExplained({ ...sum, predicates: [where('Document', 'status', 'eq', 'SENT')] })).toBe(false)
  expect(await isExplained(sum)).toBe(true)
  expect(await isExplained(affordable)).toBe(true)
  asked.mockRestore()
})

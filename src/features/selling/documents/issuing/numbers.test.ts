import '../../../../test/own-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../../../db/pool.ts'
import { asSuperuser } from '../../../../test/database.ts'
import { salesDocument, sell } from '../../../../test/sales-documents.ts'
import { member, operationNamed, type Someone, theApp, theDatabase, withKey } from '../../../../test/world.ts'

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

/** Makes the database refuse some rows that are written after the number was assigned. */
async function failInserts(table: string, { odds = 0.4 } = {}) {
  await ask(`create or replace function fail_randomly() returns trigger language plpgsql as $$
    begin if random() < ${odds} then raise exception 'failed on purpose'; end if; return new; end $$`)
  await ask(
    `create trigger fail_randomly before insert or update on ${table} for each row execute function fail_randomly()`,
  )
  onTestFinished(() => void ask(`drop trigger if exists fail_randomly on ${table}`))
}

const writers = 16

/** Issues documents with sixteen concurrent writers, directly and from drafts; returns the status of each answer. */
async function issueAtOnce(amy: Someone, given: Record<string, unknown>, rounds: number): Promise<number[]> {
  const statuses: number[] = []
  const request = async (name: string, input: Record<string, unknown>) => {
    const key = `${Math.random()}`
    const reply = await amy.request(operationNamed(name), input, { 'idempotency-key': key })
    statuses.push(reply.status)
    return reply.body as { id: string }
  }
  const writer = async (_: unknown, n: number) => {
    for (let round = 0; round < rounds; round++) {
      if ((n + round) % 2) await request('invoices_create', { ...given, status: ['UNSENT', 'SENT', 'PAID'][n % 3] })
      else {
        const { id } = await request('invoices_create', given)
        if (id) await request('invoices_update', { id, status: 'SENT' })
      }
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return statuses
}

/** count = max = counter (INV-06). */
async function expectNoGap({ organizationId }: Someone) {
  const [numbers] = await ask(
    `select count(*)::int as count, max(sequence)::int as max, (select next_number::int - 1 from document_numbering
       where organization_id = $1 and document_type = 'INVOICE') as counter
     from documents where organization_id = $1 and sequence is not null`,
    [organizationId],
  )
  expect(numbers).toEqual({ count: expect.any(Number), max: numbers?.count, counter: numbers?.count })
  expect(numbers?.count).toBeGreaterThan(0)
}

test.each(['audit_log', 'idempotency_keys', 'events', 'document_events'])(
  'INV-06: a call that fails after its number was assigned, because %s refuses a row, leaves no gap',
  async (table) => {
    const amy = await withKey(await member('CONTRIBUTOR'))
    const given = await salesDocument(amy)
    await failInserts(table)
    const statuses = await issueAtOnce(amy, given, 4)
    expect(statuses).toContain(500)
    await ask(`drop trigger fail_randomly on ${table}`)
    await sell(amy, { status: 'SENT' })
    await expectNoGap(amy)
  },
)

test('INV-06: statements that are cancelled while issuing leave no gap', async () => {
  const amy = await withKey(await member('CONTRIBUTOR'))
  const given = await salesDocument(amy)
  const admin = openPool(asSuperuser(theDatabase()), { confined: false, max: 1 })
  onTestFinished(() => void admin.close())
  let isCancelling = true
  const cancelling = (async () => {
    while (isCancelling) {
      await admin.raw.query(`select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and random() < 0.3`)
      await sleep(5)
    }
  })()
  const statuses = await issueAtOnce(amy, given, 8)
  isCancelling = false
  await cancelling
  expect(statuses.some((status) => status >= 500)).toBe(true)
  await sell(amy, { status: 'SENT' })
  await expectNoGap(amy)
})

test('INV-05: twenty concurrent payments and credits of one document, in four ways, settle it once', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT' })
  const ways = [
    ['invoices_mark_paid', { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }],
    ['invoices_update', { status: 'PAID' }],
    ['invoices_payments', { amount: 109, paidAt: '2026-01-31' }],
    ['invoices_memos', { kind: 'CREDIT' }],
  ] as const
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => {
      const [name, input] = ways[n % ways.length] ?? ways[0]
      return amy.request(operationNamed(name), { id, ...input })
    }),
  )
  expect(replies.filter(({ status }) => status >= 500)).toEqual([])
  // Whichever came first: money makes it PAID, a credit does not.
  const { status, paidAmount, creditedAmount, openBalance } = await amy.call('invoices_get', { id })
  expect([paidAmount + creditedAmount, openBalance]).toEqual([109, 0])
  expect([status, paidAmount]).toEqual(creditedAmount > 0 ? ['SENT', 0] : ['PAID', 109])
  const live = await ask('select 1 from allocations where document_id = $1 and voided_at is null', [id])
  expect(live).toHaveLength(1)
})

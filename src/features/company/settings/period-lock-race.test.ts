import { expect, test, vi } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { queryAsSuperuser } from '../../../test/database.ts'
import { rowOf } from '../../../test/rows.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp, theDatabase } from '../../../test/world.ts'

const old = '2026-01-10'
const locked = '2026-01-31'

const lock = (amy: Someone) => amy.call('settings_update', { id: String(amy.organizationId), lockedUntil: locked })
const pay = (amy: Someone) =>
  amy.call('invoices_payments_create', {
    organizationId: String(amy.organizationId),
    ...{ amount: 5, currency: 'SGD', paidAt: old },
  })
const journal = async (amy: Someone) =>
  (await amy.call('reports_journal', { organizationId: String(amy.organizationId), from: old, to: locked })).totals
const refused = { status: 409, details: [{ code: 'PERIOD_LOCKED' }] }

/** Waits until a session of this database waits for an advisory lock. */
const someoneWaits = () =>
  vi.waitFor(async () => {
    const text = `select pid from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    expect(await queryAsSuperuser(theDatabase(), text)).not.toEqual([])
  })

const openTransaction = async <T>(
  work: (query: (text: string, values?: unknown[]) => Promise<unknown>) => Promise<T>,
) => {
  const client = await theApp().system.raw.connect()
  try {
    await client.query('begin')
    return await work((text, values) => client.query(text, values))
  } finally {
    await client.query('rollback')
    client.release()
  }
}

test('a lock waits for a transaction that books in the period, and then counts', async () => {
  const amy = await member('OWNER')
  await openTransaction(async (query) => {
    await query(
      `insert into payments (organization_id, id, amount_minor, currency, minor_digits, paid_at, source)
        values ($1, $2, 500, 'SGD', 2, $3, 'PAYMENT')`,
      [amy.organizationId, newId(), old],
    )
    const locking = lock(amy)
    await someoneWaits()
    expect((await amy.call('settings_get', { id: String(amy.organizationId) })).lockedUntil).toBe(null)
    await query('commit')
    expect((await locking).lockedUntil).toBe(locked)
  })
  expect(await journal(amy)).toMatchObject({ debit: 5 })
  await expect(pay(amy)).rejects.toMatchObject(refused)
})

test('what is booked while the period is being locked waits for the lock, and is refused', async () => {
  const amy = await member('OWNER')
  await pay(amy)
  await openTransaction(async (query) => {
    await query('insert into organization_settings (organization_id, locked_until) values ($1, $2)', [
      amy.organizationId,
      locked,
    ])
    const paying = pay(amy).catch((error: unknown) => error)
    await someoneWaits()
    await query('commit')
    expect(await paying).toMatchObject(refused)
  })
  expect(await journal(amy)).toMatchObject({ debit: 5 })
})

test('a lock that cannot be set because of a long transaction is refused as BUSY, and nobody else is', async () => {
  const amy = await member('OWNER')
  await openTransaction(async (query) => {
    await query('select require_open_period($1, $2)', [amy.organizationId, old])
    const [locking] = await Promise.allSettled([lock(amy), pay(amy)])
    expect(locking).toMatchObject({ status: 'rejected', reason: { status: 409, details: [{ code: 'BUSY' }] } })
  })
  expect(await journal(amy)).toMatchObject({ debit: 5 })
  expect((await lock(amy)).lockedUntil).toBe(locked)
})

test('eight clients who book without pause do not stop the lock, and none of them gets in afterwards', async () => {
  const amy = await member('OWNER')
  const customerId = await rowOf('customers', amy)
  const outcomes: unknown[] = []
  let isOver = false
  const book = async (client: number) => {
    while (!isOver) {
      const issue = () => sell(amy, { customerId, issueDate: old, status: 'PAID', paymentDate: old })
      await (client % 2 === 0 ? issue() : pay(amy)).catch((error: unknown) => outcomes.push(error))
    }
  }
  const clients = Array.from({ length: 8 }, (_, client) => book(client))
  await vi.waitFor(async () => expect((await journal(amy))?.debit).toBeGreaterThan(500), { timeout: 20_000 })
  await lock(amy)
  const booked = await journal(amy)
  await vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(16), { timeout: 20_000 })
  isOver = true
  await Promise.all(clients)
  expect(await journal(amy)).toEqual(booked)
  for (const outcome of outcomes) expect(outcome).toMatchObject(refused)
})

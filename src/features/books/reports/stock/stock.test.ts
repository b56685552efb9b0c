import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { reportFileOf } from '../../../../test/report-file.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { verify } from '../../../../verify/verify.ts'

const ask = (text: string, values: unknown[]) => theApp().system.raw.query(text, values)

/** A tracked item. */
async function item(amy: Someone, name: string, sku: string | null = null): Promise<string> {
  const id = newId()
  await ask(
    `insert into items (organization_id, id, name, sku, kind, unit, sale_currency, purchase_currency, tracked)
     values ($1, $2, $3, $4, 'GOODS', 'piece', 'SGD', 'SGD', true)`,
    [amy.organizationId, id, name, sku],
  )
  return id
}

/** Moves stock; the cost is in minor units. */
const move = (amy: Someone, itemId: string, quantity: number, date: string, cost: number | null = null) =>
  ask(
    `insert into stock_movements (organization_id, item_id, kind, quantity, date, given_cost, reason)
     values ($1, $2, $3, $4, $5, $6, 'Test')`,
    [amy.organizationId, itemId, quantity > 0 ? 'IN' : 'OUT', quantity, date, cost],
  )

const valuation = (amy: Someone, asOf?: string) =>
  amy.call('reports_stock_valuation', { organizationId: String(amy.organizationId), ...(asOf && { asOf }) })

/** The balance of the stock account in the journal at the end of a day. */
async function booked(amy: Someone, to: string) {
  const organizationId = String(amy.organizationId)
  const { accounts } = await amy.call('reports_accounts', { organizationId })
  const account = String(accounts.find(({ purpose }) => purpose === 'STOCK')?.code)
  const { totals } = await amy.call('reports_journal', { organizationId, from: '2000-01-01', to, account })
  return Math.round((totals.debit - totals.credit) * 100) / 100
}

test('stock is valued at its moving average, now and on a past day, and equals the journal', async () => {
  const amy = await member('MANAGER')
  const [bolt, nut] = [await item(amy, 'בורג', 'B-1'), await item(amy, '=nut()')]
  await move(amy, bolt, 10, '2026-01-05', 200) // 10 at 2.00
  await move(amy, bolt, 10, '2026-02-05', 300) // 20 at 2.50
  await move(amy, bolt, -5, '2026-03-05') // 15 at 2.50
  await move(amy, nut, 3, '2026-03-06', 1_000)
  await move(amy, nut, -3, '2026-03-07')
  const report = await valuation(amy)
  expect(report.items).toEqual([
    { itemId: bolt, sku: 'B-1', name: 'בורג', unit: 'piece', quantity: 15, averageCost: 2.5, value: 37.5 },
  ])
  for (const [day, total] of [
    ['2026-01-04', 0],
    ['2026-01-05', 20],
    ['2026-02-05', 50],
    ['2026-03-05', 37.5],
    ['2026-03-06', 67.5],
    ['2026-03-07', 37.5],
  ] as const) {
    expect([day, (await valuation(amy, day)).total]).toEqual([day, total])
    expect([day, await booked(amy, day)]).toEqual([day, total])
  }
  expect((await valuation(amy, '2026-03-06')).items.map(({ name }) => name)).toEqual(['בורג', '=nut()'])
  const violations = await verify({ system: theApp().system, storage: theApp().providers.storage })
  expect(violations.filter(({ id }) => id === 'REPORTS')).toEqual([])
  const asked = { organizationId: amy.organizationId, asOf: '2026-03-06', format: 'csv' }
  const { text } = await reportFileOf(amy, 'reports_stock_valuation', asked)
  expect(text).toContain(`"B-1","בורג","piece",15,2.5,"SGD",37.5`)
  expect(text).toContain(`"'=nut()","piece",3,10,"SGD",30`)
})

test('an opening balance of the stock account is shown beside the items, and the sum is the account', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  await move(amy, await item(amy, 'Bolt'), 4, '2026-01-05', 100)
  const { accounts } = await amy.call('reports_accounts', { organizationId })
  const idOf = (purpose: string) => String(accounts.find((each) => each.purpose === purpose)?.id)
  const lines = [
    { accountId: idOf('STOCK'), debit: 250 },
    { accountId: idOf('OPENING_BALANCES'), credit: 250 },
  ]
  await amy.call('reports_journal_entry_create', {
    organizationId,
    kind: 'OPENING',
    date: '2026-01-01',
    description: 'Brought forward',
    lines,
  })
  const asOf = '2026-01-31'
  const figures = { total: 4, openingBalance: 250, journalEntries: 0, accountBalance: 254 }
  expect(await valuation(amy, asOf)).toMatchObject(figures)
  expect(await booked(amy, asOf)).toBe(figures.accountBalance)
  expect(await valuation(amy, '2025-12-31')).toMatchObject({ total: 0, openingBalance: 0, accountBalance: 0 })
  const { text } = await reportFileOf(amy, 'reports_stock_valuation', { organizationId, asOf, format: 'csv' })
  expect(text).toContain(`"Opening balance"`)
})

test('of an empty organization is nothing', async () => {
  expect(await valuation(await member('VIEWER'))).toMatchObject({ items: [], total: 0, pagination: { total: 0 } })
})

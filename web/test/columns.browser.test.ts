import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { hire, payrollOf, payslipIdOf } from '../../src/test/payroll/company.ts'
import { proves } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { sideways, visit } from './visit.ts'

/** Every list with money. */
const lists = [
  ...['documents', 'customers', 'payments', 'expenses', 'supplier-payments', 'my-claims', 'orders', 'items', 'stock'],
  ...['stock-movements', 'payroll', 'employees', 'pay-payments', 'leave-claims', 'my-payslips', 'journal-entries'],
]
/** A small window, and a large one with the companion beside the list. */
const looks = [
  { lang: 'en', width: 1024, companion: false },
  { lang: 'en', width: 1440, companion: true },
  { lang: 'he', width: 1440, companion: true },
  { lang: 'he', width: 1024, companion: false },
] as const

const long = 'Kopi Republic Roasters and Importers of Singapore and the Straits Pte. Ltd.'
const amount = 1_234_567.89
const name = 'קיבוץ עין השופט אגודה שיתופית חקלאית בערבון מוגבל'

describe.skipIf(!hasBrowser)('columns of lists', () => {
  withBrowser()
  let amy: Someone
  beforeAll(async () => {
    if (hasBrowser) amy = await company()
  })

  test.each(looks)('names and amounts are in view: $lang, $width pixels, companion: $companion', async (look) => {
    const here = lists.filter((_, at) => proves || at % looks.length === looks.indexOf(look))
    const owner = await member('OWNER', { of: amy }) // the language belongs to the person
    const seen = await visit(owner, `/o/$org/${here[0]}`, { ...look, height: 900 })
    const { page } = seen
    await made(page)
    const hidden: string[] = []
    for (const list of here) {
      await page.goto(`/o/${amy.organizationId}/${list}`)
      await page.getByRole('row').nth(1).waitFor()
      if (look.companion) {
        await page.keyboard.press('Control+KeyJ')
        await page.getByRole('complementary').waitFor()
      }
      await expect.poll(() => page.locator('.animate-none').count()).toBe(0)
      hidden.push(...((await outOfView(page)) as string[]).map((each) => `${list}: ${each}`))
      if ((await sideways(page)) !== 0) hidden.push(`${list}: the page is wider than the window`)
    }
    expect(hidden).toEqual([])
    expect(seen.trouble).toEqual([])
  })

  test('beside an open document and the companion a row is two lines, and one line again when they are closed', async () => {
    const owner = await member('OWNER', { of: amy })
    const { page } = await visit(owner, '/o/$org/documents', { width: 1440 })
    const row = page.getByRole('row').filter({ hasText: 'Kopi' }).first()
    await row.waitFor()
    const heightOf = async () => (await row.boundingBox())?.height
    expect(await heightOf()).toBe(40)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+KeyJ')
    await expect.poll(heightOf).toBe(64)
    await expect.poll(() => outOfView(page)).toEqual([])
    await page.getByRole('complementary', { name: 'Companion' }).getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(heightOf).toBe(40)
  })
})

/** What of names and amounts is cut off or outside the list; something of each is in every row. */
const outOfView = (page: Page) =>
  page.evaluate(`(() => {
    const grid = document.querySelector('[role=grid]')
    if (!grid) return ['no rows']
    const edge = grid.getBoundingClientRect()
    const rows = [...grid.querySelectorAll('[role=rowgroup] > [role=row]')]
    const isAmount = ({ textContent }) => /[₪$]/.test(textContent) && /[0-9]/.test(textContent)
    const problems = []
    const look = (each, what) => {
      const box = each.getBoundingClientRect()
      const cell = each.closest('[role=gridcell]').getBoundingClientRect()
      const [from, to] = [Math.max(edge.left, cell.left), Math.min(edge.left + grid.clientWidth, cell.right)]
      if (box.left < from - 1 || box.right > to + 1) problems.push(what + ' is cut off: ' + each.textContent)
    }
    if (rows.length === 0) problems.push('no rows')
    if (grid.scrollWidth > grid.clientWidth) problems.push('scrolls sideways')
    for (const row of rows) {
      const amounts = [...row.querySelectorAll('bdi.tabular-nums')].filter(isAmount)
      if (amounts.length === 0) problems.push('no amount: ' + row.textContent)
      for (const each of amounts) look(each, 'an amount')
      const name = row.querySelector('.font-medium')
      if (!name) problems.push('no name: ' + row.textContent)
      else if (name.getBoundingClientRect().width < 60) problems.push('the name is too narrow: ' + name.textContent)
      else look(name, 'a name')
    }
    return [...new Set(problems)]
  })()`)

/** Lists that few people have something in: payslips and claims of one's own, leave that an authority owes. */
async function made(page: Page) {
  const payslip = { id: '1', periodStart: '2026-03-01', periodEnd: '2026-03-31', status: 'PAID', total: amount }
  await page.route('**/api/hr/me/payslips*', (route) => route.fulfill({ json: { payslips: [payslip] } }))
  const claim = { id: '1', description: long, date: '2026-03-31', status: 'PENDING_REVIEW', amount, currency: 'ILS' }
  await page.route('**/api/hr/me/claims*', (route) =>
    route.fulfill({ json: { claims: [claim], pagination: { page: 1, limit: 100, total: 1, totalPages: 1 } } }),
  )
  const owed = {
    scheme: 'GPML',
    authorityName: long,
    claimed: amount,
    settled: amount,
    outstanding: amount,
  }
  await page.route('**/api/payroll/summary*', (route) =>
    route.fulfill({ json: { gplOutstanding: [{ ...owed, authorityOrgId: '1', lineIds: [] }] } }),
  )
}

/** A company in Israel with a row in every list, each with a long name and a large amount. */
async function company(): Promise<Someone> {
  const il = await payrollOf('IL')
  const { amy } = il
  const organizationId = String(amy.organizationId)
  const items = [{ id: '1', description: long, quantity: 1, unitPrice: amount, amount }]
  for (const each of [long, name]) {
    const customerId = await newCustomer(amy, each, 'IL')
    for (const [currency, status] of [
      ['ILS', 'SENT'],
      ['USD', 'SENT'],
      ['ILS', 'DRAFT'],
    ])
      await newDraft(amy, customerId, {
        ...{ currency, status, items, subtotal: amount, taxRate: 0, taxAmount: 0, total: amount },
        ...(currency === 'USD' && { exchangeRate: 3.5 }),
      })
    const payment = { customerId, amount, currency: 'ILS', paidAt: '2026-03-31', method: 'BANK_TRANSFER' }
    await amy.call('invoices_payments_create', payment)
    const supplier = await amy.call('suppliers_create', { name: each, country: 'IL' })
    await amy.call('expenses_payments_create', {
      ...{ supplierId: supplier.id, amount, currency: 'ILS', paidAt: '2026-03-31', method: 'BANK_TRANSFER' },
    })
    const bill = { vendor: each, title: each, description: each, amount, currency: 'ILS', date: '2026-03-31' }
    await amy.call('expenses_create', bill)
    const lamp = { name: each, sku: `LAMP-${each.length}`, salePrice: amount, tracked: true }
    const item = await amy.call('logistics_items_create', lamp)
    const into = { itemId: item.id, kind: 'IN' as const, quantity: 1, unitCost: amount }
    await amy.call('logistics_stock_movements_create', into)
    const line = { description: each, quantity: 1, unitPrice: amount }
    await amy.call('orders_create', { kind: 'SALES', status: 'OPEN', customerId, currency: 'ILS', lines: [line] })
  }
  const { accounts } = await amy.call('reports_accounts', {})
  const [debit, credit] = accounts.filter(({ type }) => type === 'EXPENSE' || type === 'EQUITY')
  await amy.call('reports_journal_entry_create', {
    ...{ organizationId, date: '2026-03-31', description: long },
    lines: [
      { accountId: String(debit?.id), debit: amount },
      { accountId: String(credit?.id), credit: amount },
    ],
  })
  const dana = await hire(amy, { name: long, jobTitle: long, monthlyWage: amount })
  await il.generate('2026-03')
  await il.approve('2026-03')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(new Date())
  await il.pay(await payslipIdOf(il, '2026-03', dana.id), 'NET', { paidAt: today }) // the list begins with this month
  return amy
}

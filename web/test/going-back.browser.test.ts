import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { inProof, proves, sample } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { hasFocus, visit } from './visit.ts'

/** Drafts on two pages, or on three. */
const draftCount = inProof(120, 220)
/** They all are the same list with other columns: in `npm test` one whose rows can be ticked, and one whose rows cannot. */
const every = ['customers', 'expenses', 'items', 'suppliers', 'payments', 'accounts', 'orders', 'documents']
const lists = inProof(every.slice(0, 2), every)

/** Ways from the page of a document back to the list. */
const ways = {
  'the link of the page': (page: Page) => page.getByRole('main').getByRole('link', { name: 'Documents' }).click(),
  'the browser': (page: Page) => page.goBack(),
  Escape: (page: Page) => page.keyboard.press('Escape'),
}

describe.skipIf(!hasBrowser)('who comes back to a list', () => {
  withBrowser()
  let amy: Someone
  beforeAll(async () => {
    if (hasBrowser) amy = await company()
  })

  test.each(sample(Object.keys(ways) as (keyof typeof ways)[], 2))(
    'through %s finds the row, the place and what was ticked, also on a late page',
    async (way) => {
      const { page } = await visit(await member('OWNER', { of: amy }), '/o/$org/documents?view=drafts')
      await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
      if (way !== 'Escape') await openCompanion(page) // which Escape would close first
      await page.keyboard.press('End')
      await page
        .locator(`[aria-rowindex="${draftCount + 1}"]`)
        .filter({ hasText: 'Kopi' })
        .waitFor()
      for (const key of ['x', 'k', 'k', 'k', 'x']) await page.keyboard.press(key)
      await expect.poll(async () => (await placeIn(page)).ticked).toBe('2 selected')
      await page.keyboard.press('Enter')
      const opened = page.getByRole('complementary').filter({ hasText: 'Draft' }).first()
      await opened.getByRole('link', { name: 'Open as a page' }).waitFor()
      const before = await settled(page)
      expect(before.row).not.toBe('')
      await opened.getByRole('link', { name: 'Open as a page' }).click()
      await page.getByRole('heading', { level: 1, name: /Draft/ }).waitFor()
      await page.getByRole('grid').waitFor({ state: 'detached' })

      await ways[way](page)
      await expect.poll(() => placeIn(page)).toEqual({ ...before, focused: true })
      expect(new URL(page.url()).searchParams.get('view')).toBe('drafts')
      await page.keyboard.press('x') // the keys go on where they were
      await expect.poll(async () => (await placeIn(page)).ticked).toBe('1 selected')
    },
  )

  test('finds the row and the place of every list', async () => {
    const { page } = await visit(await member('OWNER', { of: amy }), '/o/$org/reports')
    const lost: string[] = []
    for (const list of lists) {
      await page.goto(`/o/${amy.organizationId}/${list}`)
      await page.locator('[aria-rowindex="9"]').waitFor()
      await expect.poll(() => page.locator('.animate-none').count()).toBe(0)
      await page.keyboard.press('End')
      for (const key of ['k', 'k']) await page.keyboard.press(key)
      await settled(page)
      await page.keyboard.press('x')
      const ticks = list === 'customers' || list === 'documents' ? '1 selected' : ''
      await expect.poll(async () => (await placeIn(page)).ticked).toBe(ticks)
      const before = await settled(page)
      if (before.top === 0) lost.push(`${list} has too few rows`)
      await page.getByRole('link', { name: 'Reports' }).click()
      await page.getByRole('heading', { name: 'Reports' }).waitFor()
      await page.goBack()
      const isBack = expect.poll(() => placeIn(page)).toEqual({ ...before, focused: true })
      await isBack.catch(async () => lost.push(`${list}: ${JSON.stringify([before, await placeIn(page)])}`))
    }
    expect(lost).toEqual([])
  })

  test('through the menu begins at the top, with nothing ticked', async () => {
    const { page } = await visit(await member('OWNER', { of: amy }), '/o/$org/customers')
    await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
    for (const key of ['End', 'k', 'x']) await page.keyboard.press(key)
    await expect.poll(async () => (await placeIn(page)).ticked).toBe('1 selected')
    await page.getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('heading', { name: 'Reports' }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
    expect(await placeIn(page)).toMatchObject({ top: 0, row: '', ticked: '' })
  })

  test('finds the row also when others came before it meanwhile', async () => {
    const owner = await member('OWNER', { country: 'SG' })
    const customerId = await newCustomer(owner)
    for (const price of amounts(10)) await newDraft(owner, customerId, priced(price))
    const { page } = await visit(owner, '/o/$org/documents')
    await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
    for (const key of ['j', 'j', 'j', 'j']) await page.keyboard.press(key)
    const before = await settled(page)
    await page.getByRole('link', { name: 'Reports' }).click()
    await page.getByRole('heading', { name: 'Reports' }).waitFor()
    await newDraft(owner, customerId, priced(7777))
    await page.goBack()
    await page.getByRole('row').filter({ hasText: '7,777.00' }).waitFor()
    await expect.poll(async () => (await placeIn(page)).row).toBe(before.row)
  })

  test.each(inProof([390], [390, 1024]))(
    'from a record that filled the window of %i pixels finds the place, in Hebrew',
    async (width) => {
      const owner = await member('OWNER', { of: amy })
      const { page } = await visit(owner, '/o/$org/customers', { lang: 'he', width })
      await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
      for (const key of ['End', 'k']) await page.keyboard.press(key)
      const before = await settled(page)
      expect(before.top).toBeGreaterThan(500)
      await page.keyboard.press('Enter')
      const record = page.getByRole('complementary')
      await record.getByRole('link', { name: 'פתיחת הדף' }).waitFor()
      await record.getByRole('button', { name: 'סגירה' }).click()
      await record.waitFor({ state: 'detached' })
      await expect.poll(() => placeIn(page)).toMatchObject({ top: before.top, row: before.row })
      await page.keyboard.press('Enter')
      await record.getByRole('link', { name: 'פתיחת הדף' }).click()
      await page.getByRole('grid').waitFor({ state: 'detached' })
      await page.getByRole('main').getByRole('link', { name: 'לקוחות' }).click()
      await record.getByRole('button', { name: 'סגירה' }).click()
      await expect.poll(() => placeIn(page)).toMatchObject({ top: before.top, row: before.row })
    },
  )
})

type Place = { top: number; row: string; ticked: string; focused: boolean }

/** Where somebody is in a list: the first pixel in view, the row, what is ticked, and whether the keys go to it. */
const placeIn = (page: Page): Promise<Place> =>
  page.evaluate(`(() => {
    const grid = document.querySelector('[role=grid]')
    const active = grid?.getAttribute('aria-activedescendant')
    return {
      top: Math.round(grid?.scrollTop ?? -1),
      row: (active && document.getElementById(active)?.textContent) ?? '',
      ticked: document.querySelector('[role=toolbar] [role=status]')?.textContent ?? '',
      focused: document.activeElement === grid,
    }
  })()`)

/** The place once nothing moves any more. */
async function settled(page: Page): Promise<Place> {
  let last = await placeIn(page)
  await expect
    .poll(async () => {
      const before = JSON.stringify(last)
      last = await placeIn(page)
      return before === JSON.stringify(last) && last.row !== ''
    })
    .toBe(true)
  return last
}

async function openCompanion(page: Page) {
  await page.keyboard.press('Control+KeyJ')
  const message = page.getByRole('complementary').getByRole('textbox')
  await expect.poll(() => hasFocus(message)).toBe(true)
  await message.blur()
}

const amounts = (n: number) => Array.from({ length: n }, (_, at) => at + 1)

/** Each row has an amount of its own. */
const priced = (amount: number) => ({
  items: [{ id: '1', description: 'Beans', quantity: 1, unitPrice: amount, amount }],
  ...{ subtotal: amount, taxRate: 0, taxAmount: 0, total: amount },
})

/** Drafts on several pages, and enough rows in other lists that they scroll. */
async function company(): Promise<Someone> {
  const amy = await member('OWNER', { country: 'SG' })
  const customerId = await newCustomer(amy)
  for (const price of amounts(draftCount)) await newDraft(amy, customerId, priced(price))
  for (const n of amounts(40)) {
    await newCustomer(amy, `Kopi ${100 + n}`)
    await amy.call('expenses_create', { amount: n, currency: 'SGD', date: '2026-01-31', vendor: `Paper ${n}` })
    if (!proves) continue
    await amy.call('logistics_items_create', { name: `Lamp ${100 + n}`, salePrice: n, purchasePrice: 10 })
    await amy.call('suppliers_create', { name: `Paper ${100 + n}`, country: 'SG' })
    const payment = { customerId, amount: n, currency: 'SGD', paidAt: '2026-03-31', method: 'BANK_TRANSFER' }
    await amy.call('invoices_payments_create', payment)
    const lines = [{ description: 'Beans', quantity: 1, unitPrice: n }]
    await amy.call('orders_create', { kind: 'SALES', status: 'OPEN', customerId, currency: 'SGD', lines })
  }
  return amy
}

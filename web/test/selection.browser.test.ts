import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves, sample } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('rows that are ticked in the web app', () => {
  withBrowser()

  test('nothing is ticked by keys while somebody types, nor behind the palette, a dialog or a menu', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await threeDrafts(amy)
    const { page } = await visit(amy, '/o/$org/documents')
    await rowsOf(page, 3)
    await page.getByRole('searchbox').fill('Kopi')
    await rowsOf(page, 3)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Kopi') // replaces what was typed, as everywhere else
    expect(await page.getByRole('searchbox').inputValue()).toBe('Kopi')
    await nothingTicked(page)

    await page.getByRole('searchbox').blur()
    await page.keyboard.press('Control+k')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').or(dialog.locator('input')).first().fill('Kopi')
    await page.keyboard.press('Control+a')
    await nothingTicked(page)
    await page.evaluate('document.activeElement.blur()')
    for (const key of ['Control+a', 'j', 'x']) await page.keyboard.press(key)
    await nothingTicked(page)
    await leaveDialog(page)

    await page.getByRole('button', { name: 'Filter' }).click()
    await dialog.getByLabel('Amount from').fill('1')
    await page.keyboard.press('Control+a')
    await nothingTicked(page)
    await leaveDialog(page)

    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem').first().waitFor()
    await page.keyboard.press('Control+a')
    await nothingTicked(page)
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' })
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('Control+a')
    await ticked(page, '3 selected')
  })

  test('another view, filter or search unticks the rows, another order does not', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await threeDrafts(amy)
    const { page } = await visit(amy, '/o/$org/documents')
    const again = async () => {
      await rowsOf(page, 3)
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press('Control+a')
      await ticked(page, '3 selected')
    }
    await again()
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click()
    await page.waitForURL(/by=total/)
    await ticked(page, '3 selected')
    await page.getByRole('link', { name: /^Drafts/ }).click()
    await nothingTicked(page)
    await again()
    await page.getByRole('searchbox').fill('Kopi')
    await nothingTicked(page)
    await again()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('dialog').getByLabel('Amount from').fill('1')
    await page.getByRole('dialog').getByRole('button', { name: 'Show', exact: true }).click()
    await nothingTicked(page)
    await again()
    await page.getByRole('button', { name: 'Remove the filter Amount' }).click()
    await nothingTicked(page)
  })

  test('who pays or sends several documents reads how many, how much in each currency, and what is left out', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { left } = await mixed(amy)
    const seen = await visit(amy, '/o/$org/documents')
    const { page } = seen
    await rowsOf(page, 5)
    await page.keyboard.press('Control+a')
    await ticked(page, '5 selected')
    const bar = page.getByRole('toolbar')
    await bar.getByText('US$50.20').waitFor()
    await bar.getByText('$327.01').waitFor() // three of 109 and one of a cent
    await bar.getByRole('button', { name: 'Mark paid' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark 3 documents as paid?' })
    await dialog.getByText('$168.00').waitFor() // 109 and the 59 that are left of another
    await dialog.getByText('US$50.20').waitFor()
    await dialog.getByText('2 of the 5 chosen are left out. They are drafts, or nothing is open of them.').waitFor()
    await expectSound(seen)
    await leaveDialog(page)

    await bar.getByRole('button', { name: 'Send' }).click()
    const sending = page.getByRole('dialog', { name: 'Send 4 documents?' })
    await sending.getByText('$327.00').waitFor()
    await sending.getByText('One of the 5 chosen is left out. What is cancelled or converted is not sent.').waitFor()
    await leaveDialog(page)

    await bar.getByRole('button', { name: 'Mark paid' }).click()
    await dialog.getByRole('button', { name: 'Mark paid' }).click()
    await page.getByText('Done: 3').waitFor()
    await ticked(page, '2 selected')
    expect(await bar.getByRole('button', { name: 'Mark paid' }).count()).toBe(0)
    const { invoices } = await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })
    const paid = invoices.filter(({ status }) => status === 'PAID').map(({ id }) => id)
    expect(paid).toHaveLength(3)
    expect(paid.some((id) => left.includes(id))).toBe(false)
    await expectSound(seen)
  })

  test.runIf(proves)('one ticked document is spoken of as one', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await mixed(amy)
    const { page } = await visit(amy, '/o/$org/documents?minAmount=50&maxAmount=51')
    await rowsOf(page, 1)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await ticked(page, '1 selected')
    await page.getByRole('toolbar').getByRole('button', { name: 'Mark paid' }).click()
    await page.getByRole('dialog', { name: 'Mark one document as paid?' }).getByText('US$50.20').waitFor()
    expect(await page.getByText('left out').count()).toBe(0)
  })

  test.runIf(proves)('the words for several documents agree with their number in Hebrew', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await mixed(amy)
    const seen = await visit(amy, '/o/$org/documents', { lang: 'he' })
    const { page } = seen
    await rowsOf(page, 5)
    await page.keyboard.press('Control+a')
    await ticked(page, 'נבחרו 5 שורות')
    await page.getByRole('button', { name: 'סימון כשולם' }).click()
    const dialog = page.getByRole('dialog', { name: 'לסמן 3 מסמכים כשולמו?' })
    await dialog.getByText('שניים מתוך 5 שנבחרו לא ייכללו. אלה טיוטות, או שאין בהם יתרה פתוחה.').waitFor()
    await expectSound(seen)
    await leaveDialog(page)
    await page.getByRole('button', { name: 'שליחה', exact: true }).click()
    await page.getByText('אחד מתוך 5 שנבחרו לא ייכלל. מסמך שבוטל או הומר אינו נשלח.').waitFor()
  })

  test('of several customers only those without documents are deleted, and the others are told', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const kopi = await newCustomer(amy)
    await newDraft(amy, kopi)
    for (const name of ['Kopi two', 'Kopi three']) await newCustomer(amy, name)
    const { page } = await visit(amy, '/o/$org/customers')
    await rowsOf(page, 3)
    await page.keyboard.press('Control+a')
    await ticked(page, '3 selected')
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('2 customers deleted').waitFor()
    await page.getByText('Only customers without documents and orders can be deleted.').waitFor()
    await page.getByText('One of the 3 chosen stays, and stays selected.').waitFor()
    await ticked(page, '1 selected')
    await rowsOf(page, 1)
    const left = async () => (await amy.call('customers_list', {})).customers.length
    await expect.poll(left, { timeout: 15_000 }).toBe(1)
  })

  test('what is ticked on pages that are not loaded is known to the dialog', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const customerId = await newCustomer(amy)
    for (let n = 0; n < 120; n += 1) await newDraft(amy, customerId, n % 2 === 0 ? { status: 'SENT' } : {})
    const { page } = await visit(amy, '/o/$org/documents')
    await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
    await page.keyboard.press('Control+a')
    await ticked(page, '120 selected')
    await page.getByRole('toolbar').getByText('$13,080.00').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Mark paid' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark 60 documents as paid?' })
    await dialog.getByText('$6,540.00').waitFor()
    await dialog.getByText('60 of the 120 chosen are left out.').waitFor()
  })

  const without = ['payments', 'expenses', 'supplier-payments', 'orders', 'items', 'stock', 'stock-movements']
  const more = ['suppliers', 'employees', 'payroll', 'pay-payments', 'my-claims', 'journal-entries', 'accounts']
  const lists = [...without, ...more, 'bank-accounts', 'imports', 'mail', 'automations', 'my-payslips', 'mailboxes']

  test('a list that can do nothing with several rows has nothing to tick', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await aLittleOfEverything(amy)
    const { page } = await visit(amy, '/o/$org/documents')
    const withTicks: string[] = []
    for (const list of sample(lists, 4)) {
      await page.goto(`/o/${amy.organizationId}/${list}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await expect.poll(() => page.locator('.animate-none').count()).toBe(0)
      for (const key of ['j', 'x', 'Shift+X', 'Control+a']) await page.keyboard.press(key)
      const ticks = await page.getByRole('checkbox').count()
      const chosen = await page.locator('[role=row][aria-selected=true]').count()
      const bars = await page.getByText(/\d selected/).count()
      if (ticks + chosen + bars > 0) withTicks.push(list)
    }
    expect(withTicks).toEqual([])
    await page.goto(`/o/${amy.organizationId}/expenses`)
    await page.getByRole('row').filter({ hasText: 'Paper' }).waitFor()
    expect(await page.getByRole('grid').getAttribute('aria-multiselectable')).toBe('false')
  })

  test.runIf(proves).each(['documents', 'customers'])('%s can be ticked', async (list) => {
    const amy = await member('OWNER', { country: 'SG' })
    await newDraft(amy, await newCustomer(amy))
    const { page } = await visit(amy, `/o/$org/${list}`)
    await rowsOf(page, 1)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await ticked(page, '1 selected')
    expect(await page.getByRole('row').filter({ hasText: 'Kopi' }).getByRole('checkbox').isChecked()).toBe(true)
  })

  test.runIf(proves)('who may not delete customers has nothing to tick in their list', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await newCustomer(amy)
    const vic = await member('VIEWER', { of: amy })
    const { page } = await visit(vic, '/o/$org/customers')
    await rowsOf(page, 1)
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })
})

const rowsOf = (page: Page, n: number) =>
  expect.poll(() => page.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(n)

const ticked = (page: Page, text: string) =>
  page.getByRole('toolbar').getByRole('status').filter({ hasText: text }).waitFor()

const nothingTicked = async (page: Page) => {
  await expect.poll(() => page.locator('[role=row][aria-selected=true]').count()).toBe(0)
  expect(await page.getByRole('toolbar').getByRole('status').count()).toBe(0)
}

async function leaveDialog(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function threeDrafts(amy: Someone) {
  const customerId = await newCustomer(amy)
  for (let n = 0; n < 3; n += 1) await newDraft(amy, customerId)
}

/** A draft, one that is cancelled, and three of which something is open: all of one, a part of one, one in dollars. */
async function mixed(amy: Someone) {
  const organizationId = amy.organizationId ?? ''
  const customerId = await newCustomer(amy)
  const draft = await newDraft(amy, customerId)
  await newDraft(amy, customerId, { status: 'SENT' })
  const part = await newDraft(amy, customerId, { status: 'SENT' })
  await amy.call('invoices_payments', { id: part.id, amount: 50, paidAt: '2026-01-31', method: 'CASH' } as never)
  const item = { id: '1', description: 'Beans', quantity: 1, unitPrice: 50.2, amount: 50.2 }
  const inDollars = {
    currency: 'USD',
    exchangeRate: 1.3,
    items: [item],
    subtotal: 50.2,
    taxAmount: 0,
    taxRate: 0,
    total: 50.2,
  }
  await newDraft(amy, customerId, { status: 'SENT', ...inDollars })
  const request = await newDraft(amy, customerId, { documentType: 'PAYMENT_REQUEST', status: 'SENT', ...free })
  await amy.call('invoices_cancel', { id: request.id } as never)
  return { left: [draft.id, request.id], organizationId }
}
const free = {
  items: [{ id: '1', description: 'Beans', quantity: 1, unitPrice: 0.01, amount: 0.01 }],
  subtotal: 0.01,
  taxAmount: 0,
  taxRate: 0,
  total: 0.01,
}

async function aLittleOfEverything(amy: Someone) {
  await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
  await amy.call('expenses_create', { amount: 118, currency: 'SGD', date: '2026-01-31', vendor: 'Paper Ltd.' })
  await amy.call('logistics_items_create', { name: 'Lamp', salePrice: 25, purchasePrice: 10 })
  await amy.call('suppliers_create', { name: 'Paper Ltd.', country: 'SG' })
  await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' } as never)
}

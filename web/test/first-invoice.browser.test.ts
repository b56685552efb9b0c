import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { pairs, sample } from '../../src/test/prove.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, tabTo, visit } from './visit.ts'

const says = {
  en: {
    create: 'New document',
    customer: 'Customer',
    newCustomer: 'New customer “Kopi Republic”',
    email: 'E-mail (optional)',
    addCustomer: 'Add the customer',
    description: 'Description',
    price: 'Price',
    saved: /^Saved$/,
    issue: 'Issue and send',
    final: 'Customer, lines and amounts become final',
    to: 'To',
    pay: 'Record payment',
    settles: 'Pays all that is open',
    record: 'Record the payment',
    chainOk: 'The chain is unbroken',
  },
  he: {
    create: 'מסמך חדש',
    customer: 'לקוח',
    newCustomer: 'לקוח חדש „Kopi Republic”',
    email: 'דוא״ל (לא חובה)',
    addCustomer: 'הוספת הלקוח',
    description: 'תיאור',
    price: 'מחיר',
    saved: /^נשמר$/,
    issue: 'הפקה ושליחה',
    final: 'הלקוח, השורות והסכומים יהיו סופיים',
    to: 'אל',
    pay: 'רישום תשלום',
    settles: 'משלם את כל היתרה',
    record: 'רישום התשלום',
    chainOk: 'השרשרת שלמה',
  },
}

/** How somebody works: where a button is pressed, and how text comes into a field. */
type Hand = {
  width: number
  press: (page: Page, name: string) => Promise<void>
  write: (page: Page, label: string, text: string) => Promise<void>
  /** Chooses the entry of the list that is open. */
  choose: (page: Page, entry: string) => Promise<void>
}
const button = (page: Page, name: string) =>
  page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }))
    .last()
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).first()

const mouse: Hand = {
  width: 1360,
  press: (page, name) => button(page, name).click(),
  async write(page, label, text) {
    await field(page, label).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  },
  choose: (page, entry) => page.getByRole('option', { name: entry }).click(),
}
const phone: Hand = {
  ...mouse,
  width: 390,
  press: (page, name) => button(page, name).tap(),
  choose: (page, entry) => page.getByRole('option', { name: entry }).tap(),
}
const keys: Hand = {
  width: 1360,
  async press(page, name) {
    await button(page, name).waitFor()
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  },
  async write(page, label, text) {
    await field(page, label).waitFor()
    await tabTo(page, label)
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  },
  async choose(page, entry) {
    await page.getByRole('option', { name: entry }).waitFor()
    await page.keyboard.press('ArrowUp') // the last one
    await page.locator('[role=option][data-focused]').filter({ hasText: entry }).waitFor()
    await page.keyboard.press('Enter')
  },
}
const hands = { mouse, keys, phone }
const all = pairs(['phone', 'keys', 'mouse'] as const, ['he', 'en'] as const).map(([by, lang]) => ({ by, lang }))
/** In `npm test` by phone: new-user.browser.test.ts does the same with the mouse, documents.browser.test.ts with the keys. */
const ways = sample(all, all.length)

describe.skipIf(!hasBrowser)('the first invoice', () => {
  withBrowser()

  test.each(ways)('is made for a new customer, sent and paid, by $by, $lang', async ({ by, lang }) => {
    const { width, press, write, choose } = hands[by]
    const say = says[lang]
    const amy = await member('OWNER', { country: lang === 'he' ? 'IL' : 'SG' })
    const seen = await visit(amy, '/o/$org/documents', { lang, width })
    const { page } = seen
    await press(page, say.create)

    await write(page, say.customer, 'Kopi Republic')
    await choose(page, say.newCustomer)
    const dialog = page.getByRole('dialog')
    await write(page, say.email, 'accounts@kopi.example')
    await expectSound(seen)
    await press(page, say.addCustomer)
    await dialog.waitFor({ state: 'detached' })
    await write(page, say.description, 'Design retainer')
    await write(page, say.price, '1500')
    await page.getByRole('status').filter({ hasText: say.saved }).waitFor()
    expect(await field(page, say.customer).inputValue()).toBe('Kopi Republic')
    await expectSound(seen)

    await press(page, say.issue)
    await dialog.getByText(say.final).waitFor()
    await dialog.getByLabel(say.to, { exact: true }).waitFor()
    await expectSound(seen)
    await press(page, say.issue)
    await dialog.waitFor({ state: 'detached', timeout: 60_000 }) // the first print starts the typesetter
    await press(page, say.pay)
    await dialog.getByText(say.settles).waitFor()
    await expectSound(seen)
    await press(page, say.record)
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(say.chainOk).waitFor()
    await expectSound(seen)

    const { invoices } = await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })
    expect(invoices.map(({ documentType, status, customer }) => [documentType, status, customer?.name]).sort()).toEqual(
      [
        ['INVOICE', 'PAID', 'Kopi Republic'],
        ['RECEIPT', 'PAID', 'Kopi Republic'],
      ],
    )
    expect((await amy.call('customers_list', {})).customers.map(({ email }) => email)).toEqual([
      'accounts@kopi.example',
    ])
  })
})

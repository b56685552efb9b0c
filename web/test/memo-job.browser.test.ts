import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { pairs, sample } from '../../src/test/prove.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, hasFocus, visit } from './visit.ts'

const words = {
  en: { name: 'Name', email: /^E-mail/, add: 'Add the customer', buyer: 'Blue Harbour', invoice: 'New invoice', description: 'Description', price: 'Price', issue: 'Issue and send', sent: 'Kept in the outbox: no mail server is set', document: 'Invoice 1', more: 'More', credit: 'Credit memo…', reason: 'Reason', why: 'Returned', act: 'Issue the credit memo', memo: /^Credit memo/ },
  he: { name: 'שם', email: /^דוא״ל/, add: 'הוספת הלקוח', buyer: 'מסעדת הים', invoice: 'חשבונית חדשה', description: 'תיאור', price: 'מחיר', issue: 'הפקה ושליחה', sent: 'נשמר בדואר היוצא: לא הוגדר שרת דואר', document: 'חשבונית 1', more: 'עוד', credit: 'חשבונית זיכוי…', reason: 'סיבה', why: 'הוחזר', act: 'הפקת הזיכוי', memo: /^חשבונית זיכוי/ },
} // biome-ignore format: a list of words

const byTab = async (page: Page, wanted: Locator) => {
  await wanted.waitFor()
  for (let presses = 0; presses < 90 && !(await hasFocus(wanted)); presses += 1) await page.keyboard.press('Tab')
  expect(await hasFocus(wanted)).toBe(true)
}

/** How somebody gets to a field or button. */
const hands = {
  mouse: {
    width: 1360,
    to: (_: Page, wanted: Locator) => wanted.click(),
    press: (_: Page, wanted: Locator) => wanted.click(),
  },
  touch: {
    width: 390,
    to: (_: Page, wanted: Locator) => wanted.tap(),
    press: (_: Page, wanted: Locator) => wanted.tap(),
  },
  keys: {
    width: 1360,
    to: byTab,
    press: async (page: Page, wanted: Locator) => {
      await byTab(page, wanted)
      await page.keyboard.press('Enter')
    },
  },
}
type By = keyof typeof hands

describe.skipIf(!hasBrowser)('a customer, a document, a memo', () => {
  withBrowser()

  const ways = pairs<By, 'en' | 'he'>(['mouse', 'keys', 'touch'], ['he', 'en'])
  test.each(sample(ways, ways.length))('are made by %s in %s', async (by, lang) => {
    const say = words[lang]
    const { width, to, press } = hands[by]
    const amy = await member('OWNER', { country: 'SG' })
    const seen = await visit(amy, '/o/$org/customers/new', { lang, width })
    const { page } = seen
    const fill = async (field: Locator, text: string) => {
      await to(page, field)
      await page.keyboard.type(text)
    }
    await fill(page.getByLabel(say.name, { exact: true }), say.buyer)
    await fill(page.getByLabel(say.email), 'office@example.test')
    await press(page, page.getByRole('button', { name: say.add }))
    await page.getByRole('heading', { name: say.buyer }).waitFor()
    await expectSound(seen)

    await press(page, page.getByRole('main').getByRole('link', { name: say.invoice }))
    await fill(page.getByLabel(say.description).first(), 'Breakfast')
    await fill(page.getByLabel(say.price).first(), '1200')
    await press(page, page.getByRole('button', { name: say.issue }))
    const dialog = page.getByRole('dialog')
    await press(page, dialog.getByRole('button', { name: say.issue }))
    await page.getByText(say.sent).first().waitFor({ timeout: 60_000 }) // the first print starts the typesetter
    await page.getByRole('heading', { name: say.document, exact: true }).waitFor()
    await expectSound(seen)

    await press(page, page.getByRole('main').getByRole('button', { name: say.more }).first())
    const credit = page.getByRole('menuitem', { name: say.credit })
    if (by === 'keys') {
      await credit.waitFor()
      for (let presses = 0; presses < 20 && !(await hasFocus(credit)); presses += 1)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    } else await press(page, credit)
    await fill(dialog.getByLabel(say.reason), say.why)
    await expectSound(seen)
    await press(page, dialog.getByRole('button', { name: say.act }))
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: say.memo }).first().waitFor()
    const { invoices } = await amy.call('invoices_list', { organizationId: String(amy.organizationId) })
    expect(invoices.map(({ documentType, notes }) => [documentType, notes]).sort()).toMatchObject([
      ['CREDIT_MEMO', say.why],
      ['INVOICE', null],
    ])
    await expectSound(seen)
  })
})

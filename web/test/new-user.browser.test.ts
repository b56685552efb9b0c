import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newId } from '../../src/core/values/id.ts'
import { hasBrowser, type Visitor, visitor, withBrowser } from '../../src/test/browser.ts'
import { sample } from '../../src/test/prove.ts'
import { expectSound, hasFocus } from './visit.ts'

/** What a new person reads, and what they type. */
const walks = [
  {
    lang: 'en', locale: 'en-SG', zone: 'Asia/Singapore', currency: 'SGD', total: '$1,417.00', tax: '9',
    signUp: 'New here? Make an account', yourName: 'Your name', email: 'E-mail', password: 'Password', make: 'Make an account',
    name: 'Its name', number: /^UEN/, taxNumber: /^GST registration number/, create: 'Create the organization',
    person: 'Mei Tan', company: 'Kaya Toast Pte. Ltd.', uen: '201912345K', gst: '201912345K',
    logo: 'Upload your logo', logoChoose: 'Choose a picture', saved: 'Saved', bank: 'Add your bank account', bankName: 'Bank name', account: /^Account number/,
    save: 'Save', customer: 'Add your first customer', customerName: 'Name', add: 'Add the customer', invoice: 'New invoice',
    description: 'Description', issue: 'Issue and send', sent: 'Kept in the outbox: no mail server is set', mail: 'Outbox', document: 'Invoice 1', onPage: 'Download PDF',
    pay: 'Record payment', record: 'Record the payment', paid: 'Paid. Receipt 1 issued', dashboard: 'Dashboard', customers: 'Customers',
    openPage: 'Open the page', statement: 'Statement', closing: 'Closing balance', signOut: 'Sign out', signedOut: 'Sign in', close: 'Close',
    buyer: 'Blue Harbour', lines: ['Breakfast for 100', 'Delivery'], steps: 'First steps', hide: 'Hide the first steps',
  },
  {
    lang: 'he', locale: 'he-IL', zone: 'Asia/Jerusalem', currency: 'ILS', total: '1,534.00', tax: '18',
    signUp: 'חדשים כאן? פתיחת חשבון', yourName: 'שם מלא', email: 'דוא״ל', password: 'סיסמה', make: 'פתיחת חשבון',
    name: 'שם הארגון', number: /^ח\.פ\./, taxNumber: /^מספר עוסק מורשה/, create: 'יצירת הארגון',
    person: 'דנה לוי', company: 'יקב הגפן בע״מ', uen: '513456782', gst: '',
    logo: 'העלו את הלוגו', logoChoose: 'בחירת תמונה', saved: 'נשמר', bank: 'הוסיפו את חשבון הבנק', bankName: 'שם הבנק', account: /^מספר חשבון/,
    save: 'שמירה', customer: 'הוסיפו את הלקוח הראשון', customerName: 'שם', add: 'הוספת הלקוח', invoice: 'חשבונית חדשה',
    description: 'תיאור', issue: 'הפקה ושליחה', sent: 'נשמר בדואר היוצא: לא הוגדר שרת דואר', mail: 'דואר יוצא', document: 'חשבונית 1', onPage: 'הורדת PDF',
    pay: 'רישום תשלום', record: 'רישום התשלום', paid: 'שולם. הופקה קבלה 1', dashboard: 'לוח בקרה', customers: 'לקוחות',
    openPage: 'פתיחת הדף', statement: 'כרטסת', closing: 'יתרת סגירה', signOut: 'יציאה', signedOut: 'כניסה', close: 'סגירה',
    buyer: 'מסעדת הים', lines: ['ארוחת בוקר ל־100', 'משלוח'], steps: 'צעדים ראשונים', hide: 'הסתרת הצעדים הראשונים',
  },
] as const // biome-ignore format: a list of words
type Walk = (typeof walks)[number]

describe.skipIf(!hasBrowser)('a new person', () => {
  withBrowser()

  // In `npm test` in English; first-invoice.browser.test.ts takes the same way in Hebrew.
  test.each(sample(walks, walks.length))('gets from an account to a paid invoice in $lang', async (say) => {
    const seen = await visitor({ locale: say.locale, timezoneId: say.zone, viewport: { width: 1360, height: 900 } })
    const { page } = seen
    await signUp(seen, say)
    await createOrganization(seen, say)
    await logoAndBank(page, say)
    await firstCustomer(page, say)
    await firstInvoice(seen, say)
    await letterAndItsLink(seen, say)
    await payment(seen, say)
    await statementAndEnd(seen, say)
    expect(seen.trouble).toEqual([])
  })
})

/** One form, in the language of the page, which the account keeps. */
async function signUp({ page }: Visitor, say: Walk) {
  await page.goto('/')
  await page.getByText(say.signUp).click()
  const form = page.locator('details')
  expect(await hasFocus(form.getByLabel(say.yourName))).toBe(true)
  await page.keyboard.type(say.person)
  await form.getByLabel(say.email).fill(`${newId()}@example.test`)
  await form.getByLabel(say.password).fill('correct horse')
  await form.getByRole('button', { name: say.make }).click()
}

/** Country, currency and zone are proposed; two numbers are asked for by the names they have in the country. */
async function createOrganization(seen: Visitor, say: Walk) {
  const { page } = seen
  await page.getByLabel(say.name).fill(say.company)
  expect(await page.evaluate('document.documentElement.lang')).toBe(say.lang)
  await page.getByLabel(say.number).fill(say.uen)
  if (say.gst) await page.getByLabel(say.taxNumber).fill(say.gst)
  await expectSound(seen)
  await page.getByRole('button', { name: say.create }).click()
  await page.getByRole('heading', { name: say.steps }).waitFor()
  await expectSound(seen)
}

const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function logoAndBank(page: Page, say: Walk) {
  await page.getByRole('link', { name: say.logo }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: say.logoChoose }).click(),
  ])
  await chooser.setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
  await page.getByText(say.saved, { exact: true }).waitFor()
  await page.getByRole('link', { name: say.dashboard, exact: true }).click()
  await page.getByRole('link', { name: say.bank }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say.bankName).fill('DBS')
  await dialog.getByLabel(say.account).fill('0123456789')
  await page.keyboard.press('Enter')
  await page.getByRole('row').filter({ hasText: '0123456789' }).waitFor()
  await page.getByRole('link', { name: say.dashboard, exact: true }).click()
}

/** In the organization's currency, without having been asked. */
async function firstCustomer(page: Page, say: Walk) {
  await page.getByRole('link', { name: say.customer }).click()
  await page.getByLabel(say.customerName, { exact: true }).fill(say.buyer)
  await page.getByLabel(say.email).fill('office@example.test')
  await page.getByRole('button', { name: say.add }).click()
  await page.getByRole('heading', { name: say.buyer }).waitFor()
  await page.getByText(say.currency, { exact: true }).waitFor()
}

/** Two lines with the usual tax, by keyboard; the total is right before anything is sent. */
async function firstInvoice(seen: Visitor, say: Walk) {
  const { page } = seen
  await page.getByRole('link', { name: say.invoice }).click()
  // No `waitForFunction`: it asks a second time with `eval`, which the page's content security policy refuses.
  await page.locator(`[aria-label="${say.description}"]:focus`).waitFor()
  for (const text of [say.lines[0], '', '1200']) {
    if (text) await page.keyboard.type(text)
    await page.keyboard.press(text === '1200' ? 'Enter' : 'Tab')
  }
  for (const text of [say.lines[1], '', '100']) {
    if (text) await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page
    .locator('[data-total]')
    .getByText(say.total.replace('$', '').split('.')[0] ?? '')
    .waitFor()
  expect(await page.getByLabel(/ %$/).inputValue()).toBe(say.tax)
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('0123456789').waitFor()
  const edge = await dialog.boundingBox()
  const to = await dialog.getByRole('textbox').first().boundingBox()
  expect(to && edge && to.x >= edge.x && to.x + to.width <= edge.x + edge.width).toBe(true)
  await expectSound(seen)
  await dialog.getByRole('button', { name: say.issue }).click()
  await page.getByText(say.sent).first().waitFor({ timeout: 60_000 }) // the first print starts the typesetter
  await page.getByRole('heading', { name: say.document, exact: true }).waitFor()
  await expectSound(seen)
}

/** The letter is in the outbox, and its link opens what the customer sees. */
async function letterAndItsLink({ page, context }: Visitor, say: Walk) {
  await page.getByRole('link', { name: say.mail }).click()
  await page.getByRole('row').filter({ hasText: 'office@example.test' }).click()
  const link = page.getByRole('link', { name: /^http.*\/d\// })
  const [customers] = await Promise.all([context.waitForEvent('page'), link.click()])
  await customers.getByText(say.company).first().waitFor()
  await customers.getByText(say.lines[0]).waitFor()
  await customers.getByText(say.onPage).waitFor()
  await customers.close()
  await page.goBack()
}

async function payment(seen: Visitor, say: Walk) {
  const { page } = seen
  await page.getByRole('heading', { name: say.document, exact: true }).waitFor()
  await page.getByRole('button', { name: say.pay }).click()
  await page.getByRole('dialog').getByRole('button', { name: say.record }).last().click()
  await page.getByText(say.paid).waitFor({ timeout: 30_000 })
  await page.getByRole('link', { name: say.dashboard, exact: true }).click()
  await page
    .locator('a', { hasText: say.total.replace('$', '').split('.')[0] ?? '' })
    .first()
    .waitFor()
  await expectSound(seen)
}

async function statementAndEnd(seen: Visitor, say: Walk) {
  const { page } = seen
  await page.getByRole('link', { name: say.customers, exact: true }).click()
  await page.getByRole('row').filter({ hasText: say.buyer }).click()
  await page.getByRole('link', { name: say.openPage }).click()
  await page.getByRole('button', { name: say.statement }).click()
  await page.getByRole('dialog').getByText(say.closing).waitFor()
  await expectSound(seen)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: say.person }).click()
  await page.getByRole('menuitem', { name: say.signOut }).click()
  await page.getByRole('heading', { name: say.signedOut }).waitFor()
}

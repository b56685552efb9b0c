import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('the dashboard', () => {
  withBrowser()

  test('figures and amounts are whole beside the companion; a name has its own line on a phone', async () => {
    const amy = await member('OWNER')
    const customer = await newCustomer(amy)
    const lines = [{ id: '1', description: 'Retainer', quantity: 1, unitPrice: 1_000_000, amount: 1_000_000 }]
    await newDraft(amy, customer, {
      ...{ status: 'SENT', items: lines, subtotal: 1_000_000, taxRate: 9, taxAmount: 90_000, total: 1_090_000 },
    })
    const seen = await visit(amy, '/o/$org')
    const { page } = seen
    await page.getByRole('link', { name: /^Open.*1,090,000/ }).waitFor()
    await page.getByRole('button', { name: 'Companion' }).click()
    await page.getByRole('complementary', { name: 'Companion' }).waitFor()
    const cut = `[...document.querySelectorAll('.figure-text')].filter((each) => each.scrollWidth > each.clientWidth).length`
    expect(await page.evaluate(cut)).toBe(0)
    const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Send reminder/ }) })
    const amount = await row.getByText('1,090,000').boundingBox()
    const remind = await row.getByRole('button', { name: /^Send reminder/ }).boundingBox()
    expect((amount?.x ?? 0) + (amount?.width ?? 0)).toBeLessThanOrEqual(remind?.x ?? 0)
    await expectSound(seen)
    const phone = await visit(amy, `/o/$org/customers/${customer}`, { width: 390 })
    const name = phone.page.getByRole('heading', { name: 'Kopi Republic Pte. Ltd.' })
    await name.waitFor()
    expect((await name.boundingBox())?.height).toBeLessThan(100)
    await expectSound(phone)
  })

  test('shows the year, leads to the lists behind it, and takes a reminder and a payment in the row', async () => {
    const amy = await member('OWNER')
    const customer = await newCustomer(amy)
    await newDraft(amy, customer, { status: 'SENT' })
    await newDraft(amy, customer)
    const seen = await visit(amy, '/o/$org')
    const { page } = seen
    const open = page.getByRole('link', { name: /^Open.*109\.00.*nothing overdue/ })
    await open.waitFor()
    expect(await page.getByText('Converted with the rates of').count()).toBe(0) // there is one currency
    await expectSound(seen)
    await open.click()
    await page.waitForURL(/documents\?view=open/)
    await page.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Year before' }).click()
    await page.waitForURL(new RegExp(`year=${new Date().getFullYear() - 1}`))
    await page.getByText('Nothing was sold in this year.').waitFor()
    await page.getByRole('button', { name: 'Year after' }).click()

    await page.getByRole('button', { name: /^Send reminder:/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('accounts@kopi.example').waitFor()
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Send reminder' }).click()
    await page.getByText('Kept in the outbox: no mail server is set').first().waitFor({ timeout: 60_000 }) // the first print starts the typesetter
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Record payment:/ }).click()
    await dialog.getByText('Pays all that is open').waitFor()
    await dialog.getByLabel('Amount').fill('9')
    await dialog.getByText('Stays open').waitFor()
    await dialog.getByLabel('Amount').fill('109')
    await dialog.getByRole('button', { name: 'Record the payment' }).click()
    await page.getByText(/^Payment recorded, receipt 1 issued/).waitFor()
    await page.getByText('Nobody owes you anything.').waitFor()
    await page.getByRole('link', { name: /^Revenue before GST.*100\.00/ }).click()
    await page.waitForURL(new RegExp(`reports/income\\?from=${new Date().getFullYear()}-01-01`))
    await page.getByRole('cell').filter({ hasText: '100.00' }).first().waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('what is open is of all years, revenue and net are without tax, and a year without expenses says so', async () => {
    const amy = await member('OWNER')
    const customer = await newCustomer(amy)
    const year = new Date().getFullYear()
    await newDraft(amy, customer, { status: 'SENT', issueDate: `${year - 1}-03-01` })
    const { id } = await newDraft(amy, customer, { status: 'SENT', issueDate: `${year}-01-02` })
    const seen = await visit(amy, '/o/$org')
    const { page } = seen
    await page.getByRole('link', { name: /^Open.*218\.00.*nothing overdue/ }).waitFor()
    await page.getByRole('link', { name: /^Revenue before GST.*100\.00.*0%.*against the year before/ }).waitFor()
    await page.getByRole('link', { name: /^Net before GST.*100\.00.*no expense is recorded yet/ }).waitFor()
    await page.getByRole('heading', { name: 'Invoices by month, with GST' }).waitFor()
    await amy.call('invoices_payments', { id, amount: 109, paidAt: `${year}-01-03` })
    const rent = { vendor: 'Rent', amount: 43.6, taxAmount: 3.6, currency: 'SGD', date: `${year}-01-04` }
    const expense = await amy.call('expenses_create', rent)
    await amy.call('expenses_status', { id: expense.id, status: 'APPROVED' })
    await page.getByRole('link', { name: /^Open.*109\.00/ }).waitFor()
    await page.getByRole('link', { name: /^Net before GST.*56\.40.*56% margin/ }).waitFor()
    await page.getByRole('button', { name: 'Year before' }).click()
    await page.getByRole('link', { name: /^Open.*109\.00/ }).waitFor()
    await page.getByRole('button', { name: 'Year before' }).click()
    await page.getByText('No invoice of this year is open.').waitFor()
    await expectSound(seen)
  })

  test('cash that came in stands above the line, what went out below it', async () => {
    const amy = await member('OWNER')
    const { id } = await newDraft(amy, await newCustomer(amy), {
      status: 'SENT',
      issueDate: `${new Date().getFullYear()}-01-02`,
    })
    await amy.call('invoices_payments', { id, amount: 109, paidAt: `${new Date().getFullYear()}-01-03` })
    const expense = await amy.call('expenses_create', {
      ...{ vendor: 'Rent', amount: 40, currency: 'SGD' },
      date: `${new Date().getFullYear()}-01-04`,
      status: 'APPROVED',
    })
    await amy.call('expenses_payments', { id: expense.id, amount: 40, paidAt: `${new Date().getFullYear()}-01-05` })
    const seen = await visit(amy, '/o/$org')
    const cash = seen.page.getByRole('figure', { name: 'Cash in and out' })
    const bar = (series: string) => cash.locator(`[data-series="${series}"]`).first().boundingBox()
    await cash.waitFor()
    const [into, out] = [await bar('inflow'), await bar('outflow')]
    expect(into?.height).toBeGreaterThan(10)
    expect(out?.height).toBeGreaterThan(5)
    expect((into?.y ?? 0) + (into?.height ?? 0)).toBeCloseTo(out?.y ?? 0, 0)
    await expectSound(seen)
  })

  test('says of which day the rates are where there are several currencies', async () => {
    const amy = await member('OWNER')
    await newDraft(amy, await newCustomer(amy), { status: 'SENT', currency: 'USD', exchangeRate: 1.3 })
    const { page, trouble } = await visit(amy, '/o/$org')
    await page.getByRole('link', { name: /^Open.*141\.70/ }).waitFor()
    await page.getByText('Converted with the rates of').waitFor()
    expect(trouble).toEqual([])
  })

  test('says which currency has no rate, in Hebrew and on a phone too', async () => {
    const amy = await member('OWNER')
    await newDraft(amy, await newCustomer(amy), { status: 'SENT', currency: 'USD' })
    const seen = await visit(amy, '/o/$org', { lang: 'he', theme: 'dark', width: 390 })
    const note = seen.page.getByRole('note')
    await note.waitFor()
    expect(await note.textContent()).toContain('USD')
    await expectSound(seen)
  })

  test.runIf(proves)('a viewer sees the figures and no act', async () => {
    const amy = await member('OWNER')
    const vic = await member('VIEWER', { of: amy })
    await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    const { page, trouble } = await visit(vic, '/o/$org')
    await page.getByRole('link', { name: /^Open.*109\.00/ }).waitFor()
    for (const name of [/^Record payment/, /^Send reminder/])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New invoice' }).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
    expect(trouble).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
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
    await page.getByText('Sent to one address').waitFor({ timeout: 60_000 }) // the first print starts the typesetter
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: /^Record payment:/ }).click()
    await dialog.getByText('Pays all that is open').waitFor()
    await dialog.getByLabel('Amount').fill('9')
    await dialog.getByText('Stays open').waitFor()
    await dialog.getByLabel('Amount').fill('109')
    await dialog.getByRole('button', { name: 'Record the payment' }).click()
    await page.getByText(/^Payment recorded, receipt 1 issued/).waitFor()
    await page.getByText('Nobody owes you anything.').waitFor()
    const revenue = page.getByRole('link', { name: /^Revenue/ })
    const { totalRevenue } = await amy.call('dashboard_get', { organizationId: amy.organizationId ?? '' })
    await expect.poll(() => revenue.textContent()).toContain(totalRevenue.toFixed(2))
    await revenue.click()
    await page.waitForURL(/documents\?view=paid/)
    await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
    expect(seen.trouble).toEqual([])
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

  test('a viewer sees the figures and no act', async () => {
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

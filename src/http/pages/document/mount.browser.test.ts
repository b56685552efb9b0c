import { describe, expect, onTestFinished, test } from 'vitest'
import { barriers, faintText } from '../../../test/barriers.ts'
import { hasBrowser, visitor, withBrowser } from '../../../test/browser.ts'
import { sample } from '../../../test/prove.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone } from '../../../test/world.ts'

/** A customer opens the link of an e-mail on a phone, reads, asks a question and disputes. */

withBrowser()

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }
const shots = process.env.KONTOR_SHOTS // a folder for screenshots, to inspect the pages

const longName = 'Ausgezeichnete-Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamten GmbH & Co. KG'

/** An invoice with fullInvoice that a page can show. */
async function fullInvoice(amy: Someone, more: Record<string, unknown> = {}) {
  const organizationId = String(amy.organizationId)
  const { country } = await amy.call('organizations_get', { id: organizationId }) // a document for abroad is in English
  const customer = await amy.call('customers_create', { organizationId, name: longName, country })
  const account = await amy.call('bank_accounts_create', {
    organizationId,
    ...{ accountName: 'Acme Pte. Ltd.', bankName: 'DBS Bank', accountNumber: '012-345678-9', swiftCode: 'DBSSSGSG' },
  })
  const { id } = await sell(amy, {
    ...{ customerId: customer.id, bankAccountId: account.id, status: 'UNSENT', dueDate: '2099-01-31' },
    items: [
      { id: '1', description: 'Consulting on the ledger, March', quantity: 12.5, unitPrice: 180, amount: 2250 },
      { id: '2', description: 'ייעוץ https://example.test/a/very/long/address/that/has/no/place/to/break/at/all', quantity: 1, unitPrice: 12345678.9, amount: 12345678.9 },
    ],
    ...{ subtotal: 12347928.9, taxAmount: 1111313.6, total: 13459242.5 },
    notes: 'Thank you for your trust.\nPayment within 30 days.',
    ...more,
  }) // biome-ignore format: a document reads as a table
  await amy.call('invoices_payments', { id, amount: 1000, paidAt: '2026-01-31' })
  const file = { fileName: 'hours of March, signed.txt', base64: Buffer.from('12.5').toString('base64') }
  await amy.call('invoices_attachments', { id, file })
  return { id, path: new URL((await amy.call('invoices_link', { id })).url).pathname }
}

async function phonePage(options: object = {}) {
  const here = await visitor({ ...phone, ...options })
  onTestFinished(async () => {
    await here.leave()
    expect(here.trouble).toEqual([])
  })
  return here.page
}

describe.skipIf(!hasBrowser)('the page of a document', () => {
  test('shows the open amount and how to pay, and accepts a question and a dispute', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id, path } = await fullInvoice(amy)
    const page = await phonePage()
    await page.goto(path)
    expect(await page.locator('h1').textContent()).toBe('Invoice 1')
    expect(await page.locator('.pay').textContent()).toContain('012-345678-9')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'hours of March' }).click()
    expect((await download).suggestedFilename()).toBe('hours of March, signed.txt')
    await page.getByText('Write to the company').click()
    const asking = page.locator('form[action$=comments]')
    await asking.getByLabel('Your name').fill('Dana <b>Levi</b>')
    await asking.getByLabel('Your message').fill('Which days\nwere these?')
    await asking.getByRole('button').click()
    await page.locator('.thread li').first().waitFor()
    expect(await page.locator('.thread .what').textContent()).toBe('Which days\nwere these?')
    await amy.call('invoices_events_post', { id, type: 'COMMENTED', payload: { message: 'The first two weeks.' } })
    await page.getByText('Something is wrong with it').click()
    const wrong = page.locator('form[action$=disputes]')
    await wrong.getByLabel('Your name').fill('Dana')
    await wrong.getByLabel('What is wrong?').fill('It was 12 hours.')
    await wrong.getByRole('button').click()
    await page.getByText('Disputed', { exact: true }).waitFor()
    expect(await page.locator('.thread li').count()).toBe(3)
    expect(await page.locator('.company-said').textContent()).toContain('Acme')
    expect(await page.locator('form[action$=disputes]').count()).toBe(0)
    expect((await amy.call('invoices_get', { id })).inDispute).toBe(true)
    const { events } = await amy.call('invoices_events', { id })
    expect(events.filter(({ type }) => type === 'VIEWED')).toHaveLength(1)
    if (shots) await page.screenshot({ path: `${shots}/thread.png`, fullPage: true })
  })

  const languages = [
    ['he', 'rtl'],
    ['en', 'ltr'],
  ]
  test.each(sample(languages, languages.length))(
    'in %s is written %s, fits a phone with long names and is accessible in light and dark',
    async (lang, direction) => {
      const amy = await member('CONTRIBUTOR', { country: lang === 'he' ? 'IL' : 'SG' })
      const { id, path } = await fullInvoice(amy)
      await amy.call('invoices_events_post', { id, type: 'COMMENTED', payload: { message: 'תודה רבה, thank you.' } })
      const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false, generateReceipt: true }
      const { receipt } = await amy.call('invoices_mark_paid', {
        id: (await fullInvoice(amy, { dueDate: '2020-01-31' })).id,
        ...paid,
      })
      const overdue = await fullInvoice(amy, { dueDate: '2020-01-31' })
      const acknowledged = new URL((await amy.call('invoices_link', { id: String(receipt?.id) })).url).pathname
      const page = await phonePage()
      for (const [name, address] of Object.entries({
        due: path,
        overdue: overdue.path,
        receipt: acknowledged,
        missing: `/d/none?lang=${lang}`,
      })) {
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(address)
        await page.evaluate(`for (const folded of document.querySelectorAll('details')) folded.open = true`)
        expect([name, await page.locator('html').getAttribute('dir')]).toEqual([name, direction])
        expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, 390])
        expect([name, await barriers(page)]).toEqual([name, []])
        if (shots) await page.screenshot({ path: `${shots}/${lang}-${name}-light.png`, fullPage: true })
        await page.emulateMedia({ colorScheme: 'dark' })
        expect([name, await faintText(page)]).toEqual([name, []])
        if (shots) await page.screenshot({ path: `${shots}/${lang}-${name}-dark.png`, fullPage: true })
      }
      await page.goto(path)
      await page.setViewportSize({ width: 1200, height: 900 })
      if (shots) await page.screenshot({ path: `${shots}/${lang}-wide.png`, fullPage: true })
      await page.locator('.other').click()
      await page.waitForURL(/lang=/)
      expect(await page.locator('html').getAttribute('lang')).toBe(lang === 'he' ? 'en' : 'he')
    },
    180_000,
  )
})

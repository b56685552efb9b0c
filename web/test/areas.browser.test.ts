import { describe, expect, test } from 'vitest'
import { barriers } from '../../src/test/barriers.ts'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { billOf } from '../../src/test/einvoices/bill.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

/** A picture with nothing on it. */
const blank = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.skipIf(!hasBrowser)('expenses, orders and reports', () => {
  withBrowser()

  test('a receipt becomes an expense; one that cannot be read is kept to be filled in', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/expenses')
    const { page } = seen
    const file = page.locator('input[type=file]')
    const record = page.getByRole('complementary')
    const { fileName, base64 } = billOf({ vendor: 'Acme Pte Ltd' })
    await page.getByRole('button', { name: 'Scan a receipt' }).waitFor()
    await file.setInputFiles({ name: fileName, mimeType: 'text/xml', buffer: Buffer.from(base64, 'base64') })
    await page.getByRole('status').filter({ hasText: 'Read from the receipt' }).waitFor()
    await record.getByText('To review').waitFor()
    await record.getByText('Acme Pte Ltd').first().waitFor()
    await record.getByRole('link', { name: fileName }).waitFor()
    expect(seen.trouble).toEqual([])

    await file.setInputFiles({ name: 'blank.png', mimeType: 'image/png', buffer: blank })
    await page.getByRole('alert').filter({ hasText: 'could not be read' }).waitFor()
    await record.getByText('Draft').waitFor()
    await record.getByRole('link', { name: 'blank.png' }).waitFor()
    await expectSound(seen)
  })

  test('an order is entered with item and price, delivered in part and invoiced; only what fits is offered', async () => {
    const amy = await member('OWNER')
    await newCustomer(amy)
    await amy.call('logistics_items_create', { name: 'Sourdough loaf', salePrice: 8.5 })
    const seen = await visit(amy, '/o/$org/orders?new=true')
    const { page } = seen
    const dialog = page.getByRole('dialog')
    const acts = async () => {
      await page.getByRole('button', { name: 'More' }).last().click()
      await page.getByRole('menuitem').first().waitFor()
      return page.getByRole('menuitem').allTextContents()
    }
    const customer = dialog.getByRole('combobox', { name: /^Customer/ })
    await customer.waitFor()
    expect(await dialog.getByLabel(/Supplier/).count()).toBe(0)
    await customer.fill('Kopi')
    await page.getByRole('option', { name: /Kopi/ }).click()
    await dialog.getByRole('combobox', { name: /^Item/ }).click()
    await page.getByRole('option', { name: 'Sourdough loaf' }).click()
    await dialog.getByRole('textbox', { name: 'Quantity' }).fill('10')
    await dialog.getByRole('textbox', { name: /^Unit price/ }).fill('8')
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('complementary').getByText('80.00').first().waitFor()

    expect(await acts()).toEqual(['Open the order', 'Cancel the order', 'Delete'])
    await page.getByRole('menuitem', { name: 'Open the order' }).click()
    await dialog.getByText('Kopi Republic Pte. Ltd.').waitFor()
    await dialog.getByRole('button', { name: 'Open the order' }).click()
    await page.getByRole('gridcell', { name: 'Open', exact: true }).waitFor()
    expect(await acts()).toEqual(['Deliver', 'Create an invoice', 'Close', 'Cancel the order'])
    await page.getByRole('menuitem', { name: 'Deliver' }).click()
    await dialog.getByRole('button', { name: /Sourdough loaf/ }).waitFor()
    await dialog.getByRole('textbox', { name: 'Quantity' }).fill('4')
    await dialog.getByRole('button', { name: 'Deliver' }).click()
    await page.getByRole('gridcell', { name: 'Partly delivered' }).waitFor()
    const [order] = (await amy.call('orders_list', { organizationId: amy.organizationId ?? '' })).orders
    expect(order).toMatchObject({ status: 'PARTIALLY_RECEIVED', currency: 'SGD', total: 80 })
    await expectSound(seen)

    await acts()
    await page.getByRole('menuitem', { name: 'Create an invoice' }).click()
    await dialog.getByRole('button', { name: 'Create an invoice' }).click()
    await page.getByRole('heading', { name: /Draft for Kopi/ }).waitFor()
    await expect.poll(() => page.title()).toContain('Draft for Kopi')
  })

  test('an employee claims what they paid with a photo; an owner imports a table', async () => {
    const amy = await member('OWNER')
    const employee = await member('EMPLOYEE', { of: amy })
    const terms = {
      startDate: '2026-01-01',
      monthlyWage: 4000,
      birthDate: '1990-05-04',
      residencyStatus: 'CITIZEN',
    } as const
    await amy.call('payroll_employees_create', { name: 'Ben', userId: employee.userId, ...terms } as never)
    const seen = await visit(employee, '/o/$org/my-claims?new=true', { width: 390 })
    const dialog = seen.page.getByRole('dialog')
    await dialog.getByLabel(/^Description/).fill('Taxi')
    await dialog.getByLabel('Amount', { exact: true }).fill('18.40')
    await dialog.getByRole('button', { name: 'Choose a file' }).waitFor()
    const photo = { name: 'taxi.png', mimeType: 'image/png', buffer: blank }
    await seen.page.locator('input[type=file]').setInputFiles(photo)
    await dialog.getByText('taxi.png').waitFor()
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await seen.page.getByRole('link', { name: 'taxi.png' }).waitFor()
    expect(seen.trouble).toEqual([])

    const { page } = await visit(amy, '/o/$org/imports?new=true')
    await page.getByRole('dialog').getByRole('button', { name: /Kind/ }).click()
    await page.getByRole('option', { name: 'Customers' }).click()
    const table = (text: string) => ({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    const file = page.locator('input[type=file]')
    await file.setInputFiles(table('Name,E-mail,Country\nKopi,not an address,SG\n'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'Nothing was imported' }).waitFor()
    await file.setInputFiles(table('Name,E-mail,Country\nKopi,kopi@example.com,SG\n'))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('gridcell', { name: 'customers.csv' }).waitFor()
  })

  test('a report that is not ready says how far it is, and comes by itself', async () => {
    const amy = await member('OWNER')
    await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    const seen = await visit(amy, '/o/$org/reports')
    const { page } = seen
    let asked = 0
    const detail = { path: '', message: 'Not yet.', code: 'PREPARING', params: { percent: 40 } }
    await page.route('**/api/reports/trial-balance*', (route) => {
      asked++
      if (asked > 2) return route.continue()
      const body = JSON.stringify({
        error: { code: 'INTERNAL', message: 'Not yet.', details: [detail], requestId: 'x' },
      })
      return route.fulfill({ status: 500, headers: { 'retry-after': '1' }, contentType: 'application/json', body })
    })
    await page.getByRole('link', { name: /Trial balance/ }).click()
    await page.getByText('added up for the first time: 40% is done').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByText('No rows in this period.').or(page.getByText('Closing')).first().waitFor()
    expect(asked).toBe(3)
  })

  test('reports stand in groups; a ledger is asked for by the name of its account', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/reports')
    const { page } = seen
    await page.getByRole('heading', { name: 'Files for the tax authority' }).waitFor()
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Books',
      'Sales',
      'Purchases',
      'Stock',
      'People',
      'Tax',
      'Files for the tax authority',
    ])
    await page.getByRole('region', { name: 'Tax', exact: true }).getByRole('link', { name: 'GST F5' }).click()
    await page.getByRole('button', { name: /Quarter/ }).click()
    await page.getByRole('option').nth(2).click()
    await page.waitForURL(/quarter=/)
    expect(new URL(page.url()).searchParams.has('from')).toBe(false)
    await page.getByRole('link', { name: 'Reports' }).first().click()
    await page.getByRole('link', { name: /General ledger/ }).click()
    await page.getByText('Choose an account').waitFor()
    expect(await page.getByRole('link', { name: 'CSV' }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'Account' }).fill('receivable')
    await page.getByRole('option', { name: /Accounts receivable/ }).click()
    await page.getByText('Closing balance').waitFor()
    await page.getByRole('link', { name: 'CSV' }).waitFor()
    await expectSound(seen)
    const hebrew = await visit(amy, '/o/$org/reports', { lang: 'he', theme: 'dark', width: 390 })
    await hebrew.page.getByRole('heading', { name: 'ספרים' }).waitFor()
    await expectSound(hebrew)
  })
})

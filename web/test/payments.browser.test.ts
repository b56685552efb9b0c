import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('payments in the web app', () => {
  withBrowser()

  test('money without a document is recorded for a customer, waits, and is voided with a reason', async () => {
    const amy = await member('OWNER')
    await amy.call('customers_create', { name: 'Kopi Republic', country: 'SG', kind: 'ORGANIZATION' })
    const seen = await visit(amy, '/o/$org/payments')
    const { page } = seen
    await page.getByRole('heading', { name: 'No payments yet' }).waitFor()
    await page.keyboard.press('c')
    await page.getByLabel('Customer').fill('Kopi')
    await page.getByRole('option', { name: 'Kopi Republic' }).click()
    await page.getByText('Nothing of this customer is open').waitFor()
    await page.getByLabel('Amount').fill('120.50')
    await expectSound(seen)
    await page.getByRole('button', { name: 'Record the payment' }).click()
    await page.getByRole('row').filter({ hasText: 'Kopi Republic' }).click()
    await page.getByRole('button', { name: 'Void' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('Booked twice')
    await page.getByRole('dialog').getByRole('button', { name: 'Void' }).click()
    await page.getByText('Payment voided').waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Booked twice').waitFor()
    await expectSound(seen)
    const { payments } = await amy.call('invoices_payments_list', {})
    expect(payments.map(({ amount, voidReason }) => ({ amount, voidReason }))).toEqual([
      { amount: 120.5, voidReason: 'Booked twice' },
    ])
  })

  test.runIf(proves)('the form is sound in Hebrew on a phone', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const seen = await visit(amy, '/o/$org/payments/new', { lang: 'he', width: 390 })
    await seen.page.getByRole('heading', { name: 'רישום תשלום' }).waitFor()
    await expectSound(seen)
  })

  test.runIf(proves)('a viewer has no button to record a payment', async () => {
    const seen = await visit(await member('VIEWER'), '/o/$org/payments')
    await seen.page.getByRole('heading', { name: 'No payments yet' }).waitFor()
    expect(await seen.page.getByText('Record payment').count()).toBe(0)
  })
})

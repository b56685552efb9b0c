import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { sample } from '../../src/test/prove.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, hasFocus, visit } from './visit.ts'

const says = {
  en: { name: 'Name', save: 'Add the customer', needed: 'This is needed.' },
  he: { name: 'שם', save: 'הוספת הלקוח', needed: 'אין להשאיר ריק.' },
}

describe.skipIf(!hasBrowser)('refusals of the server in forms', () => {
  withBrowser()

  const looks = [
    { lang: 'he', width: 390 },
    { lang: 'en', width: 1360 },
  ] as const
  test.each(sample(looks, looks.length))(
    'stand beside the field, without its name in the API, and the field has the focus: $lang',
    async (look) => {
      const amy = await member('OWNER', { country: 'IL' })
      const seen = await visit(amy, '/o/$org/customers/new', look)
      const { page } = seen
      const word = says[look.lang]
      const name = page.getByLabel(word.name, { exact: true })
      await name.waitFor()
      await page.getByRole('button', { name: word.save }).click()
      const alert = page.getByRole('alert').filter({ hasText: /./ })
      await alert.waitFor()
      expect(await alert.allTextContents()).toEqual([word.needed])
      expect(await page.locator(`[id="${await name.getAttribute('aria-describedby')}"]`).textContent()).toBe(
        word.needed,
      )
      await expect.poll(() => hasFocus(name)).toBe(true)
      expect(await page.getByText('must not be empty').count()).toBe(0)
      await expectSound(seen)
    },
  )

  test('stand beside the field of a form that is made from a schema, also of one that waited behind a button', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const seen = await visit(amy, '/o/$org/items?new=true')
    const { page } = seen
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Lamp')
    await page.route('**/api/items', (route) => {
      const details = [
        { path: 'barcode', message: 'barcode must have at most 9 characters.', code: 'TOO_LONG', params: { max: 9 } },
      ]
      return route.fulfill({ status: 400, json: { error: { code: 'VALIDATION', message: 'Wrong.', details } } })
    })
    await dialog.getByRole('button', { name: 'Save' }).click()
    const refused = dialog.getByRole('alert').filter({ hasText: 'Too long: at most 9 characters.' })
    await refused.waitFor()
    const barcode = dialog.getByLabel(/^Barcode/)
    await expect.poll(() => hasFocus(barcode)).toBe(true)
    await expectSound(seen)
    await barcode.fill('1234567')
    await refused.waitFor({ state: 'detached' })
  })

  test('about requests and versions are told in plain words', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { page } = await visit(amy, '/o/$org/customers/new')
    await page.getByLabel('Name', { exact: true }).fill('Kopi')
    const message = 'This Idempotency-Key was used with another request. Use a new key for a new request.'
    const details = [{ path: '', message, code: 'IDEMPOTENCY_KEY_REUSED' }]
    await page.route('**/api/customers', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 409, json: { error: { code: 'CONFLICT', message, details } } })
        : route.fallback(),
    )
    await page.getByRole('button', { name: 'Add the customer' }).click()
    await page.getByRole('alert').filter({ hasText: 'This was sent before with other values' }).waitFor()
    expect(await page.getByText('Idempotency').count()).toBe(0)
  })

  test('give the focus to a choice that was refused, too', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { page } = await visit(amy, '/o/$org/customers/new')
    await page.getByLabel('Name', { exact: true }).fill('Kopi')
    await page.route('**/api/customers', (route) => {
      const details = [{ path: 'country', message: 'country must be one of IL, SG.', code: 'NOT_ALLOWED', params: {} }]
      return route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { error: { code: 'VALIDATION', message: 'Wrong.', details } } })
        : route.fallback()
    })
    await page.getByRole('button', { name: 'Add the customer' }).click()
    await page.getByRole('alert').filter({ hasText: 'This is not one of the possible values.' }).waitFor()
    await expect.poll(() => hasFocus(page.getByRole('button', { name: /Country/ }))).toBe(true)
  })

  test('of a field that the form does not show are told above it, with the name that people use', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { page } = await visit(amy, '/o/$org/payments/new')
    await page.route('**/api/payments', (route) => {
      const details = [{ path: 'allocations.0.amount', message: 'allocations.0.amount is missing.', code: 'REQUIRED' }]
      return route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { error: { code: 'VALIDATION', message: 'Wrong.', details } } })
        : route.fallback()
    })
    await page.getByLabel('Amount').fill('5')
    await page.getByRole('button', { name: 'Record the payment' }).click()
    await page.getByRole('alert').filter({ hasText: 'Amount: This is needed.' }).waitFor()
  })
})

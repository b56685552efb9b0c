import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('keys', () => {
  withBrowser()

  test('do nothing behind an open dialog: Ctrl+J opens no companion there', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { id } = await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    const seen = await visit(amy, `/o/$org/documents/${id}`)
    const { page } = seen
    await page.getByText('The chain is unbroken').waitFor()
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').waitFor()
    const companion = page.getByRole('complementary', { name: 'Companion', includeHidden: true })
    for (const key of ['Control+KeyJ', 'Control+KeyK', '?', 'Control+KeyA']) await page.keyboard.press(key)
    expect(await companion.count()).toBe(0)
    expect(await page.getByRole('dialog', { includeHidden: true }).count()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+KeyJ')
    await companion.waitFor()
    await expectSound(seen)
  })

  test('Ctrl+Enter sends a dialog from its checkbox, also one whose fields are in no form', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { id } = await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    const { page } = await visit(amy, `/o/$org/documents/${id}`)
    await page.getByText('The chain is unbroken').waitFor()
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox').first().focus()
    await page.keyboard.press('Control+Enter')
    await page.getByText('Paid.').waitFor()
    expect((await amy.call('invoices_get', { id })).status).toBe('PAID')

    await page.goto(`/o/${amy.organizationId}/settings/team`)
    await page
      .getByRole('button', { name: /Invite/ })
      .first()
      .click()
    await dialog.getByLabel('E-mail').fill('ben@example.com')
    await dialog.getByRole('button', { name: /Role/ }).focus()
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('ben@example.com').first().waitFor()
  })

  test('Ctrl+Enter sends a page from its checkbox, its choices and a day that is still being typed, once', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const customer = await newCustomer(amy)
    const { page } = await visit(amy, `/o/$org/payments/new?customer=${customer}`)
    const record = async (amount: string, from: () => Promise<void>) => {
      await page.getByLabel('Amount').fill(amount)
      await from()
      await page.keyboard.press('Control+Enter')
      await page.waitForURL(/\/payments$/)
      await page.goto(`/o/${amy.organizationId}/payments/new?customer=${customer}`)
    }
    await record('11', () => page.getByRole('checkbox').focus())
    await record('12', () => page.getByRole('button', { name: /Currency/ }).focus())
    await record('13', () => page.getByLabel('Date').fill('2026-01-09'))
    const { payments } = await amy.call('invoices_payments_list', {})
    expect(payments.map(({ amount }) => amount).sort()).toEqual([11, 12, 13])
    expect(payments.find(({ amount }) => amount === 13)?.paidAt).toBe('2026-01-09')
  })

  test('Enter takes a day that is being typed; the next one records the payment, of the day in view', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { id } = await newDraft(amy, await newCustomer(amy), { status: 'SENT', issueDate: '2026-01-05' })
    const { page } = await visit(amy, `/o/$org/documents/${id}`)
    await page.locator('[data-sum]').waitFor()
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByLabel('Amount')
    await amount.fill('109.004')
    await amount.press('Tab')
    await dialog.getByRole('alert').filter({ hasText: 'More than is open' }).waitFor()
    await amount.fill('40')
    const day = dialog.getByLabel('Day', { exact: true })
    await day.fill('2026-01-09')
    await day.press('Enter')
    const inView = await day.inputValue()
    await day.fill('31.2.')
    await day.press('Enter')
    expect(await day.inputValue(), '31 February is no day').toBe(inView)
    expect((await amy.call('invoices_payments_list', {})).payments).toEqual([])
    await day.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect((await amy.call('invoices_payments_list', {})).payments).toMatchObject([
      { amount: 40, paidAt: '2026-01-09' },
    ])
  })
})

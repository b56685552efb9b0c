import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { newCustomer } from './people.ts'
import { expectSound, visit } from './visit.ts'

/** More than a list offers at once; Zulu is the last of them by name. */
const letters = [...'ABCDEFGHIJ']

const ofSuppliers = async (amy: Someone) => {
  for (const letter of letters) await amy.call('suppliers_create', { name: `${letter} Parts` })
  return amy.call('suppliers_create', { name: 'Zulu Parts' })
}

describe.skipIf(!hasBrowser)('a field that finds records by name', () => {
  withBrowser()

  test('shows the supplier of an order who is not in the list, keeps them when a search is given up', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { id: supplierId } = await ofSuppliers(amy)
    const { id } = await amy.call('orders_create', {
      kind: 'PURCHASE',
      supplierId,
      lines: [{ description: 'Lamps', quantity: 1, unitPrice: 9 }],
    })
    const seen = await visit(amy, `/o/$org/orders?open=${id}`)
    const { page } = seen
    await page.getByRole('complementary').getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await page.getByRole('listbox').waitFor() // of the first field that is empty
    await page.keyboard.press('Escape')
    const supplier = dialog.getByRole('combobox', { name: /^Supplier/ })
    await expect.poll(() => supplier.inputValue()).toBe('Zulu Parts')
    await supplier.fill('no such name')
    await page.getByText('Nothing found').waitFor()
    await supplier.press('Tab')
    await expect.poll(() => supplier.inputValue()).toBe('Zulu Parts')
    await supplier.fill('j part')
    await page.getByRole('option', { name: 'J Parts' }).waitFor()
    await supplier.press('ArrowDown')
    await page.locator('[role=option][data-focused]').filter({ hasText: 'J Parts' }).waitFor()
    await supplier.press('Enter')
    await expect.poll(() => supplier.inputValue()).toBe('J Parts')
    expect(await page.getByRole('listbox').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await amy.call('orders_get', { id })).supplier?.name).toBe('J Parts')
    await expectSound(seen)
  })

  test('shows the customer that a list is narrowed to and who paid, and may be emptied where nothing need be chosen', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    for (const letter of letters) await newCustomer(amy, `${letter} Traders`)
    const zulu = await newCustomer(amy, 'Zulu Traders')
    const { page } = await visit(amy, `/o/$org/payments/new?customer=${zulu}`)
    const customer = page.getByRole('combobox', { name: 'Customer' })
    await expect.poll(() => customer.inputValue()).toBe('Zulu Traders')
    await customer.focus()
    await page.getByRole('option', { name: 'A Traders' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await customer.inputValue()).toBe('Zulu Traders')

    await page.goto(`/o/${amy.organizationId}/payments?customer=${zulu}`)
    await page.getByRole('button', { name: 'Filter' }).first().click()
    const dialog = page.getByRole('dialog')
    const narrowed = dialog.getByRole('combobox', { name: 'Customer' })
    await expect.poll(() => narrowed.inputValue()).toBe('Zulu Traders')
    await narrowed.fill('')
    await narrowed.press('Tab')
    expect(await narrowed.inputValue()).toBe('')
    await dialog.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(() => page.url()).not.toContain(zulu)
  })
})

import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, otherLooks, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('customers in the web app', () => {
  withBrowser()

  test('a bookkeeper adds a customer with the keyboard and finds it in the list', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/customers')
    const { page } = seen
    await page.getByRole('heading', { name: 'No customers yet' }).waitFor()
    await expectSound(seen)
    await page.keyboard.press('c')
    await page.getByLabel('Name', { exact: true }).fill('Kopi Republic Pte. Ltd.')
    await page.getByLabel('E-mail').fill('not an address')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').filter({ hasText: 'e-mail' }).waitFor()
    expect(await page.evaluate('document.activeElement.type')).toBe('email')
    await page.getByLabel('E-mail').fill('accounts@kopi.example')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Kopi Republic Pte. Ltd.' }).waitFor()
    await page.getByText('Nothing is open.').waitFor()
    await expectSound(seen)
    await page.getByRole('link', { name: 'Customers', exact: true }).last().click()
    await page.getByRole('row').filter({ hasText: 'Kopi Republic' }).waitFor()
    await expectSound(seen)
    expect((await amy.call('customers_list', {})).customers.map(({ email }) => email)).toEqual([
      'accounts@kopi.example',
    ])
  })

  test('several are deleted together, come back with undo, and are gone when the page is left', async () => {
    const amy = await member('OWNER')
    for (const name of ['Kopi', 'Laksa', 'Satay'])
      await amy.call('customers_create', { name, country: 'SG', kind: 'ORGANIZATION' })
    const { page, trouble } = await visit(amy, '/o/$org/customers')
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Satay').waitFor()
    const removeTwo = async () => {
      for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('2 customers deleted').waitFor()
      await expect.poll(() => row('Kopi').count()).toBe(0)
      expect(await row('Satay').count()).toBe(1)
    }
    await removeTwo()
    await page.keyboard.press('Control+z')
    await row('Laksa').waitFor()
    await page.reload()
    await row('Kopi').waitFor()
    await removeTwo()
    await page.goto(`/o/${amy.organizationId}/payments`)
    const left = async () => (await amy.call('customers_list', {})).customers.map(({ name }) => name)
    await expect.poll(left).toEqual(['Satay'])
    expect(trouble).toEqual([])
  })

  test.runIf(proves).each(otherLooks)('the list is sound in $lang, $theme, at $width pixels', async (look) => {
    const amy = await member('OWNER', { country: 'IL' })
    await amy.call('customers_create', { name: 'קפה הגליל בע״מ', country: 'IL', kind: 'ORGANIZATION' })
    const seen = await visit(amy, '/o/$org/customers', look)
    await seen.page.getByText('קפה הגליל בע״מ').waitFor()
    expect(await seen.page.evaluate('document.documentElement.dir')).toBe(look.lang === 'he' ? 'rtl' : 'ltr')
    await expectSound(seen)
  })
})

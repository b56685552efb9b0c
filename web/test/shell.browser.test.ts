import { describe, expect, test } from 'vitest'
import { personWithPassword } from '../../src/test/accounts.ts'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { member, theApp } from '../../src/test/world.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('the shell', () => {
  withBrowser()

  test('a request that needs a recent sign-in asks for the password, and goes on', async () => {
    const amy = await personWithPassword()
    const { id } = await amy.call('organizations_create', { name: 'Acme', country: 'SG' })
    const seen = await visit(amy, `/o/${id}/settings/keys`)
    const { page } = seen
    await theApp().system.raw.query("update sessions set signed_in_at = now() - interval '1 day' where user_id = $1", [
      amy.userId,
    ])
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('Books')
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
    const asked = page.getByRole('dialog', { name: 'Is it you?' })
    await asked.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await asked.getByRole('alert').waitFor()
    await expectSound(seen)
    await asked.getByLabel('Password').fill('correct horse')
    await page.keyboard.press('Enter')
    await page.getByText('Your new key').waitFor()
    expect(await asked.count()).toBe(0)
    expect(seen.trouble).toEqual([])
  })

  test('the palette finds what there is in Hebrew too, and offers what the role allows', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    await amy.call('suppliers_create', { name: 'מאפיית השחר', country: 'IL', kind: 'ORGANIZATION' })
    const ben = await member('VIEWER', { of: amy })
    const seen = await visit(ben, '/o/$org/customers', { lang: 'he' })
    const { page } = seen
    await page.getByRole('heading', { name: 'לקוחות', exact: true }).waitFor()
    await page.keyboard.press('Control+KeyK')
    const field = page.getByRole('combobox', { name: 'חיפוש או פעולה' })
    await field.waitFor()
    expect(await page.getByRole('option', { name: 'חשבונית חדשה' }).count()).toBe(0)
    await field.fill('השחר')
    await page.getByRole('option').filter({ hasText: 'מאפיית השחר' }).waitFor()
    await expectSound(seen)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/suppliers\?open=/)
  })

  test('language, theme and keys are the person’s, wherever they sign in', async () => {
    const amy = await member('OWNER')
    const { page, trouble } = await visit(amy, '/o/$org/customers')
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Founder' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await choose('Single letters are shortcuts')
    await choose('Dark')
    await page.locator('html[data-theme=dark]').waitFor()
    await page.keyboard.press('c')
    expect(page.url()).not.toContain('/new')
    await choose('עברית')
    await page.locator('html[dir=rtl]').waitFor()
    await expect
      .poll(() => amy.call('preferences_get', {}))
      .toMatchObject({ language: 'he', theme: 'DARK', keyboardLetters: false })
    await page.evaluate("localStorage.setItem('theme', 'LIGHT')")
    await page.reload()
    await page.locator('html[dir=rtl][data-theme=dark]').waitFor()
    expect(trouble).toEqual([])
  })
})

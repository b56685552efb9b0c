import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { person } from '../../src/test/world.ts'
import { endSession, ownerWithPassword } from './people.ts'
import { expectSound, hasFocus, visit } from './visit.ts'

/** The smallest picture there is. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const step = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })

/** The clock of the person's device is that of a zone. */
async function moveTo(page: Page, timezoneId: string) {
  const client = await page.context().newCDPSession(page)
  await client.send('Emulation.setTimezoneOverride', { timezoneId })
}

describe.skipIf(!hasBrowser)('the first steps of somebody new', () => {
  withBrowser()

  test.runIf(proves)('a list of choices whose script is still on its way opens when it is there', async () => {
    const { page, context } = await visit(await person(), '/')
    await context.route(/select-list/, async (route) => {
      await page.getByRole('button', { name: /Where is it registered/ }).click()
      await route.continue()
    })
    await page.goto('/app')
    await page.getByRole('option', { name: 'Singapore' }).click()
    await page.getByRole('button', { name: /SGD.*Main currency|Main currency.*SGD/ }).waitFor()
  })

  test('pressed by keyboard before that, the list opens with the focus on what is chosen, and gives it back', async () => {
    const { page, context } = await visit(await person(), '/')
    await moveTo(page, 'America/Denver')
    const country = page.getByRole('button', { name: /Where is it registered/ })
    await context.route(/select-list/, async (route) => {
      await country.focus()
      await page.keyboard.press('Enter')
      await route.continue()
    })
    await page.goto('/app')
    await page.getByRole('option', { name: 'Singapore' }).waitFor()
    const focused = () => page.evaluate('document.activeElement.textContent')
    await expect.poll(focused).toBe('United States')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /SGD.*Main currency|Main currency.*SGD/ }).waitFor()
    await expect.poll(focused).toContain('Singapore')
  })

  test('nothing is proposed to somebody who is in none of the countries, and saving asks for one', async () => {
    const { page } = await visit(await person(), '/')
    await moveTo(page, 'Europe/Berlin')
    await page.goto('/app')
    const country = page.getByRole('button', { name: /Where is it registered/ })
    await page.getByLabel('Its name').fill('Acme')
    expect(await country.textContent()).not.toMatch(/Israel|Singapore|United States/)
    await page.keyboard.press('Enter')
    await page.getByText('This is needed.').waitFor()
    await expect.poll(() => hasFocus(country)).toBe(true)
    await country.click()
    await page.getByRole('option', { name: 'Singapore' }).click()
    await page.getByRole('button', { name: /SGD.*Main currency|Main currency.*SGD/ }).waitFor()
  })

  test('the focus stays on a choice while its list is loaded', async () => {
    const { page, context } = await visit(await person(), '/')
    const country = page.getByRole('button', { name: /Where is it registered/ })
    await context.route(/select-list/, async (route) => {
      await country.focus()
      await route.continue()
    })
    await page.goto('/app')
    await page.locator('[aria-haspopup=listbox]').first().waitFor()
    await expect.poll(() => hasFocus(country)).toBe(true)
  })

  test.runIf(proves)(
    'the session ends before the organization is made: the password is asked for and it is made',
    async () => {
      const amy = await ownerWithPassword()
      const { page, trouble } = await visit(amy, '/welcome')
      await page.getByRole('button', { name: /Where is it registered/ }).click()
      await page.getByRole('option', { name: 'Singapore' }).click()
      await page.getByLabel('Its name').fill('Amy Design')
      await endSession(amy)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
      await dialog.getByLabel('Password').fill('correct horse')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'First steps' }).waitFor()
      await page.getByText('Amy Design').first().waitFor()
      expect(trouble).toEqual([])
    },
  )

  test('three questions, then the list of steps, each ticked by what is there', async () => {
    const amy = await person()
    const seen = await visit(amy, '/app')
    const { page } = seen
    await page.waitForURL(/\/welcome$/)
    await page.getByRole('button', { name: /Where is it registered/ }).click()
    await page.getByRole('option', { name: 'Singapore' }).click()
    await page.getByRole('button', { name: /SGD.*Main currency|Main currency.*SGD/ }).waitFor()
    await page.getByRole('button', { name: 'Create the organization' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Its name').fill('Amy Design')
    await expectSound(seen)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    await expectSound(seen)
    const home = page.url()

    await step(page, 'Add your first customer').click()
    await page.getByLabel('Name', { exact: true }).fill('Kopi Republic')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Kopi Republic' }).waitFor()
    await page.goto(home)
    await step(page, 'Add your first customer done').waitFor()

    await step(page, 'Add your bank account').click()
    await page.getByRole('heading', { name: 'No bank accounts yet' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Account name').fill('Main')
    await dialog.getByLabel('Bank name').fill('DBS')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(home)

    await step(page, 'Upload your logo').click()
    await page.getByRole('button', { name: 'Choose a picture' }).waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
    await page.getByRole('img', { name: 'Logo' }).waitFor()
    await page.goto(home)

    await step(page, 'Write your first invoice').click()
    await page.getByRole('option', { name: 'Kopi Republic' }).click()
    await page.getByLabel('Description').first().fill('Design')
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor()
    await page.goto(home)
    for (const done of ['first customer', 'first invoice', 'bank account', 'logo'])
      await page.getByRole('link', { name: new RegExp(`your ${done} done$`) }).waitFor()
    await expectSound(seen)
    const kept = page.waitForResponse((answer) => answer.url().endsWith('/api/preferences'))
    await page.getByRole('button', { name: 'Hide the first steps' }).click()
    await kept
    await page.reload()
    await page.getByRole('link', { name: /^Revenue/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'First steps' }).count()).toBe(0)
  })

  test.runIf(proves)('the questions are sound in Hebrew on a phone, and in the other language at a press', async () => {
    const seen = await visit(await person(), '/welcome', { lang: 'he', width: 390 })
    await seen.page.getByRole('heading', { name: 'הארגון שלכם' }).waitFor()
    await expectSound(seen)
    await seen.page.getByRole('button', { name: 'English' }).click()
    await seen.page.getByRole('heading', { name: 'Your organization' }).waitFor()
  })
})

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { openKit } from './kit-page.ts'
import { expectSound, hasFocus, type Look, textAlignOf } from './visit.ts'

/** Each in two opposite looks; together they show both languages, both themes and both widths. */
const parts: { part: 'controls' | 'lists' | 'forms'; looks: Look[] }[] = [
  {
    part: 'controls',
    looks: [
      { lang: 'he', theme: 'dark' },
      { lang: 'en', width: 390 },
    ],
  },
  { part: 'lists', looks: [{ lang: 'en' }, { lang: 'he', theme: 'dark', width: 390 }] },
  { part: 'forms', looks: [{ lang: 'he' }, { lang: 'en', theme: 'dark', width: 390 }] },
]
const told = (page: Page, id: string) => page.getByTestId(id).textContent()

describe.skipIf(!hasBrowser)('parts of the web app', () => {
  withBrowser()

  test.each(parts)(
    '$part are sound in both languages, light and dark, at a desk and on a phone',
    async ({ part, looks }) => {
      for (const look of looks) {
        const seen = await openKit(part, look)
        await seen.page.locator('h1').waitFor()
        expect(await seen.page.evaluate('document.documentElement.dir')).toBe(look.lang === 'he' ? 'rtl' : 'ltr')
        await expectSound(seen)
        await seen.leave()
      }
    },
  )

  describe('controls', () => {
    /** One page for all of these tests, each of which begins at another part of it. */
    let page: Page
    beforeAll(async () => {
      if (hasBrowser) page = (await openKit('controls')).page
    })

    test('fields take days and numbers as they are typed, and a refusal is told with its field', async () => {
      const due = page.getByLabel('Due')
      await due.fill('+30')
      await due.press('Enter')
      expect(await told(page, 'values')).toBe('|2026-04-15|1234.5')
      await due.press('ArrowUp')
      expect(await told(page, 'values')).toContain('2026-04-16')
      await due.fill('31/2')
      await due.press('Tab')
      expect(await told(page, 'values'), '31 February is no day').toContain('2026-04-16')
      expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Amount')
      await page.keyboard.type('1.234,75')
      expect(await told(page, 'values')).toContain('|1234.75')
      const refused = page.getByLabel('Name 2')
      expect(await refused.getAttribute('aria-invalid')).toBe('true')
      const below = await refused.getAttribute('aria-describedby')
      expect(await page.locator(`[id="${below}"]`).textContent()).toBe('This is needed.')
    })

    test('a choice and a search are made by keyboard', async () => {
      // Its script comes a moment after the page. The list of the field below it may be there before.
      const loaded = page.locator('[aria-haspopup=listbox]')
      await page.getByRole('button', { name: /Kind/ }).first().and(loaded).focus()
      await page.keyboard.press('Enter')
      await page.locator('[role=option]:focus').waitFor() // the focus comes a moment after the list
      await page.keyboard.press('ArrowDown')
      await page.locator('[role=option]:focus').filter({ hasText: 'Person' }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => told(page, 'picked')).toBe('PERSON|')
      await page.getByPlaceholder('Name, e-mail or number').fill('merl')
      await page.getByRole('option', { name: 'Merlion Fintech' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.locator('[role=option][data-focused]').filter({ hasText: 'Merlion Fintech' }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => told(page, 'picked')).toBe('PERSON|Merlion Fintech Pte. Ltd.')
    })

    test('a menu opens by keyboard, skips what is disabled and gives the focus back', async () => {
      const more = page.getByRole('region', { name: 'Dialogs' }).getByRole('button', { name: 'More' })
      await page.locator('[aria-haspopup][aria-label="More"]').waitFor() // its list is loaded
      await more.focus()
      await page.keyboard.press('Enter')
      await page.locator('[role=menuitem]:focus').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await expect.poll(() => told(page, 'done')).toBe('remove')
      await expect.poll(() => hasFocus(more)).toBe(true)
    })

    test('a list is gone as soon as it closes, and does not wait for an animation', async () => {
      await page.locator('[aria-haspopup=listbox]').nth(1).waitFor()
      await page.getByRole('button', { name: /Kind/ }).first().click()
      const person = page.getByRole('option', { name: 'Person' })
      await person.waitFor()
      await expect.poll(() => page.evaluate('document.getAnimations().length')).toBe(0)
      await page.evaluate('document.styleSheets[0].insertRule(".floating { transition-duration: 60s !important }", 0)')
      await person.click()
      await page.getByRole('dialog').waitFor({ state: 'hidden', timeout: 10_000 })
      await page.evaluate('document.styleSheets[0].deleteRule(0)')
    })

    test('a question has the focus on the way back; Escape closes a dialog and returns the focus', async () => {
      const opener = page.getByRole('button', { name: 'Void' })
      await opener.click()
      await page.getByRole('heading', { name: 'Void the payment?' }).waitFor()
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Back')
      await page.keyboard.press('Escape')
      await expect.poll(() => hasFocus(opener)).toBe(true)
    })

    test('what was done can be undone by key; what failed is told as an alert', async () => {
      await page.getByRole('button', { name: 'Saved' }).click()
      await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
      await page.keyboard.press('Control+z')
      expect(await told(page, 'done')).toBe('undone')
      await page.getByRole('button', { name: 'It could not be sent' }).click()
      await page.getByRole('alert').filter({ hasText: 'INV-0042' }).waitFor()
    })
  })

  test('a list is gone through, selected and opened by keyboard, and sorted by its heads', async () => {
    const { page } = await openKit('lists')
    await page.getByRole('grid').waitFor()
    for (const key of ['j', 'j', 'x', 'j', 'Enter']) await page.keyboard.press(key)
    expect(await told(page, 'list')).toBe('2 1|2|number desc')
    await page.getByRole('button', { name: 'Number' }).click()
    expect(await told(page, 'list')).toContain('number asc')
    expect(await page.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort')).toBe('ascending')
  })

  test('amounts stand on the right in both directions, names on the side where the line begins', async () => {
    for (const lang of ['en', 'he'] as const) {
      const { page } = await openKit('lists', { lang })
      const row = page.getByRole('row').filter({ hasText: 'INV-0040' })
      const cells = row.getByRole('gridcell')
      expect(await textAlignOf(cells.last())).toBe('right')
      const [number, amount] = await Promise.all([cells.nth(1).boundingBox(), cells.last().boundingBox()])
      expect((number?.x ?? 0) < (amount?.x ?? 0)).toBe(lang === 'en')
    }
  })

  test('a refusal of the server goes to its field, which gets the focus; then the form is saved', async () => {
    const { page } = await openKit('forms')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'e-mail' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('email')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('amy@kontor.test')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(await told(page, 'saved')).toBe('amy@kontor.test')
  })

  test('a form from a schema says what is missing, adds to lists, and keeps the rare fields behind a button', async () => {
    const { page } = await openKit('forms')
    await page.getByText('This is needed.').waitFor()
    await page.getByLabel('Amount', { exact: true }).fill('94.20')
    await expect.poll(() => page.getByText('This is needed.').count()).toBe(0)
    await page.getByRole('button', { name: 'Add to lines' }).click()
    await page.getByText('This is needed.').waitFor()
    await page.getByRole('button', { name: /more fields/ }).click()
    await page.getByLabel('Reference (optional)').fill('S-0008')
    const made = JSON.parse((await told(page, 'schema')) ?? '{}')
    expect(made).toMatchObject({ amount: 94.2, reference: 'S-0008', lines: [{ description: 'Diesel' }, {}] })
  })
})

import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, textAlignOf, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('letters', () => {
  withBrowser()

  test('a letter that the outbox kept is called kept, and the outbox shows it as a letter with its source behind a button', async () => {
    const amy = await member('OWNER')
    const { id } = await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    expect(await amy.call('invoices_send', { id })).toMatchObject({ sent: 1, kept: 1 })
    const seen = await visit(amy, `/o/$org/documents/${id}`)
    const { page } = seen
    await page.getByText('Kept in the outbox: no mail server is set').first().waitFor()
    expect(await page.getByText('Taken by the mail server').count()).toBe(0)
    await page.goto(`/o/${amy.organizationId}/mail`)
    await page.getByRole('row').filter({ hasText: 'accounts@kopi.example' }).click()
    const letter = page.getByRole('complementary')
    await letter.getByText('Kept here: no mail server is set, so nobody has got it.').waitFor()
    await letter
      .getByRole('link', { name: /^http.*\/i\// })
      .or(letter.getByRole('link', { name: /^http/ }))
      .first()
      .waitFor()
    expect(await letter.getByText('Message-ID:').isVisible()).toBe(false)
    await expectSound(seen)
    await letter.getByText('Show source').click()
    await letter.getByText('Message-ID:').waitFor()
    await expectSound(seen)
  })

  test.runIf(proves)('in Hebrew the proposed words and the letter run from right to left', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const { id } = await newDraft(amy, await newCustomer(amy, 'קפה הגליל בע״מ', 'IL'), {
      status: 'SENT',
      currency: 'ILS',
    })
    const seen = await visit(amy, `/o/$org/documents/${id}`, { lang: 'he' })
    const { page } = seen
    await page
      .getByRole('button', { name: 'שליחה חוזרת' })
      .or(page.getByRole('button', { name: 'שליחה' }))
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    const words = dialog.getByLabel('המילים שמעל הסכומים')
    await words.waitFor()
    await dialog.getByLabel('כפי שנקרא').waitFor()
    const direction = (each: unknown) =>
      (globalThis as unknown as { getComputedStyle(e: unknown): { direction: string } }).getComputedStyle(each)
        .direction
    expect(await words.evaluate(direction)).toBe('rtl')
    await words.fill('Hello')
    expect(await words.evaluate(direction)).toBe('ltr')
    expect(await textAlignOf(dialog.getByLabel('כפי שנקרא').locator('div').first())).toBe('start')
    await expectSound(seen)
  })
})

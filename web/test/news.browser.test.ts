import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { rowOf } from '../../src/test/rows.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('notifications, the outbox and reports', () => {
  withBrowser()

  test('what happened while one was away is read, one by one and all at once', async () => {
    const amy = await member('OWNER')
    await rowOf('notifications', amy)
    await rowOf('notifications', amy)
    const seen = await visit(amy, '/o/$org/customers')
    const { page } = seen
    await page.getByRole('heading', { name: 'No customers yet' }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    const panel = page.getByRole('complementary', { name: 'Notifications' })
    await panel
      .getByRole('button', { name: /^Unread.*Bob/ })
      .first()
      .click()
    await panel.waitFor({ state: 'detached' })
    await page.waitForURL(/\/o\/[^/]+$/)
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await panel.getByRole('button', { name: /^Unread/ }).waitFor()
    await expectSound(seen)
    await panel.getByRole('button', { name: 'Mark all as read' }).click()
    await panel.getByRole('button', { name: /^Unread/ }).waitFor({ state: 'detached' })
    expect((await amy.call('users_notifications', {})).unreadCount).toBe(0)
  })

  test('a letter of the outbox is opened beside the list, in Hebrew on a phone too', async () => {
    const amy = await member('OWNER')
    await rowOf('outbox', amy)
    const seen = await visit(amy, '/o/$org/mail')
    await seen.page.getByRole('row').filter({ hasText: 'Hello' }).click()
    const beside = seen.page.getByRole('complementary', { name: 'Hello' })
    await beside.getByText('dana@x.test').waitFor()
    await expectSound(seen)
    const phone = await visit(amy, '/o/$org/mail', { lang: 'he', width: 390 })
    await phone.page.getByText('Hello').waitFor()
    await expectSound(phone)
  })

  test('a report shows its sums, keeps what it is asked in the address, and is downloaded', async () => {
    const amy = await member('OWNER')
    await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    const seen = await visit(amy, '/o/$org/reports')
    const { page } = seen
    expect(await page.getByRole('link', { name: /^1099/ }).count()).toBe(0)
    await page.getByRole('link', { name: /^Who owes you/ }).click()
    await page.getByRole('heading', { name: 'Who owes you' }).waitFor()
    await page
      .getByRole('cell', { name: /Kopi Republic/ })
      .first()
      .waitFor()
    await page.getByText('109.00').first().waitFor()
    await expectSound(seen)
    const csv = page.getByRole('link', { name: 'CSV' })
    const answer = await page.request.get((await csv.getAttribute('href')) ?? '')
    expect(answer.status()).toBe(200)
    expect(await answer.text()).toContain('Kopi Republic')
    await page.goto(`/o/${amy.organizationId}/reports/profit-and-loss?from=2024-01-01&to=2024-12-31`)
    await page.getByRole('heading', { name: 'Profit and loss' }).waitFor()
    expect(await page.getByText('109.00').count()).toBe(0)
    const phone = await visit(amy, '/o/$org/reports/profit-and-loss', { lang: 'he', theme: 'dark', width: 390 })
    await phone.page.getByRole('heading', { name: 'רווח והפסד' }).waitFor()
    await expectSound(phone)
  })
})

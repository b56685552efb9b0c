import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

const year = new Date().getFullYear()

describe.skipIf(!hasBrowser)('reports', () => {
  withBrowser()

  test('a report opens with the last year that has entries, and with this year if there is none', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/reports/profit-and-loss', {}, undefined)
    const { page } = seen
    const from = page.getByRole('textbox', { name: 'From' })
    await page.getByRole('region').or(page.getByText('Net profit')).first().waitFor()
    await expect.poll(() => from.inputValue()).toContain(String(year))
    await newDraft(amy, await newCustomer(amy), { status: 'SENT', issueDate: `${year - 2}-03-01` })
    await page.reload()
    await expect.poll(() => from.inputValue(), { timeout: 10_000 }).toContain(String(year - 2))
    await page.getByText('100.00').first().waitFor()
    await page.goto(`/o/${amy.organizationId}/reports/profit-and-loss?from=${year}-01-01&to=${year}-06-30`)
    await expect.poll(() => from.inputValue()).toContain(String(year))
    await page.goto(`/o/${amy.organizationId}/reports/general-ledger`)
    await expect.poll(() => from.inputValue()).toContain(String(year))
    await page.getByText('Choose an account to see its entries.').waitFor()
    await expectSound(seen)
  })

  test('the boxes of the GST return are numbers, and what is in them is money', async () => {
    const amy = await member('OWNER')
    await newDraft(amy, await newCustomer(amy), { status: 'SENT', issueDate: `${year}-01-05` })
    const seen = await visit(amy, `/o/$org/reports/gst-f5?from=${year}-01-01&to=${year}-03-31`)
    const first = seen.page.getByRole('row').filter({ hasText: 'Total value of standard-rated supplies' })
    await first.waitFor()
    expect((await first.getByRole('cell').allTextContents()).slice(0, 3)).toEqual([
      '1', 'Total value of standard-rated supplies', '$100.00',
    ]) // biome-ignore format: a row
    await expectSound(seen)
  })
})

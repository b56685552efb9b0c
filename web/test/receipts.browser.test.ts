import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { drawReceipt } from '../../src/test/documents/drawn-receipt.ts'
import { billOf } from '../../src/test/einvoices/bill.ts'
import { spend } from '../../src/test/expenses.ts'
import { makePdf, text } from '../../src/test/fakes/pdfs.ts'
import { proves, sample } from '../../src/test/prove.ts'
import { doScans } from '../../src/test/scans.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { newCustomer } from './people.ts'
import { expectSound, type Look, naturalWidthOf, visit } from './visit.ts'

const receipt = () =>
  drawReceipt([
    'Corner Grocery Ltd',
    'Date: 14/03/2025 17:42',
    { left: 'Milk 2 x 3.40', right: '6.80' },
    { left: 'Brown bread', right: '12.95' },
    { left: 'TOTAL', right: '19.75' },
  ])

const upload = (amy: Someone, fileName: string, bytes: Buffer) =>
  amy.call('expenses_upload', {
    organizationId: amy.organizationId ?? '',
    file: { fileName, base64: bytes.toString('base64') },
  })

const bill = (...totals: string[]) => makePdf({ pages: totals.map((total) => ({ content: text([total, 100, 600]) })) })

/** Opens an expense in a browser that says it has a viewer for PDF, or none, whatever the engine of this machine has. */
async function openWith({ viewer }: { viewer: boolean }, someone: Someone, expenseId: string, look: Look = {}) {
  const seen = await visit(someone, '/health', look) // a page without the app, which loads when the browser has said so
  await seen.page.addInitScript(
    `Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => ${viewer} })`,
  )
  await seen.page.goto(`/o/${someone.organizationId}/expenses?open=${expenseId}`)
  return seen
}

describe.skipIf(!hasBrowser)('receipts beside the expenses that were read from them', () => {
  withBrowser()

  test('the receipt stands beside the fields; the field in question is framed on it, and a correction is saved', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/expenses')
    const { page } = seen
    await page.getByRole('button', { name: 'Scan a receipt' }).waitFor()
    const file = { name: 'receipt.png', mimeType: 'image/png', buffer: await receipt() }
    await page.locator('input[type=file]').setInputFiles(file)
    const record = page.getByRole('complementary')
    await record.getByRole('img', { name: 'receipt.png' }).waitFor({ timeout: 60_000 })
    const saved = page.waitForEvent('download')
    await record.getByRole('link', { name: 'receipt.png' }).click()
    expect((await saved).suggestedFilename()).toBe('receipt.png')

    await record.getByRole('button', { name: 'Check against the receipt' }).click()
    const dialog = page.getByRole('dialog')
    const amount = dialog.getByLabel(/^Amount/)
    await amount.focus()
    const framed = dialog.locator('[data-active=true]')
    await framed.waitFor()
    const [box, picture] = [await framed.boundingBox(), await dialog.getByRole('img').boundingBox()]
    // the total is printed at the right edge, in the lowest line
    expect((box?.x ?? 0) - (picture?.x ?? 0)).toBeGreaterThan((picture?.width ?? 0) * 0.75)
    expect((box?.y ?? 0) - (picture?.y ?? 0)).toBeGreaterThan((picture?.height ?? 0) * 0.6)
    expect(await dialog.getByText(/% sure/).count()).toBeGreaterThan(3)
    await expectSound(seen)
    await amount.fill('19.57')
    await dialog.getByText('Read: 19.75').waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await record.getByText('19.57').first().waitFor()
    expect(seen.trouble).toEqual([])
  })

  test.runIf(proves)(
    'in Hebrew and on a phone the receipt stands above the fields; what is printed where is shown when asked for',
    async () => {
      const amy = await member('OWNER')
      const { expenseId } = await upload(amy, 'receipt.png', await receipt())
      const seen = await visit(amy, `/o/$org/expenses?open=${expenseId}`, { lang: 'he', theme: 'dark', width: 390 })
      const { page } = seen
      await page.getByRole('button', { name: 'בדיקה מול הקבלה' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('img', { name: 'receipt.png' }).waitFor()
      await expectSound(seen)
      await dialog.getByRole('button', { name: 'מה מודפס והיכן' }).click()
      await dialog.getByText(/ודאות/).first().waitFor({ timeout: 60_000 })
      await expect.poll(() => dialog.getByLabel(/^סכום \(/).inputValue()).toBe('19.75')
      await expectSound(seen)
    },
  )

  test('a PDF is shown in a frame where the browser has a viewer', async () => {
    const amy = await member('OWNER')
    const { id, expenseId } = await upload(amy, 'bill.pdf', bill('Total 118.00'))
    const { page, trouble } = await openWith({ viewer: true }, amy, expenseId)
    const frame = page.getByRole('complementary').locator('iframe[title="bill.pdf"]')
    await frame.waitFor()
    expect(await frame.getAttribute('src')).toBe(`/api/expenses/attachments/${id}`)
    expect(trouble.filter((each) => /^complained/.test(each))).toEqual([]) // the rest is the viewer of the browser
  })

  const withoutViewer = [
    { lang: 'he', width: 390, pages: ['עמוד 1 מתוך 2', 'עמוד 2 מתוך 2'] },
    { lang: 'en', pages: ['Page 1 of 2', 'Page 2 of 2'] },
  ] as const
  test.each(sample(withoutViewer, 2))(
    'where it has none, the pages of a PDF are shown as pictures ($lang)',
    async ({ pages, ...look }) => {
      const amy = await member('OWNER')
      const { expenseId } = await upload(amy, 'bill.pdf', bill('Total 118.00', 'Terms of trade'))
      const seen = await openWith({ viewer: false }, amy, expenseId, look)
      const record = seen.page.getByRole('complementary')
      for (const label of pages) {
        await record.getByText(label, { exact: true }).waitFor()
        const picture = record.getByRole('img', { name: label })
        await picture.scrollIntoViewIfNeeded()
        await expect.poll(() => naturalWidthOf(picture), { timeout: 30_000 }).toBeGreaterThan(500)
      }
      expect(await record.locator('iframe').count()).toBe(0)
      await record.getByRole('link', { name: 'bill.pdf' }).waitFor()
      await expectSound(seen)
    },
  )

  test('of a damaged PDF the reason is shown, and the file can be saved', async () => {
    const amy = await member('OWNER')
    const { expenseId } = await upload(amy, 'bill.pdf', Buffer.from('%PDF-1.7\n%%EOF\n'))
    const seen = await openWith({ viewer: false }, amy, expenseId)
    const record = seen.page.getByRole('complementary')
    await record.getByText(/damaged/).waitFor()
    await record.getByRole('link', { name: 'bill.pdf' }).waitFor()
    await expectSound(seen)
  })

  test('several receipts are read in the background, with progress and a way to each expense', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/expenses')
    const { page } = seen
    await page.getByRole('button', { name: 'Scan a receipt' }).waitFor()
    const bills = ['A-1', 'A-2', 'A-1'].map((number, at) => {
      const { base64 } = billOf({ number })
      return { name: `bill-${at}.xml`, mimeType: 'text/xml', buffer: Buffer.from(base64, 'base64') }
    })
    await page.locator('input[type=file]').setInputFiles(bills)
    await page.getByRole('status').filter({ hasText: '3 files are being read' }).waitFor()
    const batch = page.getByRole('complementary')
    await batch.getByText('Running').waitFor()
    expect(await doScans(amy)).toBe(3)
    await batch.getByText('Done', { exact: true }).waitFor()
    await batch.getByText(/A-1/).first().waitFor() // why one of them failed
    await expectSound(seen)
    await batch.getByRole('link', { name: 'Open the expense' }).first().click()
    await page.waitForURL(/\/expenses\?open=/)
    expect(seen.trouble).toEqual([])
  })

  test('a contributor is offered no state that is for managers; a manager is', async () => {
    const amy = await member('OWNER')
    const { id } = await spend(amy)
    const statesFor = async (someone: Someone) => {
      const { page } = await visit(someone, `/o/$org/expenses?open=${id}`)
      await page.getByRole('complementary').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Change the state' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Status/ })
        .click()
      return page.getByRole('option').allTextContents()
    }
    expect(await statesFor(await member('CONTRIBUTOR', { of: amy }))).toEqual(['To review'])
    expect(await statesFor(await member('MANAGER', { of: amy }))).toEqual(['To review', 'Approved', 'Rejected'])
  })

  test('a customer is unlinked, a credit is voided, and the expenses are saved as a file', async () => {
    const amy = await member('OWNER')
    const customerId = await newCustomer(amy)
    const { id } = await spend(amy, { customerIds: [customerId] })
    await amy.call('expenses_status', { id, status: 'APPROVED' })
    await amy.call('expenses_credits', { id, amount: 10, date: '2026-02-01', documentNumber: 'CN-1' } as never)
    const seen = await visit(amy, `/o/$org/expenses?open=${id}`)
    const { page } = seen
    const dialog = page.getByRole('dialog')
    const act = async (name: string, part: RegExp | string) => {
      await page.getByRole('complementary').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name }).click()
      await dialog.getByRole('button', { name: /Credit|Customer/ }).click()
      await page.getByRole('option', { name: part }).click()
      await dialog.getByRole('button', { name }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await act('Void a credit', /CN-1/)
    await act('Unlink a customer', 'Kopi Republic Pte. Ltd.')
    expect(await amy.call('expenses_get', { id })).toMatchObject({ creditedAmount: 0, customers: [] })
    await page.getByRole('button', { name: 'More' }).first().click()
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'CSV' }).click()
    expect((await saved).suggestedFilename()).toMatch(/\.csv$/)
    await expectSound(seen)
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { payrollOf, payslipIdOf } from '../../src/test/payroll/company.ts'
import { expectSound, visit } from './visit.ts'

const panelOf = (page: Page) => page.getByRole('complementary')

const actsOf = async (page: Page) => {
  await panelOf(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem').first().waitFor()
  return page.getByRole('menuitem').allTextContents()
}

/** Chooses an act of the open record and confirms its form. */
async function act(page: Page, name: string, fill?: () => Promise<void>) {
  if ((await page.getByRole('menuitem').count()) === 0) await actsOf(page)
  await page.getByRole('menuitem', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name, exact: true }).waitFor()
  await fill?.()
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

describe.skipIf(!hasBrowser)('payroll', () => {
  withBrowser()

  test('a payslip is computed again, has advances set off with a signed consent, is approved, paid and voided', async () => {
    const sg = await payrollOf('SG')
    const dana = await sg.hire({ residencyStatus: 'CITIZEN' })
    await sg.generate('2026-03')
    await sg.advance(dana.id, 500)
    const id = await payslipIdOf(sg, '2026-03', dana.id)
    const seen = await visit(sg.amy, `/o/$org/payroll?open=${id}`)
    const { page } = seen
    const dialog = page.getByRole('dialog')
    await panelOf(page).getByText('Draft').waitFor()
    expect(await actsOf(page)).toEqual([
      'Compute again',
      'Approve',
      'Set advances off',
      'Add a signed consent',
      'Delete',
    ])
    await act(page, 'Add a signed consent', async () => {
      const file = { name: 'consent.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF\n') }
      await page.locator('input[type=file]').last().setInputFiles(file)
      await dialog.getByText('consent.pdf').waitFor()
    })
    await panelOf(page).getByRole('link', { name: 'consent.pdf' }).waitFor()
    await act(page, 'Compute again')
    await act(page, 'Set advances off', async () => {
      await expectSound(seen)
    })
    await panelOf(page).getByRole('heading', { name: 'Advances' }).waitFor()
    await act(page, 'Undo the set-off', async () => void (await dialog.getByText('owed again').waitFor()))
    await act(page, 'Approve')
    await panelOf(page).getByText('Approved').waitFor()
    await act(page, 'Pay')
    await expect.poll(async () => (await sg.payments('2026-03')).payments.length).toBe(2)
    await act(page, 'Void the payslip', async () => {
      await expectSound(seen)
    })
    await panelOf(page).getByText('Void', { exact: true }).waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('forms and the file for the bank are those of the country, shown and saved under their names', async () => {
    const il = await payrollOf('IL')
    await il.hire({ creditPoints: 2.25, hasTaxForm: true })
    await il.generate('2026-03')
    await il.approve('2026-03')
    const seen = await visit(il.amy, '/o/$org/payroll', { lang: 'he', width: 390 })
    const { page } = seen
    const dialog = page.getByRole('dialog')
    const more = page.getByRole('button', { name: 'עוד' })
    await more.click()
    const tools = await page.getByRole('menuitem').allTextContents()
    expect(tools.filter((name) => /טופס|CPF|IR8A/.test(name))).toEqual(['טופס 102', 'טופס 106', 'טופס 126'])
    await page.getByRole('menuitem', { name: 'טופס 102' }).click()
    await dialog.getByLabel(/חודש/).fill('2026-03')
    await dialog.getByRole('button', { name: 'הצגה' }).click()
    await dialog.getByText('ביטוח לאומי').first().waitFor()
    await expectSound(seen)
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'XLSX' }).click()
    expect((await saved).suggestedFilename()).toMatch(/102.*\.xlsx$/)
    await page.keyboard.press('Escape')
    await more.click()
    await page.getByRole('menuitem', { name: 'קובץ לבנק' }).click()
    await dialog.getByLabel(/חודש/).fill('2026-03')
    await dialog.getByRole('button', { name: 'הצגה' }).click()
    await dialog.getByText('Dana').first().waitFor()
    await dialog.getByRole('button', { name: 'שמירת הקובץ' }).click()
    await dialog.getByRole('alert').waitFor() // the bank would reject it without the numbers
    await expectSound(seen)
  })

  test('what an authority owes for leave is recorded when it pays', async () => {
    const sg = await payrollOf('SG')
    await sg.hire({ residencyStatus: 'CITIZEN' })
    const adjustments = [{ description: 'GPCL 3 days', amount: 972, kind: 'LEAVE_PAY' }]
    await sg.generate('2026-02', { runInputs: { adjustments } })
    await sg.approve('2026-02')
    const seen = await visit(sg.amy, '/o/$org/leave-claims')
    const { page } = seen
    await page.getByRole('gridcell', { name: 'GPCL' }).click()
    await act(page, 'Record what the authority paid', async () => {
      await page
        .getByRole('dialog')
        .getByLabel(/^Amount/)
        .fill('900')
    })
    await expect.poll(async () => (await sg.summary('2026-02')).gplOutstanding[0]?.outstanding).toBe(72)
    await expectSound(seen)
  })

  test('the letters with payslips are shown before they are sent', async () => {
    const sg = await payrollOf('SG')
    await sg.hire({ residencyStatus: 'CITIZEN', email: 'dana@example.com' })
    await sg.generate('2026-03')
    await sg.approve('2026-03')
    const seen = await visit(sg.amy, '/o/$org/payroll')
    const { page } = seen
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Send payslips' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/Month/).fill('2026-03')
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('dana@example.com').waitFor()
    await expectSound(seen)
  })
})

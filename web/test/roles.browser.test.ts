import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, visit } from './visit.ts'

const places = (page: Page) => page.getByRole('navigation', { name: 'Main menu' }).getByRole('link')
const notAllowed = (page: Page) => page.getByRole('heading', { name: 'This is not part of your role' })

/** Opens every place of the menu; the requests that were refused on the way. */
async function refusedInMenu(page: Page): Promise<string[]> {
  const refused: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`)
  })
  for (const name of await places(page).allTextContents()) {
    await places(page).getByText(name, { exact: true }).click()
    await page.locator('main h1, main h2').first().waitFor()
    await page.waitForLoadState('networkidle')
  }
  return refused
}

describe.skipIf(!hasBrowser)('roles', () => {
  withBrowser()

  test('an employee has their own payslips and claims, and no other place', async () => {
    const amy = await member('OWNER')
    const employee = await member('EMPLOYEE', { of: amy })
    const seen = await visit(employee, '/app')
    const { page } = seen
    await page.getByRole('heading', { name: 'My payslips' }).waitFor()
    expect(await places(page).allTextContents()).toEqual(['My payslips', 'My claims'])
    expect(await refusedInMenu(page)).toEqual([])
    await page.getByRole('button', { name: 'New claim' }).first().waitFor()
    await expectSound(seen)

    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or do' }).waitFor()
    expect(await page.getByRole('option').allTextContents()).toEqual(['My payslips', 'My claims'])
    for (const address of ['documents', 'documents/new', 'expenses', 'reports/journal', 'settings', 'settings/audit']) {
      await page.goto(`/o/${amy.organizationId}/${address}`)
      await notAllowed(page).waitFor()
    }
    await page.goto(`/o/${amy.organizationId}`)
    await page.waitForURL(/my-payslips$/)
    const hebrew = await visit(employee, '/o/$org/customers', { lang: 'he', theme: 'dark', width: 390 })
    await hebrew.page.getByRole('heading', { name: 'זה אינו חלק מהתפקיד שלכם' }).waitFor()
    await expectSound(hebrew)
  })

  test('a viewer finds nothing in the menu that is refused, and no form that would be', async () => {
    const amy = await member('OWNER')
    const vic = await member('VIEWER', { of: amy })
    const seen = await visit(vic, '/o/$org')
    const { page } = seen
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    const names = await places(page).allTextContents()
    expect(names).toContain('My payslips')
    for (const name of ['Payslips', 'Employees', 'Outbox']) expect(names).not.toContain(name)
    expect(await refusedInMenu(page)).toEqual([])
    for (const address of ['documents/new', 'customers/new', 'payments/new', 'payroll', 'mail', 'settings/webhooks']) {
      await page.goto(`/o/${amy.organizationId}/${address}`)
      await notAllowed(page).waitFor()
    }
    await expectSound(seen)
  })
})

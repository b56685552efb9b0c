import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accessPointCredentials, reportedInvoice, reportingCompany } from '../../src/test/access-point.ts'
import { hasBrowser, theSite, withBrowser } from '../../src/test/browser.ts'
import { clearingCompany, integration, largeInvoice, simulate, simulatorCredentials } from '../../src/test/clearance.ts'
import { sample } from '../../src/test/prove.ts'
import { sell } from '../../src/test/sales-documents.ts'
import { member } from '../../src/test/world.ts'
import { expectSound, visit } from './visit.ts'

const phone = { lang: 'he', theme: 'dark', width: 390 } as const
const dialogOf = (page: Page) => page.getByRole('dialog')

/** The text of the file that a press downloads, with its name. */
async function downloaded(page: Page, press: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()])
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'latin1') }
}

describe.skipIf(!hasBrowser)('the tax authority in the web app', () => {
  withBrowser()

  test('an Israeli company enters credentials, signs in at the authority, and disconnects again', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const seen = await visit(amy, '/o/$org/settings/tax-authority')
    const { page } = seen
    await page.getByText('Not connected').waitFor()
    await page.getByRole('button', { name: 'Save and check' }).click()
    await page.getByRole('alert').filter({ hasText: 'Fill this in.' }).first().waitFor()
    await expectSound(seen)
    for (const [label, value] of [
      ['Client ID', simulatorCredentials.clientId],
      ['Client secret', simulatorCredentials.clientSecret],
      ['Software registration number', simulatorCredentials.softwareNumber],
      ['ID number of the person', simulatorCredentials.userId],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value)
    expect(await page.getByLabel('Client secret').getAttribute('type')).toBe('password')
    await page.getByRole('button', { name: 'Save and check' }).click()
    await page.getByText('Now sign in at the authority').waitFor()
    await page.getByText('Sandbox, for trying').first().waitFor()
    expect(await page.content()).not.toContain(simulatorCredentials.clientSecret)

    await page.getByRole('button', { name: 'Check the connection' }).click()
    await page.getByRole('alert').filter({ hasText: 'Nobody has signed in' }).first().waitFor()
    await page.getByRole('button', { name: 'Sign in at the authority' }).click()
    // The authority sends the browser to the address of the installation; it is signed in at another name of this machine.
    await page.waitForURL(/connect%2Ftax-authority/)
    expect(seen.trouble[0]).toMatch(/^asked elsewhere: .*response_type=code/)
    await page.goto(new URL(page.url()).searchParams.get('next') ?? '')
    seen.trouble.length = 0
    await page.getByRole('button', { name: 'Connect' }).click()
    await page.getByRole('link', { name: 'Back to Kontor' }).click()
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Check the connection' }).click()
    await page.getByText('Answered by the simulator').waitFor()
    await page.getByRole('switch', { name: 'Submit it to the authority at once' }).click()
    const settings = () => amy.call('settings_get', { id: amy.organizationId ?? '' })
    await expect.poll(async () => (await settings()).clearOnIssue).toBe(true)
    await expectSound(seen)
    const hebrew = await visit(amy, '/o/$org/settings/tax-authority', phone)
    await hebrew.page.getByText('מחובר', { exact: true }).waitFor()
    await hebrew.page.getByRole('button', { name: 'שינוי פרטי החיבור…' }).click()
    await hebrew.page.getByLabel('מספר רישום התוכנה').waitFor()
    await expectSound(hebrew)

    await page.getByRole('button', { name: 'Disconnect…' }).click()
    await dialogOf(page).getByText('The credentials are deleted').waitFor()
    await expectSound(seen)
    await dialogOf(page).getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Not connected').waitFor()
    expect((await amy.call('integrations_tax_authority_get', integration(amy))).status.exists).toBe(false)
  })

  test('a large invoice gets its allocation number; what is refused says why and is tried again', async () => {
    const amy = await clearingCompany()
    const vic = await member('VIEWER', { of: amy })
    const [first, second] = [await largeInvoice(amy), await largeInvoice(amy)]
    const small = await sell(amy, { status: 'UNSENT' })
    const seen = await visit(amy, `/o/$org/documents/${first.id}`)
    const { page } = seen
    await page.getByText('Not asked for yet').waitFor()
    const viewer = await visit(vic, `/o/$org/documents/${first.id}`)
    await viewer.page.getByText('Not asked for yet').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Ask for a number' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Ask for a number' }).click()
    await dialogOf(page).getByText('The tax authority gets the document').waitFor()
    await expectSound(seen)
    await dialogOf(page).getByRole('button', { name: 'Ask for a number' }).click()
    await page.getByText('Approved', { exact: true }).waitFor()
    const { vatAllocationNumber } = await amy.call('invoices_clearance', { id: first.id })
    await page
      .getByText(vatAllocationNumber ?? 'none', { exact: true })
      .first()
      .waitFor()
    await page.getByText('Sandbox, for trying').waitFor()
    await expectSound(seen)

    await simulate({ reject: 1 }, theSite().app)
    await page.goto(`/o/${amy.organizationId}/documents/${second.id}`)
    await page.getByRole('button', { name: 'Ask for a number' }).click()
    await dialogOf(page).getByRole('button', { name: 'Ask for a number' }).click()
    await page.locator('main').getByText('does not approve the invoice').waitFor()
    await expectSound(seen)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(async () => (await amy.call('invoices_clearance', { id: second.id })).attempts).toBe(2)

    await page.goto(`/o/${amy.organizationId}/documents/${small.id}`)
    await page.getByText('This document is none of them.').waitFor()
    expect(await page.getByRole('button', { name: 'Ask for a number' }).count()).toBe(0)
    expect(seen.trouble).toEqual([])
    const hebrew = await visit(amy, `/o/$org/documents/${second.id}`, phone)
    await hebrew.page.getByText('הרשות כבר דחתה את החשבונית').waitFor()
    await expectSound(hebrew)
  })

  test('without a connection a manager finds the way to it, and a contributor is told who can', async () => {
    const amy = await clearingCompany()
    await amy.call('integrations_tax_authority_delete', integration(amy))
    const carl = await member('CONTRIBUTOR', { of: amy })
    const { id } = await largeInvoice(amy)
    const other = await visit(carl, `/o/$org/documents/${id}`)
    await other.page.getByText('A manager can connect it').waitFor()
    expect(await other.page.getByRole('link', { name: 'Connect' }).count()).toBe(0)
    await other.page.goto(`/o/${amy.organizationId}/settings/tax-authority`)
    await other.page.getByText('Managers enter and change the credentials.').waitFor()
    await expectSound(other)
    const { page } = await visit(amy, `/o/$org/documents/${id}`)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByRole('heading', { name: 'Tax authority' }).waitFor()
  })

  test('a company in Singapore connects, reports an invoice and downloads it as an e-invoice', async () => {
    const amy = await reportingCompany()
    const { id } = await reportedInvoice(amy)
    const seen = await visit(amy, '/o/$org/settings/tax-authority')
    const { page } = seen
    await page.getByText('Entered, not checked yet').waitFor()
    expect(await page.getByRole('button', { name: 'Sign in at the authority' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Change the credentials…' }).click()
    for (const [label, value] of [
      ['UEN', accessPointCredentials.uen],
      ['GST registration number', accessPointCredentials.gstNumber],
      ['Peppol participant ID', amy.participantId],
      ['Client ID of the access point', accessPointCredentials.clientId],
      ['Secret of the access point', 'wrong'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Save and check' }).click()
    await page.getByText('Does not work').first().waitFor()
    await expectSound(seen)
    const credentials = { ...accessPointCredentials, participantId: amy.participantId }
    await amy.call('integrations_tax_authority_post', {
      id: amy.organizationId ?? '',
      integrationId: 'sg-invoicenow',
      credentials,
    })
    await page.reload()
    await page.getByRole('button', { name: 'Check the connection' }).click()
    await page.getByText('Connected', { exact: true }).waitFor()

    await page.goto(`/o/${amy.organizationId}/documents/${id}`)
    await page.getByRole('button', { name: 'Report it' }).click()
    await dialogOf(page).getByRole('button', { name: 'Report it' }).click()
    await page.getByText('Approved', { exact: true }).waitFor()
    const xml = await downloaded(page, () => page.getByRole('button', { name: 'Download' }).click())
    expect(xml.name).toMatch(/\.xml$/)
    expect(xml.text).toContain('urn:peppol:pint:billing-1@sg-1')
    await page.getByRole('button', { name: 'Another format' }).click()
    const cii = await downloaded(page, () => page.getByRole('menuitem', { name: /CII/ }).click())
    expect(cii.text).toContain('CrossIndustryInvoice')
    await expectSound(seen)
    const hebrew = await visit(amy, `/o/$org/documents/${id}`, phone)
    await hebrew.page.getByRole('heading', { name: 'חשבונית אלקטרונית' }).waitFor()
    await expectSound(hebrew)
  })

  test('in the United States there is nobody to connect to; an e-invoice says what it lacks', async () => {
    const amy = await member('OWNER', { country: 'US' })
    const { id } = await sell(amy, { status: 'UNSENT' })
    const seen = await visit(amy, '/o/$org/settings/tax-authority')
    await seen.page.getByRole('heading', { name: 'No authority to connect to' }).waitFor()
    await expectSound(seen)
    const { page } = seen
    await page.goto(`/o/${amy.organizationId}/documents/${id}`)
    await page.getByRole('heading', { name: 'E-invoice' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Tax authority' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('alert').filter({ hasText: 'It cannot be written yet' }).waitFor()
    await page.getByText('Enter the registration number or the tax number of the organization.').waitFor()
    await expectSound(seen)
    const hebrew = await visit(amy, `/o/$org/documents/${id}`, phone)
    await hebrew.page.getByRole('button', { name: 'הורדה' }).click()
    await hebrew.page.getByText('חסר מספר הרישום או מספר המס של הארגון.').waitFor()
    await expectSound(hebrew)
  })

  const files = [
    ['IL', 'il-pcn874', 'PCN874', 'The authority would refuse this'],
    ['SG', 'sg-gst-f5', 'GST F5', 'The authority would refuse this'],
    ['US', 'us-1099-nec', 'Form 1099-NEC', 'The authority would refuse this'],
  ] as const
  // One screen for all files; what is in each is shown by the tests of src/countries/<country>/filings.
  test.each(sample(files, files.length))(
    'a file for the authority of %s shows its problems before it is downloaded',
    async (country, file, name, found) => {
      const amy = await member('VIEWER', { of: await member('OWNER', { country }) })
      const seen = await visit(amy, '/o/$org/reports')
      const { page } = seen
      await page.getByRole('region', { name: 'Files for the tax authority' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { name: found }).waitFor()
      await page.getByRole('region', { name: 'What is in the file' }).waitFor()
      await expectSound(seen)
      const made = await downloaded(page, () => page.getByRole('link', { name: /^Download the file/ }).click())
      expect(made.name).toMatch(/\.(txt|csv)$/i)
      await page.getByRole('button', { name: /Period/ }).click()
      await page.getByRole('option').nth(1).click()
      await page.waitForURL(/from=\d{4}-\d\d-01&to=/)
      expect(page.url()).toContain(`/reports/files/${file}?`)
      await page.getByRole('heading', { name: found }).waitFor()
    },
  )

  test.each(sample(files, files.length))(
    'a file for the authority of %s is sound in Hebrew on a phone',
    async (country, file) => {
      const amy = await member('VIEWER', { of: await member('OWNER', { country }) })
      const seen = await visit(amy, `/o/$org/reports/files/${file}`, phone)
      await seen.page.getByRole('heading', { name: 'מה יש בקובץ' }).waitFor()
      await expectSound(seen)
    },
  )

  test('a file for any days takes other days from the reader', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const seen = await visit(amy, '/o/$org/reports/files/sg-iras-audit-file')
    const { page } = seen
    await page.getByRole('link', { name: 'The same figures as a report' }).waitFor()
    await page.getByRole('button', { name: /Period/ }).click()
    await page.getByRole('option', { name: 'Other days' }).click()
    await page.getByLabel('From', { exact: true }).fill('2026-01-15')
    await page.getByLabel('From', { exact: true }).press('Enter')
    await page.waitForURL(/from=2026-01-15/)
    await page.getByRole('link', { name: /^Download the file/ }).waitFor()
    await expectSound(seen)
    await page.getByLabel('To', { exact: true }).fill('2025-01-15')
    await page.getByLabel('To', { exact: true }).press('Enter')
    await page.getByText('to is before from.').waitFor()
    expect(await page.getByRole('link', { name: /^Download the file/ }).count()).toBe(0)
  })
})

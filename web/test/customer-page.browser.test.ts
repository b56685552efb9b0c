import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('the page of a customer', () => {
  withBrowser()

  test('facts are changed in place, recipients come and go, the statement is sent, a new invoice is theirs', async () => {
    const amy = await member('OWNER')
    const id = await newCustomer(amy)
    await newDraft(amy, id, { status: 'SENT' })
    const seen = await visit(amy, `/o/$org/customers/${id}`)
    const { page } = seen
    await page.getByRole('heading', { name: 'Open by age' }).waitFor()
    await page.getByText('Not due').waitFor()
    await page.getByRole('link', { name: /109\.00/ }).waitFor()
    await expectSound(seen)

    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Phone').fill('+65 6123 4567')
    await page.getByLabel('E-mail (optional)').fill('not an address')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'e-mail' }).waitFor()
    await page.getByLabel('E-mail (optional)').fill('books@kopi.example')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('+65 6123 4567').waitFor()
    expect(await amy.call('customers_get', { id })).toMatchObject({
      phone: '+65 6123 4567',
      email: 'books@kopi.example',
    })

    await page.getByLabel('E-mail', { exact: true }).fill('cfo@kopi.example')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove cfo@kopi.example' }).click()
    await page.getByText('Documents go to the e-mail of the customer').waitFor()
    expect(await amy.call('customers_recipients', { id })).toEqual([])

    await page.getByRole('button', { name: 'Statement' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Closing balance').waitFor()
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Send…' }).click()
    await dialog.getByText('books@kopi.example').waitFor()
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Kept in the outbox: no mail server is set').first().waitFor()
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'New invoice' }).click()
    await page.getByRole('heading', { name: /Kopi Republic/ }).waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('a viewer changes nothing; the page is sound in Hebrew on a phone', async () => {
    const amy = await member('OWNER', { country: 'IL' })
    const vic = await member('VIEWER', { of: amy })
    const id = await newCustomer(amy, 'קפה הגליל בע״מ', 'IL')
    await newDraft(amy, id, { status: 'SENT' })
    const seen = await visit(vic, `/o/$org/customers/${id}`, { lang: 'he', theme: 'dark', width: 390 })
    await seen.page.getByRole('heading', { name: 'קפה הגליל בע״מ' }).waitFor()
    await seen.page.getByText('טרם הגיע המועד').waitFor()
    await expectSound(seen)
    for (const name of ['עריכה', 'הוספה', 'מחיקה'])
      expect(await seen.page.getByRole('button', { name, exact: true }).count()).toBe(0)
    for (const name of ['חשבונית חדשה', 'רישום תשלום'])
      expect(await seen.page.getByRole('link', { name, exact: true }).count()).toBe(0)
  })
})

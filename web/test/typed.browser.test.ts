import { describe, expect, test } from 'vitest'
import { hasBrowser, startSite, theSite, withBrowser } from '../../src/test/browser.ts'
import { member } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('what is typed', () => {
  withBrowser()

  test('is there again after the page was loaded again: in a form, in a dialog and in a comment; closing a form forgets it', async () => {
    const amy = await member('OWNER')
    const { id } = await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    const seen = await visit(amy, '/o/$org/customers/new')
    const { page } = seen
    await page.getByLabel('Name', { exact: true }).fill('Kaya Toast')
    await page.getByLabel('E-mail').fill('hello@kaya.example')
    await page.reload()
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kaya Toast')
    expect(await page.getByLabel('E-mail').inputValue()).toBe('hello@kaya.example')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Kaya Toast' }).waitFor()

    await page.goto(`/o/${amy.organizationId}/suppliers`)
    await page.getByRole('button', { name: 'New supplier' }).first().click()
    const name = page.getByRole('dialog').getByLabel('Name', { exact: true })
    await name.fill('Paper Ltd.')
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('Paper Ltd.')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New supplier' }).first().click()
    expect(await name.inputValue()).toBe('')
    await page.keyboard.press('Escape')

    const supplier = await amy.call('suppliers_create', { name: 'Paper Ltd.', country: 'SG' })
    const edited = page.getByRole('dialog').getByLabel('Name (optional)')
    await page.goto(`/o/${amy.organizationId}/suppliers?open=${supplier.id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await edited.fill('Paper and Ink Ltd.')
    await amy.call('suppliers_update', { id: supplier.id, email: 'ink@example.test' })
    await page.reload()
    await page.getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => edited.inputValue()).toBe('Paper and Ink Ltd.')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await amy.call('suppliers_get', { id: supplier.id })).toMatchObject({
      ...{ name: 'Paper and Ink Ltd.', email: 'ink@example.test' },
    })

    await page.goto(`/o/${amy.organizationId}/documents/${id}`)
    await page.getByLabel('Write a comment').fill('They asked for more time.')
    await page.reload()
    await expect.poll(() => page.getByLabel('Write a comment').inputValue()).toBe('They asked for more time.')
    expect(seen.trouble).toEqual([])
  })

  test('stays when the server has a newer version, which the page says and loads', async () => {
    const amy = await member('OWNER')
    const seen = await visit(amy, '/o/$org/customers/new')
    const { page } = seen
    let asked = ''
    page.on('dialog', (dialog) => {
      asked = dialog.type()
    })
    await page.getByLabel('Name', { exact: true }).fill('Kaya Toast')
    await page.route('**/app', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<link rel=modulepreload href="/assets/main-newer.js">' }),
    )
    await theSite().app.close()
    await startSite()
    await page.getByText('Kontor was updated.').waitFor({ timeout: 30_000 })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kaya Toast')
    await expectSound({ ...seen, trouble: [] }) // the browser notes that the server was away
    await page.unroute('**/app')
    await page.getByRole('button', { name: 'Load it now' }).click()
    await page.getByText('Kontor was updated.').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Kaya Toast')
    expect(asked).toBe('')
  })
})

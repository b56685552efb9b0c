import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, startSite, theSite, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { endSession, newCustomer, newDraft, ownerWithPassword, slowDown } from './people.ts'
import { expectSound, visit } from './visit.ts'

const nameField = (page: Page) => page.getByLabel('Name', { exact: true })
const namesOf = async (someone: Someone) =>
  (await someone.call('customers_list', {})).customers.map(({ name }) => name).sort()

/** Enters the password in the dialog that is shown over the page. */
async function signInAgain(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password').fill('correct horse')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

describe.skipIf(!hasBrowser)('in trouble', () => {
  withBrowser()

  test('the session ends in the middle of a form: nothing is lost and saving goes on after the password', async () => {
    const amy = await ownerWithPassword()
    const ben = await member('OWNER', { of: amy })
    const seen = await visit(amy, '/o/$org/customers/new')
    const { page } = seen
    await nameField(page).fill('Kopi Republic')
    await page.getByLabel('E-mail').fill('accounts@kopi.example')
    await endSession(amy)
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password').waitFor()
    await expectSound(seen)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('alert').filter({ hasText: /sign/i }).waitFor()
    expect(await nameField(page).inputValue()).toBe('Kopi Republic')
    // What the page reads by itself does not ask again.
    const refused = page.waitForResponse((answer) => answer.status() === 401)
    await page.evaluate(`{
      globalThis.now = Date.now
      Date.now = () => now() + 3_600_000 // what was read is old enough to be read again
      window.dispatchEvent(new Event('visibilitychange'))
    }`)
    await refused
    await page.waitForTimeout(300)
    await page.evaluate('Date.now = now')
    expect(await dialog.count()).toBe(0)
    await page.keyboard.press('Control+Enter')
    await signInAgain(page)
    await page.getByRole('heading', { name: 'Kopi Republic' }).waitFor()
    expect(await namesOf(ben)).toEqual(['Kopi Republic'])
    for (const read of ['No documents yet.', 'No payments yet.', 'Nothing is open.'])
      await page.getByText(read).waitFor()
    // What the page reads waits, so that it is the change that meets the ended session.
    let read = () => {}
    const signedIn = new Promise<void>((resolve) => {
      read = resolve
    })
    await page.route('**/api/**', async (route) => {
      if (route.request().method() === 'GET') await signedIn
      await route.continue().catch(() => {}) // a read that was cancelled meanwhile
    })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Phone').fill('+65 6123 4567')
    await endSession(amy)
    await page.getByLabel('Phone').press('Enter')
    await signInAgain(page)
    read()
    await page.getByText('+65 6123 4567').waitFor()
    expect(seen.trouble).toEqual([])
  })

  test.runIf(proves)('the session ends in a dialog over a document: the payment is recorded once', async () => {
    const amy = await ownerWithPassword()
    const ben = await member('OWNER', { of: amy })
    const { id } = await newDraft(amy, await newCustomer(amy), { status: 'SENT' })
    const { page } = await visit(amy, `/o/$org/documents/${id}`)
    await page.locator('[data-sum]').waitFor()
    await page.keyboard.press('p')
    const dialog = page.getByRole('dialog').filter({ hasText: 'Pays all that is open' })
    await dialog.waitFor()
    await page.keyboard.type('40')
    await page.getByText('Stays open').waitFor()
    await endSession(amy)
    await page.keyboard.press('Enter')
    await signInAgain(page)
    await page.getByText('Payment recorded').first().waitFor()
    const { payments } = await ben.call('invoices_payments_list', {})
    expect(payments.map(({ amount }) => amount)).toEqual([40])
  })

  test.runIf(proves)('the session ends while a draft is written: it is saved after the password', async () => {
    const amy = await ownerWithPassword()
    const ben = await member('OWNER', { of: amy })
    const { id } = await newDraft(amy, await newCustomer(amy))
    const { page } = await visit(amy, `/o/$org/documents/${id}/edit`)
    await page.getByLabel('Notes').waitFor()
    await endSession(amy)
    await page.getByLabel('Notes').fill('Typed without a session')
    await signInAgain(page)
    const saved = page.getByRole('status').filter({ hasText: /^Saved$/ })
    await saved.waitFor()
    expect((await ben.call('invoices_get', { id })).notes).toBe('Typed without a session')
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed without a session')
  })

  test('a form that is left before it was saved asks first', async () => {
    const amy = await member('OWNER')
    const { page } = await visit(amy, '/o/$org/customers/new')
    await nameField(page).fill('Kopi Republic')
    const leave = () => page.getByRole('link', { name: 'Payments' }).click()
    await leave()
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
    await asked.getByRole('button', { name: 'Back' }).click()
    await asked.waitFor({ state: 'detached' })
    expect(await nameField(page).inputValue()).toBe('Kopi Republic')
    await leave()
    await asked.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'No payments yet' }).waitFor()
  })

  test('on a slow network blocks of the final size stand where rows will be, and a double click changes something once', async () => {
    const amy = await member('OWNER')
    const customer = await newCustomer(amy)
    const draft = await newDraft(amy, customer)
    const { page, context, trouble } = await visit(amy, `/o/$org/documents/${draft.id}`)
    await page.locator('[data-sum]').waitFor()
    await slowDown(context, page)
    await page.keyboard.press('d')
    await page.keyboard.press('d')
    await page.waitForURL(/\/edit$/)
    await page.getByRole('link', { name: 'Customers', exact: true }).click()
    await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor()
    await page.locator('.animate-none').first().waitFor()
    expect(await page.getByRole('progressbar').count()).toBe(0)
    await page.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    await expect.poll(() => page.locator('.animate-none').count()).toBe(0)
    await page.getByRole('button', { name: 'New customer' }).click()
    await nameField(page).fill('Slow Ltd.')
    const save = page.getByRole('button', { name: 'Add the customer' })
    await save.dblclick()
    expect(await save.getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('heading', { name: 'Slow Ltd.' }).waitFor()
    expect(await namesOf(amy)).toEqual(['Kopi Republic Pte. Ltd.', 'Slow Ltd.'])
    const { pagination } = await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })
    expect(pagination.total).toBe(2)
    expect(trouble).toEqual([])
  })

  test('a change whose answer is lost on the way is sent again and made once', async () => {
    const amy = await member('OWNER')
    const { page } = await visit(amy, '/o/$org/customers/new')
    const keys: (string | undefined)[] = []
    await page.route('**/api/customers', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      keys.push(route.request().headers()['idempotency-key'])
      if (keys.length > 1) return route.fallback()
      await route.fetch()
      return route.abort('connectionreset')
    })
    await nameField(page).fill('Once Ltd.')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Once Ltd.' }).waitFor()
    expect(keys).toHaveLength(2)
    expect(keys[0]).toBe(keys[1])
    expect(await namesOf(amy)).toEqual(['Once Ltd.'])
  })

  test('when the server is restarted, what was read stays, changes wait and are made once, and what others did meanwhile appears', async () => {
    const amy = await member('OWNER')
    const ben = await member('OWNER', { of: amy })
    const cleo = await member('CONTRIBUTOR', { of: amy })
    const draft = await newDraft(amy, await newCustomer(amy))
    const { page: form } = await visit(amy, '/o/$org/customers/new')
    const { page: list, context } = await visit(ben, '/o/$org/customers')
    const { page: editor } = await visit(cleo, `/o/$org/documents/${draft.id}/edit`)
    const leaving = await context.newPage()
    await leaving.goto(list.url())
    await leaving.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    await nameField(form).fill('Written Offline Ltd.')
    await list.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    await editor.getByLabel('Notes').waitFor()
    await theSite().app.close()

    for (const page of [form, list]) await page.getByText('Offline. What you see may be old').waitFor()
    expect(await list.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(1)
    await form.keyboard.press('Control+Enter')
    const add = form.getByRole('button', { name: 'Add the customer' })
    await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true')
    await editor.getByLabel('Notes').fill('Written while the server was away')
    await editor.getByText('The server cannot be reached. What you typed is kept here.').waitFor()
    await amy.call('customers_create', { name: 'Meanwhile Ltd.', country: 'SG', kind: 'ORGANIZATION' })
    await leaving.keyboard.press('g')
    await leaving.keyboard.press('p') // a screen that was not loaded yet
    await leaving.waitForTimeout(500)
    expect(await leaving.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(1)

    await startSite()
    await form.getByRole('heading', { name: 'Written Offline Ltd.' }).waitFor()
    await list.getByRole('row').filter({ hasText: 'Meanwhile Ltd.' }).waitFor()
    await list.getByRole('row').filter({ hasText: 'Written Offline Ltd.' }).waitFor()
    await leaving.getByRole('heading', { name: 'No payments yet' }).waitFor()
    for (const page of [form, list, editor])
      await page.getByText('Offline. What you see may be old').waitFor({ state: 'detached' })
    const saved = editor.getByRole('status').filter({ hasText: /^Saved$/ })
    await saved.waitFor()
    expect((await amy.call('invoices_get', { id: draft.id })).notes).toBe('Written while the server was away')
    expect(await namesOf(amy)).toEqual(['Kopi Republic Pte. Ltd.', 'Meanwhile Ltd.', 'Written Offline Ltd.'])
  })
})

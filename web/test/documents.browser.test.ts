import { describe, expect, test } from 'vitest'
import { hasBrowser, theSite, withBrowser } from '../../src/test/browser.ts'
import { proves } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { expectSound, otherLooks, tabTo, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('documents in the web app', () => {
  withBrowser()

  test('from a new invoice to a paid one with its receipt, by keyboard alone', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await customer(amy)
    const seen = await visit(amy, '/o/$org/documents')
    const { page } = seen
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('option', { name: 'Kopi Republic' }).waitFor()
    await page.keyboard.type('kopi')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Description')
    await page.keyboard.type('Design retainer')
    await page.keyboard.press('Tab')
    await page.keyboard.type('2')
    await page.keyboard.press('Tab')
    await page.keyboard.type('1,500')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Packaging')
    await tabTo(page, 'Price')
    await page.keyboard.type('100.50')
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    await page.getByRole('img', { name: 'Page 1 of 1' }).waitFor({ timeout: 60_000 }) // the first print starts the typesetter
    const [draft] = (await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })).invoices
    expect(draft).toMatchObject({ status: 'DRAFT', subtotal: 3100.5 })
    await expectSound(seen)

    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Customer, lines and amounts become final').waitFor()
    await dialog.getByText('Please find').or(dialog.getByLabel('As it is read')).first().waitFor()
    await expectSound(seen)
    await tabTo(page, 'Issue and send')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Invoice 1', exact: true }).waitFor()
    await page.getByText('Kept in the outbox: no mail server is set').first().waitFor()
    await expectSound(seen)

    await page.keyboard.press('p')
    await dialog.getByText('Pays all that is open').waitFor()
    await page.keyboard.type('1000')
    await dialog.getByText('Stays open').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(String(draft?.total))
    await dialog.getByText('Pays all that is open').waitFor()
    await expectSound(seen)
    await page.keyboard.press('Enter')
    await page.getByText('Paid. Receipt 1 issued').waitFor()
    await page.getByRole('link', { name: /^Receipt 1/ }).waitFor()
    await page.getByText('The chain is unbroken').waitFor()
    const { invoices } = await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })
    expect(invoices.map(({ documentType, status }) => [documentType, status]).sort()).toEqual([
      ['INVOICE', 'PAID'],
      ['RECEIPT', 'PAID'],
    ])
    await expectSound(seen)
  })

  test('what is open beside the list follows the cursor, and views count what is in them', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const id = await customer(amy)
    for (const text of ['First', 'Second', 'Third']) await draft(amy, id, { notes: text })
    const seen = await visit(amy, '/o/$org/documents')
    const { page } = seen
    await page.getByRole('link', { name: 'Drafts 3' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'Kopi' }).nth(2).waitFor() // the count may come before the rows
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const peek = page.getByRole('complementary')
    await peek.getByText('Third').waitFor()
    await page.keyboard.press('j')
    await peek.getByText('Second').waitFor()
    await page.keyboard.press('ArrowDown')
    await peek.getByText('First').waitFor()
    await expectSound(seen)
    await page.keyboard.press('Escape')
    await peek.waitFor({ state: 'detached' })

    await page.keyboard.press('x')
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.getByRole('status').filter({ hasText: '2 selected' }).waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.getByText('Done: 2').waitFor()
    await page.getByRole('link', { name: 'Drafts 1' }).waitFor()
    await expectSound(seen)
  })

  test('a deleted draft leaves at once, and comes back with undo', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const kept = await draft(amy, await customer(amy))
    const { page } = await visit(amy, `/o/$org/documents?open=${kept.id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete the draft' }).click()
    await page.getByText('Draft deleted').waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(0)
    await page.keyboard.press('Control+z')
    await page.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    expect((await amy.call('invoices_get', { id: kept.id })).status).toBe('DRAFT')
  })

  test('several drafts are deleted together; what is issued stays, and stays selected', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const id = await customer(amy)
    await draft(amy, id)
    await draft(amy, id)
    await draft(amy, id, { status: 'SENT' })
    const { page } = await visit(amy, '/o/$org/documents')
    const rows = page.getByRole('row').filter({ hasText: 'Kopi' })
    await expect.poll(() => rows.count()).toBe(3)
    await page.keyboard.press('Control+a')
    await page.getByRole('status').filter({ hasText: '3 selected' }).waitFor()
    await page.getByRole('button', { name: 'Delete drafts' }).click()
    await page.getByText('2 drafts deleted').waitFor()
    await page.getByText('Only drafts can be deleted.').waitFor()
    await page.getByRole('status').filter({ hasText: '1 selected' }).waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    const total = async () =>
      (await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })).pagination.total
    await expect.poll(total, { timeout: 15_000 }).toBe(1)
    expect(await rows.count()).toBe(1)
  })

  test('two people write one draft: the second is told, and both versions are kept', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const ben = await member('CONTRIBUTOR', { of: amy })
    const shared = await draft(amy, await customer(amy))
    const [hers, his] = [
      await visit(amy, `/o/$org/documents/${shared.id}/edit`),
      await visit(ben, `/o/$org/documents/${shared.id}/edit`),
    ]
    await hers.page.getByLabel('Notes').fill('From Amy')
    await hers.page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor()
    await his.page.getByLabel('Notes').fill('From Ben')
    const told = his.page.getByRole('dialog', { name: 'Somebody else has changed this draft' })
    await told.getByText('From Amy').waitFor()
    await told.getByText('From Ben').waitFor()
    await expectSound(his)
    await told.getByRole('button', { name: 'Keep both' }).click()
    await his.page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor()
    await expect
      .poll(async () =>
        (await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })).invoices
          .map(({ notes }) => notes)
          .sort(),
      )
      .toEqual(['From Amy', 'From Ben'])
  })

  test('rows of a sheet become lines, lines are moved, and nothing typed is lost when the session ends', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const id = await customer(amy)
    const { page, context } = await visit(amy, `/o/$org/documents/new?customer=${id}`)
    const first = page.getByLabel('Description').first()
    await first.focus()
    await page.evaluate(pasteText('Design\t2\t950.00\nPrint\t1\t1,200.50'))
    await page.locator('[data-total]').getByText('3,100').waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(() => first.inputValue()).toBe('Print')
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
    const cookies = await context.cookies()
    await context.clearCookies()
    await page.getByLabel('Notes').fill('Typed after the session ended')
    await page.getByText('Your session has ended').first().waitFor()
    await context.addCookies(cookies)
    await page.reload()
    await page.getByText('What you had typed before the session ended is back').waitFor()
    expect(await page.getByLabel('Notes').inputValue()).toBe('Typed after the session ended')
    await expect
      .poll(async () => (await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })).invoices[0])
      .toMatchObject({
        notes: 'Typed after the session ended',
        items: [{ description: 'Print' }, { description: 'Design' }],
      })
  })

  test.runIf(proves).each(otherLooks)(
    'list, document and editor are sound in $lang, $theme, at $width pixels',
    async (look) => {
      const amy = await member('OWNER', { country: 'IL' })
      const id = await customer(amy, 'קפה הגליל בע״מ')
      const open = await draft(amy, id, { status: 'SENT' })
      const unsent = await draft(amy, id)
      const seen = await visit(amy, '/o/$org/documents', look)
      const { page } = seen
      await page.getByText('קפה הגליל בע״מ').first().waitFor()
      await expectSound(seen)
      await page.goto(`/o/${amy.organizationId}/documents/${open.id}`)
      await page.locator('[data-sum]').waitFor()
      await page.getByText(look.lang === 'he' ? 'השרשרת שלמה' : 'The chain is unbroken').waitFor()
      await expectSound(seen)
      await page.goto(`/o/${amy.organizationId}/documents/${unsent.id}/edit`)
      await page.locator('[data-total]').waitFor()
      await expectSound(seen)
    },
  )

  test('a credit memo is issued once its reason is entered, with the date that is chosen', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const open = await draft(amy, await customer(amy), { status: 'SENT', issueDate: '2026-01-05' })
    const seen = await visit(amy, `/o/$org/documents/${open.id}`)
    const { page } = seen
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Credit memo…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Issue the credit memo' }).click()
    await dialog.getByText('Say why').waitFor()
    await expectSound(seen)
    const memos = async () =>
      (await amy.call('invoices_list', { organizationId: String(amy.organizationId), documentType: 'CREDIT_MEMO' }))
        .invoices
    expect(await memos()).toEqual([])
    await dialog.getByLabel('Reason').fill('Returned')
    await dialog.getByLabel('Date').fill('2026-01-09')
    await dialog.getByLabel('Date').press('Tab')
    await dialog.getByRole('button', { name: 'Issue the credit memo' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await memos()).toMatchObject([{ notes: 'Returned', invoiceDate: '2026-01-09' }])
  })

  test('a cheque that is dated later is planned, shown with the payments, and can be cancelled', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const open = await draft(amy, await customer(amy), { status: 'SENT', issueDate: '2026-01-05' })
    const seen = await visit(amy, `/o/$org/documents/${open.id}`)
    const { page } = seen
    await page.getByRole('button', { name: 'Record payment' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Paid by/ }).click()
    await page.getByRole('option', { name: 'Cheque' }).click()
    await dialog.getByLabel('Cheque dated').fill('2099-03-31')
    await dialog.getByLabel('Cheque dated').press('Tab')
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Record the payment' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Planned. It becomes a payment on').waitFor()
    const cheque = page.getByRole('listitem').filter({ hasText: 'Cheque dated' })
    await cheque.waitFor()
    expect(await amy.call('invoices_get', { id: open.id })).toMatchObject({ status: 'SENT', paidAmount: 0 })
    await cheque.getByRole('button', { name: 'Cancel the cheque' }).click()
    await cheque.waitFor({ state: 'detached' })
    expect((await amy.call('invoices_planned_payments_list', {})).plannedPayments).toMatchObject([
      { status: 'CANCELLED' },
    ])
  })

  test('a viewer reads everything and changes nothing', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const vic = await member('VIEWER', { of: amy })
    const open = await draft(amy, await customer(amy), { status: 'SENT' })
    const seen = await visit(vic, '/o/$org/documents')
    const { page } = seen
    await page.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    expect(await page.getByRole('button', { name: 'New document' }).count()).toBe(0)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'PDFs' }).waitFor()
    expect(await page.getByRole('toolbar').getByRole('button').allTextContents()).toEqual(['PDFs', ''])
    await page.goto(`${theSite().url}/o/${amy.organizationId}/documents/${open.id}`)
    await page.locator('[data-sum]').waitFor()
    for (const name of ['Send again', 'Record payment', 'Edit', 'Add a file', 'Add'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'More' }).click()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy the customer’s link'])
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem').waitFor({ state: 'detached' })
    await page.keyboard.press('p')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await expectSound(seen)
  })
})

/** A script that pastes a text where the focus is. */
const pasteText = (text: string) => `{
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', ${JSON.stringify(text)})
  document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}`

const customer = async (amy: Someone, name = 'Kopi Republic Pte. Ltd.') =>
  (
    await amy.call('customers_create', {
      name,
      country: 'SG',
      kind: 'ORGANIZATION',
      email: 'accounts@kopi.example',
      defaultCurrencies: ['SGD'],
    })
  ).id

const draft = (amy: Someone, customerId: string, more: object = {}) =>
  amy.call('invoices_create', {
    organizationId: amy.organizationId ?? '',
    customerId,
    currency: 'SGD',
    items: [{ id: '1', description: 'Retainer', quantity: 1, unitPrice: 100, amount: 100 }],
    subtotal: 100,
    taxRate: 9,
    taxAmount: 9,
    total: 109,
    dueDate: '2027-01-31',
    ...more,
  })

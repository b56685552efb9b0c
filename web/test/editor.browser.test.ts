import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser, withBrowser } from '../../src/test/browser.ts'
import { proves, sample } from '../../src/test/prove.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { newCustomer, newDraft } from './people.ts'
import { expectSound, visit } from './visit.ts'

const documentsOf = async (amy: Someone) =>
  (await amy.call('invoices_list', { organizationId: amy.organizationId ?? '' })).invoices
const customersOf = async (amy: Someone) => (await amy.call('customers_list', {})).customers
const isSaved = (page: Page) =>
  page
    .getByRole('status')
    .filter({ hasText: /^(Saved|נשמר)$/ })
    .waitFor()

/** The words of the editor in both languages. */
const says = {
  en: {
    customer: 'Customer',
    create: 'New customer “Zed”',
    add: 'Add the customer',
    named: 'Name',
    line: 'Description',
  },
  he: { customer: 'לקוח', create: 'לקוח חדש „Zed”', add: 'הוספת הלקוח', named: 'שם', line: 'תיאור' },
}

describe.skipIf(!hasBrowser)('the editor of documents', () => {
  withBrowser()

  const hands = [
    { lang: 'he', by: 'keys' },
    { lang: 'en', by: 'mouse' },
  ] as const
  test.each(sample(hands, hands.length))(
    'takes a customer who is added in place, by $by, $lang',
    async ({ lang, by }) => {
      const amy = await member('OWNER', { country: 'IL' })
      await newCustomer(amy)
      const seen = await visit(amy, '/o/$org/documents/new', { lang })
      const { page } = seen
      const word = says[lang]
      const field = page.getByRole('combobox', { name: word.customer })
      await field.waitFor()
      await page.keyboard.type('Zed')
      const entry = page.getByRole('option', { name: word.create })
      await entry.waitFor()
      if (by === 'mouse') await entry.click()
      else {
        await page.keyboard.press('ArrowUp')
        await page.locator('[role=option][data-focused]').filter({ hasText: word.create }).waitFor()
        await page.keyboard.press('Enter')
      }
      const dialog = page.getByRole('dialog', { name: lang === 'en' ? 'New customer' : 'לקוח חדש' })
      await expect.poll(() => dialog.getByLabel(word.named, { exact: true }).inputValue()).toBe('Zed')
      await expectSound(seen)
      if (by === 'mouse') await dialog.getByRole('button', { name: word.add }).last().click()
      else await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => field.inputValue()).toBe('Zed')
      expect((await customersOf(amy)).map(({ name }) => name).sort()).toEqual(['Kopi Republic Pte. Ltd.', 'Zed'])
      await page.getByLabel(word.line).first().fill('Retainer')
      await isSaved(page)
      expect(await field.inputValue()).toBe('Zed')
      await expectSound(seen)
      expect(await documentsOf(amy)).toMatchObject([{ customer: { name: 'Zed' } }])
    },
  )

  test.runIf(proves)('always shows the chosen customer, also one who is not among the first of the list', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    for (const letter of 'ABCDEFGHIJ') await newCustomer(amy, `${letter} Traders`)
    await newCustomer(amy, 'Zulu Traders')
    const { page } = await visit(amy, '/o/$org/documents/new')
    const field = page.getByRole('combobox', { name: 'Customer' })
    await field.fill('zulu')
    await page.getByRole('option', { name: 'Zulu Traders' }).click()
    expect(await field.inputValue()).toBe('Zulu Traders')
    await page.getByLabel('Description').first().fill('Retainer')
    await isSaved(page)
    expect(await field.inputValue()).toBe('Zulu Traders')
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('Zulu Traders')
    await field.focus()
    await page.getByRole('option', { name: 'A Traders' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await field.inputValue()).toBe('Zulu Traders')
    await field.fill('nobody of this name')
    await page.getByLabel('Description').first().focus()
    expect(await field.inputValue(), 'a search that is given up changes nothing').toBe('Zulu Traders')
    await field.fill('b tra')
    await page.getByRole('option', { name: 'B Traders' }).click()
    await expect.poll(async () => (await documentsOf(amy)).map(({ customer }) => customer?.name)).toEqual(['B Traders'])
  })

  test('stores nothing while only a customer is chosen, and leaving asks nothing', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await newCustomer(amy)
    const seen = await visit(amy, '/o/$org/documents')
    const { page } = seen
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    await page.keyboard.press('c')
    const writes = writesOf(page)
    await page.getByRole('option', { name: 'Kopi Republic' }).click()
    await page.waitForTimeout(pauseMs)
    await page.keyboard.press('Control+s')
    expect(await page.getByRole('button', { name: /Issue and send/ }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Documents' }).first().click()
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await documentsOf(amy)).toEqual([])
    expect(writes).toEqual([])
    await expectSound(seen)
  })

  test('stores one draft from the first line, with one request for each pause', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const id = await newCustomer(amy)
    const { page } = await visit(amy, `/o/$org/documents/new?customer=${id}`)
    const writes = writesOf(page)
    await page.getByLabel('Description').first().waitFor()
    await page.keyboard.type('Retainer of March', { delay: 30 })
    await isSaved(page)
    expect(writes).toEqual(['POST'])
    await page.keyboard.press('Tab')
    await page.keyboard.type('2')
    await page.keyboard.press('Tab')
    await page.keyboard.type('950')
    await page.locator('[data-total]').getByText('1,900').waitFor()
    await expect.poll(async () => (await documentsOf(amy)).map(({ subtotal }) => subtotal)).toEqual([1900])
    expect(writes.length, String(writes)).toBeLessThanOrEqual(3)
    await isSaved(page) // else the browser asks before it loads the page again
    await page.reload()
    await expect.poll(() => page.getByLabel('Description').first().inputValue()).toBe('Retainer of March')
    expect(await documentsOf(amy)).toHaveLength(1)
  })

  test('stores what is typed beside the customer after a pause; a draft that is emptied again leaves nothing', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const id = await newCustomer(amy)
    const { page } = await visit(amy, `/o/$org/documents/new?customer=${id}`)
    const notes = page.getByLabel('Notes')
    await notes.fill('As agreed by phone')
    await isSaved(page)
    expect(await documentsOf(amy)).toMatchObject([{ notes: 'As agreed by phone', items: [] }])
    await notes.fill('')
    await page.getByRole('link', { name: 'Documents' }).first().click()
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await documentsOf(amy)).toEqual([])
  })

  test('keeps a draft that was made before, also when its last line is emptied', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const { id } = await newDraft(amy, await newCustomer(amy))
    const { page } = await visit(amy, `/o/$org/documents/${id}/edit`)
    await page.getByRole('button', { name: 'Remove the line' }).click()
    await page.getByRole('link', { name: 'Documents' }).first().click()
    await page.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    expect(await documentsOf(amy)).toMatchObject([{ id, items: [] }])
  })
})

/** Longer than the editor waits before it saves. */
const pauseMs = 1_200

/** The requests that store the document, by their method. */
function writesOf(page: Page): string[] {
  const writes: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isWrite = request.method() === 'POST' ? pathname === '/api/documents' : request.method() === 'PATCH'
    if (isWrite && pathname.startsWith('/api/documents')) writes.push(request.method())
  })
  return writes
}

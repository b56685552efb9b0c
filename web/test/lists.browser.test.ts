import '../../src/test/own-world.ts'
import fs from 'node:fs/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { hasBrowser, theSite, withBrowser } from '../../src/test/browser.ts'
import { asSuperuser } from '../../src/test/database.ts'
import { proves } from '../../src/test/prove.ts'
import { member, type Someone, theDatabase } from '../../src/test/world.ts'
import { expectSound, hebrewLooks, visit } from './visit.ts'

describe.skipIf(!hasBrowser)('lists in the web app', () => {
  withBrowser()

  test('filters stand in the address as chips, and what is shown is saved as a view, shared, renamed and deleted', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const ben = await member('CONTRIBUTOR', { of: amy })
    await documents(amy)
    const seen = await visit(amy, '/o/$org/documents')
    const { page } = seen
    await page.getByRole('row').filter({ hasText: 'Kopi' }).nth(3).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount from').fill('150')
    await dialog.getByLabel('Due until').fill('31/3/2027')
    await dialog.getByLabel('Amount until').focus()
    await expectSound(seen)
    await dialog.getByRole('button', { name: 'Show', exact: true }).click()
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(2)
    expect(new URL(page.url()).search).toBe('?dueTo=2027-03-31&minAmount=%22150%22')

    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Large and soon')
    await dialog.getByLabel('For everybody in the organization').check()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Large and soon', exact: true, includeHidden: false }).waitFor()
    await expectSound(seen)
    await page.getByRole('link', { name: /^All/ }).click()
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(4)

    const his = await visit(ben, '/o/$org/documents')
    await his.page.getByRole('link', { name: 'Large and soon' }).click()
    await expect.poll(() => his.page.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(2)
    await his.page.getByRole('button', { name: 'Remove the filter Amount' }).click()
    await expect.poll(() => his.page.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(3)
    expect(await his.page.getByRole('button', { name: 'Change the view Large and soon' }).count()).toBe(0)

    await page.getByRole('link', { name: 'Large and soon' }).click()
    await page.getByRole('button', { name: 'Change the view Large and soon' }).click()
    await page.getByRole('menuitem', { name: 'Rename…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Soon')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Change the view Soon' }).click()
    await page.getByRole('menuitem', { name: 'Delete the view' }).click()
    await page.getByText('The view Soon is deleted').waitFor()
    await expect.poll(async () => (await amy.call('views_list', {})).views.length).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Soon', exact: true }).waitFor()
    expect(seen.trouble).toEqual([])
  })

  test('what is shown is exported, and columns are as wide as the reader made them', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await documents(amy)
    const seen = await visit(amy, '/o/$org/documents?minAmount=%22150%22')
    const { page } = seen
    await page.getByRole('row').filter({ hasText: 'Kopi' }).nth(2).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV: what is shown' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^documents-\d{4}-\d{2}-\d{2}\.csv$/)
    const rows = (await fs.readFile(await file.path(), 'utf8')).trim().split('\r\n')
    expect(rows.length).toBe(1 + 3)
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' })

    const head = page.getByRole('columnheader', { name: 'Number' })
    const edge = page.getByRole('separator', { name: 'Width of Number' })
    const widthOf = async () => (await head.boundingBox())?.width ?? 0
    const box = await edge.boundingBox()
    if (!box) throw new Error('The column has no edge.')
    await page.mouse.move(box.x + 4, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(box.x + 84, box.y + 8, { steps: 4 })
    await page.mouse.up()
    await expect.poll(widthOf).toBe(200)
    await edge.focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(widthOf).toBe(216)
    await expect
      .poll(async () => (await amy.call('preferences_get', {})).columnWidths)
      .toEqual({ documents: { number: 216 } })
    await page.reload()
    await expect.poll(widthOf).toBe(216)
    await edge.focus()
    await page.keyboard.press('Backspace')
    await expect.poll(widthOf).toBe(120)
    await expectSound(seen)
  })

  test('ten thousand documents: few rows are in the page, the end is one key away, all that match are selected', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    await tenThousand(amy)
    const seen = await visit(amy, '/o/$org/documents')
    const { page } = seen
    await page.getByRole('link', { name: 'Drafts 10,000' }).waitFor()
    await page.getByRole('row').filter({ hasText: 'Kopi' }).first().waitFor()
    const inPage = () => page.getByRole('row').count()
    expect(await inPage()).toBeLessThanOrEqual(60)
    await page.keyboard.press('End')
    await page.locator('[aria-rowindex="10001"]').filter({ hasText: 'Kopi' }).waitFor()
    expect(await inPage()).toBeLessThanOrEqual(60)
    await page.keyboard.press('k')
    await page.keyboard.press('x')
    await page.getByRole('status').filter({ hasText: '1 selected' }).waitFor()
    await page.getByRole('button', { name: 'Select all 10,000' }).click()
    await page.getByRole('status').filter({ hasText: '10,000 selected' }).waitFor()
    await page.keyboard.press('Home')
    await page.locator('[aria-rowindex="2"]').filter({ hasText: 'Kopi' }).waitFor()
    for (let presses = 0; presses < 70; presses += 1) await page.keyboard.press('j')
    await page.locator('[aria-rowindex="72"]').filter({ hasText: 'Kopi' }).waitFor()
    expect(await inPage()).toBeLessThanOrEqual(60)
    await expectSound(seen)
  })

  test.runIf(proves).each(hebrewLooks)(
    'filters and saved views are sound in $lang, $theme, at $width pixels',
    async (look) => {
      const amy = await member('OWNER', { country: 'IL' })
      await documents(amy)
      await amy.call('views_create', { name: 'גדולים', screen: 'documents', search: 'minAmount=150', shared: true })
      const seen = await visit(amy, '/o/$org/documents', look)
      const { page } = seen
      await page.getByRole('link', { name: 'גדולים' }).click()
      await page.getByRole('button', { name: 'הסרת הסינון סכום' }).waitFor()
      await expect.poll(() => page.getByRole('row').filter({ hasText: 'Kopi' }).count()).toBe(3)
      await expectSound(seen)
      await page.getByRole('button', { name: 'סינון', exact: true }).click()
      await page.getByRole('dialog').getByLabel('סכום מ').waitFor()
      await expectSound(seen)
    },
  )

  test.runIf(proves)('a viewer saves views for themselves and shares none', async () => {
    const amy = await member('OWNER', { country: 'SG' })
    const vic = await member('VIEWER', { of: amy })
    await documents(amy)
    const { page } = await visit(vic, '/o/$org/customers?kind=ORGANIZATION')
    await page.getByRole('row').filter({ hasText: 'Kopi' }).waitFor()
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Companies')
    expect(await page.getByLabel('For everybody in the organization').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Companies', exact: true }).waitFor()
    await page.goto(`${theSite().url}/o/${amy.organizationId}/suppliers`)
    await page.getByRole('heading', { name: 'Suppliers', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Companies', exact: true }).count()).toBe(0)
  })
})

const customer = async (amy: Someone) =>
  (
    await amy.call('customers_create', {
      name: 'Kopi Republic',
      country: 'SG',
      kind: 'ORGANIZATION',
      defaultCurrencies: ['SGD'],
    })
  ).id

/** Four drafts of 100, 200, 300 and 400, due in January, February, March and June. */
async function documents(amy: Someone) {
  const customerId = await customer(amy)
  for (const [unitPrice, dueDate] of [
    [100, '2027-01-31'],
    [200, '2027-02-28'],
    [300, '2027-03-31'],
    [400, '2027-06-30'],
  ] as const)
    await amy.call('invoices_create', {
      organizationId: amy.organizationId ?? '',
      customerId,
      currency: 'SGD',
      items: [{ id: '1', description: 'Beans', quantity: 1, unitPrice, amount: unitPrice }],
      subtotal: unitPrice,
      taxRate: 0,
      taxAmount: 0,
      total: unitPrice,
      dueDate,
    })
}

/** Drafts that the database writes, with their counts, because the API would take minutes. */
async function tenThousand(amy: Someone) {
  const customerId = await customer(amy)
  const { organizationId, userId } = amy
  const client = new pg.Client(asSuperuser(theDatabase()))
  await client.connect()
  const written = client.query(`begin; set local session_replication_role = replica;
    insert into documents (organization_id, id, document_type, status, counterparty_id, counterparty_name, currency, minor_digits,
      exchange_rate, rate_currency, issue_date, due_date, subtotal_minor, tax_minor, total_minor, generator_version, created_by)
    select '${organizationId}', gen_random_uuid(), 'INVOICE', 'DRAFT', '${customerId}', 'Kopi Republic', 'SGD', 2, 1, 'SGD',
      '2026-01-01'::date + n % 300, '2027-01-31', n, 0, n, '1.0.0', '${userId}' from generate_series(1, 10000) n;
    insert into document_counts (organization_id, kind, document_type, status, change)
    values ('${organizationId}', 'SALES', 'INVOICE', 'DRAFT', 10000); commit; analyze documents`)
  await written.finally(() => client.end())
}

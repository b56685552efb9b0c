import { createHash } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { originalOf, printed } from '../../../../test/documents/printed.ts'
import { png } from '../../../../test/fakes/bombs.ts'
import { textOf } from '../../../../test/readers/text-of-pdf.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { violations } from '../../../../test/violations.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const paid = { paymentDate: '2026-01-31', paymentMethod: 'CASH', sendReceiptEmail: false }

/** An Israeli dealer with a customer, a bank account and a logo. */
async function dealer() {
  const noa = await member('OWNER', { country: 'IL' })
  const organizationId = String(noa.organizationId)
  await noa.call('organizations_update', {
    id: organizationId,
    name: 'Alon',
    registrationNumber: '513456782',
    address: 'Haifa 1',
  })
  const { id: customerId } = await noa.call('customers_create', { name: 'Globex', country: 'IL', address: 'Eilat 2' })
  const account = { accountName: 'Alon', bankName: 'Leumi', accountNumber: '123456' }
  const { id: bankAccountId } = await noa.call('bank_accounts_create', account)
  await chooseLogo(noa, 20)
  return { noa, organizationId, customerId, bankAccountId }
}

async function chooseLogo(noa: Someone, size: number) {
  const id = String(noa.organizationId)
  const file = { fileName: 'logo.png', base64: png(size, size, { isComplete: true }).toString('base64') }
  const { id: logoFileId } = await noa.call('organizations_file_upload', { organizationId: id, file })
  await noa.call('settings_update', { id, logoFileId })
}

/** Changes everything that a document is printed with. */
async function changeAll({ noa, organizationId, customerId, bankAccountId }: Awaited<ReturnType<typeof dealer>>) {
  await noa.call('organizations_update', {
    id: organizationId,
    name: 'Oren',
    registrationNumber: '123456782',
    address: 'Acre 3',
    phone: '1',
  })
  await noa.call('customers_update_patch', { id: customerId, name: 'Initech', address: 'Lod 4', country: 'SG' })
  await noa.call('bank_accounts_update', { id: bankAccountId, bankName: 'Hapoalim', accountNumber: '987654' })
  await noa.call('settings_update', { id: organizationId, language: 'en', senderName: 'Someone else' })
  await chooseLogo(noa, 30)
}

test('an issued document is printed with what it was issued with, and a draft with what is stored now', async () => {
  const company = await dealer()
  const { noa, customerId, bankAccountId } = company
  const terms = { customerId, bankAccountId, currency: 'ILS' }
  const { id } = await sell(noa, { ...terms, status: 'UNSENT' })
  const draft = await sell(noa, terms)
  const original = await originalOf(noa, id)
  const copy = await printed(noa, id)
  const page = await pageOf(noa, id)
  for (const part of ['Alon', 'Haifa', 'Globex', 'Leumi', '123456']) {
    expect(await textOf(original)).toContain(part)
    expect(page).toContain(part)
  }
  expect(page).toContain('חשבונית מס')
  await changeAll(company)
  expect((await originalOf(noa, id)).equals(original)).toBe(true)
  expect((await printed(noa, id)).bytes.equals(copy.bytes)).toBe(true)
  expect(await textOf((await printed(noa, draft.id)).bytes)).toContain('Oren')
  const after = await pageOf(noa, id)
  for (const part of ['Alon', 'Haifa', 'Globex', 'Leumi', '123456', 'חשבונית מס', 'lang="he"'])
    expect(after).toContain(part)
  for (const part of ['Oren', 'Initech', 'Hapoalim']) expect(after).not.toContain(part)
  expect(await noa.call('invoices_get', { id })).toMatchObject({
    organization: { name: 'Alon', address: 'Haifa 1' },
    bankAccount: { bankName: 'Leumi' },
    customer: { name: 'Globex' },
  })
})

async function pageOf(someone: Someone, id: string): Promise<string> {
  const { url } = await someone.call('invoices_link', { id })
  return (await theApp().server.inject(new URL(url).pathname)).body
}

test('the original is the same if it is printed for the first time after the changes', async () => {
  const company = await dealer()
  const { noa, customerId, bankAccountId } = company
  const { id } = await sell(noa, { customerId, bankAccountId, currency: 'ILS', status: 'UNSENT' })
  await changeAll(company)
  const text = await textOf(await originalOf(noa, id))
  for (const part of ['Alon', 'Haifa', 'Globex', 'Leumi', '123456', 'מקור']) expect(text).toContain(part)
  expect(text).toMatch(/חשבונית מס|מס חשבונית/) // the words of a Hebrew line are read in either order
})

test('the original that is printed after a change of terms has those of the issue; a copy has the present ones', async () => {
  const { noa, customerId, bankAccountId } = await dealer()
  const terms = { dueDate: '2026-12-30', payUntil: '2026-12-31', notes: 'First words', bankAccountId }
  const { id } = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT', ...terms })
  const { id: other } = await noa.call('bank_accounts_create', { accountName: 'Alon', bankName: 'Discount', accountNumber: '777' })
  const changed = { dueDate: '2027-02-20', payUntil: '2027-02-21', notes: 'Second words', bankAccountId: other }
  await noa.call('invoices_update', { id, ...changed })
  const original = await textOf(await originalOf(noa, id))
  const copy = await textOf((await printed(noa, id)).bytes)
  const [atIssue, now] = [['30/12/2026', '31/12/2026', 'First', 'Leumi'], ['20/02/2027', '21/02/2027', 'Second', 'Discount']]
  for (const part of atIssue) expect([original.includes(part), copy.includes(part)]).toEqual([true, false])
  for (const part of now) expect([original.includes(part), copy.includes(part)]).toEqual([false, true])
}) // biome-ignore format: a list a line

test('the original is kept once, and the history of the document states its hash', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const [first, second, third] = await Promise.all([1, 2, 3].map(() => originalOf(amy, id)))
  expect(first?.subarray(0, 5).toString()).toBe('%PDF-')
  expect([second?.equals(first ?? second), third?.equals(first ?? third)]).toEqual([true, true])
  const { events } = await amy.call('invoices_events', { id })
  const kept = events.filter(({ type }) => type === 'ORIGINAL_KEPT')
  expect(kept.map(({ payload }) => payload?.sha256)).toEqual([sha256(first ?? Buffer.alloc(0))])
  const files = await ask("select f.id from files f where f.organization_id = $1 and f.purpose = 'original'", [
    amy.organizationId,
  ])
  expect(files).toHaveLength(1)
  expect(await violations({ files: true })).toEqual([])
})

test('later payments are on copies and on the page, and not on the original', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'SENT' })
  await amy.call('invoices_payments', { id, amount: 41.5, paidAt: '2026-01-31' })
  const original = await originalOf(amy, id)
  expect(await textOf(original)).not.toContain('41.50')
  expect(await textOf((await printed(amy, id)).bytes)).toContain('41.50')
  await amy.call('invoices_mark_paid', { id, ...paid })
  expect((await originalOf(amy, id)).equals(original)).toBe(true)
  expect(await pageOf(amy, id)).toContain('109.00')
})

test('an invoice-receipt that was issued with its payment shows the payment on the original', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'PAID', documentType: 'INVOICE_RECEIPT', ...{ paymentMethod: 'CASH', paymentDate: '2026-01-31' } })
  const text = await textOf(await originalOf(amy, id))
  expect(text).toContain('31/01/2026')
}) // biome-ignore format: a row

test('a print in another language than that of the document is a copy', async () => {
  const { noa, customerId } = await dealer()
  const { id } = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  expect(await textOf((await printed(noa, id, '?copy=false&language=he')).bytes)).toContain('מקור')
  const english = await textOf((await printed(noa, id, '?copy=false&language=en')).bytes)
  expect(english).toContain('Copy')
  expect(english).not.toContain('Original')
})

test('PDF, letter and page of a document are in one language', async () => {
  const { noa, organizationId } = await dealer()
  const sent = async (country: string) => {
    const customer = { name: 'Globex', country, email: 'office@globex.test' }
    const { id: customerId } = await noa.call('customers_create', customer)
    const { id } = await sell(noa, { customerId, currency: 'ILS' })
    await noa.call('invoices_send', { id })
    const [email] = (await noa.call('organizations_outbox', {})).messages
    const title = (await textOf(await originalOf(noa, id))).includes('Original') ? 'en' : 'he'
    const page = /<html lang="(..)"/.exec(await pageOf(noa, id))?.[1]
    return [title, page, /^Tax Invoice/.test(email?.subject ?? '') ? 'en' : 'he']
  }
  expect(await sent('IL')).toEqual(['he', 'he', 'he'])
  expect(await sent('SG')).toEqual(['en', 'en', 'en'])
  await noa.call('settings_update', { id: organizationId, language: 'en' })
  expect(await sent('IL')).toEqual(['en', 'en', 'en'])
})

test('an allocation number is on the original if it is set before the first print, and otherwise there is a warning', async () => {
  const { noa, customerId } = await dealer()
  const number = { allocationNumber: '123456789' }
  const early = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  expect(await noa.call('invoices_manual_allocation', { id: early.id, ...number })).not.toHaveProperty('warnings')
  expect(await textOf(await originalOf(noa, early.id))).toContain('123456789')
  const late = await sell(noa, { customerId, currency: 'ILS', status: 'UNSENT' })
  const original = await originalOf(noa, late.id)
  const { warnings } = await noa.call('invoices_manual_allocation', { id: late.id, ...number })
  expect(warnings?.map(({ code }) => code)).toEqual(['ORIGINAL_KEPT'])
  expect((await originalOf(noa, late.id)).equals(original)).toBe(true)
  expect(await textOf((await printed(noa, late.id)).bytes)).toContain('123456789')
  expect(await pageOf(noa, late.id)).toContain('123456789')
})

test('the copy of what a document was issued with cannot be changed, and the original is kept once', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'UNSENT' })
  await originalOf(amy, id)
  for (const change of [
    `update issued_copies set issuer = '{}' where document_id = '${id}'`,
    `update issued_copies set original_file_id = null, original_sha256 = null where document_id = '${id}'`,
    `delete from issued_copies where document_id = '${id}'`,
    `delete from files where id = (select original_file_id from issued_copies where document_id = '${id}')`,
  ])
    await expect(ask(change)).rejects.toThrow(/does not change|violates foreign key/)
})

test('an original whose stored bytes were altered is refused, and verify finds it', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const original = await originalOf(amy, id)
  const [{ key } = { key: '' }] = await ask<{ key: string }>(
    'select storage_key as key from files f join issued_copies c on c.original_file_id = f.id where c.document_id = $1',
    [id],
  )
  const open = vi.spyOn(theApp().providers.storage, 'open')
  const { Readable } = await import('node:stream')
  open.mockImplementation(async (asked) => Readable.from([asked === key ? Buffer.from('altered') : original]))
  expect(await printed(amy, id, '?copy=false')).toMatchObject({ status: 500 })
  expect((await violations({ files: true })).map(({ says }) => says)).toEqual([
    'Every kept original has the bytes that its hash states.',
  ])
  open.mockRestore()
  expect((await originalOf(amy, id)).equals(original)).toBe(true)
})

async function storedKeys(): Promise<string[]> {
  const { storage } = theApp().providers
  const keys: string[] = []
  for (let page = await storage.list(); ; page = await storage.list(page.next)) {
    keys.push(...page.objects.map(({ key }) => key))
    if (page.next === undefined) return keys
  }
}

test('a fault after the file was stored loses nothing: the next print keeps the original', async () => {
  const amy = await member('OWNER')
  const { id } = await sell(amy, { status: 'UNSENT' })
  await ask(`create or replace function fail_once() returns trigger language plpgsql as $$
    begin if new.type = 'ORIGINAL_KEPT' then raise exception 'failed on purpose'; end if; return new; end $$`)
  await ask('create trigger fail_once before insert on document_events for each row execute function fail_once()')
  expect(await printed(amy, id, '?copy=false')).toMatchObject({ status: 500 })
  await ask('drop trigger fail_once on document_events; drop function fail_once()')
  expect(
    await ask("select id from files where organization_id = $1 and purpose = 'original'", [amy.organizationId]),
  ).toEqual([])
  const original = await originalOf(amy, id)
  expect((await originalOf(amy, id)).equals(original)).toBe(true)
  // The file of the failed attempt has no row: the sweep of stored files without a row removes it.
  const known = (await ask<{ key: string }>('select storage_key as key from files')).map(({ key }) => key)
  expect((await storedKeys()).filter((key) => !known.includes(key)).length).toBeGreaterThanOrEqual(1)
  expect(await violations({ files: true })).toEqual([])
})

/** The PDF of the customer page. */
async function customerPdf(someone: Someone, id: string): Promise<Buffer> {
  const { url } = await someone.call('invoices_link', { id })
  return (await theApp().server.inject({ method: 'GET', url: `${new URL(url).pathname}/pdf` })).rawPayload
}

test('once a receipt is cancelled its customer gets the flagged copy, and the original stays as it was issued', async () => {
  const amy = await member('MANAGER')
  const issue = () => sell(amy, { documentType: 'RECEIPT', status: 'PAID', paymentMethod: 'CASH' })
  const [first, later] = [await issue(), await issue()]
  const original = await originalOf(amy, first.id)
  expect((await customerPdf(amy, first.id)).equals(original)).toBe(true)
  for (const { id } of [first, later]) {
    const { payments } = await amy.call('invoices_payments_list', { documentId: id })
    await amy.call('invoices_payments_void', { id: String(payments[0]?.id) })
    expect(await textOf(await customerPdf(amy, id))).toContain('CANCELLED')
    expect(await textOf((await printed(amy, id)).bytes)).toContain('CANCELLED')
  }
  expect((await originalOf(amy, first.id)).equals(original)).toBe(true)
  const asIssued = await textOf(await originalOf(amy, later.id))
  expect(asIssued).not.toContain('CANCELLED')
  expect(asIssued).toContain('Total received')
  expect(asIssued).toContain('Cash')
})

test('the copy and the page of an invoice-receipt whose payment was voided say so', async () => {
  const amy = await member('MANAGER')
  const { id } = await sell(amy, { documentType: 'INVOICE_RECEIPT', status: 'PAID' })
  const original = await originalOf(amy, id)
  expect(await pageOf(amy, id)).not.toContain('Payment voided')
  const { payments } = await amy.call('invoices_payments_list', { documentId: id })
  await amy.call('invoices_payments_void', { id: String(payments[0]?.id) })
  expect(await textOf((await printed(amy, id)).bytes)).toContain('Payment voided')
  expect(await textOf(await customerPdf(amy, id))).toContain('Payment voided')
  expect(await pageOf(amy, id)).toContain('Payment voided')
  expect((await originalOf(amy, id)).equals(original)).toBe(true)
  await amy.call('invoices_payments', { id, amount: 109, paidAt: '2026-01-31' })
  expect(await textOf((await printed(amy, id)).bytes)).not.toContain('Payment voided')
})

import '../../../../test/own-world.ts'
import { describe, expect, test } from 'vitest'
import { toFailure } from '../../../../core/run/errors.ts'
import { addDays, today } from '../../../../core/values/day.ts'
import { codesOf } from '../../../../test/documents/country-sale.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

const zone = 'Asia/Singapore'
const now = () => today(new Date(), zone)
const codes = ({ warnings = [] }: { warnings?: { code: string }[] }) =>
  codesOf(warnings).filter((code) => code.includes('DATE') && !code.startsWith('EXCHANGE'))

const future = { status: 400, details: [{ path: 'issueDate', code: 'FUTURE_ISSUE_DATE' }] }

describe('an issue date after today', () => {
  test.each(['UNSENT', 'SENT', 'PAID'])('is refused when a document is created as %s', async (status) => {
    const amy = await member('CONTRIBUTOR')
    expect(await sell(amy, { status, issueDate: now() })).toMatchObject({ invoiceDate: now(), invoiceNumber: '1' })
    await expect(sell(amy, { status, issueDate: addDays(now(), 1) })).rejects.toMatchObject(future)
    expect(await sell(amy, { status })).toMatchObject({ invoiceDate: now(), invoiceNumber: '2' })
  })

  test('is a plan on a draft, which can be issued from that day on', async () => {
    const amy = await member('CONTRIBUTOR')
    const planned = addDays(now(), 5)
    const draft = await sell(amy, { issueDate: planned })
    expect([draft.invoiceDate, codes(draft)]).toEqual([planned, ['ISSUE_DATE_PLANNED']])
    const issue = amy.call('invoices_update', { id: draft.id, status: 'UNSENT' })
    await expect(issue).rejects.toMatchObject({
      ...future,
      message: expect.stringContaining(`Issue the document on that day`),
    })
    await expect(amy.call('invoices_send', { id: draft.id })).rejects.toMatchObject({ status: 400 })
    const moved = await amy.call('invoices_update', { id: draft.id, status: 'UNSENT', issueDate: now() })
    expect([moved.issueDate, codes(moved)]).toEqual([now(), []])
  })

  test('is judged in the time zone of the organization', async () => {
    const kiritimati = await member('OWNER')
    await kiritimati.call('organizations_update', {
      id: String(kiritimati.organizationId),
      timezone: 'Pacific/Kiritimati',
    })
    const day = today(new Date(), 'Pacific/Kiritimati') // UTC+14
    const created = await sell(kiritimati, { status: 'UNSENT', issueDate: day })
    expect([created.invoiceDate, codes(created)]).toEqual([day, []])
    await expect(sell(kiritimati, { status: 'UNSENT', issueDate: addDays(day, 1) })).rejects.toMatchObject(future)
  })
})

test('a series that already holds a future date takes the date of today, with a warning', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'UNSENT' })
  const later = addDays(now(), 40)
  await theApp().system.raw.query(`begin;
    alter table documents disable trigger user;
    update documents set issue_date = '${later}' where id = '${id}';
    alter table documents enable trigger user;
    update document_numbering set last_issue_date = '${later}' where organization_id = '${amy.organizationId}';
    commit`)
  const created = await sell(amy, { status: 'UNSENT' })
  expect(created).toMatchObject({ invoiceDate: now(), invoiceNumber: '2' })
  expect(created.warnings).toContainEqual({
    code: 'ISSUE_DATE_ORDER',
    path: 'issueDate',
    message: `An earlier number is dated ${later}, in the future; this document has the date ${now()}.`,
  })
  const { id: draft } = await sell(amy)
  const issued = await amy.call('invoices_update', { id: draft, status: 'SENT', issueDate: now() })
  expect([issued.issueDate, codes(issued)]).toEqual([now(), ['ISSUE_DATE_ORDER']])
  expect(codes(await sell(amy, { status: 'UNSENT', documentType: 'RECEIPT' }))).toEqual([])
})

test('the database refuses a document that is issued with a date after today', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { issueDate: addDays(now(), 5) })
  const issue = () => theApp().system.raw.query("update documents set status = 'UNSENT' where id = $1", [id])
  const failure = await issue().then(() => undefined, toFailure)
  expect(failure).toMatchObject({ ...future, message: expect.stringContaining(now()) })
  await amy.call('invoices_update', { id, issueDate: now() })
  await issue()
})

test.each([
  ['IL', 14],
  ['SG', 365],
  ['US', 365],
] as const)('in %s an issue date more than %i days back has a warning', async (country, days) => {
  const amy = await member('CONTRIBUTOR', { country })
  const day = today(new Date(), { IL: 'Asia/Jerusalem', SG: zone, US: 'America/New_York' }[country])
  const old = await sell(amy, { status: 'UNSENT', issueDate: addDays(day, -days - 1) })
  expect(codes(old)).toEqual(['ISSUE_DATE_PAST'])
  expect(codes(await sell(amy, { status: 'UNSENT', issueDate: addDays(day, -days) }))).toEqual([])
  expect(codes(await sell(amy, { issueDate: addDays(day, -days - 1) }))).toEqual([])
})

test('a due date before the issue date has a warning, when it is written and read', async () => {
  const amy = await member('CONTRIBUTOR')
  const inTime = await sell(amy, { status: 'UNSENT', dueDate: now() })
  expect(codes(inTime)).toEqual([])
  const early = await sell(amy, { status: 'UNSENT', dueDate: addDays(now(), -1) })
  expect(codes(early)).toEqual(['DUE_DATE_BEFORE_ISSUE'])
  expect(codes(await amy.call('invoices_get', { id: early.id }))).toEqual(['DUE_DATE_BEFORE_ISSUE'])
  expect(codes(await amy.call('invoices_update', { id: early.id, dueDate: now() }))).toEqual([])
})

describe('the turnover of an exempt dealer in Israel', () => {
  const sale = (amount: number, more = {}) => {
    const items = [{ id: '1', description: 'Consulting', quantity: 1, unitPrice: amount, amount }]
    return {
      currency: 'ILS',
      items,
      subtotal: amount,
      taxRate: 0,
      taxAmount: 0,
      total: amount,
      status: 'UNSENT',
      ...more,
    }
  }
  const dealer = async (more = {}): Promise<Someone> => {
    const noa = await member('MANAGER', { country: 'IL' })
    await noa.call('organizations_update', { id: String(noa.organizationId), registrationNumber: '123456782', ...more })
    return noa
  }
  const ceiling = ({ warnings = [] }: { warnings?: { code: string; message: string }[] }) =>
    warnings.filter(({ code }) => code === 'EXEMPT_CEILING').map(({ message }) => message)

  test('has a warning with the document that takes it over the ceiling of the year', async () => {
    const noa = await dealer()
    await sell(noa, sale(119_000, { issueDate: '2025-12-01' }))
    expect(ceiling(await sell(noa, sale(100_000, { issueDate: '2026-01-05' })))).toEqual([])
    expect(ceiling(await sell(noa, sale(22_833, { issueDate: '2026-01-05' })))).toEqual([])
    const crossing = await sell(noa, sale(0.01, { issueDate: '2026-01-05' }))
    expect(ceiling(crossing)).toEqual([expect.stringMatching(/turnover of 2026 exceeds .* 122833 ILS/)])
    expect(ceiling(await sell(noa, sale(1, { status: 'DRAFT' })))).toEqual([])
    expect(ceiling(await sell(noa, sale(200_000, { issueDate: '2026-01-05' })))).toEqual([
      expect.stringContaining('alone'),
    ])
  })

  test('counts drafts not at all, and credits as less', async () => {
    const noa = await dealer()
    await sell(noa, sale(122_000, { issueDate: '2026-01-05', status: 'DRAFT' }))
    const { id } = await sell(noa, sale(122_000, { issueDate: '2026-01-05' }))
    await noa.call('invoices_memos', { id, kind: 'CREDIT', reason: 'Cancelled' })
    const draft = await sell(noa, sale(10_000, { status: 'DRAFT', issueDate: '2026-01-05' }))
    expect(ceiling(await noa.call('invoices_update', { id: draft.id, status: 'UNSENT' }))).toEqual([])
  })

  test.each(['UNSENT', 'PAID'])('is less a credit memo once, of an invoice that is %s', async (status) => {
    const noa = await dealer()
    const issueDate = '2026-01-05'
    const { id } = await sell(noa, sale(100_000, { issueDate, status }))
    const { items } = sale(50_000)
    const credit = { items, subtotal: 50_000, taxAmount: 0, total: 50_000 }
    await noa.call('invoices_memos', { id, kind: 'CREDIT', reason: 'Less', ...credit })
    expect(ceiling(await sell(noa, sale(72_833)))).toEqual([]) // 122,833 in all
    expect(ceiling(await sell(noa, sale(0.01)))).toEqual([expect.stringMatching(/turnover of 2026 .* 122833 ILS/)])
  })

  test('has no warning for a registered dealer', async () => {
    const noa = await dealer({ taxNumber: '123456782' })
    await sell(noa, sale(100_000))
    expect(ceiling(await sell(noa, sale(100_000)))).toEqual([])
  })
})

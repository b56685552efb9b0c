import { describe, expect, test } from 'vitest'
import { toFailure } from '../../../../core/run/errors.ts'
import { addDays, today } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member, theApp } from '../../../../test/world.ts'

const now = () => today(new Date(), 'Asia/Singapore')
const ago = (days: number) => addDays(now(), -days)
const refused = (code: string) => ({ status: 400, details: [{ path: 'issueDate', code }] })

describe.each(['CREDIT', 'DEBIT'] as const)('a %s memo', (kind) => {
  const items = [{ id: 'm', description: 'Part', quantity: 1, unitPrice: 10, amount: 10 }]

  test('has the issue date that is given, and that of today without', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: 'SENT', issueDate: ago(9) })
    const memo = await amy.call('invoices_memos', { id, kind, items, reason: 'Price', issueDate: ago(5) })
    expect(memo).toMatchObject({ issueDate: ago(5), documentType: `${kind}_MEMO` })
    const next = await amy.call('invoices_memos', { id, kind, items, reason: 'Price' })
    expect(next.issueDate).toBe(now())
  })

  test('takes an instant for its day where the organization is', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: 'SENT', issueDate: ago(9) })
    const issueDate = `${ago(6)}T22:00:00Z` // the next morning in Singapore
    expect(await amy.call('invoices_memos', { id, kind, items, issueDate })).toMatchObject({ issueDate: ago(5) })
  })

  test('is not dated after today, before its document, or before the last memo of its kind', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await sell(amy, { status: 'SENT', issueDate: ago(9) })
    const memo = (issueDate: string) => amy.call('invoices_memos', { id, kind, items, reason: 'Price', issueDate })
    await expect(memo(addDays(now(), 1))).rejects.toMatchObject(refused('FUTURE_ISSUE_DATE'))
    await expect(memo(ago(10))).rejects.toMatchObject({
      ...refused('MEMO_NOT_BEFORE_DOCUMENT'),
      message: expect.stringContaining(ago(9)),
    })
    await expect(memo('9 May')).rejects.toMatchObject({ status: 400 })
    expect(await memo(ago(4))).toMatchObject({ issueDate: ago(4), invoiceNumber: '1' })
    await expect(memo(ago(5))).rejects.toMatchObject({ status: 400, details: [{ path: 'issueDate' }] })
    expect(await memo(ago(4))).toMatchObject({ invoiceNumber: '2' })
  })

  test('is not dated in a locked period', async () => {
    const amy = await member('OWNER')
    const { id } = await sell(amy, { status: 'SENT', issueDate: ago(40) })
    const organization = String(amy.organizationId)
    await amy.call('settings_update', { id: organization, lockedUntil: ago(20) })
    const memo = (issueDate: string) => amy.call('invoices_memos', { id, kind, items, reason: 'Price', issueDate })
    await expect(memo(ago(20))).rejects.toMatchObject({ status: 409, details: [{ code: 'PERIOD_LOCKED' }] })
    expect(await memo(ago(19))).toMatchObject({ issueDate: ago(19) })
  })
})

test('the credit of a memo is booked on the date of the memo', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', issueDate: ago(9) })
  const memo = await amy.call('invoices_memos', { id, kind: 'CREDIT', reason: 'Returned', issueDate: ago(5) })
  const { payments } = await amy.call('invoices_payments_list')
  expect(payments.map(({ source, paidAt }) => [source, paidAt])).toEqual([['CREDIT_MEMO', ago(5)]])
  const receivables = async (asOf: string) => {
    const aging = await amy.call('reports_receivables_aging', { organizationId: String(amy.organizationId), asOf })
    return aging.totals.total
  }
  expect([await receivables(ago(6)), await receivables(now())]).toEqual([109, 0])
  expect(memo.total).toBe(109)
})

test('the database refuses a memo with a given date before that of its document', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy, { status: 'SENT', issueDate: ago(9) })
  const insert = (day: string) =>
    theApp()
      .system.raw.query(
        `insert into documents (organization_id, id, document_type, status, source_document_id, counterparty_id, currency, minor_digits, issue_date,
          issue_date_given, subtotal_minor, tax_minor, total_minor, generator_version)
         select organization_id, gen_random_uuid(), 'DEBIT_MEMO', 'UNSENT', id, counterparty_id, currency, minor_digits, $2, true, 0, 0, 0, '0'
         from documents where id = $1`,
        [id, day],
      )
      .then(() => undefined, toFailure)
  expect(await insert(ago(10))).toMatchObject({ status: 409, details: [{ code: 'MEMO_NOT_BEFORE_DOCUMENT' }] })
  expect(await insert(ago(9))).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { problemsOf } from '../../../core/define/validate.ts'
import { sell } from '../../../test/sales-documents.ts'
import { member, theApp } from '../../../test/world.ts'
import { invoiceCreated, invoiceIssued, invoicePaid } from './events/events.ts'

describe('deleting', () => {
  test('a draft is deleted; a numbered document is not, and the refusal names the memo endpoint', async () => {
    const amy = await member('CONTRIBUTOR')
    const draft = await sell(amy)
    expect(await amy.call('invoices_delete', { id: draft.id })).toEqual({ success: true })
    await expect(amy.call('invoices_get', { id: draft.id })).rejects.toMatchObject({ status: 404 })
    for (const status of ['UNSENT', 'SENT', 'PAID']) {
      const { id } = await sell(amy, { status })
      await expect(amy.call('invoices_delete', { id })).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('/memos'),
      })
    }
  })

  test('a customer with documents shows their number and cannot be deleted', async () => {
    const amy = await member('CONTRIBUTOR')
    const { id, customerId } = await sell(amy)
    expect((await amy.call('customers_get', { id: customerId }))._count).toEqual({ invoices: 1 })
    await expect(amy.call('customers_delete', { id: customerId })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('has documents'),
    })
    await amy.call('invoices_delete', { id })
    expect((await amy.call('customers_get', { id: customerId }))._count).toEqual({ invoices: 0 })
    expect(await amy.call('customers_delete', { id: customerId })).toEqual({ success: true })
  })

  test('an organization with drafts can be deleted, one with numbered documents cannot', async () => {
    const amy = await member('OWNER')
    await sell(amy)
    await sell(amy, { status: 'PAID' })
    const id = String(amy.organizationId)
    await expect(amy.call('organizations_delete', { id })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('numbered documents'),
    })
    const zoe = await member('OWNER')
    const account = await zoe.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    await sell(zoe, { bankAccountId: account.id })
    expect(await zoe.call('organizations_delete', { id: String(zoe.organizationId) })).toEqual({ success: true })
  })

  test('deleting a bank account removes it from drafts and is refused while an issued document uses it', async () => {
    const amy = await member('CONTRIBUTOR')
    const account = await amy.call('bank_accounts_create', { accountName: 'Main', bankName: 'DBS' })
    const draft = await sell(amy, { bankAccountId: account.id })
    const issued = await sell(amy, { bankAccountId: account.id, status: 'UNSENT' })
    await expect(amy.call('bank_accounts_delete', { id: account.id })).rejects.toMatchObject({ status: 409 })
    await amy.call('invoices_update', { id: issued.id, bankAccountId: null })
    expect(await amy.call('bank_accounts_delete', { id: account.id })).toEqual({ success: true })
    expect(await amy.call('invoices_get', { id: draft.id })).toMatchObject({ bankAccountId: null, bankAccount: null })
  })
})

test('INV-10: creating, issuing and paying emit one event each, with a payload that matches its schema', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await sell(amy)
  await amy.call('invoices_update', { id, notes: 'x' })
  await amy.call('invoices_update', { id, status: 'UNSENT' })
  await amy.call('invoices_update', { id, status: 'PAID' })
  const other = await sell(amy, { status: 'PAID' })
  const emitted = await theApp().system.use((db) =>
    db
      .selectFrom('events')
      .select(['type', 'payload'])
      .where('organizationId', '=', String(amy.organizationId))
      .where('type', 'like', 'invoice.%')
      .orderBy('id')
      .execute(),
  )
  expect(emitted.map(({ type, payload }) => [type, (payload as { id: string }).id])).toEqual([
    ['invoice.created', id],
    ['invoice.issued', id],
    ['invoice.paid', id],
    ['invoice.created', other.id],
    ['invoice.issued', other.id],
    ['invoice.paid', other.id],
  ])
  for (const { type, payload } of emitted) {
    const { payload: schema } =
      [invoiceCreated, invoiceIssued, invoicePaid].find((event) => event.type === type) ?? invoicePaid
    expect(problemsOf(schema, payload)).toEqual([])
  }
  expect(emitted.at(-1)?.payload).toMatchObject({
    invoiceNumber: '2',
    customerName: 'Globex',
    total: 109,
    paidAmount: 109,
  })
})

import { expect, test } from 'vitest'
import { addDays } from '../../../../core/values/day.ts'
import { sell } from '../../../../test/sales-documents.ts'
import { member } from '../../../../test/world.ts'

test('a duplicate is a new draft with the same customer, lines and amounts', async () => {
  const amy = await member('CONTRIBUTOR')
  const paid = await sell(amy, { status: 'PAID', notes: 'n' })
  const copy = await amy.call('invoices_duplicate', { id: paid.id })
  expect(copy).toMatchObject({
    status: 'DRAFT',
    invoiceNumber: null,
    customerId: paid.customerId,
    items: paid.items,
    total: 109,
    paidAmount: 0,
    notes: 'n',
    dueDate: null,
  })
  expect(copy.id).not.toBe(paid.id)
  const memo = await amy.call('invoices_memos', { id: paid.id, kind: 'CREDIT' })
  await expect(amy.call('invoices_duplicate', { id: memo.id })).rejects.toMatchObject({ status: 409 })
})

test('the terms of a document are those of its duplicate, counted from the new issue date', async () => {
  const amy = await member('CONTRIBUTOR')
  const today = (await sell(amy)).invoiceDate
  const terms = { issueDate: addDays(today, -40), dueDate: addDays(today, -10), payUntil: addDays(today, -5) }
  const { id } = await sell(amy, { status: 'UNSENT', ...terms })
  const copy = await amy.call('invoices_duplicate', { id })
  const { dueDate, payUntil } = await amy.call('invoices_get', { id: copy.id })
  expect({ issueDate: copy.invoiceDate, dueDate, payUntil }).toEqual({
    issueDate: today,
    dueDate: addDays(today, 30),
    payUntil: addDays(today, 35),
  })
  const early = await sell(amy, { dueDate: addDays(today, -3) })
  expect((await amy.call('invoices_duplicate', { id: early.id })).dueDate).toBe(today)
})

test('the recurring invoice sends a copy that is due by the terms of the invoice that it repeats', async () => {
  const amy = await member('OWNER')
  const today = (await sell(amy)).invoiceDate
  const { id: customerId } = await amy.call('customers_create', {
    name: 'Globex',
    country: 'SG',
    email: 'ap@globex.test',
  })
  const { id: of } = await sell(amy, {
    customerId,
    status: 'UNSENT',
    issueDate: addDays(today, -30),
    dueDate: addDays(today, -16),
  })
  const { templates } = await amy.call('automations_templates', {})
  const { name, blocks, edges } = templates.find(({ id }) => id === 'recurring-invoice') ?? {
    name: '',
    blocks: [],
    edges: [],
  }
  const given = blocks.map((block) =>
    block.ref === 'invoices_duplicate' ? { ...block, config: { input: { id: of } } } : block,
  )
  const { id } = await amy.call('automations_create', {
    organizationId: String(amy.organizationId),
    name,
    blocks: given,
    edges,
  })
  expect(await amy.call('automations_test', { id })).toMatchObject({ status: 'SUCCEEDED' })
  const { invoices } = await amy.call('invoices_list', {
    organizationId: String(amy.organizationId),
    customerId,
    status: 'SENT',
  })
  expect(invoices).toMatchObject([{ invoiceDate: today, dueDate: addDays(today, 14) }])
})

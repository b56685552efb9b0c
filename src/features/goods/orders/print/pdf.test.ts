import { expect, test, vi } from 'vitest'
import { readPdf } from '../../../../test/readers/pdf-objects.ts'
import { textOf } from '../../../../test/readers/text-of-pdf.ts'
import { member, operationNamed, type Someone, theApp } from '../../../../test/world.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

async function printedOrder(someone: Someone, id: string, query = '') {
  const url = `/api/orders/${id}/pdf${query}`
  const answer = await theApp().server.inject({ method: 'GET', url, headers: { ...someone.credentials } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

let lamps = 1

async function lampsOrdered(amy: Someone, more: Record<string, unknown> = {}) {
  const lamp = await amy.call('logistics_items_create', {
    name: 'Lamp',
    sku: `L-${lamps++}`,
    unit: 'pcs',
    purchasePrice: 10,
  })
  const supplier = await amy.call('suppliers_create', {
    ...{
      name: 'Acme Lighting',
      country: 'SG',
      address: '1 Depot Road',
      email: 'sales@acme.test',
      paymentTermsDays: 30,
    },
  })
  return amy.call('orders_create', {
    ...{ kind: 'PURCHASE', supplierId: supplier.id, lines: [{ itemId: lamp.id, quantity: 12, taxRate: 9 }] },
    ...{ status: 'OPEN', expectedDate: '2026-12-24', reference: 'Q-77', notes: 'To the back door.', ...more },
  })
}

test('an order to a supplier is printed with number, parties, lines, tax, totals and terms', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await lampsOrdered(amy)
  const { status, headers, bytes } = await printedOrder(amy, id)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/pdf')
  expect(headers['content-disposition']).toContain('Purchase Order PO-0001.pdf')
  const text = await textOf(bytes)
  for (const part of [
    'Purchase Order', 'PO-0001', 'Acme Lighting', '1 Depot Road', 'sales@acme.test', 'Lamp', 'L-1', '12 pcs', '10.00', '9%',
    '120.00', '10.80', '130.80', 'Q-77', '30 days', '24', 'To the back door.',
  ]) // biome-ignore format: a list of words
    expect(text).toContain(part)
  expect(text).not.toContain('DRAFT')
})

test('a draft and a cancelled order are marked as such', async () => {
  const amy = await member('CONTRIBUTOR')
  const draft = await lampsOrdered(amy, { status: 'DRAFT' })
  expect(await textOf((await printedOrder(amy, draft.id)).bytes)).toContain('DRAFT')
  await amy.call('orders_cancel', { id: draft.id })
  expect(await textOf((await printedOrder(amy, draft.id)).bytes)).toContain('CANCELLED')
})

test('orders are printed in Hebrew, English and both', async () => {
  const noa = await member('CONTRIBUTOR', { country: 'IL' })
  const { id } = await lampsOrdered(noa, { lines: [{ description: 'מנורה', quantity: 2, unitPrice: 40 }] })
  expect(
    readPdf((await printedOrder(noa, id, '?language=he')).bytes)
      .at('Root', 'Lang')
      ?.toString(),
  ).toBe('he')
  expect(
    readPdf((await printedOrder(noa, id)).bytes)
      .at('Root', 'Lang')
      ?.toString(),
  ).toBe('en') // the supplier is abroad
  expect(await textOf((await printedOrder(noa, id, '?language=en')).bytes)).toContain('Purchase Order')
  expect(await textOf((await printedOrder(noa, id, '?language=he-en')).bytes)).toContain('Purchase Order')
  expect((await printedOrder(noa, id, '?language=fr')).status).toBe(400)
})

test('the order of a customer is printed as its confirmation', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id: customerId } = await amy.call('customers_create', { name: 'Globex', country: 'SG' })
  const lines = [{ description: 'Lamp', quantity: 1, unitPrice: 25 }]
  const { id } = await amy.call('orders_create', { kind: 'SALES', customerId, lines, status: 'OPEN' })
  const { headers, bytes } = await printedOrder(amy, id)
  expect(headers['content-disposition']).toContain('Order Confirmation SO-0001.pdf')
  expect(await textOf(bytes)).toContain('Bill to Globex')
})

test('LOAD-14: an order that is too long to print is refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const lines = Array(40).fill({ description: 'Work\n'.repeat(400), quantity: 1, unitPrice: 1 })
  const [short, long] = [await lampsOrdered(amy), await lampsOrdered(amy, { lines })]
  expect((await printedOrder(amy, short.id)).status).toBe(200)
  const { status, bytes } = await printedOrder(amy, long.id)
  expect([status, bytes.toString()]).toEqual([400, expect.stringContaining('PRINT_TOO_LONG')])
})

test('printing needs orders:read and counts as a print of the organization', () => {
  expect(operationNamed('orders_pdf')).toMatchObject({ scope: 'orders:read', role: 'VIEWER', rate: 'pdf' })
})

import { expect, test } from 'vitest'
import { newHire } from '../../../test/payroll/rows.ts'
import { rows } from '../../../test/rows.ts'
import { sell } from '../../../test/sales-documents.ts'
import { statementCounter } from '../../../test/statements.ts'
import { member } from '../../../test/world.ts'

test('an entry names what was changed: its number or name now', async () => {
  const amy = await member('OWNER')
  const { id, customerId } = await sell(amy, { status: 'UNSENT' })
  const draft = await sell(amy, { customerId })
  await amy.call('customers_update_patch', { id: customerId, name: 'Globex Ltd' })
  const spent = await amy.call('expenses_create', {
    amount: 5,
    currency: 'SGD',
    date: '2026-02-01',
    vendor: 'Shell',
  } as never)
  await rows.automations?.(amy)
  const gone = await amy.call('customers_create', { name: 'Gone', country: 'SG' })
  await amy.call('customers_delete', { id: gone.id })
  const hired = await newHire(amy)
  const { entries } = await amy.call('organizations_audit', { organizationId: amy.organizationId, limit: 100 } as never)
  const named = new Map(entries.map(({ objectId, object }) => [objectId, object]))
  const issued = await amy.call('invoices_get', { id })
  expect(named.get(id)).toEqual({ kind: 'DOCUMENT', name: issued.invoiceNumber })
  expect(named.get(draft.id)).toEqual({ kind: 'DOCUMENT', name: null })
  expect(named.get(customerId)).toEqual({ kind: 'CUSTOMER', name: 'Globex Ltd' })
  expect(named.get(spent.id)).toEqual({ kind: 'EXPENSE', name: 'Shell' })
  expect([...named.values()]).toContainEqual({ kind: 'AUTOMATION', name: 'Auto' })
  expect(named.get(gone.id)).toBeNull()
  expect(named.get(hired.id) ?? null).toBeNull()
})

test('a page of the log takes five statements, whether it has one entry or 25', async () => {
  const amy = await member('OWNER')
  for (let at = 0; at < 30; at++) await amy.call('customers_create', { name: `Globex ${at}`, country: 'SG' })
  const statements = statementCounter()
  const page = (limit: number) => () =>
    amy.call('organizations_audit', { organizationId: amy.organizationId, limit } as never)
  expect([await statements(page(1)), await statements(page(25))]).toEqual([5, 5])
})

import { expect, test } from 'vitest'
import { documentTypes } from '../../../countries/country.ts'
import { theApp } from '../../../test/world.ts'
import { salesKind, writableTypes } from './kind.ts'

/** What the database answers for each of these values. */
const asked = async (call: string, values: readonly string[]) => {
  const { rows } = await theApp().system.raw.query(
    `select v.value, ${call} as answer from unnest($1::text[]) with ordinality v (value, place) order by v.place`,
    [values],
  )
  return Object.fromEntries(rows.map(({ value, answer }) => [value, answer]))
}

test('the dashboard counts a type as a sale exactly when the journal books revenue for it', async () => {
  const owing = documentTypes.filter((type) => type !== 'CREDIT_MEMO') // a credit memo owes nothing itself
  const expected = owing.map((type) => [type, salesKind.unbilledTypes.includes(type as never) ? 'OTHER' : 'SALE'])
  expect(await asked('sales_sort(v.value, null, null)', owing)).toEqual(Object.fromEntries(expected))
})

test('lists sort statuses in the order of the declaration', async () => {
  const expected = salesKind.statuses.map((status, at) => [status, at + 1])
  expect(await asked('status_rank(v.value)', salesKind.statuses)).toEqual(Object.fromEntries(expected))
})

test('every type but the memos can be written', () => {
  expect(documentTypes.filter((type) => !writableTypes.some((writable) => writable === type))).toEqual([
    'CREDIT_MEMO',
    'DEBIT_MEMO',
  ])
})

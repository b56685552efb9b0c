import { expect, test } from 'vitest'
import { accountPurposes } from './chart.ts'
import { countries } from './countries.ts'

test.each(Object.values(countries))('the chart of $code has one account for each purpose', ({ accounts }) => {
  const purposes = accounts.flatMap(({ purpose }) => purpose ?? [])
  expect(purposes.toSorted()).toEqual(accountPurposes.toSorted())
})

test.each(Object.values(countries))(
  'the chart of $code has every code once, in order, and names in both languages',
  ({ accounts }) => {
    const codes = accounts.map(({ code }) => code)
    expect(codes).toEqual([...new Set(codes)].sort())
    for (const { name, nameHe } of accounts) {
      expect(name).toMatch(/^[A-Z][\w ,-]+$/)
      expect(nameHe).toMatch(/[\u05d0-\u05ea]/)
    }
  },
)

test.each(Object.values(countries))('the accounts of $code have the type that their purpose needs', ({ accounts }) => {
  const types = Object.fromEntries(accounts.flatMap(({ purpose, type }) => (purpose ? [[purpose, type]] : [])))
  expect(types).toMatchObject({
    CASH: 'ASSET', RECEIVABLES: 'ASSET', WITHHOLDING: 'ASSET', INPUT_TAX: 'ASSET', SUPPLIER_ADVANCES: 'ASSET',
    PAYABLES: 'LIABILITY', OUTPUT_TAX: 'LIABILITY', CUSTOMER_CREDITS: 'LIABILITY', UNBILLED: 'LIABILITY',
    OPENING_BALANCES: 'EQUITY', REVENUE: 'INCOME', EXPENSES: 'EXPENSE', PAYROLL: 'EXPENSE', ROUNDING: 'EXPENSE',
  }) // biome-ignore format: a list of words
})

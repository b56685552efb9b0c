import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { bankFormatNames } from '../catalog/filings.ts'
import { operations } from '../catalog/operations.ts'
import { factFields } from '../features/pay/payroll/stored-facts.ts'
import { allCountryFacts } from './all-facts.ts'
import { countries } from './countries.ts'
import { CountryFacts } from './facts.ts'

const all = allCountryFacts({ operations, bankFormats: bankFormatNames })

test('every country has facts for the web app', () => {
  expect(all.map(({ code }) => code)).toEqual(Object.keys(countries))
  for (const facts of all) expect(Value.Errors(CountryFacts, facts)).toEqual([])
})

test('the tax categories of a country are those of its rules, the usual one first', () => {
  const issuer = { name: 'Acme', registrationNumber: null, taxNumber: '1', address: null }
  for (const { code, taxCategories } of all) {
    const { documents } = countries[code as keyof typeof countries]
    const line = (taxCategory: string | null) => ({ amountMinor: 100n, taxRate: 0, taxCategory })
    const known = taxCategories.filter((category) => documents.taxCategoryOf(line(category.code), 'en') !== undefined)
    expect(known, code).toEqual(taxCategories)
    const usual = taxCategories[0]?.code
    const rate = documents.taxRateOn('2026-06-01')
    if (usual !== undefined && rate !== undefined && documents.isRegistered(issuer))
      expect(documents.taxCategoryOf({ amountMinor: 100n, taxRate: rate, taxCategory: null }, 'en'), code).toEqual(
        documents.taxCategoryOf({ amountMinor: 100n, taxRate: rate, taxCategory: usual }, 'en'),
      )
  }
})

test('a term of employment is for every country or for the one that its description names', () => {
  const names = Object.fromEntries(all.map(({ code, name }) => [code, name.en.replace(/^the /, '')]))
  for (const { code, payFields } of all) {
    expect(payFields.filter((field) => !(field in factFields))).toEqual([])
    const described = Object.entries(factFields as Record<string, { description?: string }>).filter(
      ([, { description }]) => description?.startsWith(names[code] ?? ''),
    )
    expect(described.map(([field]) => field).filter((field) => !payFields.includes(field))).toEqual([])
  }
  const fields = all.flatMap(({ payFields }) => payFields)
  expect(fields.filter((field, index) => fields.indexOf(field) !== index)).toEqual([])
})

test('operations of one country are those of a country that exists', () => {
  const known = Object.keys(countries)
  const wrong = operations.filter(({ country }) => country !== undefined && !known.includes(country))
  expect(wrong.map(({ name }) => name)).toEqual([])
  expect(all.flatMap((facts) => facts.operations)).toContain('reports_sales_tax')
})

import { expect, test } from 'vitest'
import { theApp } from '../test/world.ts'
import { accountPurposes, accountTypes, purposeTypes } from './chart.ts'
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
  for (const { purpose, type } of accounts) if (purpose) expect(purposeTypes[purpose]).toContain(type)
})

test('the database fits purposes to the same types', async () => {
  const { rows } = await theApp().system.raw.query(
    `select p as purpose, array(select t from unnest('{${accountTypes}}'::text[]) t where fits_purpose(t, p)) as types
     from unnest('{${accountPurposes}}'::text[]) p`,
  )
  const types = Object.fromEntries(rows.map(({ purpose, types }) => [purpose, types.toSorted()]))
  const declared = Object.entries(purposeTypes).map(([purpose, types]) => [purpose, types.toSorted()])
  expect(types).toEqual(Object.fromEntries(declared))
})

import { expect, test } from 'vitest'
import { languages } from '../core/values/language.ts'
import { theApp } from '../test/world.ts'
import { countries } from './countries.ts'
import { documentLanguage } from './document-language.ts'
import { officialTypeRows } from './official-types.ts'

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

test('the rows of official_document_types equal the rules of the countries', async () => {
  const rows = await ask('select * from official_document_types')
  const sorted = (each: object[]) => each.map((row) => JSON.stringify(row)).sort()
  expect(sorted(rows)).toEqual(sorted(officialTypeRows()))
})

test('types with the same title are numbered together, and others are not', () => {
  const rows = officialTypeRows()
  for (const one of rows)
    for (const other of rows.filter((each) => each.country === one.country && each.registered === one.registered)) {
      const isSameTitle = one.title_he === other.title_he && one.title_en === other.title_en
      expect([one.series === other.series, one.official_type === other.official_type]).toEqual([
        isSameTitle,
        isSameTitle,
      ])
    }
})

test('the database and the rules of the countries agree on who is registered for the tax', async () => {
  const numbers = [
    null, '', '513456782', '51-3456782', ' 51 3456782', '\u200f513456782', '5 13456782', '540000009', '580000008', '123456782',
    '12', '0513456782', '5134567821', 'M90364879X', '200012345W', '\u05be51\u20133456782',
  ] // biome-ignore format: a list
  for (const country of Object.values(countries))
    for (const registrationNumber of numbers)
      for (const taxNumber of [null, '', '123456782']) {
        const issuer = { name: 'Acme', registrationNumber, taxNumber, address: null }
        const values = [country.code, registrationNumber, taxNumber]
        const [stored] = await ask('select is_registered_for_tax($1, $2, $3) as registered', values)
        const registered = country.documents.isRegistered(issuer)
        expect({ ...issuer, ...stored }).toEqual({ ...issuer, registered })
      }
})

test('the database and the rules of the countries agree on the language of a document', async () => {
  for (const country of Object.values(countries))
    for (const customerCountry of [null, 'IL', 'SG', 'US', 'France'])
      for (const chosen of [null, ...languages]) {
        const values = [country.code, customerCountry, chosen]
        const [stored] = await ask('select document_language($1, $2, $3) as language', values)
        const language = documentLanguage(country, { country: customerCountry }, chosen)
        expect([...values, stored?.language]).toEqual([...values, language])
      }
})

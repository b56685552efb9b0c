import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { countryCodes } from './country.ts'

/** Files outside of `countries/` that name a country, and why. Everything else asks the rules of the organization's country. */
const allowed = {
  'src/catalog/filings.ts': 'the list of filings by country',
  'src/core/values/country-names.ts': 'names of all countries of the world, also of those without rules',
  'src/features/pay/payroll/leave-claims/operations.ts': 'an operation of one country says which',
  'src/features/selling/documents/issuing/allocation-number.ts': 'an operation of one country says which',
  'src/features/work/companion/assistant/intents/payroll.ts': 'the usual bank file by country; the compiler names it',
  'src/http/pages/landing/page.ts': 'an example of a call',
  'src/http/reference/chapters.ts': 'an example of a call',
  'src/providers/reader/extract/numbers.ts': 'places that the reader knows, also those without rules',
  'src/providers/reader/extract/places.ts': 'places that the reader knows, also those without rules',
  'web/src/contract.ts': 'written from docs/openapi.json',
}

const root = new URL('../../', import.meta.url)
const elsewhere = /^src\/(countries|test|demo|simulators)\/|\.test\.tsx?$/

const sources = ['src', 'web/src'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.tsx?$/.test(path) && !elsewhere.test(path)),
)

test('only the files that are listed here name a country', () => {
  const codes = countryCodes.join('|')
  const named = new RegExp(`['"\`](?:${codes})['"\`]|\\b(?:${codes}):`)
  const naming = sources.filter((path) => named.test(readFileSync(new URL(path, root), 'utf8')))
  expect(sources.length).toBeGreaterThan(1_000)
  expect(naming.toSorted()).toEqual(Object.keys(allowed).toSorted())
})

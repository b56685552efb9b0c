import { execFile } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCountryFacts } from '../../countries/all-facts.ts'
import { countries, customerNumbers, findCountry } from '../../countries/countries.ts'
import { type Country, documentTypes } from '../../countries/country.ts'
import { CountryFacts } from '../../countries/facts.ts'
import { officialTypeRows } from '../../countries/official-types.ts'
import { documentWarnings, organizationWarnings } from '../../countries/warnings.ts'
import { saleOf } from '../documents/country-sale.ts'
import { proves } from '../prove.ts'
import { newFolder } from '../temporary-folder.ts'
import { fictitious } from './country.ts'
import { filings } from './filings.ts'

/** The rules at run time, beside those of the real countries. */
const list: Partial<Record<string, object>> = countries
const atlantis = fictitious as object as Country
beforeAll(() => {
  list.XX = fictitious
})
afterAll(() => void Reflect.deleteProperty(list, 'XX'))

test('the least answers of a country are facts that the web app takes', () => {
  const bankFormats = { XX: filings.bankFormats.map(({ id }) => id) }
  const facts = allCountryFacts({ operations: [], bankFormats }).find(({ code }) => code === 'XX')
  expect(Value.Errors(CountryFacts, facts)).toEqual([])
  expect(facts).toMatchObject({ bankFormats: [], operations: [] })
})

test('a country with the least answers titles, numbers and judges every type of document', () => {
  expect(findCountry('XX')).toBe(fictitious)
  const titled = officialTypeRows().filter(({ country }) => String(country) === 'XX')
  expect(new Set(titled.map(({ document_type: type }) => type))).toEqual(new Set(documentTypes))
  for (const documentType of documentTypes)
    expect(documentWarnings(atlantis, saleOf({ customer: { country: 'XX' }, document: { documentType } }))).toEqual([])
  expect(organizationWarnings(atlantis, { registrationNumber: '1', taxNumber: '2' })).toEqual([])
  expect(customerNumbers(saleOf().customer, 'en', atlantis)).toEqual([])
})

const root = fileURLToPath(new URL('../../../', import.meta.url))
const compiler = 'node_modules/typescript7/bin/tsc'

/** A copy of the source, in which a code is added to the countries. */
function copyWithCode(): string {
  const copy = newFolder('fictitious-country')
  for (const name of [
    'src',
    'scripts',
    'web',
    'docs',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    cpSync(`${root}/${name}`, `${copy}/${name}`, { recursive: true })
  symlinkSync(`${root}/node_modules`, `${copy}/node_modules`)
  const program = { extends: './tsconfig.json', include: ['src'], exclude: ['src/test', 'src/**/*.test.ts'] }
  writeFileSync(`${copy}/tsconfig.program.json`, JSON.stringify(program))
  replace(`${copy}/src/countries/country.ts`, "['IL', 'SG', 'US'] as const", "['IL', 'SG', 'US', 'XX'] as const")
  return copy
}

function replace(path: string, from: string, to: string) {
  const text = readFileSync(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  writeFileSync(path, text.replace(from, to))
}

/** The files in which the compiler finds errors, each once. */
async function filesWithErrors(copy: string): Promise<string[]> {
  const run = promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.program.json'], {
    cwd: copy,
    maxBuffer: 10 ** 8,
  })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return [...new Set([...stdout.matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)].map(([, path]) => String(path)))].toSorted()
}

/** What a new country is added to: the compiler names each. */
const missing = [
  'src/catalog/filings.ts',
  'src/countries/countries.ts',
  'src/demo/companies.ts',
  'src/features/work/companion/assistant/intents/payroll.ts',
]

test.runIf(proves)(
  'the compiler names every place that lacks an answer of a new country, and none once it has the least ones',
  async () => {
    const copy = copyWithCode()
    expect(await filesWithErrors(copy)).toEqual(missing)
    const from = 'test/fictitious-country'
    replace(`${copy}/src/countries/countries.ts`, ', US: us }', ', US: us, XX: fictitious }')
    replace(
      `${copy}/src/countries/countries.ts`,
      'import',
      `import { fictitious } from '../${from}/country.ts'\nimport`,
    )
    replace(`${copy}/src/catalog/filings.ts`, ', US: unitedStates }', ', US: unitedStates, XX: atlantis }')
    replace(
      `${copy}/src/catalog/filings.ts`,
      'import',
      `import { filings as atlantis } from '../${from}/filings.ts'\nimport`,
    )
    replace(`${copy}/src/demo/companies.ts`, 'SG: straits }', 'SG: straits, XX: null }')
    replace(`${copy}/${missing[3]}`, "US: 'nacha' }", "US: 'nacha', XX: undefined }")
    expect(await filesWithErrors(copy)).toEqual([])
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/test.mjs', 'facts.test', 'chart.test'], {
      cwd: copy,
      env: { ...process.env, KONTOR_PROVE: '' },
      maxBuffer: 10 ** 8,
    })
    expect(stdout).toMatch(/[1-9]\d* passed, 0 failed/)
  },
  900_000,
)

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countryCodes } from '../../src/countries/country.ts'

const folder = new URL('../src', import.meta.url).pathname

test('the web app names no country: what differs between them comes with the session', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/(\.test\.tsx?|contract\.ts)$/.test(file),
  )
  const code = new RegExp(`(['"])(${countryCodes.join('|')})\\1|\\b(${countryCodes.join('|')}): `)
  const naming = files.filter((file) => code.test(readFileSync(join(folder, file), 'utf8')))
  expect(files.length).toBeGreaterThan(100)
  expect(naming).toEqual([])
})

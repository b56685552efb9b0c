import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** The rules that hold now. Each has a test whose name begins with its id. A rule is removed only by a decision. */
const rules = [
  ...numbered('IDEM', 11),
  ...numbered('SEC', 7),
  ...numbered('SSRF', 11),
  ...['01', '02', '03', '04', '05', '06', '09', '10', '16', '17', '20'].map((n) => `FLT-${n}`),
  ...['01', '02', '03', '04', '05', '06', '07'].map((n) => `INV-${n}`),
]

function numbered(family: string, count: number) {
  return Array.from({ length: count }, (_, n) => `${family}-${n + 1}`)
}

const folder = fileURLToPath(new URL('../', import.meta.url))

/** The ids at the beginning of test names: `'FLT-04 INV-22: …'`. Comments do not count. */
function testedRules(): Set<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'))
  const names = files.flatMap((file) => {
    const code = readFileSync(`${folder}${file}`, 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')
    return code.match(/(?<=['"`])[A-Z]+-\d+[^'"`]*/g) ?? []
  })
  return new Set(names.flatMap((name) => name.match(/^(?:[A-Z]+-\d+[ ,]*)+/)?.[0].match(/[A-Z]+-\d+/g) ?? []))
}

test('every rule has a test whose name begins with its id', () => {
  const ids = testedRules()
  expect(rules.filter((rule) => !ids.has(rule))).toEqual([])
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectGenerated } from './generate/generated-file.ts'
import { ruleCoverage, ruleDocs, testsByRule, withoutProofs } from './generate/rule-docs.ts'
import { rules } from './rules.ts'

const tests = testsByRule()

test('every rule in rules.ts has a test that names its id and runs in `npm test`', () => {
  const runs = testsByRule({ proofs: false })
  expect(Object.keys(rules).filter((rule) => !runs.has(rule))).toEqual([])
})

test('tests and groups of tests that only `npm run prove` runs are left out', () => {
  const text = [
    "test('one', () => {",
    '  expect(1).toBe(1)',
    '})',
    "test.runIf(proves)('two', () => {",
    '  expect(2).toBe(2)',
    '}, 1_000)',
    "describe.runIf(proves)('three', () => {",
    "  test('four', () => {",
    '    expect(4).toBe(4)',
    '  })',
    '})',
    'test.runIf(proves)(',
    "  'five',",
    '  () => {},',
    ')',
    "test('six', () => {})",
    "test.runIf(proves && process.platform === 'linux')('seven', () => {",
    '})',
  ].join('\n')
  const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
  expect(names.filter((name) => withoutProofs(text).includes(`'${name}'`))).toEqual(['one', 'six'])
})

test('every id in the name of a test is explained in rules.ts', () => {
  const unexplained = [...tests].filter(([rule]) => !(rule in rules))
  expect(unexplained, 'Explain these ids in src/test/rules.ts and run `npm run docs`.').toEqual([])
})

test('docs/rules.md lists the rules', () => {
  expectGenerated('docs/rules.md', ruleDocs(), 'npm run docs')
  if (!process.env.KONTOR_GENERATE) return
  mkdirSync(new URL('../../.cache', import.meta.url), { recursive: true })
  writeFileSync(new URL('../../.cache/rules.md', import.meta.url), ruleCoverage())
})

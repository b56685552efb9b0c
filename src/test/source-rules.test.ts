import { expect, test } from 'vitest'
import { expectGenerated } from './generate/generated-file.ts'
import { ruleDocs, testsByRule } from './generate/rule-docs.ts'
import { rules } from './rules.ts'

const tests = testsByRule()

test('every rule in rules.ts has a test that names its id', () => {
  expect(Object.keys(rules).filter((rule) => !tests.has(rule))).toEqual([])
})

test('every id in the name of a test is explained in rules.ts', () => {
  const unexplained = [...tests].filter(([rule]) => !(rule in rules))
  expect(unexplained, 'Explain these ids in src/test/rules.ts and run `npm run docs`.').toEqual([])
})

test('docs/rules.md lists the rules and their tests', () => {
  expectGenerated('docs/rules.md', ruleDocs(), 'npm run docs')
})

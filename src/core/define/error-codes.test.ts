import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { functionSet } from '../../db/functions.ts'
import { errorDocs, unusedCodes } from '../../test/generate/error-docs.ts'
import { expectGenerated } from '../../test/generate/generated-file.ts'
import { databaseRules, detailCodes } from './error-codes.ts'

test('docs/errors.md lists the codes and their meaning', () => {
  expectGenerated('docs/errors.md', errorDocs(), 'npm run docs')
})

test('every code of the list is raised somewhere', () => {
  expect(unusedCodes()).toEqual([])
})

/**
 * Their codes are ISSUE_DATE_ORDER, FUTURE_ISSUE_DATE, for a value that must be unique ALREADY_EXISTS, and for the period lock
 * PERIOD_LOCKED, ROLE and none (core/run/errors.ts).
 */
const renamed = [
  'ISSUE_DATE_IN_ORDER', 'ISSUE_DATE_NOT_IN_FUTURE', 'ONE_ACCOUNT_PER_CODE', 'ONE_PRINTED_NUMBER', 'LOCK_NOT_IN_FUTURE',
  'OWNER_UNLOCKS_PERIOD', 'OWN_RECORD', 'OWNER_WEAKENS_APPROVAL', 'OWNER_CHANGES_NUMBERING', 'OWNER_CHANGES_CURRENCY', 'PERIOD_IS_OPEN',
] // biome-ignore format: a list of words

test('every rule that a function of the database enforces has its code, and every such code its rule', () => {
  const tables = readFileSync(new URL('../../db/schema.sql', import.meta.url), 'utf8')
  const schema = [tables, ...functionSet().files.map(({ text }) => text)].join('\n')
  // a function that refuses like a foreign key is answered like one: IN_USE
  const rules = [...schema.matchAll(/(errcode = 'foreign_key_violation', )?constraint = '(\w+)'/g)]
  const raised = rules.flatMap(([, isKey, name = '']) => (isKey ? [] : [name.toUpperCase()]))
  const missing = raised.filter((name) => !(name in detailCodes) && !renamed.includes(name))
  expect(missing, 'Add these rules to src/core/define/error-codes.ts.').toEqual([])
  const known = (name: string) => new RegExp(`constraint (= ')?${name}\\b`, 'i').test(schema)
  expect(Object.keys(databaseRules).filter((name) => !known(name))).toEqual([])
})

import { expect, test } from 'vitest'
import { detailCodes, errorCodes, schemaRules } from '../../src/core/define/error-codes.ts'
import { loadRefusals, refusal } from './refusals.ts'
import { hebrewRefusals } from './refusals-he.ts'

test('every code with a Hebrew sentence is one that the server sends', () => {
  const sent = { ...errorCodes, ...detailCodes }
  expect(Object.keys(hebrewRefusals).filter((code) => !(code in sent))).toEqual([])
})

test('every kind of error and every rule of a schema has a Hebrew sentence', () => {
  const needed = Object.keys({ ...errorCodes, ...schemaRules })
  expect(needed.filter((code) => !(code in hebrewRefusals))).toEqual([])
})

test.each<{ code: string; params: Record<string, string | number>; says: string }>([
  { code: 'TOO_LONG', params: { max: 80 }, says: 'ארוך מדי: לכל היותר 80 תווים.' },
  { code: 'TOO_SMALL', params: { above: 0 }, says: 'המספר צריך להיות גדול מ־0.' },
  { code: 'TOO_LARGE', params: { max: 100 }, says: 'גדול מדי: לכל היותר 100.' },
  { code: 'FORMAT', params: { format: 'email' }, says: 'זו אינה כתובת דוא״ל תקינה.' },
  { code: 'OF_ANOTHER_VERSION', params: {}, says: 'As the server says it.' },
])('$code is told in Hebrew, and what is unknown as the server tells it', async ({ code, params, says }) => {
  await loadRefusals('he')
  expect(refusal('he', { code, params, message: 'As the server says it.' })).toBe(says)
  expect(refusal('en', { code, params, message: 'As the server says it.' })).toBe('As the server says it.')
})

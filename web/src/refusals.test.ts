import { beforeAll, expect, test } from 'vitest'
import { detailCodes, errorCodes, schemaRules } from '../../src/core/define/error-codes.ts'
import { databaseFull, unavailable } from '../../src/core/define/failure.ts'
import { loadRefusals, nameFields, ofFields, refusal } from './refusals.ts'
import { englishRefusals } from './refusals-en.ts'
import { hebrewRefusals } from './refusals-he.ts'

beforeAll(async () => {
  await Promise.all([loadRefusals('en'), loadRefusals('he')])
})

test('every code with a Hebrew sentence is one that the server sends', () => {
  const sent = { ...errorCodes, ...detailCodes }
  expect(Object.keys(hebrewRefusals).filter((code) => !(code in sent))).toEqual([])
})

test('every kind of error and every rule of a schema has a Hebrew sentence', () => {
  const needed = Object.keys({ ...errorCodes, ...schemaRules })
  expect(needed.filter((code) => !(code in hebrewRefusals))).toEqual([])
})

test.each<{ code: string; params: Record<string, string | number>; he: string; en: string }>([
  {
    code: 'TOO_LONG',
    params: { max: 80 },
    he: 'ארוך מדי: לכל היותר 80 תווים.',
    en: 'Too long: at most 80 characters.',
  },
  { code: 'TOO_SMALL', params: { above: 0 }, he: 'המספר צריך להיות גדול מ־0.', en: 'This must be more than 0.' },
  { code: 'TOO_LARGE', params: { max: 100 }, he: 'גדול מדי: לכל היותר 100.', en: 'Too large: at most 100.' },
  {
    code: 'FORMAT',
    params: { format: 'email' },
    he: 'זו אינה כתובת דוא״ל תקינה.',
    en: 'This is not an e-mail address.',
  },
  { code: 'OF_ANOTHER_VERSION', params: {}, he: 'As the server says it.', en: 'As the server says it.' },
])('$code is told in both languages, and what is unknown as the server tells it', ({ code, params, he, en }) => {
  expect(refusal('he', { code, params, message: 'As the server says it.' })).toBe(he)
  expect(refusal('en', { code, params, message: 'As the server says it.' })).toBe(en)
})

test('every rule of a schema has an English sentence of the app, and every such sentence a Hebrew one', () => {
  expect([...ofFields].sort()).toEqual(Object.keys(schemaRules).sort())
  expect([...ofFields].filter((code) => !(code in englishRefusals))).toEqual([])
  expect(Object.keys(englishRefusals).filter((code) => !(code in hebrewRefusals))).toEqual([])
})

/** What is meant for programs: keys of requests, versions, addresses and names of fields of the API. */
const forPrograms = /Idempotency|If-Match|ETag|revision|\/api\/|\b[a-z]+[A-Z]\w*/

/** What the server could say, whatever the code. */
const saidByServer: { path?: string; message: string }[] = [
  {
    path: 'taxRate',
    message: 'taxRate is wrong (registrationNumber or taxNumber). Send it with another Idempotency-Key.',
  },
  { message: 'If-Match must be * or the updatedAt that you have read.' },
  { path: 'unitPrice', message: 'unitPrice must not be empty (lineId).' },
  { message: 'Ask an owner: PATCH /api/organizations/{id}/settings with an earlier lockedUntil, or null.' },
  { message: 'A request with this Idempotency-Key is still being carried out. Try again shortly.' },
  ...[unavailable(), databaseFull()],
]

test.each(['en', 'he'] as const)('no refusal is told with words for programs, whatever its code: %s', (lang) => {
  const codes = Object.keys({ ...errorCodes, ...detailCodes })
  const told = codes.flatMap((code) => saidByServer.map(({ path = '', message }) => ({ code, path, message })))
  expect(told.map((each) => refusal(lang, each)).filter((text) => text === '' || forPrograms.test(text))).toEqual([])
})

test('a refusal of fields that are not in sight names them as people do; a sentence beside a field does not', () => {
  const details = [
    { path: 'items.0.unitPrice', message: 'items.0.unitPrice is missing.', code: 'REQUIRED' },
    { path: 'name', message: 'name must not be empty.', code: 'EMPTY' },
  ]
  const refused = { code: 'REQUIRED', message: '2 fields need attention.', details }
  expect(refusal('en', refused)).toBe('Unit price: This is needed. Name: This is needed.')
  nameFields((_, name) => ({ unitPrice: 'Price', name: 'Called' })[name] ?? name)
  expect(refusal('en', refused)).toBe('Price: This is needed. Called: This is needed.')
  expect(details.map((each) => refusal('en', each))).toEqual(['This is needed.', 'This is needed.'])
})

test('a sentence of the server stays as it is, without the names of fields of the API', () => {
  expect(refusal('en', { code: 'FORMAT', path: 'peppolId', message: 'peppolId must look like 0195:SG.' })).toBe(
    'Must look like 0195:SG.',
  )
  const locked =
    'The books are locked until 2026-01-31. Ask an OWNER: PATCH /api/organizations/{id}/settings with null.'
  expect(refusal('en', { code: 'PERIOD_LOCKED', message: locked })).toBe(
    'The books are locked until 2026-01-31. Ask an OWNER.',
  )
  const sent = 'An invoice was issued for this payment request before (convertedToId).'
  expect(refusal('en', { code: 'CONVERTED', message: sent })).toBe(
    'An invoice was issued for this payment request before.',
  )
})

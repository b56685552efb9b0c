import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newId } from '../values/id.ts'
import { checkSignedQuery, type SignedQuery, signedQuery } from './signed-url.ts'

const key = createSecretKey(randomBytes(32))
const object = { purpose: 'attachment-download', objectId: newId(), organizationId: newId() }
const now = new Date('2026-03-01T12:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const query = signedQuery(key, object, { now })
const check = (more: Partial<SignedQuery> = {}, of: Partial<typeof object> = {}, at = now) =>
  checkSignedQuery(key, { ...object, ...of }, { query: { ...query, ...more }, now: at })

test('THR-26: a link opens its object and gives its organization', () => {
  expect(check()).toEqual({ organizationId: object.organizationId })
})

test.each<[string, Partial<SignedQuery>, Partial<typeof object>]>([
  ['purpose', {}, { purpose: 'attachment-preview' }],
  ['object', {}, { objectId: newId() }],
  ['organization', { organization: newId() }, {}],
  ['expiry', { expires: String(Number(query.expires) + 1) }, {}],
  ['expiry written otherwise', { expires: `0${query.expires}` }, {}],
  ['expiry that is no number', { expires: 'never' }, {}],
  ['signature of another key', signedQuery(createSecretKey(randomBytes(32)), object, { now }), {}],
  ['empty signature', { signature: '' }, {}],
  ['signature with something behind it', { signature: `${query.signature}=` }, {}],
  ['signature in other letters', { signature: query.signature.toUpperCase() }, {}],
])('THR-26: a link with another %s opens nothing', (_, more, of) => {
  expect(check(more, of)).toBeUndefined()
})

test('THR-26: a link with any character of its signature changed opens nothing', () => {
  for (let index = 0; index < query.signature.length; index++) {
    const letter = query.signature[index] === 'A' ? 'B' : 'A'
    const signature = query.signature.slice(0, index) + letter + query.signature.slice(index + 1)
    expect(check({ signature })).toBeUndefined()
  }
})

test('THR-26: a link is valid for 15 minutes, plus one minute for clock differences', () => {
  expect(Number(query.expires) - now.getTime() / 1000).toBe(900)
  expect(check({}, {}, later(959))).toBeDefined()
  expect(check({}, {}, later(961))).toBeUndefined()
})

test('THR-26: a link is valid for as long as requested', () => {
  const short = signedQuery(key, object, { now, lifeS: 30 })
  expect(check(short, {}, later(89))).toBeDefined()
  expect(check(short, {}, later(91))).toBeUndefined()
})

import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newId } from '../values/id.ts'
import { dataKeyOf, type SecretPlace, seal, unseal } from './sealed.ts'
import { Secret } from './secret.ts'

const dataKey = () => ({ id: newId(), key: createSecretKey(randomBytes(32)) })
const key = dataKey()
const place: SecretPlace = { table: 'mailboxes', column: 'password', rowId: newId(), organizationId: newId() }
const open = (sealed: Buffer, from = place, using = key) => unseal(using.key, from, sealed)?.reveal()

test.each(['', 'a', 'hunter2', 'סיסמה 🔑', 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(65_536)])(
  'SEC-3: what was sealed opens as it was (case %#)',
  (text) => expect(open(seal(key, place, new Secret(text)))).toBe(text),
)

test('SEC-3: a record is a version, the id of its key, a nonce of 96 bits, the text and a tag of 128 bits', () => {
  const sealed = seal(key, place, new Secret('x'.repeat(100)))
  expect(sealed[0]).toBe(1)
  expect(dataKeyOf(sealed)).toBe(key.id)
  expect(sealed.length).toBe(1 + 16 + 12 + (4 + 100) + 16)
})

test('SEC-3: texts shorter than 64 bytes are all of one length', () => {
  const lengths = ['', 'x', 'x'.repeat(63), 'x'.repeat(64)].map((text) => seal(key, place, new Secret(text)).length)
  expect(new Set(lengths)).toEqual(new Set([113]))
})

test('SEC-3: the same text is never sealed the same way twice', () => {
  const records = Array.from({ length: 1000 }, () =>
    seal(key, place, new Secret('same')).subarray(17, 29).toString('hex'),
  )
  expect(new Set(records).size).toBe(1000)
})

test('SEC-7: with any bit of it flipped, a record does not open', () => {
  const sealed = seal(key, place, new Secret('hunter2'))
  for (let index = 0; index < sealed.length; index++) {
    for (let bit = 0; bit < 8; bit++) {
      const altered = Buffer.from(sealed)
      altered.writeUInt8((sealed[index] ?? 0) ^ (1 << bit), index)
      // The header is read before anything is opened: a flip there names another version or a key that is not this one.
      const header = index < 17 && dataKeyOf(altered) !== key.id
      expect(header || open(altered) === undefined, `byte ${index}, bit ${bit}`).toBe(true)
    }
  }
})

test('SEC-7: a record that was cut short or grew does not open', () => {
  const sealed = seal(key, place, new Secret('hunter2'))
  for (let length = 0; length < sealed.length; length++) expect(open(sealed.subarray(0, length))).toBeUndefined()
  expect(open(Buffer.concat([sealed, Buffer.of(0)]))).toBeUndefined()
})

test.each<keyof SecretPlace>(['table', 'column', 'rowId', 'organizationId'])(
  'SEC-3 THR-20: a record moved to another %s does not open',
  (field) => {
    const sealed = seal(key, place, new Secret('hunter2'))
    expect(open(sealed, { ...place, [field]: field.endsWith('Id') ? newId() : 'other' })).toBeUndefined()
  },
)

test('SEC-3 THR-20: places whose concatenated names are equal are still different', () => {
  const sealed = seal(key, { ...place, table: 'ab', column: 'c' }, new Secret('hunter2'))
  expect(open(sealed, { ...place, table: 'a', column: 'bc' })).toBeUndefined()
})

test('SEC-7: another key opens nothing', () => {
  expect(open(seal(key, place, new Secret('hunter2')), place, dataKey())).toBeUndefined()
})

test('a text that is not well-formed Unicode is refused', () => {
  expect(() => seal(key, place, new Secret('\ud800'))).toThrow('well-formed')
  expect(() => seal(key, place, new Secret('x'.repeat(65_537)))).toThrow('at most')
})

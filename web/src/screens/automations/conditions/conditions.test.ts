import { describe, expect, test } from 'vitest'
import { readGuard, readOperand, shownOperand, writeGuard } from './conditions.ts'

const large = { left: '{{trigger.total}}', op: 'gt', right: 1000 }
const named = { left: '{{trigger.customerName}}', op: 'exists' }

describe('guards as sentences', () => {
  test.each([
    ['no guard', null, null],
    ['an empty guard', {}, null],
    ['one comparison', large, large],
    ['all of two', { all: [large, named] }, { all: [large, named] }],
    ['any of two', { any: [large, named] }, { any: [large, named] }],
    ['not one', { not: large }, { not: large }],
    ['none of two', { not: { any: [large, named] } }, { not: { any: [large, named] } }],
    ['groups in groups', { all: [large, { any: [named, large] }] }, { all: [large, { any: [named, large] }] }],
    ['a group of one', { all: [large] }, large],
  ])('%s is read and written the same', (_, cond, written) => expect(writeGuard(readGuard(cond))).toEqual(written))

  test.each([
    ['100', false, 100],
    ['007', false, '007'],
    ['1e3', false, '1e3'],
    ['true', false, true],
    ['Acme Ltd', false, 'Acme Ltd'],
    ['USD, EUR', true, ['USD', 'EUR']],
    ['{{trigger.tags}}', true, '{{trigger.tags}}'],
    ['', false, ''],
  ])('%s is read as %j', (text, isList, value) => {
    expect(readOperand(text, isList)).toEqual(value)
    expect(shownOperand(value)).toBe(text)
  })
})

import { expect, test } from 'vitest'
import { isClose, judge } from './judge.ts'
import { toAmount, toIsoDay } from './labels.ts'

test.each([
  ['12-01-19', '2019-01-12'],
  ['22/12/2017', '2017-12-22'],
  ['2018-03-23', '2018-03-23'],
  ['03/25/2018', '2018-03-25'],
  ['05 JAN 2017 12:41', '2017-01-05'],
  ['Jan 5, 2018', '2018-01-05'],
  ['29/12/201711:41', '2017-12-29'],
  ['12-01-1921:13', '2019-01-12'],
  ['20180304', '2018-03-04'],
  ['4.3.18', '2018-03-04'],
  ['13/13/2018', undefined],
  ['no date', undefined],
])('the label %s is the day %s', (printed, day) => {
  expect(toIsoDay(printed)).toBe(day)
})

test.each([
  ['33.90', '33.90'],
  ['RM 1,234.50', '1234.50'],
  ['$8', '8'],
  ['1.234,50', '1234.50'],
  ['1,200', '1200'],
  ['none', undefined],
])('the label %s is the amount %s', (printed, amount) => {
  expect(toAmount(printed)).toBe(amount)
})

const field = <T>(value: T, confidence = 1) => ({ value, confidence, box: null })

test('amounts are compared by value, names without case and punctuation, and what is not printed is wrong', () => {
  const truth = {
    values: { total: '12.50', vendor: 'Oak & Ivy Ltd.', date: '2026-01-31' },
    alternatives: { subtotal: ['11.00'] },
  }
  const fields = {
    total: field('12.5'),
    vendor: field('OAK & IVY LTD'),
    date: field('2026-01-30', 0.4),
    subtotal: field('11.00'),
    dueDate: field('2026-02-28'),
  }
  const found = judge(truth, fields).map((each) => [each.field, each.isRight, each.confidence])
  expect(found).toEqual([
    ['vendor', true, 1],
    ['date', false, 0.4],
    ['dueDate', false, 1],
    ['subtotal', true, 1],
    ['total', true, 1],
  ])
  expect(judge(truth, {}).map((each) => [each.field, each.isRight])).toEqual([
    ['vendor', false],
    ['date', false],
    ['total', false],
  ])
})

test('a name is close with edits of up to 12 % of its letters, or with one', () => {
  expect(isClose('99 SPEED MART S/B', '99 SFEED MART 5/B')).toBe(false) // two of 13
  expect(isClose('99 SPEED MART S/B', '99 SFEED MART S/B')).toBe(true)
  expect(isClose('ASIA', 'ASLA')).toBe(true)
  expect(isClose('TIMELESS KITCHENETTE SDN BHD', 'TIMELES KITCHENETE SDN BHD')).toBe(true)
})

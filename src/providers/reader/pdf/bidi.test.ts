import { describe, expect, test } from 'vitest'
import { inReadingOrder } from './bidi.ts'

/** A line as it is read, from how it is printed from left to right. Hebrew is printed here with its letters reversed. */
const read = (printed: string, direction: 'ltr' | 'rtl') =>
  inReadingOrder(
    printed.split(' ').map((text) => ({ text })),
    direction,
  )
    .map(({ text }) => text)
    .join(' ')

const reversed = (text: string) => [...text].toReversed().join('')

describe('a line from right to left', () => {
  test.each<[string, string, string]>([
    ['words', reversed('תודה ולהתראות'), 'תודה ולהתראות'],
    ['a number at its end', `118.00 ${reversed('סה"כ')}`, 'סה"כ 118.00'],
    ['numbers in several places', `2 59.00 118.00 ${reversed('מקלדת')}`, 'מקלדת 118.00 59.00 2'],
    ['Latin words, which keep their order', `${reversed('בע"מ')} Acme Ltd ${reversed('לכבוד:')}`, 'לכבוד: Acme Ltd בע"מ'],
    ['a number beside Latin words', `K120 Logitech ${reversed('מקלדת')}`, 'מקלדת K120 Logitech'],
    ['a comma after Latin words', `,Acme Ltd ${reversed('לכבוד')}`, 'לכבוד Acme Ltd,'],
    ['a comma after a number', `${reversed('טלפון')} ,514000017 ${reversed('עוסק')}`, 'עוסק 514000017, טלפון'],
    ['a dash beside Latin words', `Cloud – ${reversed('ענן')}`, 'ענן – Cloud'],
    ['a minus before a number', `5.00- ${reversed('הנחה')}`, 'הנחה -5.00'],
    ['the stars of a card', `1234**** ${reversed('ויזה')}`, 'ויזה ****1234'],
    ['a fraction without zero', `.50 ${reversed('הנחה')}`, 'הנחה .50'],
    ['a number inside a word', `5.3-${reversed('ב')}`, 'ב-5.3'],
    ['a percentage', `18% ${reversed('מע"מ')}`, 'מע"מ 18%'],
    ['a day', `14/02/2026 ${reversed('תאריך:')}`, 'תאריך: 14/02/2026'],
    ['brackets stored by their shape', `(${reversed('ישראל')})`, '(ישראל)'],
    ['brackets stored by their meaning', `)${reversed('ישראל')}(`, '(ישראל)'],
    ['brackets stored in both ways', `)Hosting) ${reversed('שרתים')}`, 'שרתים (Hosting)'],
    ['numbers alone', '118.00 2', '2 118.00'],
  ])('%s', (_, printed, expected) => expect(read(printed, 'rtl')).toBe(expected)) // biome-ignore format: a table
})

describe('a line from left to right', () => {
  test.each<[string, string, string]>([
    ['words and numbers', 'Total (EUR) 118.00', 'Total (EUR) 118.00'],
    ['Hebrew words, which are reversed', `Bank ${reversed('בנק לאומי')} 10`, 'Bank בנק לאומי 10'],
    ['a number between Hebrew words', `Street ${reversed('רחוב')} 5 ${reversed('דירה')}`, 'Street דירה 5 רחוב'],
    ['a closing bracket alone', '1) Paper', '1) Paper'],
    ['a full stop', '.5 of it.', '.5 of it.'],
  ])('%s', (_, printed, expected) => expect(read(printed, 'ltr')).toBe(expected))
})

import { expect, test } from 'vitest'
import { hebrewBytes, nineDigits, toHebrewSet } from './text.ts'
import { layouts } from './uniform/layouts.ts'
import { writeRecord } from './uniform/record.ts'

test('text is written with the letters that ISO-8859-8 has', () => {
  const cases: [string, string][] = [
    ['קפה הגליל בע״מ', 'קפה הגליל בע"מ'],
    ['צ׳ק – שָׁלוֹם ־', "צ'ק - שלום -"],
    ['José Ñandú Ｆｕｌｌ ﬁ', 'Jose Nandu Full fi'],
    ['李小龙', '???'],
    ['☕️👨‍👩‍👧', '????'],
    ['\u200fRTL\u200e\u202eabc\u2069', 'RTLabc'],
    ['a\tb\r\nc\u0000d\u0085e\u2028f\u00a0g', 'a b  c d e f g'],
    ['100 ₪ €', '100 ILS EUR'],
    ['\ud800 lone', '? lone'],
  ]
  for (const [given, expected] of cases) expect(toHebrewSet(given)).toBe(expected)
  expect(new TextDecoder('iso-8859-8').decode(hebrewBytes('אבת abc'))).toBe('אבת abc')
  expect(new TextDecoder('windows-1255').decode(hebrewBytes('אבת abc'))).toBe('אבת abc')
})

test('a record has its length, whatever the text', () => {
  const lengths = { A000: 466, A100: 95, B100: 317, B110: 376, C100: 444, D110: 339, D120: 222, M100: 298, Z900: 110 }
  expect(Object.fromEntries(Object.entries(layouts).map(([code, { length }]) => [code, length]))).toEqual(lengths)
  const texts = [
    '',
    'א'.repeat(300),
    '👨‍👩‍👧'.repeat(40),
    'e\u0301'.repeat(60),
    '\u202e\u0000\n',
    'ﷺ'.repeat(30),
    '½'.repeat(60),
  ]
  for (const layout of Object.values(layouts))
    for (const text of texts) {
      const values = layout.fields.map(({ number, kind }) => [number, kind === 'signed' ? -(10n ** 30n) : text])
      expect(hebrewBytes(writeRecord(layout, Object.fromEntries(values))).length).toBe(layout.length)
    }
})

test('amounts have a sign and digits', () => {
  const fields = (value: bigint, number: number) =>
    writeRecord(
      {
        code: 'X',
        length: 0,
        fields: [
          { number: 0, kind: 'text', width: 0 },
          { number, kind: 'signed', width: 15 },
        ],
      },
      { [number]: value },
    )
  expect(fields(123_456n, 1219)).toBe('+00000000123456')
  expect(fields(-1_000n, 1220)).toBe('-00000000001000')
})

test('an Israeli number has nine digits', () => {
  expect(['51-400000-9', ' 18 ', '', null, '0', '1234567890', 'DE123'].map(nineDigits)).toEqual([
    '514000009', '000000018', undefined, undefined, undefined, undefined, undefined,
  ]) // biome-ignore format: a row
})

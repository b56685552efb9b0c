import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeRanges } from '../../test/readers/font-characters.ts'
import { decodeRanges, toPrintable, toPrintableJson, unprintableIn } from './characters.ts'

test.each([
  ['Chinese', '陈氏贸易有限公司'],
  ['traditional Chinese', '臺灣積體電路製造股份有限公司'],
  ['Arabic', 'شركة النور للتجارة (ذ.م.م)'],
  ['Persian', 'شرکت نمونه‌ای پژوهش'],
  ['Russian', 'ООО «Ромашка»'],
  ['Ukrainian', 'ТОВ «Їжак і Ґанок»'],
  ['Greek', 'Ελληνική Εταιρεία ΑΕ'],
  ['Vietnamese', 'Công ty TNHH Thương mại Điện tử Việt Nam'],
  ['Thai', 'บริษัท ตัวอย่าง จำกัด'],
  ['Tamil', 'தமிழ் நிறுவனம்'],
  ['Hindi', 'उदाहरण प्राइवेट लिमिटेड'],
  ['Japanese', '株式会社サンプル・ほけん'],
  ['Korean', '주식회사 예시 한국'],
  ['Polish', 'Żółta Łódź Sp. z o.o.'],
  ['Hebrew with vowels', 'שָׁלוֹם'],
  ['currency symbols', '₹ ₩ ₫ ₱ € £ ¥ ₪ ₺ ₴ ₦ ฿'],
])('%s can be printed', (_, text) => {
  expect(unprintableIn(text)).toEqual([])
  expect(toPrintable(text).text.normalize('NFC')).toBe(text.normalize('NFC'))
})

test('characters that cannot be printed are found, each once, and printed as question marks', () => {
  expect(unprintableIn('Party 🎉 and 🎉 🙂!')).toEqual(['🎉', '🙂'])
  expect(toPrintable('Party 🎉!').text).toBe('Party ?!')
  expect(toPrintable('👩🏽‍💻').text).toBe('??')
})

test('tabs and line breaks become spaces, and characters without a shape are removed', () => {
  expect(toPrintable('a\tb\u2028c\u202ee\u0007').text).toBe('a b ce')
  expect(unprintableIn('a\tb\u2028c\u202ee\u0007')).toEqual([])
})

test('letters and their accents become one character', () => {
  expect(toPrintable('Nguye\u0302\u0303n').text).toBe('Nguyễn')
  expect(toPrintable('\u1112\u1161\u11ab').text).toBe('한')
})

test('most documents need no further fonts', () => {
  expect(toPrintable('Café “Zürich” – 5 €, חשבונית מס').families).toEqual(['Heebo', 'Noto Sans Hebrew'])
})

test.each([
  ['Романов', ['Noto Sans']],
  ['شركة', ['Noto Sans Arabic']],
  ['陈氏', ['Noto Sans S Chinese']],
  ['株式会社サンプル', ['BIZ UDPGothic']],
  ['주식회사', ['NanumGothic']],
  ['陈氏 Романов', ['Noto Sans', 'Noto Sans S Chinese']],
])('%s is printed with %j', (text, families) => {
  expect(toPrintable(text).families).toEqual(['Heebo', 'Noto Sans Hebrew', ...families])
})

test('the characters of one text tell the language of another one in the same document', () => {
  const { text, families } = toPrintableJson({ name: '東京商事', lines: ['サンプル', 'a\tb'], count: 1 })
  expect(families).toEqual(['Heebo', 'Noto Sans Hebrew', 'BIZ UDPGothic'])
  expect(JSON.parse(text)).toEqual({ name: '東京商事', lines: ['サンプル', 'a b'], count: 1 })
})

test('joiners of Persian and Hindi words are kept', () => {
  expect(toPrintable('می‌خواهم').text).toBe('می‌خواهم')
  expect(toPrintable('a\u200db مثال').text).toBe('ab مثال')
})

test('ranges that are written as text are read back', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 0x10ffff })), (codes) => {
      const sorted = codes.toSorted((a, b) => a - b)
      const bounds = decodeRanges(encodeRanges(sorted))
      const read: number[] = []
      for (let at = 0; at < bounds.length; at += 2)
        for (let code = bounds[at] ?? 0; code <= (bounds[at + 1] ?? -1); code++) read.push(code)
      expect(read).toEqual(sorted)
    }),
  )
})

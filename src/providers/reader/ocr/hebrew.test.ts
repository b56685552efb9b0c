import { expect, test } from 'vitest'
import { inReadingOrder, mergeHebrew } from './hebrew.ts'
import { pieceOf } from './words.ts'

/** Characters of ten columns each, from a column on. */
const characters = (text: string, start: number, confidence = 0.99) =>
  [...text].map((each, index) => ({ text: each, confidence, column: start + index * 10 + 5 }))

const latin = (text: string, start: number, confidence?: number) =>
  pieceOf(characters(text, start, confidence), start, start + text.length * 10)

/** A word of Tesseract: Hebrew runs from right to left, the rest from left to right. */
const tesseractWord = (text: string, start: number, confidence = 0.9) => {
  const rtl = /[א-ת]/.test(text)
  const symbols = [...text].map((each, index) => {
    const from = start + (rtl ? text.length - 1 - index : index) * 10
    return { text: each, confidence, from, to: from + 9 }
  })
  return { confidence, symbols }
}

const textsOf = (pieces: readonly { text: string }[]) => pieces.map(({ text }) => text)

test('Hebrew words are of one reading, digits of the other', () => {
  const other = { characters: [...characters('29.51', 0), ...characters('nJI', 100, 0.6)], height: 40 }
  const words = [tesseractWord('29.11', 0, 0.4), tesseractWord('לחם', 100)]
  const merged = mergeHebrew(words, { ...other, words: [latin('29.51', 0), latin('nJI', 100, 0.6)] })
  expect(textsOf(merged)).toEqual(['29.51', 'לחם'])
})

test('a gap separates numbers but not the parts of a day', () => {
  const words = [
    tesseractWord('14/03', 0),
    tesseractWord('/2025', 65),
    tesseractWord('2', 130),
    tesseractWord('שעה', 200),
  ]
  const day = [...characters('14/03', 0), ...characters('/2025', 65), ...characters('2', 130)]
  const merged = mergeHebrew(words, { characters: day, words: [pieceOf(day, 0, 140)], height: 40 })
  expect(textsOf(merged)).toEqual(['14/03/2025', '2', 'שעה'])
})

test('a number that only Tesseract finds is kept with less confidence', () => {
  const merged = mergeHebrew([tesseractWord('4580', 0), tesseractWord('שולם', 100)], {
    characters: [],
    words: [],
    height: 40,
  })
  expect(textsOf(merged)).toEqual(['4580', 'שולם'])
  expect(merged[0]?.confidence).toBeCloseTo(0.72)
})

test('a Hebrew line is read from right to left, Latin words in it from left to right', () => {
  const words = ['Visa', '4580', 'באשראי', 'שולם'].map((text) => ({ text }))
  expect(textsOf(inReadingOrder(words, () => true))).toEqual(['שולם', 'באשראי', 'Visa', '4580'])
  const numbers = ['17:42', '14/03/2025', 'תאריך'].map((text) => ({ text }))
  expect(textsOf(inReadingOrder(numbers, () => true))).toEqual(['תאריך', '14/03/2025', '17:42'])
})

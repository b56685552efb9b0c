import type { Page, Word } from '../providers/reader/reading.ts'

const columns = 48
const rowHeight = 1 / 60

/**
 * A page of print with characters of equal width, for tests. Two blanks or more are a gap between columns. A line that begins
 * with "# " is in print of twice the size. Hebrew is given as it is read and runs from the right.
 */
export function printed(...lines: string[]): Page {
  let y = 0
  const result = lines.map((given) => {
    const size = given.startsWith('# ') ? 2 : 1
    const text = given.replace(/^# /, '')
    const direction = /[א-ת]/.test(text) ? ('rtl' as const) : ('ltr' as const)
    const words = wordsOf(text, y, size, direction === 'rtl')
    y += rowHeight * size * 1.2
    const whole = { page: 1, x: 0, y, width: 1, height: rowHeight * size }
    return { text: words.map((word) => word.text).join(' '), box: whole, confidence: 1, words, direction }
  })
  return { number: 1, width: 480, height: 1200, lines: result.filter(({ words }) => words.length > 0) }
}

function wordsOf(text: string, y: number, size: number, isMirrored: boolean): Word[] {
  return [...text.matchAll(/\S+/g)].map((match) => {
    const width = (match[0].length * size) / columns
    const x = (match.index * size) / columns
    const box = { page: 1, x: isMirrored ? 1 - x - width : x, y, width, height: rowHeight * size }
    return { text: match[0], box, confidence: 0.99 }
  })
}

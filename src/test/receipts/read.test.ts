import { expect, test, vi } from 'vitest'
import { readDocument } from '../../providers/reader/read-document.ts'
import { type FieldName, type Fields, type Hints, Unreadable } from '../../providers/reader/reading.ts'
import { inProof } from '../prove.ts'
import { generateReceipt } from './generate.ts'
import { type Judgement, judge } from './judge.ts'
import type { Difficulty, Script } from './types.ts'

vi.setConfig({ testTimeout: 600_000 }) // pictures take seconds each on a machine that is busy

const layouts: Record<Script, string[]> = {
  en: ['till-narrow', 'till-wide', 'till-dot-matrix', 'till-two-columns', 'till-tax-summary', 'till-date-at-foot', 'restaurant-tip', 'fuel-receipt', 'invoice-grid', 'receipt-amount-on-top'],
  he: ['till-narrow', 'till-proportional', 'till-condensed', 'kiosk-slip', 'pharmacy-mixed', 'restaurant-service', 'taxi-slip', 'parking-ticket', 'invoice-notes-left', 'invoice-boxes'],
} // biome-ignore format: a row for each script
const difficulties: Difficulty[] = ['clean', 'scan', 'photo', 'scan', 'photo']

/** Where each script begins in the list of difficulties. */
const easiest: Record<Script, number> = { en: 0, he: inProof(1, 0) }

/** How many receipts of each script; together there is one of every difficulty. */
const count = inProof(2, 10)

test('generated receipts are read: total and date of both scripts, as often as the bars of the benchmark ask', async () => {
  const read: Record<Script, Judgement[]> = { en: [], he: [] }
  for (const script of ['en', 'he'] as const)
    for (const [at, layout] of layouts[script].slice(0, count).entries()) {
      const seed = 1_000 + at
      const difficulty = difficulties[(at + easiest[script]) % difficulties.length] ?? 'clean'
      const receipt = await generateReceipt(seed, { layout, script, difficulty })
      read[script].push(...judge(receipt, await fieldsOf(receipt.image, receipt.hints)))
    }
  const all = [...read.en, ...read.he]
  const wrong = all.filter(({ isRight }) => !isRight).map((each) => Object.values(each).join(' '))
  const rightOf = (judgements: Judgement[], field: FieldName) =>
    judgements.filter((each) => each.field === field && each.expected !== undefined && each.isRight).length
  expect(rightOf(all, 'total'), wrong.join('\n')).toBeGreaterThanOrEqual(2 * count - 1)
  expect(rightOf(all, 'date'), wrong.join('\n')).toBeGreaterThanOrEqual(2 * count - 1)
  expect(rightOf(all, 'vendor'), wrong.join('\n')).toBeGreaterThanOrEqual(Math.ceil(0.8 * 2 * count))
  expect(rightOf(read.he, 'total'), wrong.join('\n')).toBeGreaterThanOrEqual(count - 1)
  expect(rightOf(read.he, 'date'), wrong.join('\n')).toBeGreaterThanOrEqual(count - 1)
})

/** Read in this process: the reader's own has the lowest priority, and the other tests would take most of its time. */
async function fieldsOf(image: Buffer, hints: Hints): Promise<Fields> {
  try {
    return (await readDocument(image, 'image/jpeg', hints)).fields
  } catch (error) {
    if (error instanceof Unreadable) return {}
    throw error
  }
}

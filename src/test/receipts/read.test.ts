import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import { openReceiptReader } from '../../providers/reader/reader.ts'
import type { FieldName } from '../../providers/reader/reading.ts'
import { newFolder } from '../temporary-folder.ts'
import { generateReceipt } from './generate.ts'
import { type Judgement, judge } from './judge.ts'
import type { Difficulty, Script } from './types.ts'

vi.setConfig({ testTimeout: 600_000 }) // twenty pictures, on a machine that is busy

const layouts: Record<Script, string[]> = {
  en: ['till-narrow', 'till-wide', 'till-dot-matrix', 'till-two-columns', 'till-tax-summary', 'till-date-at-foot', 'restaurant-tip', 'fuel-receipt', 'invoice-grid', 'receipt-amount-on-top'],
  he: ['till-narrow', 'till-proportional', 'till-condensed', 'kiosk-slip', 'pharmacy-mixed', 'restaurant-service', 'taxi-slip', 'parking-ticket', 'invoice-notes-left', 'invoice-boxes'],
} // biome-ignore format: a row for each script
const difficulties: Difficulty[] = ['clean', 'scan', 'photo', 'scan', 'photo']

const reader = openReceiptReader({ fileMs: 120_000, answerMs: 130_000 })
afterAll(() => reader.close())

test('twenty generated receipts are read: total and date of both scripts, as often as the bars of the benchmark ask', async () => {
  const folder = newFolder('receipts')
  const read: Record<Script, Judgement[]> = { en: [], he: [] }
  for (const script of ['en', 'he'] as const)
    for (const [at, layout] of layouts[script].entries()) {
      const seed = 1_000 + at
      const difficulty = difficulties[at % difficulties.length] ?? 'clean'
      const receipt = await generateReceipt(seed, { layout, script, difficulty })
      const path = join(folder, `${script}-${at}`)
      writeFileSync(path, receipt.image)
      const contentType = difficulty === 'clean' ? 'image/png' : 'image/jpeg'
      const outcome = await reader.read({ path, contentType, hints: receipt.hints, organizationId: newId() })
      read[script].push(...judge(receipt, 'reading' in outcome ? outcome.reading.fields : {}))
    }
  const all = [...read.en, ...read.he]
  const wrong = all.filter(({ isRight }) => !isRight).map((each) => Object.values(each).join(' '))
  const rightOf = (judgements: Judgement[], field: FieldName) =>
    judgements.filter((each) => each.field === field && each.expected !== undefined && each.isRight).length
  expect(rightOf(all, 'total'), wrong.join('\n')).toBeGreaterThanOrEqual(19)
  expect(rightOf(all, 'date'), wrong.join('\n')).toBeGreaterThanOrEqual(19)
  expect(rightOf(all, 'vendor'), wrong.join('\n')).toBeGreaterThanOrEqual(16)
  expect(rightOf(read.he, 'total'), wrong.join('\n')).toBeGreaterThanOrEqual(9)
  expect(rightOf(read.he, 'date'), wrong.join('\n')).toBeGreaterThanOrEqual(9)
})

import { describe, expect, test, vi } from 'vitest'
import { pairs } from '../prove.ts'
import { textOf } from '../readers/text-of-pdf.ts'
import { generatePdf, generateReceipt, layoutNames } from './generate.ts'
import { fromPaper } from './perspective.ts'

vi.setConfig({ testTimeout: 120_000 }) // the first receipt compiles Typst

test('there are forty layouts, with different names', () => {
  expect(new Set(layoutNames).size).toBe(40)
})

const scripts = ['en', 'he'] as const

describe.each(scripts)('in the script %s', (script) => {
  test('every layout is printed on one page, with its total, number and tax number, and its figures add up', async () => {
    const inScript = pairs([...layoutNames.entries()], scripts).filter(([, each]) => each === script)
    expect(inScript.length).toBeGreaterThanOrEqual(layoutNames.length / scripts.length)
    for (const [[seed, layout]] of inScript) {
      const { values, pdf, alternatives } = await generatePdf(seed, { script })
      expect(pdf.toString('latin1')).toMatch(/\/Type \/Pages\s+\/Count 1\b/)
      const text = compact(await textOf(pdf))
      const wanted = [values.total, values.documentNumber, values.vendorTaxNumber, values.taxAmount]
      for (const value of wanted) if (value !== undefined) expect(text, `${layout}: ${value}`).toContain(compact(value))
      expect(values).toMatchObject({ vendor: expect.any(String), date: expect.stringMatching(/^202[456]-\d\d-\d\d$/) })
      expect(Number(values.total)).toBeGreaterThan(0)
      expect(alternatives.subtotal?.length).toBeGreaterThan(0)
      const sum = values.items?.reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0)
      if (sum !== undefined) expect((sum / 100).toFixed(2)).toBe(alternatives.subtotal?.[1])
    }
  })
})

/** Without spaces, separators of thousands and empty minor units, which some layouts do not print. */
const compact = (text: string) => text.replace(/[\s,]|\.00$/g, '')

test('a seed gives the same values again, and another seed gives others', async () => {
  const [first, again, other] = [await generatePdf(7), await generatePdf(7), await generatePdf(47)]
  expect(again).toEqual(first)
  expect(other.layout).toBe(first.layout)
  expect(other.values.total).not.toBe(first.values.total)
})

test('seeds reach three countries and both scripts', async () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 24; seed++) {
    const { country, script } = await generatePdf(seed, { layout: 'kiosk-slip' })
    seen.add(`${country} ${script}`)
  }
  expect([...seen].toSorted()).toEqual(['IL en', 'IL he', 'SG en', 'US en'])
})

test('a clean picture is PNG, every other one JPEG, and pictures of the same receipt differ', async () => {
  const of = async (difficulty: 'clean' | 'scan' | 'photo' | 'hard') =>
    (await generateReceipt(3, { layout: 'kiosk-slip', difficulty })).image
  const clean = await of('clean')
  expect(clean.subarray(1, 4).toString()).toBe('PNG')
  const others = [await of('scan'), await of('photo'), await of('hard')]
  for (const image of others) expect(image.subarray(0, 2).toString('hex')).toBe('ffd8')
  expect(new Set(others.map((image) => image.length)).size).toBe(3)
})

test('the perspective leads from the corners of the picture to the corners of the paper', () => {
  const corners = [
    [12, 30],
    [410, 18],
    [430, 620],
    [5, 600],
  ] as const
  const toPaper = fromPaper(corners)
  const places = corners.map(([x, y]) => toPaper(x, y).map((side) => Math.round(side * 1e6) / 1e6 + 0))
  expect(places).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ])
})

import { expect, test } from 'vitest'
import { printed } from '../../../test/printed-page.ts'
import { confidenceOf } from './confidence.ts'
import { findingsIn } from './extract.ts'

const evidenceOf = (...lines: string[]) => {
  const { findings } = findingsIn([printed(...lines)], {
    country: 'SG',
    dateOrder: 'DMY',
    currency: 'SGD',
    today: '2026-11-16',
  })
  return (name: string) => findings.find((finding) => finding.name === name)?.evidence ?? []
}

test('what speaks for a value is named', () => {
  const evidence = evidenceOf(
    'NORTH PIER CAFE PTE LTD',
    'Date 23/04/2025 10:11',
    'Total 6.50',
    'Cash 10.00',
    'Change 3.50',
  )
  expect(evidence('vendor')).toContain('suffix')
  expect(evidence('date')).toEqual(expect.arrayContaining(['labelled', 'with a time', 'order printed']))
  expect(evidence('total')).toEqual(expect.arrayContaining(['label total', 'cash less change']))
  expect(evidenceOf('NORTH PIER CAFE', 'Total 6.50', 'Cash 10.00', 'Change 2.50')('total')).toContain(
    'cash contradicts',
  )
})

test('agreement raises the confidence, contradiction and poor print lower it', () => {
  const usual = confidenceOf('total', ['label total'])
  expect(confidenceOf('total', ['label total', 'cash less change'])).toBeGreaterThan(usual)
  expect(confidenceOf('total', ['label total', 'cash contradicts'])).toBeLessThan(usual)
  expect(confidenceOf('total', ['label total', 'print poor'])).toBeLessThan(usual)
  expect(confidenceOf('items', ['adds up'])).toBeGreaterThan(confidenceOf('items', []))
})

import { expect, test } from 'vitest'
import type { Check, FieldName, Fields, Reading, Values } from '../../../core/outside/receipt-reader.ts'
import { mergeReadings } from './merge.ts'

const box = { page: 1, x: 0.1, y: 0.2, width: 0.3, height: 0.1 }
const model = 'openai:vision'

function offlineWith(values: Partial<Values>, { confidence = 0.8, checks = [] as Check[] } = {}): Reading {
  const fields = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value, confidence, box }]))
  return { providerId: 'kontor-ocr', fields: fields as Fields, checks, pages: 1, text: '', turned: [0] }
}
const merged = (offline: Reading, values: Partial<Values>, name: FieldName) =>
  mergeReadings(offline, values, model).fields[name]

test('a value on which both agree keeps its place and becomes surer, whatever its spelling', () => {
  const offline = offlineWith({ total: '21.80', vendor: 'ACME PTE. LTD.', documentNumber: 'A-1/7', date: '2026-01-02' })
  const values = { total: '21.8', vendor: 'Acme Pte Ltd', documentNumber: 'A1 7', date: '2026-01-02' }
  const { fields, providerId } = mergeReadings(offline, values, model)
  expect(providerId).toBe(model)
  for (const name of ['total', 'vendor', 'documentNumber', 'date'] as const)
    expect(fields[name]).toEqual({ value: offline.fields[name]?.value, confidence: 0.95, box, reader: 'kontor-ocr' })
  expect(merged(offlineWith({ total: '1' }, { confidence: 0.99 }), { total: '1' }, 'total')?.confidence).toBe(0.99)
})

test('a value that one reader alone has is taken over', () => {
  const offline = offlineWith({ vendor: 'Acme' })
  expect(merged(offline, { date: '2026-01-02' }, 'vendor')).toEqual({
    value: 'Acme',
    confidence: 0.8,
    box,
    reader: 'kontor-ocr',
  })
  expect(merged(offline, { date: '2026-01-02' }, 'date')).toEqual({
    value: '2026-01-02',
    confidence: 0.8,
    box: null,
    reader: model,
  })
})

test('of two amounts the one with which the calculations come out wins, whoever read it', () => {
  const right = { subtotal: '20.00', taxAmount: '1.80', taxRate: '9', total: '21.80' }
  const wrong = { ...right, total: '27.80' }
  const misread = mergeReadings(offlineWith(wrong, { confidence: 0.95, checks: [{ rule: 'SUBTOTAL_PLUS_TAX', holds: false }] }), right, model)
  expect(misread.fields.total).toEqual({ value: '21.80', confidence: 0.9, box: null, reader: model })
  expect(misread.fields.taxAmount?.reader).toBe('kontor-ocr')
  expect(misread.checks).toEqual([{ rule: 'SUBTOTAL_PLUS_TAX', holds: true }, { rule: 'TAX_RATE', holds: true }])

  const own: Check[] = [{ rule: 'SUBTOTAL_PLUS_TAX', holds: true }, { rule: 'CASH_MINUS_CHANGE', holds: true }]
  const invented = mergeReadings(offlineWith(right, { confidence: 0.5, checks: own }), wrong, model)
  expect(invented.fields.total).toEqual({ value: '21.80', confidence: 0.9, box, reader: 'kontor-ocr' })
  expect(invented.checks).toEqual(own)
}) // biome-ignore format: a reading a line

test('each reader may be right about another amount', () => {
  const offline = offlineWith({ subtotal: '20.00', taxAmount: '7.80', total: '21.80' })
  const { fields } = mergeReadings(offline, { subtotal: '26.00', taxAmount: '1.80', total: '21.80' }, model)
  expect([fields.subtotal?.value, fields.taxAmount?.value, fields.total?.value]).toEqual(['20.00', '1.80', '21.80'])
  expect([fields.subtotal?.reader, fields.taxAmount?.reader]).toEqual(['kontor-ocr', model])
})

test('where nothing decides, the surer reader’s value is taken and a person has to look', () => {
  const values = { total: '27.80', date: '2026-02-01' }
  const read = { total: '21.80', date: '2026-01-02' }
  const sure = mergeReadings(offlineWith(read, { confidence: 0.93 }), values, model).fields
  expect(sure.total).toEqual({ value: '21.80', confidence: 0.6, box, reader: 'kontor-ocr' })
  expect(sure.date).toMatchObject({ value: '2026-01-02', confidence: 0.6 })
  const unsure = mergeReadings(offlineWith(read, { confidence: 0.7 }), values, model).fields
  expect(unsure.total).toEqual({ value: '27.80', confidence: 0.6, box: null, reader: model })
  expect(unsure.date).toMatchObject({ value: '2026-02-01', confidence: 0.6, reader: model })
})

test('a vendor with a few other letters is written as the model does, at the place of the built-in reader', () => {
  const offline = offlineWith({ vendor: 'Aeme Trad1ng Pte Ltd' }, { confidence: 0.95 })
  expect(merged(offline, { vendor: 'Acme Trading Pte Ltd' }, 'vendor')).toEqual({
    value: 'Acme Trading Pte Ltd',
    confidence: 0.9,
    box,
    reader: model,
  })
  expect(merged(offline, { vendor: 'Globex' }, 'vendor')).toMatchObject({
    value: 'Aeme Trad1ng Pte Ltd',
    confidence: 0.6,
  })
})

import { accountRecords, itemFields, journalRecords } from './book-records.ts'
import { documentRecords } from './document-records.ts'
import { layouts } from './layouts.ts'
import { type UniformRecord, writeRecord } from './record.ts'
import type { Uniform } from './uniform.ts'

export const constant = '&OF1.31&'

/** The records of BKMVDATA in their order, without their numbers. */
export function* recordsOf(uniform: Uniform): Generator<UniformRecord> {
  yield { code: 'A100', values: { 1103: uniform.primaryId, 1104: constant } }
  for (const [index, document] of uniform.documents.entries()) yield* documentRecords(uniform, document, index + 1)
  yield* journalRecords(uniform)
  yield* accountRecords(uniform)
  for (const item of uniform.items) yield { code: 'M100', values: itemFields(uniform, item) }
  yield { code: 'Z900', values: { 1153: uniform.primaryId, 1154: constant } }
}

/** A record as a line of the file. Every record has its number and the number of the business as its second and third field. */
export function writeLine(
  { code, values }: UniformRecord,
  numbers: { record: number; dealer: string; total: number },
): string {
  const layout = layouts[code]
  const [, second, third] = layout.fields
  const common = { [second?.number ?? 0]: numbers.record, [third?.number ?? 0]: numbers.dealer }
  return writeRecord(layout, { ...values, ...common, ...(code === 'Z900' && { 1155: numbers.total }) })
}

import { convert, minorDigits } from '../../../../core/values/money.ts'
import { toHebrewSet } from '../text.ts'

/** Text, left-aligned; digits, right-aligned; a sign and digits, in the smallest unit of the field. */
type FieldKind = 'text' | 'digits' | 'signed'
type Field = { number: number; kind: FieldKind; width: number }
type Layout = { code: string; length: number; fields: readonly Field[] }
type Value = string | number | bigint | null | undefined
export type Values = Readonly<Record<number, Value>>

type Code = 'A100' | 'B100' | 'B110' | 'C100' | 'D110' | 'D120' | 'M100' | 'Z900'
export type UniformRecord = { code: Code; values: Values }

/**
 * A layout from the table of the instructions: `1203 9(3)`, `1204 X(20)`, `1219 S(15)`. S is a sign followed by digits, such as
 * X9(12)V99, and 15 its whole length.
 */
export function layout(code: string, table: string): Layout {
  const fields = table
    .trim()
    .split(/\s*\|\s*|\n\s*/)
    .map((text): Field => {
      const [, number, kind = '', width] = /^(\d{4}) ([9XS])\((\d+)\)$/.exec(text) ?? []
      if (!number) throw new Error(`${text} is no field of a record.`)
      return { number: Number(number), kind: kinds[kind] ?? 'text', width: Number(width) }
    })
  return { code, fields, length: fields.reduce((sum, { width }) => sum + width, 0) }
}

const kinds: Record<string, FieldKind> = { 9: 'digits', X: 'text', S: 'signed' }

/** A record without its line end. The first field is its code. */
export function writeRecord({ code, fields }: Layout, values: Values): string {
  return fields.map((field, at) => writeField(field, at === 0 ? code : values[field.number])).join('')
}

function writeField({ kind, width }: Field, value: Value): string {
  const isEmpty = value === undefined || value === null || value === ''
  if (kind === 'text') return isEmpty ? ' '.repeat(width) : toHebrewSet(String(value)).slice(0, width).padEnd(width)
  if (kind === 'digits') return isEmpty ? '0'.repeat(width) : digitsOf(value).slice(-width).padStart(width, '0')
  const amount = BigInt(value ?? 0)
  const digits = String(amount < 0n ? -amount : amount)
  return (amount < 0n ? '-' : '+') + (digits.length < width ? digits.padStart(width - 1, '0') : '9'.repeat(width - 1))
}

const digitsOf = (value: string | number | bigint) =>
  typeof value === 'string' ? value.replace(/\D/g, '') : String(value)

/** The largest amount of a signed field of 15 characters, in hundredths. */
export const amountFieldMax = 10n ** 14n - 1n

/** An amount with two decimals, whatever the currency has. */
export const hundredths = (minor: number, currency: string): bigint =>
  minorDigits(currency) === 2 ? BigInt(minor) : convert(BigInt(minor), { from: currency, to: 'ILS', rate: 1 })

/** `20260131` */
export const compactDay = (day: string): string => day.replaceAll('-', '')

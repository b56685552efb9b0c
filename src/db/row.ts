import type { FieldDef } from 'pg'
import pg from 'pg'
import { toCamel } from './names.ts'

export type Row = Record<string, unknown>

/** A column of a result: the property it becomes and how its text is read. */
export type Column = { key: string; parse: (text: string) => unknown }

export const columnsOf = (fields: FieldDef[]): Column[] =>
  fields.map(({ name, dataTypeID }) => ({ key: toCamel(name), parse: parserOf(dataTypeID) }))

export function toRow(columns: Column[], values: (string | null)[]): Row {
  const row: Row = {}
  for (let i = 0; i < columns.length; i++) {
    const column = columns[i]
    const value = values[i]
    if (column) row[column.key] = value === null || value === undefined ? null : column.parse(value)
  }
  return row
}

const asIs = (text: string) => text

/** `2026-11-15 08:30:00.123456+00` to `2026-11-15T08:30:00.123Z`: connections speak UTC, so the offset is always +00. */
export const toInstant = (text: string) =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${
    text
      .slice(19)
      .match(/^\.(\d+)/)?.[1]
      ?.padEnd(3, '0')
      .slice(0, 3) ?? '000'
  }Z`

/** bigint columns are counts and minor units; both stay within what a number holds exactly. */
function toInteger(text: string) {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error(`${text} is larger than a number holds exactly`)
  return number
}

const TIMESTAMPTZ = 1184
const DATE = 1082
const INT8 = 20
const UUID_ARRAY = 2951

function parserOf(oid: number): (text: string) => unknown {
  switch (oid) {
    case TIMESTAMPTZ:
      return toInstant
    case DATE:
      return asIs
    case INT8:
      return toInteger
    case UUID_ARRAY:
      return (text) => (text === '{}' ? [] : text.slice(1, -1).split(','))
    default:
      return pg.types.getTypeParser(oid, 'text')
  }
}

import type { Column, Field, Reading } from './field.ts'
import { type Cell, columnLetters, isEmpty, TableRefusal } from './table.ts'
import { textOf } from './values.ts'

/** What each column is read as: by the mapping, or else by its header. */
export function recogniseColumns(
  header: readonly Cell[],
  { fields, mapping = {} }: Pick<Reading, 'fields' | 'mapping'>,
): Column[] {
  const mapped = readMapping(header, fields, mapping)
  const taken = new Set(mapped.values())
  const columns = header.map((cell, at): Column => {
    const given = mapped.get(at)
    const field = given ?? fieldNamed(textOf(cell), fields, taken)
    if (field) taken.add(field)
    return { column: columnLetters(at), header: textOf(cell), field: field || null, suggestion: null }
  })
  return columns
    .filter(({ header, field }) => header !== '' || field !== null)
    .map((each) => (each.field === null ? { ...each, suggestion: suggestionFor(each.header, fields, taken) } : each))
}

/** The fields of the mapped columns by index; an empty text for a column that is left out. */
function readMapping(header: readonly Cell[], fields: readonly Field[], mapping: Readonly<Record<string, string>>) {
  const mapped = new Map<number, string>()
  for (const [column, name] of Object.entries(mapping)) {
    const at = indexOf(column, header)
    if (at === undefined) refuse(`The file has no column "${column}".`)
    const field = fields.find((each) => each.name === name)
    if (name !== '' && !field)
      refuse(`There is no field "${name}". The fields are ${fields.map((each) => each.name).join(', ')}.`)
    if (name !== '' && [...mapped.values()].includes(name)) refuse(`Two columns are mapped to ${name}.`)
    mapped.set(at, name)
  }
  return mapped
}

function refuse(sentence: string): never {
  throw new TableRefusal(sentence, 'UNKNOWN_COLUMN', 'mapping')
}

/** A column by its header, or else by its letters. */
function indexOf(column: string, header: readonly Cell[]): number | undefined {
  const byHeader = header.findIndex((cell) => !isEmpty(cell) && toKey(textOf(cell)) === toKey(column))
  if (byHeader >= 0) return byHeader
  const byLetters = header.findIndex((_, at) => columnLetters(at) === column.trim().toUpperCase())
  return byLetters >= 0 ? byLetters : undefined
}

const fieldNamed = (header: string, fields: readonly Field[], taken: ReadonlySet<string>): string | undefined =>
  fields.find((field) => !taken.has(field.name) && namesOf(field).includes(toKey(header)))?.name

/** A field whose name is part of the header, or the other way round: "Main e-mail of the customer". */
function suggestionFor(header: string, fields: readonly Field[], taken: ReadonlySet<string>): string | null {
  const key = toKey(header)
  const isLike = (name: string) => name.length > 2 && (key.includes(name) || (key.length > 2 && name.includes(key)))
  return fields.find((field) => !taken.has(field.name) && namesOf(field).some(isLike))?.name ?? null
}

const namesOf = ({ name, headers }: Field) => [name, ...headers].map(toKey)

/** Only letters and digits are compared. */
const toKey = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

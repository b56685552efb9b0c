import { event } from '../../../core/define/event.ts'
import { Count, Id, Instant, nullable, OneOf, type Static, Text, Type } from '../../../core/define/schema.ts'
import { FileInput } from '../../../core/files/file.ts'
import { dateOrders, shownMax } from '../../../core/tables/field.ts'

export const importKinds = ['CUSTOMERS', 'SUPPLIERS', 'ITEMS', 'OPENING_BALANCES', 'EMPLOYEES'] as const
export type ImportKind = (typeof importKinds)[number]
const kind = OneOf(...importKinds)

const RowNumber = Type.Integer({
  description: 'The row of the file, as a spreadsheet counts; the header is usually row 1.',
})

const RowResult = Type.Object({
  row: RowNumber,
  result: OneOf('CREATE', 'UPDATE', 'UNCHANGED', 'ERROR'),
  id: nullable({ ...Id, description: 'The record that the row is, if it exists already.' }),
})
export type RowResult = Static<typeof RowResult>

const RowError = Type.Object({
  row: RowNumber,
  column: nullable(Type.String({ description: 'The header of the column, or its letter.' })),
  field: nullable(Text),
  message: Type.String({ description: 'A sentence that names the row and the column.' }),
})

const Counts = Type.Object({ created: Count, updated: Count, unchanged: Count })

/** An import that was made. */
export const Import = Type.Object({
  id: Id,
  organizationId: Id,
  kind,
  fileName: Text,
  rows: Type.Integer({ description: 'How many rows with records the file has.' }),
  counts: Counts,
  createdBy: nullable(Id),
  createdAt: Instant,
  updatedAt: Instant,
})
export type Import = Static<typeof Import>

/** What an import of the file would do. */
export const ImportPreview = Type.Object({
  kind,
  sheet: nullable(Type.String({ description: 'The sheet that was read; null for CSV.' })),
  encoding: nullable(Type.String({ description: 'The encoding of a CSV file, such as utf-8 or windows-1255.' })),
  dateOrder: OneOf(...dateOrders),
  columns: Type.Array(
    Type.Object({
      column: Type.String({ description: 'The letters of the column.' }),
      header: Text,
      field: nullable(Type.String({ description: 'What the column is read as; null if it is left out.' })),
      suggestion: nullable(Type.String({ description: 'What a column that is left out may be; name it in mapping.' })),
    }),
  ),
  fields: Type.Array(Type.String(), { description: 'All fields of this kind, for mapping.' }),
  missingFields: Type.Array(Type.String(), { description: 'Fields that are needed and that no column gives.' }),
  rowCount: Count,
  counts: Type.Object({ ...Counts.properties, wrong: Count }),
  rows: Type.Array(RowResult, { description: `The results of the first ${shownMax} rows.` }),
  errors: Type.Array(RowError, { description: `The first ${shownMax} errors.` }),
  errorCount: Count,
})
export type ImportPreview = Static<typeof ImportPreview>

export const ImportInput = {
  organizationId: Type.Optional(Id),
  kind: { ...kind, description: 'What each row of the file is.' },
  file: FileInput,
  mapping: Type.Optional(
    Type.Record(Type.String({ maxLength: 1_000 }), Type.String({ maxLength: 100 }), {
      description: 'Columns, by header or letter, and the fields they are read as; an empty text leaves a column out.',
      maxProperties: 200,
      examples: [{ Client: 'name' }],
    }),
  ),
  dateOrder: Type.Optional({
    ...OneOf(...dateOrders),
    description:
      'Whether dates begin with day, month or year; without it by what is clear in the file, else by country.',
  }),
  sheet: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The sheet of a spreadsheet; the first one unless given.',
    }),
  ),
}
const Input = Type.Object(ImportInput)
export type ImportInput = Static<typeof Input>

export const importCompleted = event(
  'import.completed',
  Type.Object({
    id: Id,
    organizationId: Id,
    kind,
    fileName: Text,
    rows: Count,
    created: Count,
    updated: Count,
    unchanged: Count,
  }),
  'A file was imported',
)

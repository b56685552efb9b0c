/** What a column of a file may be read as. A description, so that a thread can be given it. */
export type Field = {
  name: string
  /** Headers that name the field, in English and Hebrew. Case, spaces and punctuation are ignored. */
  headers: readonly string[]
  type: FieldType
  required?: boolean
  maxLength?: number
  min?: number
  max?: number
  /** For CHOICE: the value and the words that mean it. */
  choices?: Readonly<Record<string, readonly string[]>>
}

/** AMOUNT is in minor units of the main currency, and may be negative; DECIMAL has at most six decimal places. */
export type FieldType =
  | 'TEXT'
  | 'EMAIL'
  | 'COUNTRY'
  | 'CURRENCY'
  | 'CURRENCIES'
  | 'DECIMAL'
  | 'INTEGER'
  | 'AMOUNT'
  | 'DAY'
  | 'YES_NO'
  | 'CHOICE'

/**
 * How two rows, or a row and a stored record, are recognised as the same: by the first group of fields that both have. A later
 * group counts only if no earlier one contradicts: an e-mail address is no sign if the registration numbers differ.
 */
export type Identity = readonly (readonly string[])[]

export const dateOrders = ['DMY', 'MDY', 'YMD'] as const
export type DateOrder = (typeof dateOrders)[number]

export type Reading = {
  fields: readonly Field[]
  /** Groups of fields of which a row has at least one. */
  oneOf?: readonly (readonly string[])[]
  identity: Identity
  /** A column, by its header or its letters, and the field that it is read as; an empty text leaves the column out. */
  mapping?: Readonly<Record<string, string>> | undefined
  dateOrder?: DateOrder | undefined
  sheet?: string | undefined
  rowsMax?: number
  /** Of the organization: which dates it writes, which currency it keeps its books in, and where a customer is unless said. */
  usualOrder: DateOrder
  country: string
  currency: string
}

export type Column = {
  /** The letters that a spreadsheet shows above it. */
  column: string
  header: string
  /** What it is read as; null if it is left out. */
  field: string | null
  /** What a column that is left out may be. */
  suggestion: string | null
}

export type RowProblem = { row: number; column: string | null; field: string | null; message: string }

export type ReadRecords = {
  sheet: string | null
  encoding: string | null
  dateOrder: DateOrder
  columns: Column[]
  /** Fields that every row needs and no column gives. */
  missing: string[]
  rowCount: number
  /** The records of the rows without problems, as a JSON array: `row`, an `id` for a new record, and the fields that have a value. */
  records: string
  /** The first rows of the file, and whether they have problems. */
  firstRows: { row: number; isWrong: boolean }[]
  problems: RowProblem[]
  problemCount: number
  wrongRowCount: number
}

/** How many rows, and how many problems, are reported one by one. */
export const shownMax = 200

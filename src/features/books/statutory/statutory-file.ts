import type { Database } from '../../../core/define/operation.ts'
import { Count, nullable, type Static, Text, Type } from '../../../core/define/schema.ts'
import type { FileAnswer } from '../../../core/files/file.ts'
import type { Language } from '../../../core/values/language.ts'
import type { CountryCode } from '../../../countries/country.ts'
import type { ReportContext } from '../reports/report-context.ts'
import type { FileProblem } from './file-problem.ts'

/** A file that an authority asks for. Each country declares its own in `countries/<code>/filings`. */
export type StatutoryFile = {
  /** The name in the address, such as `il-uniform-file`. */
  id: string
  name: Record<Language, string>
  does: string
  /** The media type of the file. */
  fileType: string
  /** The operation that shows the same figures as a report, if there is one. */
  report?: string
  /** Which days may be asked for. A year is a calendar year. */
  period: 'any' | 'month' | 'months' | 'quarter' | 'year'
  /** Reads the period. What takes long, such as packing, belongs into `file.open()`, which runs after the transaction. */
  build(asked: AskedFile): Promise<BuiltFile>
}

export type StatutoryFiles = Readonly<Record<CountryCode, readonly StatutoryFile[]>>

export type AskedFile = { db: Database; organization: ReportContext; from: string; to: string; now: Date }

export type BuiltFile = {
  file: FileAnswer
  problems: FileProblem[]
  totals: FileTotal[]
  /** Whether the problems of all documents were looked for; true if not given. */
  isWhole?: boolean
}

export const FileTotal = Type.Object({
  code: Type.String({ description: 'A type of record or document, or a figure of the file.' }),
  name: Text,
  count: nullable(Count),
  amount: nullable(Type.Number()),
})
export type FileTotal = Static<typeof FileTotal>

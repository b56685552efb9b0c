import { atLeast, hasScope } from '../../../core/define/access.ts'
import { type Detail, Failure, forbidden, invalid } from '../../../core/define/failure.ts'
import type { Member, Outside } from '../../../core/define/operation.ts'
import type { Upload } from '../../../core/files/file.ts'
import { type ReadRecords, type RowProblem, shownMax } from '../../../core/tables/field.ts'
import { findCountry } from '../../../countries/countries.ts'
import type { OrganizationContext } from '../../../ledger/organization-context.ts'
import type { ImportInput, ImportKind, ImportPreview } from './import.ts'
import type { Importer } from './importer.ts'
import type { Outcome, Problem } from './write.ts'

/** Refuses a caller who may not import this kind. */
export function refuseKind({ role, scopes }: Member, { scopes: needed, managersOnly }: Importer) {
  const scope = needed.find((each) => !hasScope(scopes, each))
  if (scope) throw forbidden(`This credential lacks the scope ${scope}, which an import of this kind needs.`, 'SCOPE')
  if (managersOnly !== undefined && !atLeast(role, 'MANAGER')) throw forbidden(managersOnly, 'ROLE')
}

/** Whether the caller may change both customers and suppliers, and so turn the one into the other. */
export const mayAddRole = ({ scopes }: Member): boolean =>
  (['customers:write', 'suppliers:write'] as const).every((scope) => hasScope(scopes, scope))

/** Whether the caller may see that employees were imported, and how many: as payroll itself. */
export const maySeeEmployees = ({ role, scopes }: Member): boolean =>
  atLeast(role, 'CONTRIBUTOR') && hasScope(scopes, 'payroll:read')

type Files = Pick<Outside, 'tableReader'> & { upload: Upload; who: Promise<Member> }

/** Reads the file in a thread: its columns and records, and what is wrong with its cells. */
export async function readFile(
  { tableReader, upload, who }: Files,
  input: ImportInput,
  { importer, organization }: { importer: Importer; organization: OrganizationContext },
) {
  const { mapping, dateOrder, sheet } = input
  refuseOtherFiles(upload.fileType)
  const { country, currency } = organization
  const usualOrder = findCountry(country)?.writing.dateOrder ?? 'DMY'
  const reading = { ...importer.reading, mapping, dateOrder, usualOrder, sheet, country, currency }
  return tableReader.read({ path: upload.path, reading, organizationId: (await who).organizationId })
}

/** A text of another encoding than UTF-8 is application/octet-stream; the thread looks at the bytes. */
function refuseOtherFiles(fileType: string) {
  const isPossible =
    /^(text\/(csv|plain|tab-separated-values)|application\/(octet-stream|zip|x-cfb|vnd\.(ms-excel|openxmlformats-).*))$/.test(
      fileType,
    )
  if (!isPossible)
    throw invalid(
      'file',
      `The file is of the type ${fileType}. Give a CSV file, or a spreadsheet saved as .xlsx.`,
      'FILE_UNREADABLE',
    )
}

/** Refuses the whole import if a column is missing or a row is wrong: the message and details name rows and columns. */
export function refuseWrong(file: ReadRecords, problems: readonly (RowProblem | Problem)[]) {
  const [missing] = file.missing
  if (missing !== undefined)
    throw invalid(
      'mapping',
      `The file has no column for ${missing}. Name one in mapping, or call POST /api/imports/preview to see what was recognised.`,
      'UNKNOWN_COLUMN',
    )
  const [first] = problems
  if (!first) return
  const details = problems.map(
    (problem): Detail => ({
      path: `rows.${problem.row}${problem.field === null ? '' : `.${problem.field}`}`,
      message: sentence(problem, file),
      code: 'ROW',
    }),
  )
  const count = Math.max(problems.length, file.problemCount)
  const others = count > 1 ? ` There are ${count} problems.` : ''
  throw new Failure('VALIDATION', `Nothing was imported. ${sentence(first, file)}${others}`, { details })
}

/** `Row 12, column "E-mail": "x" is no e-mail address.` */
function sentence({ row, field, message }: RowProblem | Problem, file: ReadRecords): string {
  const column = columnOf(field, file)
  return `Row ${row}${column === null ? '' : `, column "${column}"`}: ${message}.`
}

function columnOf(field: string | null, { columns }: ReadRecords): string | null {
  const column = columns.find((each) => each.field === field)
  return field === null || !column ? null : column.header || column.column
}

export function toPreview(
  kind: ImportKind,
  { reading }: Importer,
  { file, outcome }: { file: ReadRecords; outcome: Outcome },
): ImportPreview {
  const { sheet, encoding, dateOrder, columns, missing, rowCount, wrongRowCount } = file
  const problems = [...file.problems, ...outcome.problems].toSorted((a, b) => a.row - b.row)
  const wrongRows = new Set(outcome.problems.map(({ row }) => row))
  const results = new Map(outcome.rows.map((row) => [row.row, row]))
  const { created, updated, unchanged } = outcome
  return {
    kind,
    sheet,
    encoding,
    dateOrder,
    columns,
    fields: reading.fields.map(({ name }) => name),
    missingFields: missing,
    rowCount,
    counts: { created, updated, unchanged, wrong: wrongRowCount + wrongRows.size },
    rows: file.firstRows.map(({ row, isWrong }) =>
      isWrong || wrongRows.has(row)
        ? { row, result: 'ERROR' as const, id: null }
        : (results.get(row) ?? { row, result: 'ERROR' as const, id: null }),
    ),
    errors: problems.slice(0, shownMax).map((problem) => ({
      row: problem.row,
      column: columnOf(problem.field, file),
      field: problem.field,
      message: sentence(problem, file),
    })),
    errorCount: file.problemCount + outcome.problems.length,
  }
}

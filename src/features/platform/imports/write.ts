import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { shownMax } from '../../../core/tables/field.ts'
import { pipeline } from '../../../db/pipeline.ts'
import type { OrganizationContext } from '../../../ledger/organization-context.ts'
import type { ImportKind, RowResult } from './import.ts'

/** The row of `imports` that is written with the records. */
export type ImportRow = { id: string; kind: ImportKind; fileName: string; fileSize: number; sha256: string }

/** What is done with the records: `write` is absent in a preview, which only says what would be done. */
export type Work = {
  db: Database
  records: string
  organization: OrganizationContext
  /** Whether a customer may be recognised as a supplier, and the other way round: it needs the scopes of both. */
  mayAddRole: boolean
  write?: ImportRow | undefined
}

/** A problem that only the stored records show. */
export type Problem = { row: number; field: string | null; message: string }

export type Outcome = {
  created: number
  updated: number
  unchanged: number
  rows: RowResult[]
  problems: Problem[]
  /** What the audit trail says beside the counts. */
  audit?: Record<string, unknown>
}

/** A field of a record, its column and its type. */
export type ColumnOf = { field: string; column: string; type: string }

export const columnsOf = (text: string): ColumnOf[] =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => {
      const [field = '', type = 'text'] = line.split(' ')
      return { field, type, column: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }
    })

// Names of fields and columns are constants of the program.

/** The columns of the records as jsonb_to_recordset takes them. */
export const typed = (columns: readonly ColumnOf[]) =>
  sql.raw(['"row" integer', '"id" uuid', ...columns.map(({ field, type }) => `"${field}" ${type}`)].join(', '))

/** Whether a record changes a stored row. A field without a value leaves what is stored. */
export const differs = (columns: readonly ColumnOf[], stored: string) =>
  sql.raw(
    columns
      .map(({ field, column }) => `(r."${field}" is not null and ${stored}.${column} is distinct from r."${field}")`)
      .join(' or '),
  )

export const assignments = (columns: readonly ColumnOf[], stored: string) =>
  sql.raw(columns.map(({ field, column }) => `${column} = coalesce(p."${field}", ${stored}.${column})`).join(', '))

export const names = (columns: readonly ColumnOf[]) => sql.raw(columns.map(({ column }) => column).join(', '))

/** The statement that records the import, with counts of the planned rows. The rows it added refer to it. */
const recordImport = ({ id, kind, fileName, fileSize, sha256 }: ImportRow) => sql`, recorded as (
  insert into imports (id, kind, file_name, file_size, sha256, row_count, created_count, updated_count, unchanged_count)
  select ${id}::uuid, ${kind}, ${fileName}, ${fileSize}::bigint, ${sha256}, count(*), count(*) filter (where action = 'CREATE'),
    count(*) filter (where action = 'UPDATE'), count(*) filter (where action = 'UNCHANGED') from planned)`

/**
 * PostgreSQL expects a hundred records, whatever their number, and would compare each of ten thousand with every customer.
 * Without nested loops it compares them by hash.
 */
const setNestedLoops = (db: Database, value: 'on' | 'off') =>
  sql`select set_config('enable_nestloop', ${sql.lit(value)}, true)`.execute(db)

type Answer = Pick<Outcome, 'created' | 'updated' | 'unchanged' | 'rows' | 'problems'> & { changes: unknown[] | null }

/**
 * Runs one statement that recognises the records (`planned`), writes them, and says what became of them. `planned` has `row`,
 * `found_id`, `action`, `problem_field` and `problem`.
 */
export async function runPlan(
  { db, write }: Pick<Work, 'db' | 'write'>,
  {
    planned,
    writes,
    changes = sql`null`,
  }: { planned: RawBuilder<unknown>; writes: RawBuilder<unknown>; changes?: RawBuilder<unknown> },
): Promise<Answer> {
  const statement = sql<Answer>`${planned}, checked as materialized (
      select p.*, case when p.problem is not null then p.problem
          when p.found_id is not null and p.row > min(p.row) over (partition by p.found_id)
          then 'the row is the same record as row ' || min(p.row) over (partition by p.found_id) end as trouble from planned p)
    ${write ? sql`${recordImport(write)}${writes}` : sql``}
    select count(*) filter (where action = 'CREATE' and trouble is null) as created,
      count(*) filter (where action = 'UPDATE' and trouble is null) as updated,
      count(*) filter (where action = 'UNCHANGED' and trouble is null) as unchanged,
      (select coalesce(json_agg(json_build_object('row', f.row, 'result', f.action, 'id', f.found_id) order by f.row), '[]')
        from (select * from checked c order by c.row limit ${sql.lit(shownMax)}) f) as rows,
      (select coalesce(json_agg(json_build_object('row', t.row, 'field', t.problem_field, 'message', t.trouble) order by t.row), '[]')
        from (select * from checked c where c.trouble is not null order by c.row limit ${sql.lit(shownMax)}) t) as problems,
      ${changes} as changes
    from checked`
  const { result } = await pipeline({
    before: setNestedLoops(db, 'off'),
    result: statement.execute(db),
    after: setNestedLoops(db, 'on'),
  })
  const [answer] = result.rows
  if (!answer) throw new Error('An aggregate has one row.')
  return answer
}

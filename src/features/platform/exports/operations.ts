import { sql } from 'kysely'
import { invalid, notFound } from '../../../core/define/failure.ts'
import { type Database, type Member, type Operation, type Outside, operation } from '../../../core/define/operation.ts'
import { defaulted, Id, OneOf, Type } from '../../../core/define/schema.ts'
import { byteOrderMark, csvRow } from '../../../core/files/csv.ts'
import { File } from '../../../core/files/file.ts'
import type { SheetValue } from '../../../core/files/sheet.ts'
import { spool } from '../../../core/files/spool.ts'
import { xlsxFile } from '../../../core/files/xlsx.ts'
import { fromText } from '../../../core/run/request.ts'
import { today } from '../../../core/values/day.ts'
import { newId } from '../../../core/values/id.ts'
import { type Column, exportedLists, type ListName, listNames } from './columns.ts'

/** More rows would keep the server busy for longer than a request may take. */
const rowsMax = 20_000
const pageRows = 100

export const listExport = operation({
  name: 'lists_export',
  http: 'GET /api/lists/{list}/export',
  does: 'Exports a list as a CSV or XLSX file: all rows that its filters match, in its order, at most 20000. It takes the rights that the list takes.',
  scope: 'organizations:read',
  sources: ['SESSION', 'API_KEY', 'OAUTH'],
  within: 'organizationId',
  rate: 'heavyReads',
  input: Type.Object({
    list: OneOf(...listNames),
    organizationId: Id,
    format: defaulted(OneOf('csv', 'xlsx'), 'csv'),
    query: defaulted(
      Type.String({
        maxLength: 4_000,
        description: 'The search, filters and order of the list, as in its address; what it does not know is ignored.',
        examples: ['search=acme&sortBy=name'],
      }),
      '',
    ),
  }),
  output: File,
  outside: true,
  async run(context, { list, format, query }) {
    const reader = await context.who
    const { columns } = exportedLists[list]
    const name = `${list}-${today(context.now, 'UTC')}`
    const pages = exportedPages(context, reader, { list, query })
    if (format === 'csv') {
      const file = { path: context.storage.scratch(), fileName: `${name}.csv`, fileType: 'text/csv' }
      return spool(file, csvOf(columns, pages))
    }
    const rows: SheetValue[][] = []
    for await (const page of pages) rows.push(...page)
    const rightToLeft = (await context.tx(({ db }) => languageOf(db))) === 'he'
    const titled = columns.map(({ title, titleHe, type }) => ({ title: rightToLeft ? titleHe : title, type }))
    const { organizationId } = reader
    return xlsxFile({ fileName: `${name}.xlsx`, organizationId, sheet: { name, columns: titled, rightToLeft }, rows })
  },
})

async function* csvOf(columns: readonly Column[], pages: AsyncIterable<SheetValue[][]>) {
  yield byteOrderMark + csvRow(columns.map(({ path }) => path))
  for await (const rows of pages) yield rows.map(csvRow).join('')
}

const languageOf = async (db: Database) =>
  (await db.selectFrom('users').select('locale').where('id', '=', sql<string>`current_person()`).executeTakeFirst())
    ?.locale

type Asked = { list: ListName; query: string }
type Row = Record<string, unknown>

/**
 * Calls the list as the caller, page by page, so that filters and rights are its own. A row that moves to a later page
 * meanwhile is exported once.
 */
async function* exportedPages(
  { run, catalog }: Pick<Outside, 'run' | 'catalog'>,
  reader: Member,
  { list, query }: Asked,
) {
  const { operation: name, rows: field, columns } = exportedLists[list]
  const operation = catalog.operations.find((each) => each.name === name)
  if (!operation) throw notFound('list')
  const caller = { source: reader.source, credential: reader.credential, requestId: newId() }
  const filters = { ...filtersIn(operation, query), organizationId: reader.organizationId, limit: pageRows }
  const seen = new Set<unknown>()
  for (let page = 1; ; page++) {
    const { body } = await run(operation, { caller, input: { ...filters, page }, trace: {} })
    const answer = JSON.parse(body) as Record<string, Row[]> & { pagination: { total: number; totalPages: number } }
    const { total, totalPages } = answer.pagination
    if (total > rowsMax)
      throw invalid(
        'query',
        `The list has ${total} rows, and a file has at most ${rowsMax}. Narrow it.`,
        'EXPORT_TOO_LARGE',
      )
    const rows = (answer[field] ?? []).filter(({ id }) => !seen.has(id))
    for (const { id } of rows) seen.add(id)
    yield rows.map((row) => columns.map(({ path }) => cellOf(row, path)))
    if (page >= totalPages) return
  }
}

/** The fields of the list that the query names, with their types. Empty values count as absent, as in an address. */
function filtersIn({ input }: Operation, query: string): Record<string, unknown> {
  const filters: Record<string, unknown> = {}
  const given = new URLSearchParams(query)
  for (const [name, schema] of Object.entries(input.properties)) {
    const texts = given.getAll(name).filter((text) => text !== '')
    if (texts.length > 0) filters[name] = fromText((schema as { type?: string }).type, texts)
  }
  return filters
}

function cellOf(row: Row, path: string): SheetValue {
  const value = path.split('.').reduce<unknown>((part, name) => (part as Row | null | undefined)?.[name], row)
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

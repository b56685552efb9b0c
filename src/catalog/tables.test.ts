import { fileURLToPath } from 'node:url'
import pg from 'pg'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toSnake } from '../db/names.ts'
import { dropDatabase, newDatabase } from '../test/database.ts'

/** tables.ts is what the compiler believes about the database; here both are compared, column by column. */

type Column = { type: string; nullable: boolean; optional: boolean }
type Columns = Record<string, Column>

let inCode: Record<string, Columns>
let inDatabase: Record<string, Columns>
let database: Awaited<ReturnType<typeof newDatabase>>

beforeAll(async () => {
  database = await newDatabase()
  inDatabase = await readDatabase(database)
  inCode = readTables(fileURLToPath(new URL('./tables.ts', import.meta.url)))
})
afterAll(async () => {
  if (database) await dropDatabase(database)
})

/** Tables that no query of ours is built on: migrate.ts and functions in SQL use them. */
const withoutQueries = [
  'migrations',
  'function_files',
  'backup_outcomes',
  'default_accounts',
  'former_addresses',
  'order_counters',
  'journal_marks',
  'journal_results',
  'journal_results_by_day',
  'journal_sums',
  'journal_sums_state',
  'journal_taxes_by_day',
  'mail_counts',
  'rate_buckets',
  'sign_in_failures',
  'organization_keys',
  'secrets_canary',
  'secrets_root',
  'secrets_rotation',
  'failed_jobs',
  'file_home',
  'job_pressure',
  'leases',
  'ledger_kinds',
  'official_document_types',
  'schedule_marks',
  'overdue_marks',
  'oauth_clients',
  'oauth_tokens',
  'connected_app_organizations',
  'worker_heartbeats',
  'sales_by_day',
  'sales_by_customer',
  'sales_by_customer_day',
  'cash_by_day',
  'expenses_by_vendor',
]

test('tables.ts lists every table, and nothing else', () => {
  expect([...Object.keys(inCode), ...withoutQueries].sort()).toEqual(Object.keys(inDatabase).sort())
})

test('every column has the declared type and nullability', () => {
  const expected = Object.fromEntries(Object.keys(inCode).map((table) => [table, shown(inDatabase[table] ?? {})]))
  const declared = Object.fromEntries(Object.entries(inCode).map(([table, columns]) => [table, shown(columns)]))
  expect(declared).toEqual(expected)
})

test('an insert may leave out what the database fills in, and nothing else', () => {
  for (const [table, columns] of Object.entries(inCode)) {
    for (const [column, { optional }] of Object.entries(columns)) {
      if (optional) expect(inDatabase[table]?.[column]?.optional, `${table}.${column} has no default`).toBe(true)
    }
  }
})

const shown = (columns: Columns) =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { type, nullable }]) => [name, nullable ? `${type} or null` : type]),
  )

/** What PostgreSQL has, in the words of TypeScript as row.ts reads them. */
async function readDatabase(config: pg.ClientConfig): Promise<Record<string, Columns>> {
  const client = new pg.Client(config)
  await client.connect()
  const { rows } = await client.query(`select table_name, column_name, udt_name, is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' or is_nullable = 'YES' as optional
    from information_schema.columns where table_schema = 'public' order by table_name, column_name`)
  await client.end()
  const tables: Record<string, Columns> = {}
  for (const { table_name, column_name, udt_name, nullable, optional } of rows) {
    tables[table_name] ??= {}
    tables[table_name][column_name] = {
      type: types[udt_name] ?? `${udt_name} (say in tables.test.ts how it is read)`,
      nullable,
      optional,
    }
  }
  return tables
}

const types: Record<string, string> = {
  uuid: 'string', text: 'string', timestamptz: 'string', date: 'string', member_role: 'string', numeric: 'string',
  int2: 'number', int4: 'number', int8: 'number', float8: 'number', bool: 'boolean', bytea: 'Buffer',
  jsonb: 'anything', _text: 'string[]', _uuid: 'string[]', _int4: 'number[]',
} // biome-ignore format: a table

/** What the type `Tables` says, as the compiler understands it. */
function readTables(file: string): Record<string, Columns> {
  const program = ts.createProgram([file], {
    strict: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  if (!source) throw new Error(`${file} cannot be read`)
  const declared = checker.getExportsOfModule(symbolOf(checker, source)).find(({ name }) => name === 'AllTables')
  if (!declared) throw new Error(`${file} exports no AllTables`)
  const propertiesOf = (type: ts.Type) =>
    checker.getPropertiesOfType(type).map((property) => [property.name, checker.getTypeOfSymbol(property)] as const)
  return Object.fromEntries(
    propertiesOf(checker.getDeclaredTypeOfSymbol(declared)).map(([table, row]) => [
      toSnake(table),
      Object.fromEntries(propertiesOf(row).map(([column, type]) => [toSnake(column), columnOf(checker, type)])),
    ]),
  )
}

function symbolOf(checker: ts.TypeChecker, source: ts.SourceFile): ts.Symbol {
  const symbol = checker.getSymbolAtLocation(source)
  if (!symbol) throw new Error('tables.ts is no module')
  return symbol
}

function columnOf(checker: ts.TypeChecker, type: ts.Type): Column {
  const part = (name: string) => {
    const symbol = checker.getPropertyOfType(type, name)
    return symbol && checker.getTypeOfSymbol(symbol)
  }
  const selected = part('__select__') ?? type
  const inserted = part('__insert__') ?? type
  const nullable = has(selected, ts.TypeFlags.Null)
  return {
    type: wordFor(checker, checker.getNonNullableType(selected)),
    nullable,
    optional: has(inserted, ts.TypeFlags.Undefined),
  }
}

const partsOf = (type: ts.Type) => (type.isUnion() ? type.types : [type])
const has = (type: ts.Type, flag: ts.TypeFlags) => partsOf(type).some((part) => (part.flags & flag) !== 0)

function wordFor(checker: ts.TypeChecker, type: ts.Type): string {
  const every = (flag: ts.TypeFlags) => partsOf(type).every((part) => (part.flags & flag) !== 0)
  if (every(ts.TypeFlags.StringLike)) return 'string'
  if (every(ts.TypeFlags.NumberLike)) return 'number'
  if (every(ts.TypeFlags.BooleanLike)) return 'boolean'
  const text = checker.typeToString(type)
  // JSON, whose shape the database does not know: an object, or a list of objects
  const item = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : type
  const isJson =
    item !== undefined &&
    (item.flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ts.TypeFlags.Intersection)) !== 0
  if (every(ts.TypeFlags.Unknown) || (isJson && item.symbol?.name !== 'Buffer')) return 'anything'
  return text.replace('<ArrayBufferLike>', '')
}

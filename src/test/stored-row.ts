import { theApp } from './world.ts'

/** The row with this id, of any table, without what is new after every save: `updatedAt`, and of an automation graph and version. */
export async function storedRow(id: unknown): Promise<Record<string, unknown>> {
  if (typeof id !== 'string') return {}
  const tables = await tablesWithId()
  const [found] = await query(
    tables.map((table) => `select '${table}' as table_name from ${table} where id = $1`).join(' union all '),
    [id],
  )
  const [whole] = found ? await query(`select * from ${found.tableName} where id = $1`, [id]) : []
  const { updatedAt: _, savedAt: __, graphId, version, ...row } = whole ?? {}
  return graphId === undefined && version !== undefined ? { ...row, version } : row
}

let known: Promise<string[]> | undefined
function tablesWithId(): Promise<string[]> {
  known ??= query(
    `select attrelid::regclass::text as table_name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'id' and atttypid = 'uuid'::regtype`,
  ).then((rows) => rows.map(({ tableName }) => String(tableName)))
  return known
}

const query = (text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows)

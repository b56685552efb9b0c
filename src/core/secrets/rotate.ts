import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../../db/database.ts'
import type { Pool } from '../../db/pool.ts'
import { codeOf, StartFailure } from '../../db/start-failure.ts'
import type { Connection } from '../../db/wire/connection.ts'
import { Failure } from '../define/failure.ts'
import { withConnection } from '../run/connection.ts'
import { isRetryable } from '../run/errors.ts'
import { type Keyring, unwrap, type Wrapped, wrap } from './keyring.ts'
import { rotationLock } from './rotation-lock.ts'
import { createVault, type Vault } from './vault.ts'

/** A rotation of keys, while the server runs. `say` reports the progress after each batch. */
export type Rotation = {
  pool: Pool
  keyring: Keyring
  /** Whether to make new data keys as well and seal every secret again with them. */
  data: boolean
  say(line: string): void
  batchMax?: number
  /** How long a data key is kept after its last value was replaced: a reader may still have that value. */
  graceMs?: number
}
type Job = Required<Rotation> & { vault: Vault }

export type Rotated = { rewrapped: number; resealed: number; destroyed: number; unreadable: string[] }

/**
 * Wraps every key with the first wrapping key (SEC-4). The rows show what is done, so an interrupted rotation continues
 * where it stopped, and a second one does nothing.
 */
export async function rotate(rotation: Rotation): Promise<Rotated> {
  const job = { batchMax: 100, graceMs: 90_000, ...rotation, vault: createVault(rotation) }
  return exclusively(job.pool, async () => {
    const rewrapped = (await rewrapSingles(job)) + (await rewrapDataKeys(job))
    const renewed = job.data ? await renewDataKeys(job) : { resealed: 0, destroyed: 0, unreadable: [] }
    return { rewrapped, ...renewed }
  })
}

/** Two rotations at once would retire each other's data keys. The lock of a killed one ends with its connection. */
async function exclusively<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const { connection, giveBack } = await pool.borrow()
  try {
    await connection.query(`select pg_advisory_lock(${rotationLock})`).catch((error) => {
      throw codeOf(error) === '55P03' ? new StartFailure('Another rotation of secrets is running.') : error
    })
    const result = await work()
    await connection.query(`select pg_advisory_unlock(${rotationLock})`)
    giveBack()
    return result
  } catch (error) {
    giveBack(true)
    throw error
  }
}

/** The canary and the root of derived keys. */
async function rewrapSingles(job: Job): Promise<number> {
  let rewrapped = 0
  for (const name of ['canary', 'root']) {
    const table = `secrets_${name}`
    rewrapped += await transaction(job, async (connection) => {
      const select = `select wrapped, kek_id from ${table} where kek_id <> $1 for update`
      const row = (await connection.query(select, [job.keyring.current.id])).rows[0] as Wrapped | undefined
      if (!row) return 0
      const { wrapped, kekId } = rewrap(job.keyring, row, name)
      return (await connection.query(`update ${table} set wrapped = $1, kek_id = $2`, [wrapped, kekId])).affected
    })
  }
  return rewrapped
}

function rewrap(keyring: Keyring, row: Wrapped, ...names: string[]): Wrapped {
  const key = unwrap(keyring, row, ...names)
  if (!key) {
    throw new StartFailure(
      `The key of ${names.join(' ')} cannot be unwrapped: it needs the wrapping key ${row.kekId}, and KONTOR_SECRETS_KEY holds ${keyring.ids.join(', ')}.`,
    )
  }
  const wrapped = wrap(keyring, key, ...names)
  key.fill(0)
  return wrapped
}

/** A lost key whose wrapping key was found again is among them, and is no longer lost after that. */
const stale = 'organization_keys where kek_id <> $1 and (lost_at is null or kek_id = any ($2))'
const staleText = `select organization_id, id, wrapped, kek_id from ${stale}
  order by organization_id, id limit $3 for no key update skip locked`
const rewrapText = `update organization_keys k set wrapped = n.wrapped, kek_id = $1, lost_at = null
  from unnest($2::uuid[], $3::uuid[], $4::bytea[]) as n (organization_id, id, wrapped)
  where k.organization_id = n.organization_id and k.id = n.id`

type KeyRow = Wrapped & { organizationId: string; id: string }

async function rewrapDataKeys(job: Job): Promise<number> {
  const { keyring, batchMax, say } = job
  const values = [keyring.current.id, keyring.ids]
  const remaining = () => count(job, stale, values)
  return untilNone(remaining, async () => {
    const rewrapped = await transaction(job, async (connection) => {
      const rows = (await connection.query(staleText, [...values, batchMax])).rows as KeyRow[]
      const wrapped = rows.map((row) => rewrap(keyring, row, 'organization', row.organizationId, row.id).wrapped)
      const keys = [rows.map(({ organizationId }) => organizationId), rows.map(({ id }) => id), wrapped]
      return (await connection.query(rewrapText, [keyring.current.id, ...keys])).affected
    })
    if (rewrapped > 0) say(`Wrapped ${rewrapped} data keys again.`)
    return rewrapped
  })
}

/**
 * Retires the data keys that exist at the start, seals their values with new ones, and destroys them when no value needs
 * them. The foreign key of each secret column prevents the deletion of a key that is needed.
 */
async function renewDataKeys(job: Job): Promise<Omit<Rotated, 'rewrapped'>> {
  const columns = await secretColumns(job)
  await transaction(job, (connection) =>
    connection.query('insert into secrets_rotation default values on conflict do nothing'),
  )
  await retireDataKeys(job)
  const total = { resealed: 0, destroyed: 0, unreadable: [] as string[] }
  const retired = () => count(job, 'organization_keys where retired_at is not null and lost_at is null')
  for (let rounds = 0; rounds < 10 && (await retired()) > 0 && total.unreadable.length === 0; rounds++) {
    const passes = []
    for (const column of columns) passes.push(await reseal(job, column))
    total.resealed += passes.reduce((sum, { resealed }) => sum + resealed, 0)
    total.unreadable = passes.flatMap(({ unreadable }) => unreadable)
    await sleep(job.graceMs)
    total.destroyed += await destroyDataKeys(job, columns)
  }
  await transaction(job, (connection) => connection.query('delete from secrets_rotation'))
  return total
}

const retireText = `update organization_keys k set retired_at = now() from (
    select organization_id, id from organization_keys
    where retired_at is null and created_at < (select started_at from secrets_rotation)
    order by organization_id, id limit $1 for no key update skip locked) as old
  where k.organization_id = old.organization_id and k.id = old.id`

/** A transaction that is about to store a value under such a key holds its row; that key is retired in a later pass. */
async function retireDataKeys(job: Job) {
  const old = 'organization_keys where retired_at is null and created_at < (select started_at from secrets_rotation)'
  await untilNone(
    () => count(job, old),
    async () => {
      const retired = await transaction(
        job,
        async (connection) => (await connection.query(retireText, [job.batchMax])).affected,
      )
      if (retired > 0) job.say(`Retired ${retired} data keys.`)
      return retired
    },
  )
}

type Column = { tableName: string; columnName: string }
type Value = { organizationId: string; id: string; sealed: Buffer }

const secretColumns = ({ pool }: Job) =>
  pool.use(async (_, connection) => (await connection.query('select * from secret_columns()')).rows as Column[])

const named = ({ tableName, columnName }: Column) => ({
  table: pg.escapeIdentifier(tableName),
  column: pg.escapeIdentifier(columnName),
  keyId: pg.escapeIdentifier(`${columnName}_key_id`),
})

/** One pass over the values of a column under retired keys, in the order of their rows. */
async function reseal(job: Job, column: Column): Promise<{ resealed: number; unreadable: string[] }> {
  const { table, column: value, keyId } = named(column)
  const text = `select t.organization_id, t.id, t.${value} as sealed from ${table} t
    join organization_keys k on k.organization_id = t.organization_id and k.id = t.${keyId} and k.retired_at is not null
      and k.lost_at is null
    where (t.organization_id, t.id) > ($1, $2) order by t.organization_id, t.id limit $3`
  const unreadable: string[] = []
  let resealed = 0
  let after: Pick<Value, 'organizationId' | 'id'> | undefined = { organizationId: nil, id: nil }
  while (after) {
    const { organizationId, id }: Pick<Value, 'organizationId' | 'id'> = after
    const batch = await transaction(job, async (connection, db) => {
      const values = (await connection.query(text, [organizationId, id, job.batchMax])).rows as Value[]
      const done = await Promise.all(values.map((each) => resealOne(job, column, each, { connection, db })))
      return { done, last: values.at(-1) }
    })
    after = batch.last
    resealed += batch.done.filter((outcome) => outcome === 'resealed').length
    unreadable.push(...batch.done.filter((outcome) => outcome !== 'resealed' && outcome !== 'changed'))
    if (after) job.say(`Sealed ${resealed} values of ${column.tableName}.${column.columnName} again.`)
  }
  return { resealed, unreadable }
}

const nil = '00000000-0000-0000-0000-000000000000'

/** Replaces a value only if it is still as it was read: a value that changed since has the new key already. */
async function resealOne(
  { vault }: Job,
  { tableName, columnName }: Column,
  { organizationId, id, sealed }: Value,
  { connection, db }: { connection: Connection; db: Database },
): Promise<string> {
  const { table, column } = named({ tableName, columnName })
  const place = { table: tableName, column: columnName, rowId: id, organizationId }
  try {
    const resealed = await vault.close(db, place, await vault.open(db, place, sealed))
    const update = `update ${table} set ${column} = $1 where organization_id = $2 and id = $3 and ${column} = $4`
    return (await connection.query(update, [resealed, organizationId, id, sealed])).affected === 1
      ? 'resealed'
      : 'changed'
  } catch (error) {
    if (error instanceof Failure) return `${tableName}.${columnName} of ${id}`
    throw error
  }
}

async function destroyDataKeys(job: Job, columns: Column[]): Promise<number> {
  const unused = columns
    .map(named)
    .map(
      ({ table, keyId }) =>
        `and not exists (select from ${table} t where t.organization_id = k.organization_id and t.${keyId} = k.id)`,
    )
  const text = `delete from organization_keys k where retired_at is not null ${unused.join(' ')}`
  const destroyed = await transaction(job, async (connection) => (await connection.query(text)).affected)
  if (destroyed > 0) job.say(`Destroyed ${destroyed} old data keys.`)
  return destroyed
}

/** Repeats until nothing is left to do; rows that other transactions lock are handled in a later pass. */
async function untilNone(remaining: () => Promise<number>, batch: () => Promise<number>): Promise<number> {
  let total = 0
  for (let idle = 0; idle < 100; ) {
    const done = await batch()
    total += done
    if (done > 0) idle = 0
    else if ((await remaining()) === 0) return total
    else {
      idle += 1
      await sleep(100)
    }
  }
  throw new StartFailure(
    'Some keys stay locked by other transactions. Run kontor secrets rotate again; it continues from here.',
  )
}

const count = ({ pool }: Job, what: string, values: unknown[] = []) =>
  pool.use(async (_, connection) =>
    Number((await connection.query(`select count(*) as n from ${what}`, values)).rows[0]?.n),
  )

/** A short transaction, retried after a deadlock or lock timeout. */
async function transaction<T>({ pool }: Job, work: (connection: Connection, db: Database) => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    try {
      return await withConnection(pool, true, ({ connection, db }) => work(connection, db))
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error
      await sleep(Math.random() * 200)
    }
  }
}

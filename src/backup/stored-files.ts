import type pg from 'pg'
import { Failure } from '../core/define/failure.ts'
import type { Storage } from '../core/outside/storage.ts'
import type { Stored } from './manifest.ts'

/** The file store as a backup sees it. */
export type FileStore = { kind: Stored['store']; storage: Pick<Storage, 'list' | 'has'> }

const batchSize = 5_000
/** Questions to the store at the same time. */
const questionsMax = 16
const namedMax = 20

/**
 * Counts the files that rows of the snapshot refer to, and asks the store for each. A backup without its files is still
 * worth having, so a store that does not answer is recorded and not an error. Null if there is no table of files yet.
 */
export async function checkStored(client: pg.ClientBase, { kind, storage }: FileStore): Promise<Stored | null> {
  const { rows } = await client.query<{ exists: boolean }>("select to_regclass('public.files') is not null as exists")
  if (!rows[0]?.exists) return null
  const totals = await client.query<{ count: string; bytes: string }>(
    'select count(*) as count, coalesce(sum(file_size), 0) as bytes from (select distinct storage_key, file_size from files) f',
  )
  const [total = { count: '0', bytes: '0' }] = totals.rows
  const counted = { store: kind, count: Number(total.count), bytes: Number(total.bytes) }
  try {
    const missing = await missingFrom(storage, keysIn(client))
    return { ...counted, missing: missing.length, missingKeys: missing.slice(0, namedMax) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error // the store throws failures; this is an error of the database
    return { ...counted, missing: null, missingKeys: [] }
  }
}

/** The keys of the snapshot, sorted as the store sorts them. */
async function* keysIn(client: pg.ClientBase): AsyncGenerator<string> {
  await client.query(
    'declare stored_keys no scroll cursor for select distinct storage_key collate "C" as key from files order by 1',
  )
  for (;;) {
    const { rows } = await client.query<{ key: string }>(`fetch ${batchSize} from stored_keys`)
    for (const { key } of rows) yield key
    if (rows.length < batchSize) break
  }
  await client.query('close stored_keys')
}

/**
 * The keys that the store does not have. Compares two sorted lists, which takes one request for a thousand files and no
 * memory; only files that are not listed, such as those of the original of a restored copy, are asked for one by one.
 */
export async function missingFrom(storage: FileStore['storage'], keys: AsyncIterable<string>): Promise<string[]> {
  const listed = listedKeys(storage)
  const missing: string[] = []
  let [unlisted, current] = [[] as string[], await listed.next()]
  const ask = async () => {
    const found = await Promise.all(unlisted.map((key) => isStored(storage, key)))
    missing.push(...unlisted.filter((_, n) => !found[n]))
    unlisted = []
  }
  for await (const key of keys) {
    while (!current.done && current.value < key) current = await listed.next()
    if (!current.done && current.value === key) continue
    unlisted.push(key)
    if (unlisted.length === questionsMax) await ask()
  }
  await ask()
  return missing
}

/** A key that this kind of store could not have made is a missing file too. */
async function isStored(storage: FileStore['storage'], key: string): Promise<boolean> {
  try {
    return await storage.has(key)
  } catch (error) {
    if (error instanceof Failure && error.details.some(({ code }) => code === 'FILE_LOST')) return false
    throw error
  }
}

async function* listedKeys(storage: FileStore['storage']): AsyncGenerator<string> {
  for (let page = await storage.list(); ; page = await storage.list(page.next)) {
    yield* page.objects.map(({ key }) => key).sort()
    if (page.next === undefined) return
  }
}

/** Receives the rows of `files` from an archive, and collects their keys. */
export function createKeyReader(columns: readonly string[]) {
  const at = columns.indexOf('storage_key')
  const keys: string[] = []
  let rest = ''
  return {
    keys,
    add(piece: Buffer) {
      const lines = (rest + piece.toString('latin1')).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) keys.push(line.split('\t')[at] ?? '')
    },
  }
}

/** What was found, in a sentence. */
export function storedSentence({ store, count, missing, missingKeys }: Stored): string {
  const where = store === 's3' ? 'the store of S3_URL' : 'the folder files of the data folder'
  const there = `Rows refer to ${count} ${count === 1 ? 'file' : 'files'} in ${where}`
  if (missing === null) return `${there}; the store did not answer when the backup was taken, so they were not checked.`
  if (missing === 0) return `${there}; all of them were there when the backup was taken.`
  const named = missingKeys.slice(0, namedMax).join(', ')
  return `${there}; ${missing} of them were missing when the backup was taken: ${named}${missing > namedMax ? ', …' : ''}.`
}

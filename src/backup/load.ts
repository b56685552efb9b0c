import pg from 'pg'
import type { Secret } from '../core/secrets/secret.ts'
import { appliedTo } from '../db/migrate.ts'
import { queueTables } from '../db/queue.ts'
import { StartFailure } from '../db/start-failure.ts'
import { type CopyIn, copyIn } from '../db/wire/copy.ts'
import { readArchive } from './archive.ts'
import { disableConstraints } from './disable-constraints.ts'
import type { createFileRestore } from './files.ts'
import type { Manifest } from './manifest.ts'
import { backedUpParts, tablesOf } from './table-list.ts'

type LoadInput = {
  file: string
  manifest: Manifest
  passphrase?: Secret | undefined
  files: ReturnType<typeof createFileRestore>
}

/** Loads all rows, jobs and files of a backup into empty tables of the same version, in one transaction. */
export async function load(client: pg.Client, { file, manifest, passphrase, files }: LoadInput): Promise<void> {
  await client.query('begin')
  await requireNoRows(client)
  await requireSameTables(client, manifest)
  const { restoreConstraints } = await disableConstraints(client)
  await client.query(incomingJobs)
  const rows = createLoader(client, manifest)
  await files.begin()
  try {
    await readArchive(file, passphrase, { rows: rows.write, file: files.put })
    await rows.finish()
    await restoreConstraints()
    await client.query(addJobs)
    await setSequences(client, manifest)
    if (manifest.files) await files.commit()
    await client.query('commit').catch(async (error) => {
      if (manifest.files && error instanceof pg.DatabaseError) await files.undo() // the server refused the commit; a lost connection would leave it unknown
      throw error
    })
  } finally {
    await files.discard()
  }
}

/** Copies the parts into their tables, in the order of the archive. */
function createLoader(client: pg.Client, { parts }: Manifest) {
  let current: { part: string; copy: CopyIn } | undefined

  async function finish() {
    if (!current) return
    const { part, copy } = current
    current = undefined
    const rows = await copy.finish()
    if (rows !== parts[part]?.rows)
      throw new StartFailure(`${part} has ${rows} rows and should have ${parts[part]?.rows}.`)
  }

  return {
    finish,
    async write(part: string, piece: Buffer) {
      if (current?.part !== part) {
        await finish()
        const columns = parts[part]?.columns.map((column) => client.escapeIdentifier(column)).join(', ')
        current = { part, copy: await copyIn(client, `copy ${targetOf(client, part)} (${columns}) from stdin`) }
      }
      await current.copy.write(piece)
    },
  }
}

function targetOf(client: pg.Client, part: string): string {
  if (part === 'queue/jobs') return 'incoming_jobs'
  if (part === 'queue/crontabs') return queueTables.crontabs
  return `public.${client.escapeIdentifier(part.slice('tables/'.length))}`
}

const incomingJobs = `create temporary table incoming_jobs (position bigint generated always as identity, identifier text,
  payload json, queue_name text, run_at timestamptz, max_attempts integer, key text, priority integer, flags jsonb)
  on commit drop`

// Jobs are enqueued again in their order, because the tables of the queue belong to graphile-worker.
const addJobs = `select count((added.job).id) from (
    select graphile_worker.add_job(i.identifier, i.payload, i.queue_name, i.run_at, i.max_attempts, i.key, i.priority,
      (select array_agg(flag) from jsonb_object_keys(i.flags) flag)) as job
    from (select * from incoming_jobs order by position) i offset 0) added`

async function setSequences(client: pg.Client, { sequences }: Manifest) {
  for (const [name, value] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2::bigint)', [`public.${client.escapeIdentifier(name)}`, value])
  }
}

/** Refuses a database that has other tables, another version or rows, before anything is changed in it. */
export async function requireEmpty(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const applied = await appliedTo(client)
  const tables = (await tablesOf(client)).map(({ name }) => name).filter((name) => name !== 'migrations')
  if (applied.size === 0 && tables.length === 0) return
  if (applied.size === 0)
    throw new StartFailure(`The database has tables that are not Kontor's (${tables[0]}). ${advice}`)
  const same = applied.size === migrations.length && migrations.every(({ name }) => applied.has(name))
  if (!same) throw new StartFailure(`The database has another version than the backup. ${advice}`)
  await requireNoRows(client)
}

async function requireNoRows(client: pg.Client) {
  for (const { part, from } of await backedUpParts(client)) {
    const { rows } = await client.query(`select exists (select from ${from}) as filled`)
    if (rows[0].filled) throw new StartFailure(`The database is not empty (${part}); nothing was changed. ${advice}`)
  }
}

/** The tables in the backup must be exactly those that its version creates, so that none stays empty unnoticed. */
async function requireSameTables(client: pg.Client, { parts, notIncluded, version }: Manifest) {
  const made = new Set((await tablesOf(client)).map(({ name }) => `tables/${name}`))
  const unknown = Object.keys(parts).find((part) => part.startsWith('tables/') && !made.has(part))
  const missing = (await backedUpParts(client)).find(
    ({ part }) => !parts[part] && !notIncluded[part.slice('tables/'.length)],
  )
  const wrong = unknown ?? missing?.part
  if (wrong)
    throw new StartFailure(
      `The backup was made by another build of Kontor ${version}: ${wrong} differs. Restore it with that build.`,
    )
}

const advice = 'Restore into an empty database: a new one for DATABASE_URL, or a new folder for KONTOR_DATA.'

import pg from 'pg'
import { type CopyIn, copyIn } from '../db/copy.ts'
import { appliedTo } from '../db/migrate.ts'
import { StartFailure } from '../db/start-failure.ts'
import { readArchive } from './archive.ts'
import { disableConstraints } from './disable-constraints.ts'
import type { createReturn } from './files.ts'
import type { Manifest } from './manifest.ts'
import { backedUpParts, tablesOf } from './table-list.ts'

type Load = { file: string; manifest: Manifest; files: ReturnType<typeof createReturn> }

/** Brings all rows, orders and files of a backup into empty tables of its version: all of it or nothing. */
export async function load(client: pg.Client, { file, manifest, files }: Load): Promise<void> {
  await client.query('begin')
  await refuseRows(client)
  await refuseMisfit(client, manifest)
  const { tighten } = await disableConstraints(client)
  await client.query(incomingJobs)
  const rows = createLoader(client, manifest)
  await files.begin()
  try {
    await readArchive(file, { rows: rows.take, file: files.put })
    await rows.finish()
    await tighten()
    await client.query(addJobs)
    await setSequences(client, manifest)
    if (manifest.files) await files.keep()
    await client.query('commit').catch(async (error) => {
      if (manifest.files && error instanceof pg.DatabaseError) await files.undo() // it says no, so nothing was committed
      throw error
    })
  } finally {
    await files.drop()
  }
}

/** Copies one part after the other, as the archive gives them. */
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
    async take(part: string, piece: Buffer) {
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
  if (part === 'queue/crontabs') return 'graphile_worker._private_known_crontabs'
  return `public.${client.escapeIdentifier(part.slice('tables/'.length))}`
}

const incomingJobs = `create temporary table incoming_jobs (place bigint generated always as identity, identifier text,
  payload json, queue_name text, run_at timestamptz, max_attempts integer, key text, priority integer, flags jsonb)
  on commit drop`

// Ordered anew, in their order: the tables of the queue are graphile-worker's own.
const addJobs = `select count((added.job).id) from (
    select graphile_worker.add_job(i.identifier, i.payload, i.queue_name, i.run_at, i.max_attempts, i.key, i.priority,
      (select array_agg(flag) from jsonb_object_keys(i.flags) flag)) as job
    from (select * from incoming_jobs order by place) i offset 0) added`

async function setSequences(client: pg.Client, { sequences }: Manifest) {
  for (const [name, value] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2::bigint)', [`public.${client.escapeIdentifier(name)}`, value])
  }
}

/** Says no to a database that is not empty and not at the backup's version, before anything is changed in it. */
export async function refuseOccupied(client: pg.Client, { migrations }: Manifest): Promise<void> {
  const applied = await appliedTo(client)
  const tables = (await tablesOf(client)).map(({ name }) => name).filter((name) => name !== 'migrations')
  if (applied.size === 0 && tables.length === 0) return
  if (applied.size === 0)
    throw new StartFailure(`The database holds tables of something else (${tables[0]}). ${advice}`)
  const same = applied.size === migrations.length && migrations.every(({ name }) => applied.has(name))
  if (!same) throw new StartFailure(`The database was made by another version than the backup. ${advice}`)
  await refuseRows(client)
}

async function refuseRows(client: pg.Client) {
  for (const { part, from } of await backedUpParts(client)) {
    const { rows } = await client.query(`select exists (select from ${from}) as filled`)
    if (rows[0].filled) throw new StartFailure(`The database is not empty (${part}); nothing was changed. ${advice}`)
  }
}

/** The tables that the backup has and those that its version makes are the same ones; nothing is left empty in silence. */
async function refuseMisfit(client: pg.Client, { parts, notIncluded, version }: Manifest) {
  const made = new Set((await tablesOf(client)).map(({ name }) => `tables/${name}`))
  const unknown = Object.keys(parts).find((part) => part.startsWith('tables/') && !made.has(part))
  const missing = (await backedUpParts(client)).find(
    ({ part }) => !parts[part] && !notIncluded[part.slice('tables/'.length)],
  )
  const wrong = unknown ?? missing?.part
  if (wrong)
    throw new StartFailure(
      `The backup was made by another build of Kontor ${version}: ${wrong} does not fit. Use that one.`,
    )
}

const advice = 'Restore into an empty database: a new one for DATABASE_URL, or a new folder for KONTOR_DATA.'

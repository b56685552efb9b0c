import { type JobContext, job } from '../../core/define/job.ts'
import type { Database } from '../../core/define/operation.ts'
import { Type } from '../../core/define/schema.ts'
import type { Stored } from '../../core/outside/storage.ts'
import { sendWithoutWaiting } from '../../core/run/connection.ts'
import type { Connection } from '../../db/connection.ts'
import { migrationLock } from '../../db/migration-lock.ts'

const graceMs = 60 * 60 * 1000
const removingAtOnce = 8
const putOffMs = 5 * 60 * 1000

const inTurn = "hashtextextended('kontor removes files', 0)"

const removeFileName = 'remove-file'
const RemoveFile = Type.Object({ storageKey: Type.String() })

/** Removes the bytes of a file whose row is gone. */
export const removeFile = job(removeFileName, RemoveFile, async (context, file) => {
  if (await removeUnowned(context, [file.storageKey])) return
  const runAt = new Date(Date.now() + putOffMs)
  await context.once(async ({ enqueue }) => enqueue(removeFileName, file, { runAt }))
})

/**
 * Removes what the store holds and no row knows: uploads that were broken off after their bytes were kept, and files of
 * organizations that are gone. What is younger than an hour may still get its row.
 */
export const sweepFiles = job('sweep-files', Type.Object({}, { additionalProperties: true }), async (context) => {
  const { storage, signal } = context
  let page = await storage.list()
  while (!signal.aborted) {
    const settled = page.objects.filter(isSettled).map(({ key }) => key)
    if (!(await removeUnowned(context, settled))) return // the next sweep will do
    if (page.next === undefined) return
    page = await storage.list(page.next)
  }
})

const isSettled = ({ modifiedAt }: Stored) => Date.now() - modifiedAt.getTime() > graceMs

/**
 * False when somebody takes a backup: a row in it may name the file. Asks for the rows after the listing: a file that has
 * got its row in between is seen.
 */
async function removeUnowned({ tx, storage }: Pick<JobContext, 'tx' | 'storage'>, keys: string[]): Promise<boolean> {
  if (keys.length === 0) return true
  const unowned = await tx(({ db, connection }) => unownedOf(db, connection, keys))
  if (!unowned) return false
  for (let at = 0; at < unowned.length; at += removingAtOnce) {
    await Promise.all(unowned.slice(at, at + removingAtOnce).map((key) => storage.remove(key)))
  }
  return true
}

/** A backup that begins after this was asked no longer sees the rows that are gone. */
async function unownedOf(db: Database, connection: Connection, keys: string[]): Promise<string[] | undefined> {
  sendWithoutWaiting(connection.query(`select pg_advisory_xact_lock(${inTurn})`)) // or two who remove would take each other for a backup
  if (!(await isAlone(connection))) return undefined
  const owned = await db.selectFrom('files').select('storageKey').where('storageKey', 'in', keys).execute()
  const known = new Set(owned.map(({ storageKey }) => storageKey))
  return keys.filter((key) => !known.has(key))
}

/**
 * Whether nobody takes a backup. Asked more than once: whoever had the turn before lets go of the turn and of this at its
 * commit, but not in the same instant.
 */
async function isAlone(connection: Connection): Promise<boolean> {
  for (const patienceS of [0, 0.05, 0.5]) {
    if (patienceS > 0) await connection.query(`select pg_sleep(${patienceS})`)
    const { rows } = await connection.query(`select pg_try_advisory_xact_lock(${migrationLock}) as alone`)
    if (rows[0]?.alone) return true
  }
  return false
}

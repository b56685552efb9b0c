import { type JobContext, job } from '../../../core/define/job.ts'
import type { Database } from '../../../core/define/operation.ts'
import { Type } from '../../../core/define/schema.ts'
import type { Stored } from '../../../core/outside/storage.ts'
import { sendWithoutWaiting } from '../../../core/run/connection.ts'
import { migrationLock } from '../../../db/migration-lock.ts'
import type { Connection } from '../../../db/wire/connection.ts'

const minimumAgeMs = 60 * 60 * 1000
const removalsAtOnce = 8
const retryAfterMs = 5 * 60 * 1000

const removalLock = "hashtextextended('kontor removes files', 0)"

const removeFileName = 'remove-file'
const RemoveFile = Type.Object({ storageKey: Type.String() })

/** Removes the bytes of a file whose row is gone. */
export const removeFile = job(removeFileName, RemoveFile, async (context, file) => {
  if (await removeWithoutRow(context, [file.storageKey])) return
  const runAt = new Date(Date.now() + retryAfterMs)
  await context.once(async ({ enqueue }) => enqueue(removeFileName, file, { runAt }))
})

/**
 * Removes stored files without a row: interrupted uploads, and files of deleted organizations. Files younger than an hour
 * are kept, because their row may still be written.
 */
export const sweepFiles = job('sweep-files', Type.Object({}, { additionalProperties: true }), async (context) => {
  const { storage, signal } = context
  let page = await storage.list()
  while (!signal.aborted) {
    const old = page.objects.filter(isOld).map(({ key }) => key)
    if (!(await removeWithoutRow(context, old))) return // the next sweep will do
    if (page.next === undefined) return
    page = await storage.list(page.next)
  }
})

const isOld = ({ modifiedAt }: Stored) => Date.now() - modifiedAt.getTime() > minimumAgeMs

/**
 * Returns false while a backup is running, because one of its rows may name the file. The rows are read after the listing,
 * so that a file whose row was written in between is kept.
 */
async function removeWithoutRow({ tx, storage }: Pick<JobContext, 'tx' | 'storage'>, keys: string[]): Promise<boolean> {
  if (keys.length === 0) return true
  const withoutRow = await tx(({ db, connection }) => keysWithoutRow(db, connection, keys))
  if (!withoutRow) return false
  for (let at = 0; at < withoutRow.length; at += removalsAtOnce) {
    await Promise.all(withoutRow.slice(at, at + removalsAtOnce).map((key) => storage.remove(key)))
  }
  return true
}

/** A backup that begins after this check no longer contains the deleted rows. */
async function keysWithoutRow(db: Database, connection: Connection, keys: string[]): Promise<string[] | undefined> {
  sendWithoutWaiting(connection.query(`select pg_advisory_xact_lock(${removalLock})`)) // otherwise two of these jobs would take each other for a backup
  if (!(await noBackupRuns(connection))) return undefined
  const owned = await db.selectFrom('files').select('storageKey').where('storageKey', 'in', keys).execute()
  const known = new Set(owned.map(({ storageKey }) => storageKey))
  return keys.filter((key) => !known.has(key))
}

/**
 * Whether no backup is running. Retried, because the previous job releases its two locks at its commit, but not at the
 * same instant.
 */
async function noBackupRuns(connection: Connection): Promise<boolean> {
  for (const waitS of [0, 0.05, 0.5]) {
    if (waitS > 0) await connection.query(`select pg_sleep(${waitS})`)
    const { rows } = await connection.query(`select pg_try_advisory_xact_lock(${migrationLock}) as alone`)
    if (rows[0]?.alone) return true
  }
  return false
}

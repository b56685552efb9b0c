import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { StartFailure } from '../../db/start-failure.ts'
import { lastGoodAt, recordFailure, recordGood } from '../outcomes.ts'
import { withSession } from '../session.ts'
import { type Backup, type BackupRequest, takeBackup } from '../take-backup.ts'
import { isDue } from './due.ts'
import { nameOf, removeLeftovers, requireRoom, scheduledFiles } from './folder.ts'
import { type Retention, type ScheduledFile, toRemove } from './retention.ts'

export type ScheduledBackups = {
  database: pg.ClientConfig
  folder: string
  at: string
  retention: Retention
  /** The id of the database. */
  home: string
  /** How a backup is taken, read anew each time: the passphrase may be in a file. */
  request: () => BackupRequest
  now: () => Date
  log: Log
  notify: (failure: Failed) => Promise<void>
}

export type Failed = { reason: string; lastGoodAt: string | null }

type Log = {
  info(facts: object, sentence: string): void
  warn(facts: object, sentence: string): void
  error(facts: object, sentence: string): void
}

export type Attempt = 'NOT_DUE' | 'ELSEWHERE' | 'DONE' | 'FAILED' | 'STOPPED'

/** One process at a time takes the scheduled backups of a database. */
const backupLock = "hashtextextended('kontor scheduled backup', 0)"

/**
 * Takes a backup if one is due, and removes those that need no longer be kept. What is due is read from the folder, so an
 * emptied folder is filled again, and every process comes to the same answer.
 */
export async function backUpIfDue(given: ScheduledBackups, signal: AbortSignal): Promise<Attempt> {
  try {
    if (!(await isDueIn(given))) return 'NOT_DUE'
    return await withSession(given.database, async (client) => {
      const { rows } = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock(${backupLock}) as alone`)
      if (!rows[0]?.alone) return 'ELSEWHERE'
      if (!(await isDueIn(given))) return 'NOT_DUE' // another process has just taken it
      return attempt(client, given, signal)
    })
  } catch (error) {
    if (signal.aborted) return 'STOPPED'
    given.log.error({ err: error }, 'The scheduled backup failed, and the database cannot be reached to record it.')
    return 'FAILED'
  }
}

async function isDueIn({ folder, home, now, at, retention: { zone } }: ScheduledBackups): Promise<boolean> {
  const taken = (await scheduledFiles(folder, home)).map(({ takenAt }) => takenAt)
  return isDue(now(), taken, { at, zone })
}

async function attempt(client: pg.Client, given: ScheduledBackups, signal: AbortSignal): Promise<Attempt> {
  const { folder, home, log } = given
  const began = performance.now()
  try {
    await removeLeftovers(folder, home)
    await requireRoom(folder, await newestBytes(folder, await scheduledFiles(folder, home)))
    const request = { ...given.request(), takenAt: given.now(), unhurried: true }
    const taken = await takeBackup({ ...request, file: folder, nameOf: (stamp) => nameOf(home, stamp), signal })
    await recordGood(client, taken)
    const removed = await removeOld(given)
    logGood(log, taken, { removed, seconds: (performance.now() - began) / 1000 })
    return 'DONE'
  } catch (error) {
    if (signal.aborted) return 'STOPPED' // the next process will do it
    await fail(client, given, error)
    return 'FAILED'
  }
}

async function newestBytes(folder: string, files: ScheduledFile[]): Promise<number> {
  const newest = files.reduce<ScheduledFile | undefined>((a, b) => (a && a.takenAt > b.takenAt ? a : b), undefined)
  return newest ? (await stat(join(folder, newest.name))).size : 0
}

/** Called after a new backup was written and read back, so at least that one stays. */
async function removeOld({ folder, home, retention }: ScheduledBackups): Promise<string[]> {
  const old = toRemove(await scheduledFiles(folder, home), retention)
  for (const { name } of old) await rm(join(folder, name), { force: true })
  return old.map(({ name }) => name)
}

function logGood(log: Log, { file, bytes, manifest }: Backup, facts: { removed: string[]; seconds: number }) {
  log.info({ file, bytes, ...facts }, 'The scheduled backup was written and checked.')
  const { stored } = manifest
  if (stored && stored.missing !== 0) {
    log.warn(
      { missing: stored.missing, files: stored.missingKeys },
      stored.missing === null
        ? 'The file store did not answer during the backup, so it is not known whether it has every file.'
        : 'The file store does not have every file that rows refer to; kontor verify lists them.',
    )
  }
}

async function fail(client: pg.Client, { log, notify }: ScheduledBackups, error: unknown): Promise<void> {
  const reason = error instanceof StartFailure ? error.message : 'The log says why.' // other errors are not for people
  log.error({ err: error }, 'The scheduled backup failed. It will be tried again in an hour.')
  const { isNews } = await recordFailure(client, reason)
  if (isNews) await notify({ reason, lastGoodAt: await lastGoodAt(client) })
}

const firstMs = 60_000
const everyMs = 60_000
const afterFailureMs = 60 * 60 * 1000

/** Looks every minute whether a backup is due, from a minute after the start on. */
export function startScheduledBackups(given: ScheduledBackups): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout
  const next = (waitMs: number) => {
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      running = backUpIfDue(given, stopping.signal).then((outcome) =>
        next(outcome === 'FAILED' ? afterFailureMs : everyMs),
      )
    }, waitMs)
  }
  next(firstMs)
  return {
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await running
    },
  }
}

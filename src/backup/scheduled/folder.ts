import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, StartFailure } from '../../db/start-failure.ts'
import type { ScheduledFile } from './retention.ts'

/**
 * The name of a scheduled backup, without its ending. It contains the id of the database (`file_home`), so that databases can
 * share a folder, and a restored copy never removes the backups of its original.
 */
export const nameOf = (home: string, stamp: string): string => `kontor-daily-${home}-${stamp}`

/** The scheduled backups of this database in a folder. Every other file is somebody else's. */
export async function scheduledFiles(folder: string, home: string): Promise<ScheduledFile[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const stamp = stampIn(name, home, /^\.tar\.gz(\.enc)?$/)
    return stamp ? [{ name, takenAt: stamp }] : []
  })
}

/** Removes what a killed process left half-written. Only called by the process that takes the backups of this database. */
export async function removeLeftovers(folder: string, home: string): Promise<void> {
  const leftovers = (await namesIn(folder)).filter((name) => stampIn(name, home, /^\.tar\.gz(\.enc)?\.\d+\.part$/))
  for (const name of leftovers) await rm(join(folder, name), { force: true })
}

/** The time in a name, if it is one of this database with such an ending. */
function stampIn(name: string, home: string, ending: RegExp): Date | undefined {
  const start = nameOf(home, '')
  const stamp = name.slice(start.length, start.length + stampLength)
  const isOurs = name.startsWith(start) && ending.test(name.slice(start.length + stampLength))
  if (!isOurs) return undefined
  const takenAt = new Date(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return Number.isNaN(takenAt.getTime()) ? undefined : takenAt
}
const stampLength = 'yyyymmddThhmmssZ'.length

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** The database may be on the same disk, and stops if that is full. */
const reservedBytes = 200_000_000

/** Creates the folder, and refuses one without room for a backup somewhat larger than the last one. */
export async function requireRoom(folder: string, lastBytes: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= lastBytes * 1.5 + reservedBytes) return
  throw new StartFailure(
    `The disk of ${folder} has too little free space for a backup (${Math.floor((bavail * bsize) / 1e6)} MB). Free some space, or set KONTOR_BACKUPS to a folder on another disk.`,
  )
}

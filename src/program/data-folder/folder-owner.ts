import { lchownSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { codeOf, folderFailure } from '../../db/start-failure.ts'

/**
 * Gives what root has made in a data folder to the account that owns the folder. A service runs as that account, and could not
 * open the files that a command of root, such as a restore, left there. The folder of PostgreSQL has its owner already.
 */
export function handOver(dataDir: string): void {
  const owner = process.getuid?.() === 0 ? lstatSync(dataDir, { throwIfNoEntry: false }) : undefined
  if (!owner || owner.uid === 0) return
  for (const name of readdirSync(dataDir)) if (name !== 'postgres') give(join(dataDir, name), owner)
}

function give(path: string, owner: Stats) {
  const found = lstatSync(path, { throwIfNoEntry: false }) // the lease of a running Kontor comes and goes
  if (!found) return
  if (found.uid === 0) lchownSync(path, owner.uid, owner.gid)
  if (found.isDirectory()) for (const name of readdirSync(path)) give(join(path, name), owner)
}

/** An error about a file of another account in the data folder, as a sentence. */
export function withoutAccess(error: unknown, dataDir: string): unknown {
  const path = error instanceof Error && 'path' in error ? String(error.path) : ''
  const isDenied = ['EACCES', 'EPERM'].includes(codeOf(error) ?? '') && path.startsWith(join(dataDir, '/'))
  return isDenied ? folderFailure(error, dataDir, path) : error
}

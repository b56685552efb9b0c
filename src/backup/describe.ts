import { type Keyring, openKeyring } from '../core/secrets/keyring.ts'
import { DamagedBackup, type ReadBackup } from './archive.ts'
import { keyProblem } from './key-check.ts'
import type { Manifest } from './manifest.ts'
import { versionProblem } from './restore.ts'
import { storedSentence } from './stored-files.ts'

type Here = { file: string; version: string; keyring: Keyring | undefined }

/** What `kontor backup --check` says about a backup that was read to its end, and whether it can be restored here. */
export function describe(read: ReadBackup, { file, version, keyring }: Here): { lines: string[]; usable: boolean } {
  const { manifest, encrypted } = read
  const problem = versionProblem(manifest, file)
  const secrets = secretsLine(read, keyring)
  const lines = [
    `${file} is complete: every checksum and row count is right.`,
    `Taken at ${manifest.takenAt} by Kontor ${manifest.version} (PostgreSQL ${manifest.postgres})${encrypted ? ', and encrypted with the passphrase' : ''}.`,
    `It contains ${contents(manifest)}.`,
    ...(manifest.stored ? [storedSentence(manifest.stored)] : []),
    problem ?? `This Kontor (${version}) can restore it.`,
    secrets.line,
  ]
  return { lines, usable: problem === undefined && secrets.usable }
}

/** A machine that checks backups need not have the key; a wrong key is a problem. */
function secretsLine({ manifest: { secrets }, key }: ReadBackup, keyring: Keyring | undefined) {
  if (!secrets.canary) return { line: 'It contains no secrets.', usable: true }
  if (key) {
    const problem = keyProblem(secrets, openKeyring(key))
    return problem
      ? { line: `It includes a key, but its secrets ${problem}`, usable: false }
      : { line: 'It includes its key, which opens its secrets.', usable: true }
  }
  if (!keyring) {
    return {
      line: `Its secrets need the key ${secrets.canary.kekId}, which was not checked: no key is set here.`,
      usable: true,
    }
  }
  const problem = keyProblem(secrets, keyring)
  return problem
    ? { line: `Its secrets ${problem}`, usable: false }
    : { line: `The key set here (${keyring.ids.join(', ')}) opens its secrets.`, usable: true }
}

/** Rows, jobs and files in words. */
export function contents({ parts, files }: Manifest): string {
  const tables = Object.entries(parts).filter(([part]) => part.startsWith('tables/'))
  const rows = tables.reduce((sum, [, part]) => sum + part.rows, 0)
  const inFiles = files ? `, ${files.count} files` : ''
  return `${rows} rows of ${tables.length} tables, ${parts['queue/jobs']?.rows ?? 0} waiting jobs${inFiles}`
}

/** The sentence about a file that cannot be used; nothing was to be restored. */
export const problemOf = (error: unknown, file: string): string | undefined =>
  error instanceof DamagedBackup
    ? `${file} is damaged: its contents do not match their checksums. Use another copy.`
    : undefined

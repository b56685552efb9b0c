import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { diskFull, folderFailure, StartFailure, serverFailure } from '../start-failure.ts'
import { superuser } from './logins.ts'
import type { Account } from './process.ts'

const major = '18'

/** The data folder as the server sees it: its working directory, because its account may not enter the parent folders. */
export const dataArgument = (folder: string): string => (process.platform === 'linux' ? '/proc/self/cwd' : folder)

/** A minimal environment: PGPORT, PGOPTIONS or a locale of the user would change the behaviour of PostgreSQL. */
export const environment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  SystemRoot: process.env.SystemRoot,
  LC_ALL: 'C',
})

export function makeDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw folderFailure(error, dataDir)
  }
}

/** The account to run as. PostgreSQL refuses root, so root uses the owner of the data, `postgres` or `nobody`. */
export function chooseAccount(dataDir: string): Account {
  if (process.getuid?.() !== 0) return {}
  const accounts = passwd()
  for (const folder of [join(dataDir, 'postgres'), dataDir]) {
    const owner = statSync(folder, { throwIfNoEntry: false })
    if (owner && owner.uid !== 0) {
      return { uid: owner.uid, gid: accounts.find(({ uid }) => uid === owner.uid)?.gid ?? owner.gid }
    }
  }
  const named = (name: string) => accounts.find((account) => account.name === name)
  const { uid, gid } = named('postgres') ?? named('nobody') ?? { uid: 65534, gid: 65534 }
  return { uid, gid }
}

function passwd(): { name: string; uid: number; gid: number }[] {
  if (!existsSync('/etc/passwd')) return []
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/** Whether the folder contains a database. Repairs owner and mode, and refuses a foreign or damaged database. */
export function inspect({ folder, account }: { folder: string; account: Account }): 'ready' | 'absent' {
  const owner = statSync(folder, { throwIfNoEntry: false })
  if (owner === undefined || readdirSync(folder).length === 0) return 'absent'
  requireOwnFolder({ folder, uid: owner.uid })
  const version = readVersion(folder)
  if (version !== undefined && version !== major) {
    throw new StartFailure(
      `The database in ${folder} was created by PostgreSQL ${version} and this Kontor runs PostgreSQL ${major}: start it with the Kontor that created it and take a backup there, or move the folder away to begin with an empty one.`,
    )
  }
  const hasControl = existsSync(join(folder, 'global', 'pg_control'))
  if (version === undefined && hasControl) {
    throw new StartFailure(
      `The database in ${folder} is damaged, its file PG_VERSION is missing: restore a backup, or move the folder away to begin with an empty one.`,
    )
  }
  if (!hasControl) return 'absent'
  if (owner.uid === 0 && account.uid !== undefined) changeOwner({ path: folder, account }) // copied by root
  if ((owner.mode & 0o027) !== 0) chmodSync(folder, 0o700) // required by PostgreSQL
  return 'ready'
}

function requireOwnFolder({ folder, uid }: { folder: string; uid: number }): void {
  const self = process.getuid?.() ?? uid
  if (self === 0 || self === uid) return
  const name = passwd().find((account) => account.uid === uid)?.name ?? uid
  throw new StartFailure(
    `The database in ${folder} belongs to user ${name}: start Kontor as that user or as root, or set KONTOR_DATA to another folder.`,
  )
}

function readVersion(folder: string): string | undefined {
  const file = join(folder, 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

function changeOwner({ path, account }: { path: string; account: Account }): void {
  if (account.uid === undefined || account.gid === undefined) return
  lchownSync(path, account.uid, account.gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) changeOwner({ path: inner, account })
    else lchownSync(inner, account.uid, account.gid)
  }
}

type InitInput = {
  dataDir: string
  folder: string
  binaries: string
  account: Account
  durable: boolean
  signal: AbortSignal
}

/** Creates a database in a temporary folder and renames it when it is complete, so that an incomplete one is never used. */
export async function initialise({ dataDir, folder, binaries, account, durable, signal }: InitInput): Promise<void> {
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < 150_000_000) throw diskFull(dataDir)
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  try {
    for (const ctype of ctypes) {
      mkdirSync(fresh, { mode: 0o700 })
      if (account.uid !== undefined && account.gid !== undefined) chownSync(fresh, account.uid, account.gid)
      const { status, output } = await initdb({ fresh, dataDir, binaries, account, durable, ctype, signal })
      signal.throwIfAborted()
      if (status === 0) break
      if (!output.includes('invalid locale name')) {
        throw serverFailure(output, { folder, logFile: join(dataDir, 'postgres.log') })
      }
      rmSync(fresh, { recursive: true })
    }
    setAside(folder)
    renameSync(fresh, folder)
    if (durable && process.platform !== 'win32') syncFolder(dataDir)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw folderFailure(error, dataDir)
  }
}

// Collation and case come from PostgreSQL's own C.UTF-8 tables, the same on every machine. pg_trgm asks the C library
// which characters are letters: with the locale C a Hebrew word has no trigrams, so a UTF-8 locale is tried first. A test
// checks this.
const ctypes = ['C.UTF-8', 'en_US.UTF-8', 'C']

type InitdbRun = Omit<InitInput, 'folder'> & { fresh: string; ctype: string }

function initdb({ fresh, dataDir, binaries, account, durable, ctype, signal }: InitdbRun) {
  const args = ['-D', dataArgument(fresh), '-U', superuser, '--encoding=UTF8', '--data-checksums', '--no-instructions']
  args.push('--locale=C', `--lc-ctype=${ctype}`, '--locale-provider=builtin', '--builtin-locale=C.UTF-8')
  if (!durable) args.push('--no-sync')
  if (process.platform === 'win32') args.push('--auth=scram-sha-256', `--pwfile=${makePassword(dataDir)}`)
  else args.push('--auth=trust') // the socket is in a folder that only this account can enter
  return new Promise<{ status: number | null; output: string }>((resolve, reject) => {
    const child = spawn(join(binaries, 'bin', 'initdb'), args, {
      ...account,
      cwd: fresh,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const end = () => child.kill('SIGTERM')
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    child.on('error', reject)
    child.on('close', (status) => {
      signal.removeEventListener('abort', end)
      resolve({ status, output })
    })
  })
}

/** A folder that is not a complete database (an interrupted copy) is renamed, never deleted. */
function setAside(folder: string): void {
  if (!existsSync(folder)) return
  if (readdirSync(folder).length === 0) rmdirSync(folder)
  else renameSync(folder, `${folder}.incomplete-${Date.now()}`)
}

/** Without this a power failure could undo the rename, and the next start would delete the new database. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

function makePassword(dataDir: string): string {
  const file = passwordFile(dataDir)
  writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return file
}

export const passwordFile = (dataDir: string): string => join(dataDir, 'postgres.password')

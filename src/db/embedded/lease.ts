import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { shellEnvironment } from './process.ts'

/** How long a lease must stay unchanged until its holder counts as ended. It is renewed every second. */
export const leaseMs = 10_000

export const leaseName = (id: string): string => `kontor.${id}.lease`

/** The ids of the leases in a data folder. */
export const leasesIn = (dataDir: string): string[] =>
  readdirSync(dataDir).flatMap((name) => /^kontor\.([\w-]+)\.lease$/.exec(name)?.[1] ?? [])

const mark = (count: number) => `kontor ${String(count).padStart(12, '0')}\n`

export function createLease(dataDir: string, id: string): void {
  writeFileSync(join(dataDir, leaseName(id)), mark(0), { mode: 0o600 })
}

/** Writes in place, which succeeds on a full disk too. */
export const renewLease = (dataDir: string, id: string, count: number): Promise<void> =>
  writeFile(join(dataDir, leaseName(id)), mark(count), { flag: 'r+' })

/**
 * Starts a shell that renews the lease as long as the server lives, also while Kontor is suspended or busy. It kills the
 * server at once when another Kontor has the lock: the machine was suspended for so long that the lease ended.
 * The server is killed without a shutdown, which would write and would remove the lock file of the new server.
 */
export function spawnLeaseKeeper({ dataDir, id, server }: { dataDir: string; id: string; server: number }) {
  if (process.platform === 'win32') return undefined
  const keeper = spawn('/bin/sh', ['-c', keeperScript, 'kontor-lease', String(server), id, leaseName(id)], {
    cwd: dataDir,
    env: shellEnvironment(),
    stdio: 'ignore',
    detached: true,
  })
  keeper.on('error', () => {}) // without a shell, Kontor alone renews the lease
  keeper.unref()
  return keeper
}

const keeperScript = `
n=0
while kill -0 "$1"; do
  state=; [ -r "/proc/$1/stat" ] && read -r _ _ state _ < "/proc/$1/stat"
  [ "$state" = Z ] && exit
  holder=; read -r holder < kontor.lock
  case "$holder" in
    '' | *"$2"*) ;;
    *) kill -STOP "$1"
       workers=; [ -r "/proc/$1/task/$1/children" ] && read -r workers < "/proc/$1/task/$1/children"
       kill -KILL "$1" $workers
       exit ;;
  esac
  n=$((n + 1))
  [ -e "$3" ] && printf 'server %012d\\n' "$n" 1<> "$3"
  sleep 1
done`

/** Whether a Kontor or a PostgreSQL somewhere works in a data folder: watches if anything changes, whatever its clock says. */
export async function isChanging(dataDir: string, forMs: number): Promise<boolean> {
  const before = stateOf(dataDir)
  // Looks are counted, not time: this machine may be suspended meanwhile.
  for (let looks = Math.ceil(forMs / 200); looks > 0; looks--) {
    await sleep(200)
    if (stateOf(dataDir) !== before) return true
  }
  return false
}

/** The leases, and when PostgreSQL last wrote. */
function stateOf(dataDir: string): string {
  const leases = leasesIn(dataDir).map((id) => `${id} ${contentOf(join(dataDir, leaseName(id)))}`)
  const database = join(dataDir, 'postgres')
  const written = ['global/pg_control', ...namesIn(join(database, 'pg_wal')).map((name) => `pg_wal/${name}`)]
  return JSON.stringify([leases, written.map((name) => changedAt(join(database, name)))])
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

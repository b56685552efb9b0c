import { closeSync, fsyncSync, openSync, readFileSync, readlinkSync, statfsSync, statSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { birthOf } from './process.ts'

/** The Kontor that has a data folder, as its lock file describes it. */
export type Holder = {
  pid: number
  birth: string
  /** Names its lease and its socket. Missing in a lock of an earlier version, as all fields below. */
  id?: string | undefined
  host?: string | undefined
  /** The installation of the operating system; missing in most containers. */
  machine?: string | undefined
  /** This run of the kernel. */
  boot?: string | undefined
  /** Where process ids mean the same: a PID namespace of a running kernel. */
  namespace?: string | undefined
  /** The folder as the running kernel numbers it, once the holder listens on its socket in it. */
  place?: string | undefined
  /** The folder of PostgreSQL's socket. */
  socketDir?: string | undefined
}

export function describeSelf(id: string): Holder & { id: string } {
  const host = hostname()
  const common = { pid: process.pid, birth: birthOf(process.pid), id, host }
  if (process.platform !== 'linux') return { ...common, namespace: `${process.platform} ${host}` }
  const boot = textOf('/proc/sys/kernel/random/boot_id')
  const machine = textOf('/etc/machine-id')
  const processes = linkOf('/proc/self/ns/pid')
  const namespace = boot && processes ? `${boot} ${processes}` : undefined
  return { ...common, machine, boot, namespace }
}

/**
 * The data folder as the running kernel numbers it. Two processes with the same answer see the same folder of the same
 * kernel, so that a socket in it connects them.
 */
export function placeOf(dataDir: string, boot: string | undefined): string | undefined {
  if (!boot) return undefined
  const { dev, ino } = statSync(dataDir, { bigint: true })
  return `${boot} ${dev}:${ino}`
}

/** Whether the holder ran on this machine before it was started anew. Another machine may see a network drive. */
export const isBeforeRestart = (dataDir: string, holder: Holder, own: Holder): boolean =>
  own.machine !== undefined &&
  holder.machine === own.machine &&
  holder.host === own.host &&
  holder.boot !== undefined &&
  own.boot !== undefined &&
  holder.boot !== own.boot &&
  localDisks.has(statfsSync(dataDir).type)

/** ext4, xfs, btrfs, zfs, f2fs, tmpfs and overlay, from the manual page of statfs: one kernel at a time has them. */
const localDisks = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630])

export const lockFile = (dataDir: string): string => join(dataDir, 'kontor.lock')

/** The holder in a lock file; `garbled` if a power failure truncated it. */
export function readHolder(file: string): Holder | 'garbled' | undefined {
  const text = textOf(file)
  if (text === undefined) return statSync(file, { throwIfNoEntry: false }) ? 'garbled' : undefined
  try {
    const value: Partial<Holder> | null = JSON.parse(text)
    return typeof value?.pid === 'number' && typeof value.birth === 'string'
      ? { ...value, pid: value.pid, birth: value.birth }
      : 'garbled'
  } catch {
    return 'garbled'
  }
}

/** Writes a holder to disk, beside the lock file, and answers where. */
export function writeHolder(file: string, holder: Holder): string {
  const path = `${file}.${holder.id}.new`
  const handle = openSync(path, 'w', 0o600)
  try {
    writeSync(handle, `${JSON.stringify(holder)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return path
}

export const isSameHolder = (a: ReturnType<typeof readHolder>, b: ReturnType<typeof readHolder>): boolean =>
  typeof a === 'object' && typeof b === 'object'
    ? a.pid === b.pid && a.birth === b.birth && a.id === b.id // without the socket folder, which is noted later
    : a === b

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}

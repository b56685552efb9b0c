import { readdirSync, readFileSync } from 'node:fs'

/** The processor time of each PostgreSQL process so far, in microseconds; null where the system does not report it. */
export type PostgresCpu = ReadonlyMap<string, number> | null

export function readPostgresCpu(postmaster: number): PostgresCpu {
  try {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOf(postmaster, name))
    return new Map(processes.map((pid) => [pid, onCpuNs(pid) / 1_000]))
  } catch {
    return null
  }
}

/** Compares process by process: a backend that ended in between must not subtract the time it used before. */
export function postgresCpuUsed(before: PostgresCpu, after: PostgresCpu): number | null {
  if (!before || !after) return null
  let usedUs = 0
  for (const [pid, us] of after) usedUs += Math.max(0, us - (before.get(pid) ?? 0))
  return usedUs
}

/** The fourth field of stat is the parent; the second is a name in brackets that may hold anything. */
function isOf(postmaster: number, pid: string): boolean {
  const stat = read(`/proc/${pid}/stat`)
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
  return Number(pid) === postmaster || Number(parent) === postmaster
}

const onCpuNs = (pid: string) => Number(read(`/proc/${pid}/schedstat`).split(' ')[0])

/** Another process may end between being listed and being read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

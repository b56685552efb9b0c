import { readdirSync, readFileSync } from 'node:fs'

/** The processor time of PostgreSQL and its backends so far, in microseconds; null where the system does not tell. */
export function postgresCpuUs(postmaster: number): number | null {
  try {
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isOf(postmaster, name))
    return processes.reduce((sum, pid) => sum + onCpuNs(pid), 0) / 1_000
  } catch {
    return null
  }
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

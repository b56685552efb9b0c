import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The resident memory of a process in bytes: from /proc on Linux, from ps elsewhere; undefined if neither tells. */
export async function residentBytes(pid: number | undefined): Promise<number | undefined> {
  if (pid === undefined) return undefined
  try {
    if (process.platform === 'linux') {
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      return kilobytes(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1])
    }
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
    return kilobytes(stdout.trim())
  } catch {
    return undefined // it has ended, or the system has no ps
  }
}

const kilobytes = (text: string | undefined) => (text && /^\d+$/.test(text) ? Number(text) * 1024 : undefined)

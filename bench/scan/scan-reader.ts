import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// The process of the reader, seen from outside: a child of this process or of the server, by the name of its program.

type Seen = { pid: number; peakBytes: number }

/** The readers that run now, with the most memory each has had; on systems without /proc the memory it has now. */
function readersOf(parent: number): Seen[] {
  return process.platform === 'linux' ? fromProc(parent) : fromPs(parent)
}

function fromProc(parent: number): Seen[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== parent) return []
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)) return []
      return [{ pid: Number(pid), peakBytes: Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024 }]
    } catch {
      return [] // it has ended
    }
  })
}

function fromPs(parent: number): Seen[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,command='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parentId, kilobytes] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s/.exec(line) ?? []
    const isReader = Number(parentId) === parent && line.includes(program)
    return isReader ? [{ pid: Number(pid), peakBytes: Number(kilobytes) * 1024 }] : []
  })
}

const program = 'receipt-reader'

/** Watches the readers of this process until `peak` is asked for. */
export function watchReaders() {
  let peak = 0
  const look = () => {
    for (const { peakBytes } of readersOf(process.pid)) peak = Math.max(peak, peakBytes)
  }
  const timer = setInterval(look, 200)
  return {
    peakMegabytes(): number {
      look()
      clearInterval(timer)
      return peak / 1024 / 1024
    },
  }
}

/** How many seconds the last reader of this process lives on, at most this many. */
export async function secondsUntilGone(most: number): Promise<number> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  while (readersOf(process.pid).length > 0 && seconds() < most) await sleep(500)
  return readersOf(process.pid).length > 0 ? Number.POSITIVE_INFINITY : seconds()
}

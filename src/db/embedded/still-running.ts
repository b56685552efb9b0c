import { setTimeout as sleep } from 'node:timers/promises'
import { type Holder, isBeforeRestart, placeOf } from './holder.ts'
import { isChanging, leaseMs, leasesIn } from './lease.ts'
import { probeLifeSocket } from './life-socket.ts'
import { birthOf, isAlive } from './process.ts'

export const socketName = (id: string): string => `kontor.${id}.socket`

type Question = { dataDir: string; own: Holder; say: (line: string) => void; patienceMs?: number }

/**
 * Whether the holder of a lock still runs, or a PostgreSQL of it. The best evidence decides: its process, if its process ids
 * are ours; its socket, if its kernel is ours; otherwise its lease (docs/decisions/0083).
 */
export async function isStillRunning(holder: Holder, question: Question): Promise<boolean> {
  const { dataDir, own, say, patienceMs = leaseMs } = question
  if (isInSight(holder, own)) return isAlive(holder.pid) && holder.birth === birthOf(holder.pid)
  if (holder.id && holder.place && holder.place === placeOf(dataDir, own.boot)) {
    const sign = await lastSignOf(holder.id, holder, question)
    if (sign !== 'unknown') return sign !== 'closed'
  }
  if (isBeforeRestart(dataDir, holder, own)) return false
  say(
    `The data folder ${dataDir} was last used ${elsewhere(holder)}, and Kontor did not stop there in order: watching for ${seconds(patienceMs)} whether it still runs.`,
  )
  return isChanging(dataDir, patienceMs)
}

/** Whether the process ids of the holder mean the same here. An earlier version, which had no leases, assumed it. */
export const isInSight = (holder: Holder, own: Holder): boolean =>
  holder.id === undefined || (holder.namespace !== undefined && holder.namespace === own.namespace)

/** Where a holder is that this process cannot see. */
export const elsewhere = (holder: Holder | undefined): string =>
  `in another container or on another machine${holder?.host ? ` (host ${holder.host})` : ''}`

/** Whether a Kontor runs whose lock file was lost or damaged: its lease and its socket are still there. */
export async function isLockless({ dataDir, say, patienceMs = leaseMs }: Question): Promise<boolean> {
  const ids = leasesIn(dataDir)
  if (ids.length === 0) return false
  const signs = await Promise.all(ids.map((id) => probeLifeSocket(dataDir, socketName(id))))
  if (signs.some((sign) => sign === 'answers' || sign === 'silent')) return true
  say(
    `The data folder ${dataDir} was not left in order, and its lock file is missing or damaged: watching for ${seconds(patienceMs)} whether another Kontor uses it.`,
  )
  return isChanging(dataDir, patienceMs)
}

/** What the socket tells. One that is held by a process that does not answer is given time to be closed. */
async function lastSignOf(id: string, holder: Holder, { dataDir, say, patienceMs = leaseMs }: Question) {
  const deadline = performance.now() + patienceMs
  let told = false
  for (;;) {
    const sign = await probeLifeSocket(dataDir, socketName(id))
    if (sign !== 'silent' || performance.now() > deadline) return sign
    if (!told) {
      say(
        `Kontor ${elsewhere(holder)} does not answer, but it or its PostgreSQL still uses the data folder ${dataDir}: waiting up to ${seconds(patienceMs)} for it to end.`,
      )
    }
    told = true
    await sleep(200)
  }
}

const seconds = (ms: number) => `${Math.ceil(ms / 1_000)} seconds`

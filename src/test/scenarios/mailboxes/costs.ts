import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { residentBytes } from '../../../providers/reader/resident-memory.ts'
import { theApp } from '../../world.ts'

/** What polling costs for each tenth of the messages, in order: milliseconds for each message, and mebibytes in use. */
export type Costs = { ms: number[]; mebibytes: number[] }

const parts = 10

/** Measures until the run has ended: how long the worker takes, and the memory of it and the processes that it starts. */
export async function pollingCosts(
  { pid }: ChildProcess,
  { runId, ended }: { runId: string; ended: Promise<unknown> },
): Promise<Costs> {
  const samples: { at: number; bytes: number }[] = []
  let isOver = false
  const sampling = (async () => {
    while (!isOver) {
      samples.push({ at: Date.now(), bytes: await memoryOf(pid) })
      await sleep(200)
    }
  })()
  await ended.finally(() => {
    isOver = true
  })
  await sampling
  const times = await processedAt(runId)
  const bounds = Array.from({ length: parts + 1 }, (_, n) => times[Math.round((n * (times.length - 1)) / parts)] ?? 0)
  const within = (n: number) => samples.filter(({ at }) => at >= (bounds[n] ?? 0) && at <= (bounds[n + 1] ?? 0))
  const each = Array.from({ length: parts }, (_, n) => n)
  return {
    ms: each.map((n) => ((bounds[n + 1] ?? 0) - (bounds[n] ?? 0)) / (times.length / parts)),
    mebibytes: each.map((n) => middle(within(n).map(({ bytes }) => bytes / 1024 ** 2))),
  }
}

/** When each message of a run got its outcome, in milliseconds. */
async function processedAt(runId: string): Promise<number[]> {
  const { rows } = await theApp().system.raw.query<{ at: number }>(
    'select extract(epoch from processed_at)::float8 * 1000 as at from ingestion_messages where run_id = $1 order by 1',
    [runId],
  )
  return rows.map(({ at }) => at)
}

/** The resident memory of a process and of those that it has started, such as the one that reads messages. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const children = childrenOf(pid)
  const all = await Promise.all([pid, ...children].map(residentBytes))
  return all.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0)
}

function childrenOf(pid: number | undefined): number[] {
  try {
    const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return listed === '' ? [] : listed.split(' ').map(Number)
  } catch {
    return [] // known on Linux only
  }
}

const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 10) / 10).join(' ')

/**
 * The last messages cost what the first ones did. The very first are left out, while a process warms up. Of each half the
 * quickest tenth counts, the one in which others disturbed least.
 */
export function expectFlat(what: string, { ms, mebibytes }: Costs) {
  process.stderr.write(
    `${what}, by tenths: ms for each message ${rounded(ms)}; MiB of the worker and its reader ${rounded(mebibytes)}\n`,
  )
  const half = parts / 2
  expect(Math.min(...ms.slice(half))).toBeLessThanOrEqual(1.5 * Math.min(...ms.slice(1, half)))
  expect(middle(mebibytes.slice(half))).toBeLessThanOrEqual(1.25 * middle(mebibytes.slice(1, half)))
}

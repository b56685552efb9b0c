import type { Request } from 'autocannon'
import type { Child } from '../ipc.ts'
import type { Fire, Fired } from '../load.ts'
import type { Server, Setting } from '../measure.ts'
import { median } from '../statistics.ts'
import type { Figure } from './automations.ts'

// LOAD-19: while a hundred thousand expenses are exported, again and again, the answers to others take at most twice as long as
// otherwise, and the server needs hardly more memory.

export const exportMeasure = 'expense-export'

type Export = {
  ours: Server
  load: Child
  setting: Setting
  get: Request[]
  organizationId: string
  key: Record<string, string>
}

const [slowestP95, mostMemory, rowsMin] = [2, 1.3, 100_000]

export async function benchExport({ ours, load, setting, get, organizationId, key }: Export): Promise<Figure[]> {
  const path = `${ours.url}/api/expenses/export/csv?organizationId=${organizationId}`
  const seconds = Math.max(3, setting.seconds)
  const fire = () =>
    load.ask<Fired>('fire', { url: ours.url, connections: 2, seconds, requests: get } satisfies Partial<Fire>)
  await fire()
  await readRows(path, key) // warms up both
  const repeats = []
  for (let n = 0; n < setting.repeats; n++) {
    const idle = await fire()
    const memory = await ours.child.ask<number>('rss')
    const watch = watchMemory(ours.child)
    const exporting = exportUntilStopped(path, key)
    const beside = await fire()
    const exports = await exporting.stop()
    repeats.push({ slower: beside.p95Ms / idle.p95Ms, larger: (await watch.peak()) / memory, exports, idle })
  }
  const exports = repeats.reduce((sum, each) => sum + each.exports, 0)
  const slower = median(repeats.map((each) => each.slower))
  const larger = median(repeats.map((each) => each.larger))
  const idleMs = median(repeats.map(({ idle }) => idle.p95Ms)).toFixed(1)
  const does = `an export of 100,000 expenses (${exports} done; p95 alone ${idleMs} ms)`
  return [
    {
      name: 'export p95',
      does: `GET beside ${does}`,
      value: slower,
      bar: `<= ${slowestP95}`,
      fits: slower <= slowestP95,
      better: 'lower',
    },
    {
      name: 'export memory',
      does: `Memory of the server beside ${does}`,
      value: larger,
      bar: `<= ${mostMemory}`,
      fits: larger <= mostMemory,
      better: 'lower',
    },
  ]
}

/** Reads an export to its end. An export without its rows would measure nothing. */
async function readRows(path: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(path, { headers })
  if (!answer.ok || !answer.body) throw new Error(`The export failed: ${answer.status} ${await answer.text()}`)
  let rows = 0
  for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>)
    for (const byte of piece) if (byte === 10) rows += 1
  if (rows < rowsMin) throw new Error(`The export has ${rows} rows.`)
}

function exportUntilStopped(path: string, key: Record<string, string>) {
  let [isOver, exports] = [false, 0]
  const work = (async () => {
    do {
      await readRows(path, key)
      exports += 1
    } while (!isOver)
    return exports
  })()
  return {
    stop() {
      isOver = true
      return work
    },
  }
}

function watchMemory(server: Child) {
  let highest = 0
  let isOver = false
  const work = (async () => {
    while (!isOver) {
      highest = Math.max(highest, await server.ask<number>('rss'))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return {
    async peak() {
      isOver = true
      await work
      return highest
    },
  }
}

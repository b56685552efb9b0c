import type { Child } from './ipc.ts'
import type { Fire, Fired } from './load.ts'
import type { Measure } from './measures.ts'
import type { Sent } from './our-server.ts'
import { postgresCpuUs } from './postgres-cpu.ts'

export type Server = { child: Child; url: string }
export type Setting = { connections: number; repeats: number; seconds: number; warmUpSeconds: number }
export type Bench = { raw: Server; ours: Server; load: Child; postmaster: number; setting: Setting }

/** One repeat of one server: throughput, and processor time per request of the server and of PostgreSQL. */
export type Shot = { perSecond: number; p50Ms: number; p95Ms: number; serverUs: number; postgresUs: number | null }
export type Measured = { raw: Shot[]; ours: Shot[] }

/** Raw and ours in turns, so that whatever else the machine does meets both. */
export async function measure(bench: Bench, what: Measure): Promise<Measured> {
  const { repeats, seconds, warmUpSeconds } = bench.setting
  await shoot(bench, 'raw', what, warmUpSeconds)
  await shoot(bench, 'ours', what, warmUpSeconds)
  const measured: Measured = { raw: [], ours: [] }
  for (let repeat = 0; repeat < repeats; repeat++) {
    measured.raw.push(await shoot(bench, 'raw', what, seconds))
    measured.ours.push(await shoot(bench, 'ours', what, seconds))
  }
  return measured
}

async function shoot(bench: Bench, side: 'raw' | 'ours', what: Measure, seconds: number): Promise<Shot> {
  const { child, url } = bench[side === 'raw' && what.besideOurs ? 'ours' : side]
  const connections = what.connections ?? bench.setting.connections
  const beside = side === 'ours' ? what.beside : undefined
  const fire: Fire = { url, connections, seconds, requests: what[side], keys: what.keys, beside }
  const before = await cpu(bench, child)
  const { requests, perSecond, p50Ms, p95Ms } = await bench.load.ask<Fired>('fire', fire)
  const after = await cpu(bench, child)
  return {
    perSecond,
    p50Ms,
    p95Ms,
    serverUs: (after.server - before.server) / requests,
    postgresUs:
      after.postgres === null || before.postgres === null ? null : (after.postgres - before.postgres) / requests,
  }
}

async function cpu({ postmaster }: Bench, child: Child) {
  const { user, system } = await child.ask<NodeJS.CpuUsage>('cpu')
  return { server: user + system, postgres: postgresCpuUs(postmaster) }
}

/**
 * What one request sends to PostgreSQL. The usage record is written behind the calls, once a second, and may fall into
 * a try: the least of several is the request's own.
 */
export async function sentBy({ child, url }: Server, { ours: [request], keys }: Measure): Promise<Sent> {
  if (!request) throw new Error('A measure needs a request.')
  const tries: Sent[] = []
  for (let attempt = 0; attempt < 5; attempt++) {
    await child.ask('watch')
    const headers = {
      ...request.headers,
      ...(keys && { 'idempotency-key': keys === 'fresh' ? `try-${attempt}` : 'again' }),
    }
    const answer = await fetch(url + request.path, { ...request, headers } as RequestInit)
    if (!answer.ok) throw new Error(`${request.path} answered ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
    tries.push(await child.ask<Sent>('sent'))
  }
  return tries.reduce((least, sent) => (sent.statements.length < least.statements.length ? sent : least))
}

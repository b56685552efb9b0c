import type { Child } from './ipc.ts'
import type { Fire, Fired } from './load.ts'
import type { Measure } from './measures/measures.ts'
import type { Sent } from './our-server.ts'
import { postgresCpuUsed, readPostgresCpu } from './postgres-cpu.ts'

export type Server = { child: Child; url: string }
export type Setting = {
  connections: number
  repeats: number
  seconds: number
  warmUpSeconds: number
  /** How many automation runs one repeat times. */
  runs: number
}
export type Bench = { raw: Server; ours: Server; load: Child; postmaster: number; setting: Setting }

/** One repeat of one server, with the processor time per request of the server and of PostgreSQL. */
export type Shot = Fired & { connections: number; perSecond: number; serverUs: number; postgresUs: number | null }
export type Measured = { raw: Shot[]; ours: Shot[] }

/** Raw and ours alternate, so that other load on the machine affects both. */
export async function measure(bench: Bench, what: Measure): Promise<Measured> {
  const { repeats, seconds, warmUpSeconds } = bench.setting
  await shoot(bench, 'raw', what, warmUpSeconds)
  await shoot(bench, 'ours', what, warmUpSeconds)
  const measured: Measured = { raw: [], ours: [] }
  for (let repeat = 0; repeat < repeats; repeat++) {
    measured.raw.push(await shoot(bench, 'raw', what, seconds))
    measured.ours.push(await shoot(bench, 'ours', what, Math.max(seconds, what.secondsMin ?? 0)))
  }
  return measured
}

async function shoot(bench: Bench, side: 'raw' | 'ours', what: Measure, seconds: number): Promise<Shot> {
  const { child, url } = bench[side === 'raw' && what.besideOurs ? 'ours' : side]
  const connections = what.connections ?? bench.setting.connections
  const { keys, refusal } = what
  const beside = side === 'ours' ? what.beside : undefined
  const fire: Fire = { url, connections, seconds, requests: what[side], keys, refusal, beside }
  const before = await cpu(bench, child)
  const fired = await bench.load.ask<Fired>('fire', fire)
  const after = await cpu(bench, child)
  const postgresUs = postgresCpuUsed(before.postgres, after.postgres)
  return {
    ...fired,
    connections,
    perSecond: fired.requests / fired.seconds,
    serverUs: (after.server - before.server) / fired.requests,
    postgresUs: postgresUs === null ? null : postgresUs / fired.requests,
  }
}

async function cpu({ postmaster }: Bench, child: Child) {
  const { user, system } = await child.ask<NodeJS.CpuUsage>('cpu')
  return { server: user + system, postgres: readPostgresCpu(postmaster) }
}

/**
 * The statements that one request sends to PostgreSQL. The usage record is written in the background, once a second,
 * and may be sent during an attempt: the smallest of several attempts is the request alone.
 */
export async function sentBy({ child, url }: Server, { ours: [request], keys, refusal }: Measure): Promise<Sent> {
  if (!request) throw new Error('A measure needs a request.')
  const attempts: Sent[] = []
  for (let attempt = 0; attempt < 5; attempt++) {
    await child.ask('watch')
    const headers = {
      ...request.headers,
      ...(keys && { 'idempotency-key': keys === 'fresh' ? `try-${attempt}` : 'again' }),
    }
    const answer = await fetch(url + request.path, { ...request, headers } as RequestInit)
    const body = await answer.text()
    if (!answer.ok || (refusal && body.includes(refusal)))
      throw new Error(`${request.path} answered ${answer.status}: ${body}`)
    attempts.push(await child.ask<Sent>('sent'))
  }
  return attempts.reduce((least, sent) => (sent.statements.length < least.statements.length ? sent : least))
}

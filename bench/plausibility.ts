import type { Fired } from './load.ts'
import type { Setting, Shot } from './measure.ts'
import { type Drained, webhookAnswersAfterMs } from './measures/automation-fixture.ts'
import { type AutomationRepeat, idleP95Ms, type OneActionRepeat, perSecond } from './measures/automations.ts'
import type { Result } from './report.ts'
import { median } from './statistics.ts'
import { concurrency } from './worker-setting.ts'

/** How far two measurements of the same work may differ by chance. */
const noise = 1.25

/** The same for a 95th percentile, which a short disturbance changes more. */
const percentileNoise = 2

/** A 95th percentile of fewer answers is one of the slowest answers. */
const leastAnswers = 20

/** A sentence for each figure of an HTTP measure that cannot be right. */
export function impossibleResults(results: readonly Result[], setting: Setting): string[] {
  return results.flatMap(({ measure: { name, mayBeFaster }, measured }) => {
    const problems = [...sides(measured)].flatMap(([side, shots]) => [
      ...samplesMissing(`${name}, ${side}`, shots.length, setting.repeats),
      ...shots.flatMap((shot, n) => impossibleShot(`${name}, ${side}, repeat ${n + 1}`, shot, setting)),
    ])
    const ratio = median(measured.ours.map((shot, n) => shot.perSecond / (measured.raw[n]?.perSecond ?? Number.NaN)))
    if (!mayBeFaster && !(ratio <= noise))
      problems.push(`${name}: ${ratio.toFixed(2)} times the throughput of raw, which does less work.`)
    return problems
  })
}

const sides = ({ raw, ours }: Result['measured']) => Object.entries({ raw, ours })

const samplesMissing = (name: string, found: number, expected: number) =>
  found === expected ? [] : [`${name}: ${found} repeats instead of ${expected}.`]

function impossibleShot(name: string, shot: Shot, setting: Setting): string[] {
  const problems = impossibleLoad(name, shot, { connections: shot.connections, seconds: setting.seconds })
  if (shot.besideRequests === 0) problems.push(`${name}: the requests beside had no answer, so nothing else was done.`)
  if (!(shot.serverUs > 0)) problems.push(`${name}: ${shot.serverUs} us of processor time per request.`)
  if (shot.postgresUs !== null && !(shot.postgresUs > 0))
    problems.push(`${name}: ${shot.postgresUs} us of PostgreSQL's processor time per request.`)
  return problems
}

type Ordered = { connections: number; seconds: number }

function impossibleLoad(name: string, { requests, samples, seconds, meanMs, p50Ms, p95Ms }: Fired, ordered: Ordered) {
  const problems: string[] = []
  if (!(seconds >= ordered.seconds * 0.95))
    problems.push(`${name}: lasted ${seconds} s instead of ${ordered.seconds} s.`)
  if (requests < leastAnswers) problems.push(`${name}: only ${requests} answers, at least ${leastAnswers} are needed.`)
  if (samples !== requests) problems.push(`${name}: ${requests} requests were counted and ${samples} were timed.`)
  if (!(p50Ms > 0 && p95Ms >= p50Ms)) problems.push(`${name}: p50 of ${p50Ms} ms and p95 of ${p95Ms} ms.`)
  // A connection has one request at a time, so the time of all answers cannot exceed the time of all connections.
  const busy = (samples * meanMs) / 1_000 / (seconds * ordered.connections)
  if (!(busy <= 1.05))
    problems.push(
      `${name}: ${(requests / seconds).toFixed(0)} requests/s of ${meanMs.toFixed(1)} ms each need more than ${ordered.connections} connections.`,
    )
  return problems
}

/** The same for the figures of automations. */
export function impossibleAutomations(repeats: readonly AutomationRepeat[], setting: Setting): string[] {
  return [
    ...samplesMissing('automations', repeats.length, setting.repeats),
    ...repeats.flatMap((repeat, n) =>
      [...impossibleDrains(repeat), ...impossibleRates(repeat), ...impossibleApi(repeat, setting)].map(
        (problem) => `automations, repeat ${n + 1}, ${problem}`,
      ),
    ),
  ]
}

/** The same for runs of one action alone. */
export const impossibleOneAction = (repeats: readonly OneActionRepeat[], setting: Setting): string[] => [
  ...samplesMissing('automation-one', repeats.length, setting.repeats),
  ...repeats.flatMap(({ bare, one }) => [
    ...impossibleDrain('bare', bare),
    ...impossibleDrain('one', one),
    ...(perSecond(one) <= perSecond(bare) ? [] : ['one: more runs than bare jobs in the same time.']),
  ]),
]

function impossibleDrains({ bare, alone, two }: AutomationRepeat): string[] {
  const drains: [string, Drained][] = [
    ['bare', bare],
    ...Object.entries(alone),
    ['filter-two', two.filter],
    ['post-two', two.post],
  ]
  return drains.flatMap(([name, drained]) => impossibleDrain(name, drained))
}

function impossibleDrain(name: string, { count, succeeded, seconds, leftAtFirstLook }: Drained): string[] {
  const problems: string[] = []
  if (!(seconds > 0)) problems.push(`${name}: took ${seconds} s.`)
  if (!leftAtFirstLook) problems.push(`${name}: all ${count} were finished at the commit, so the clock started late.`)
  if (succeeded !== count) problems.push(`${name}: ${succeeded} of ${count} succeeded.`)
  return problems
}

/** A run is a job with more work, and a webhook occupies one of the worker's jobs until it is answered. */
function impossibleRates({ bare, alone, two }: AutomationRepeat): string[] {
  const webhooks = (concurrency * 1_000) / webhookAnswersAfterMs
  const limits: [name: string, value: number, limit: number, limitName: string][] = [
    ['one', perSecond(alone.one), perSecond(bare), 'bare jobs'],
    ['filter', perSecond(alone.filter), perSecond(alone.one) * noise, 'runs of one action'],
    ['twenty', perSecond(alone.twenty), perSecond(alone.one), 'runs of one action'],
    ['post', perSecond(alone.post), webhooks, 'webhooks that one worker can wait for'],
    ['post-two', perSecond(two.post), webhooks * 2, 'webhooks that two workers can wait for'],
    ['filter-two', perSecond(two.filter), perSecond(alone.filter) * 2 * noise, 'twice the runs of one worker'],
    ['post-two', perSecond(two.post), perSecond(alone.post) * 2 * noise, 'twice the runs of one worker'],
  ]
  return limits
    .filter(([, value, limit]) => !(value <= limit))
    .map(([name, value, limit, limitName]) => `${name}: ${value.toFixed(0)}/s, above ${limit.toFixed(0)}/s, ${limitName}.`)
} // biome-ignore format: a limit a line

function impossibleApi(repeat: AutomationRepeat, setting: Setting): string[] {
  const { idle, draining, runsLeft } = repeat.api
  const idleMs = idleP95Ms(repeat)
  const problems = [
    ...idle.flatMap((fired) => impossibleLoad('api-idle', fired, setting)),
    ...impossibleLoad('api-draining', draining, setting),
  ]
  if (!runsLeft) problems.push('api-draining: the worker finished all runs before the load ended.')
  if (draining.p95Ms * percentileNoise < idleMs)
    problems.push(
      `api-draining: p95 of ${draining.p95Ms.toFixed(1)} ms, below ${idleMs.toFixed(1)} ms without other work.`,
    )
  return problems
}

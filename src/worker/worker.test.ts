import '../test/own-world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { event } from '../core/define/event.ts'
import { conflict, tooManyAtOnce } from '../core/define/failure.ts'
import { type Job, type JobContext, job, retryDelayMs } from '../core/define/job.ts'
import { Type } from '../core/define/schema.ts'
import { subscriberJob, subscriberJobs } from '../core/define/subscriber.ts'
import { createMetrics } from '../core/observe/metrics.ts'
import { organizationSubject } from '../core/share/organization-holder.ts'
import { resilientPool } from '../db/pool.ts'
import { changeJobs, findJobs, lockJobs, removeJobs } from '../test/queue.ts'
import { readMetrics } from '../test/readers/prometheus.ts'
import { member, theApp, theDatabase } from '../test/world.ts'
import type { WorkerDependencies } from './execute.ts'
import { createExecutor } from './execute.ts'
import { prune } from './prune.ts'
import { startWorker, type Worker } from './worker.ts'

const Anything = Type.Object({}, { additionalProperties: true })
const happened = event('test.happened', Type.Object({ what: Type.String() }), 'Something happened')

let worker: Worker | undefined
let raw: pg.Pool | undefined

beforeAll(async () => {
  await query('create table marks (mark text not null)')
  await query('grant select, insert on marks to kontor_confined')
})

afterEach(async () => {
  await worker?.stop()
  await raw?.end()
  worker = undefined
  raw = undefined
})

const query = async (text: string, values: unknown[] = []) => (await theApp().system.raw.query(text, values)).rows

type More = Partial<Pick<WorkerDependencies, 'concurrency' | 'subscriberJobs' | 'meter' | 'logError'>>

async function work(jobs: Job[], more: More = {}) {
  raw = resilientPool({ ...theDatabase(), max: 12 })
  const heartbeatTimes = { intervalMs: 200, timeoutMs: 2_000 }
  worker = await startWorker(raw, {
    ...theApp(),
    jobs,
    heartbeatTimes,
    subscriberJobs: () => [],
    logError: () => {},
    ...more,
  })
}

const order = (organizationId: string | undefined, name: string, payload: object = {}) =>
  query("select set_config('app.organization', $1, false), enqueue($2, $3)", [organizationId, name, payload])

const marks = async () => (await query('select mark from marks')).map(({ mark }) => mark as string)
const mark =
  (text: string) =>
  async ({ connection }: { connection: { query(text: string, values: unknown[]): Promise<unknown> } }) =>
    void (await connection.query('insert into marks (mark) values ($1)', [text]))

test('a failed job has one log line that names it, also if its end cannot be written at once', async () => {
  const { organizationId = '' } = await member('OWNER')
  const logged: unknown[][] = []
  const logError: WorkerDependencies['logError'] = (error, what, failed) => {
    if (failed) logged.push([(error as Error).message, what, failed])
  }
  let isLocked = false
  const locker = resilientPool({ ...theDatabase(), max: 1 })
  const holder = await locker.connect()
  const failing = job('break', Anything, async () => {
    await holder.query('begin; lock table failed_jobs') // the end of the job waits for the lock, and fails at first
    isLocked = true
    throw conflict('It is broken.')
  })
  await order(organizationId, 'break')
  await work([failing], { logError })
  await vi.waitFor(() => expect(isLocked).toBe(true), 10_000)
  await query('select pg_terminate_backend($1)', [await waitingPid()])
  await holder.query('rollback')
  holder.release()
  await locker.end()
  await vi.waitFor(
    async () => expect(await query("select job from failed_jobs where job = 'break'")).toHaveLength(1),
    20_000,
  )
  expect(logged).toEqual([
    ['It is broken.', 'break was given up', { job: 'break', jobId: expect.any(String), attempt: 1, organizationId }],
  ])
})

/** The process that waits to write the end of a job. */
async function waitingPid(): Promise<number> {
  let pid: number | undefined
  await vi.waitFor(async () => {
    const rows = await query(
      "select pid from pg_stat_activity where datname = current_database() and query like 'insert into failed_jobs%' and wait_event_type = 'Lock'",
    )
    pid = rows[0]?.pid
    expect(pid).toBeDefined()
  }, 3_000)
  return pid ?? 0
}

test('a job runs in the organization that enqueued it, and sees no other', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  const seen: string[] = []
  await order(amy.organizationId, 'look')
  await work([
    job('look', Anything, ({ once }) =>
      once(async ({ db }) => {
        for (const { id } of await db.selectFrom('organizations').select('id').execute()) seen.push(id)
      }),
    ),
  ])
  await vi.waitFor(() => expect(seen).toEqual([amy.organizationId]), 10_000)
  expect(seen).not.toContain(eve.organizationId)
})

test('FLT-16: a worker that stops aborts long jobs, and the next worker retries a job that failed because of it', async () => {
  const { organizationId } = await member('OWNER')
  const begun: string[] = []
  const untilStopped = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  await order(organizationId, 'long')
  await order(organizationId, 'breaks')
  await work([
    job('long', Anything, async ({ signal }) => {
      begun.push('long')
      await untilStopped(signal)
    }),
    job('breaks', Anything, async ({ signal }) => {
      begun.push('breaks')
      await untilStopped(signal)
      throw new Error('cut off')
    }),
  ])
  await vi.waitFor(() => expect(begun.sort()).toEqual(['breaks', 'long']), 10_000)
  await worker?.stop()
  worker = undefined
  const left = await query('select task_identifier, attempts, locked_by from graphile_worker.jobs')
  expect(left).toEqual([{ task_identifier: 'breaks', attempts: 0, locked_by: null }])
  await removeJobs()
})

test('FLT-16: a slot runs the jobs of the queue one after the other, and fetches none once the worker stops', async () => {
  const { organizationId } = await member('OWNER')
  for (let n = 1; n <= 5; n++) await order(organizationId, 'in-a-row', { n })
  const done: number[] = []
  let release = () => {}
  const third = new Promise<void>((resolve) => {
    release = resolve
  })
  await work(
    [
      job('in-a-row', Type.Object({ n: Type.Number() }), async (_, { n }) => {
        done.push(n)
        if (n === 3) await third
      }),
    ],
    { concurrency: 1 },
  )
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]), 10_000)
  const stopping = worker?.stop()
  worker = undefined
  release()
  await stopping
  expect(done).toEqual([1, 2, 3])
  expect(await findJobs()).toMatchObject([4, 5].map((n) => ({ payload: { n }, attempts: 0, lockedBy: null })))
  await removeJobs()
})

test('a refused job is stored with its reason and not retried', async () => {
  const { organizationId } = await member('OWNER')
  await order(organizationId, 'refused', { n: 1 })
  await work([
    job('refused', Anything, async () => {
      throw conflict('The period is closed.')
    }),
  ])
  await vi.waitFor(async () => {
    const failed = await query('select job, payload, attempts, error from failed_jobs where organization_id = $1', [
      organizationId,
    ])
    expect(failed).toEqual([{ job: 'refused', payload: { n: 1 }, attempts: 1, error: 'The period is closed.' }])
  }, 10_000)
})

test('LOAD-14: a job that is refused because its organization has too much work at the same time is retried', async () => {
  const { organizationId } = await member('OWNER')
  const attempts: number[] = []
  await order(organizationId, 'crowded', { n: 1 })
  await work([
    job('crowded', Anything, async ({ attempt }) => {
      attempts.push(attempt)
      if (attempt === 1) throw tooManyAtOnce('requests of this organization', 1)
    }),
  ])
  await vi.waitFor(() => expect(attempts).toEqual([1, 2]), 15_000)
})

test('LOAD-14: the jobs of an organization leave connections for those of others', async () => {
  const [{ organizationId: busy = '' }, { organizationId: quiet = '' }] = [await member('OWNER'), await member('OWNER')]
  const { turns } = theApp().confined
  const held = await Promise.all(Array.from({ length: 6 }, () => turns?.enter([organizationSubject(busy)])))
  const done: string[] = []
  for (const id of [busy, busy, busy, busy, busy, quiet]) await order(id, 'note', { id })
  await work([
    job('note', Anything, async ({ tx, organizationId }) => {
      await tx(({ ask }) => ask('select 1'))
      done.push(organizationId ?? '')
    }),
  ])
  await vi.waitFor(() => expect(done).toEqual([quiet]), 9_000)
  for (const turn of held) turn?.leave()
  await vi.waitFor(() => expect(done).toEqual([quiet, busy, busy, busy, busy, busy]), 15_000)
})

/** Retries are due at once: the delays are checked by themselves. */
async function hurry(name: string) {
  await changeJobs('run_at = now()', 'run_at > now() and locked_at is null and job = $1', [name])
  await query(`notify "jobs:insert"`)
}

test('a job that fails is retried later with the same payload, and then given up', async () => {
  const { organizationId } = await member('OWNER')
  const attempts: [number, unknown][] = []
  await order(organizationId, 'flaky', { n: 7 })
  await work([
    job('flaky', Anything, async ({ attempt }, payload) => {
      attempts.push([attempt, payload])
      if (attempt < 3) throw new Error('connection reset')
    }),
  ])
  await vi.waitFor(
    async () => {
      await hurry('flaky')
      expect(attempts.map(([n]) => n)).toEqual([1, 2, 3])
    },
    { timeout: 15_000, interval: 100 },
  )
  expect(attempts.map(([, payload]) => payload)).toEqual([{ n: 7 }, { n: 7 }, { n: 7 }])
  expect([1, 2, 3, 4, 5].map((n) => retryDelayMs(n, 0.5))).toEqual([1_000, 5_000, 25_000, 120_000, undefined])
})

test('the changes of a job that fails are rolled back', async () => {
  const { organizationId } = await member('OWNER')
  let runs = 0
  await order(organizationId, 'half')
  await work([
    job('half', Anything, ({ once }) =>
      once(async (inside) => {
        runs += 1
        await mark(`half ${runs}`)(inside)
        if (runs === 1) throw new Error('power cut')
      }),
    ),
  ])
  await vi.waitFor(async () => expect(await marks()).toContain('half 2'), 10_000)
  expect(await marks()).not.toContain('half 1')
})

test('INV-13: a worker that was declared dead cannot finish its job', async () => {
  const { organizationId } = await member('OWNER')
  let runs = 0
  let firstEnded = false
  const zombies = async () => (await marks()).filter((each) => each.startsWith('zombie'))
  const slow = async ({ once }: JobContext) => {
    runs += 1
    const mine = runs
    if (mine === 1) {
      await query(
        'select graphile_worker.force_unlock_workers(array(select distinct locked_by from graphile_worker.jobs where locked_by is not null))',
      )
      await vi.waitFor(async () => expect(await zombies()).toEqual(['zombie 2']), 10_000)
    }
    await once(mark(`zombie ${mine}`)).finally(() => {
      firstEnded ||= mine === 1
    })
  }
  await order(organizationId, 'slow')
  await work([job('slow', Anything, slow)])
  await vi.waitFor(() => expect(firstEnded).toBe(true), 15_000)
  expect(await zombies()).toEqual(['zombie 2'])
})

test('FLT-05: an organization that floods the queue gets no more than its share', async () => {
  const [loud, quiet] = [await member('OWNER'), await member('OWNER')]
  for (let i = 0; i < 40; i++) await order(loud.organizationId, 'tick', { who: 'loud' })
  await order(quiet.organizationId, 'tick', { who: 'quiet' })
  const done: string[] = []
  let [now, most] = [0, 0]
  await work(
    [
      job('tick', Type.Object({ who: Type.String() }), async (_, { who }) => {
        if (who === 'loud') most = Math.max(most, ++now)
        await sleep(40)
        if (who === 'loud') now -= 1
        done.push(who)
      }),
    ],
    { concurrency: 6 },
  )
  await vi.waitFor(() => expect(done).toHaveLength(41), 20_000)
  expect(most).toBeLessThanOrEqual(4)
  expect(done.indexOf('quiet')).toBeLessThan(10)
})

test('INV-10 INV-11: a subscriber gets each committed event once, with its cause, and no event that was rolled back', async () => {
  const { organizationId } = await member('OWNER')
  const told: unknown[] = []
  const subscriber = {
    name: 'listener',
    on: ['test.happened'],
    async run(_: unknown, { payload, cause }: { payload: unknown; cause: { job?: string } }) {
      told.push([payload, cause.job])
    },
  }
  let tries = 0
  const source = job('source', Anything, ({ once }) =>
    once(async ({ emit }) => {
      tries += 1
      emit(happened, { what: `try ${tries}` })
      if (tries === 1) throw new Error('not this time')
    }),
  )
  await order(organizationId, 'source')
  await work([source, subscriberJob(subscriber)], { subscriberJobs: subscriberJobs([subscriber]) })
  await vi.waitFor(() => expect(told).toEqual([[{ what: 'try 2' }, 'source']]), 15_000)
})

test('the outcomes of job attempts are counted by job name', async () => {
  const { organizationId } = await member('OWNER')
  const meter = createMetrics({})
  for (const how of ['well', 'well', 'refused', 'later']) await order(organizationId, 'counted', { how })
  const counted = job('counted', Type.Object({ how: Type.String() }), async ({ attempt }, { how }) => {
    if (how === 'refused') throw conflict('The period is closed.')
    if (how === 'later' && attempt === 1) throw new Error('not this time')
  })
  await work([counted], { meter })
  await vi.waitFor(async () => {
    const page = readMetrics(await meter.page())
    const attempts = (outcome: string) => page.value('kontor_job_attempts_total', { job: 'counted', outcome })
    expect([attempts('done'), attempts('given_up'), attempts('retried')]).toEqual([3, 1, 1])
    expect(page.value('kontor_job_duration_seconds_count', { job: 'counted' })).toBe(5)
  }, 15_000)
})

test('IDEM-9: pruning deletes idempotency keys older than three days and keeps newer ones', async () => {
  const { userId } = await member('OWNER')
  for (const [key, age] of [
    ['old', '73 hours'],
    ['new', '71 hours'],
  ]) {
    await query(
      "insert into idempotency_keys (user_id, principal, key, fingerprint, created_at) values ($1, 'p', $2, '', now() - $3::interval)",
      [userId, key, age],
    )
  }
  await query("select graphile_worker.add_job('prune')")
  await work([prune])
  await vi.waitFor(
    async () =>
      expect(
        (await query('select key from idempotency_keys where user_id = $1', [userId])).map(({ key }) => key),
      ).toEqual(['new']),
    10_000,
  )
})

test('FLT-06: a job that is delivered twice, at the same time or later, has one effect', async () => {
  const { organizationId } = await member('OWNER')
  await order(organizationId, 'delivered')
  const [row] = await lockJobs("job = 'delivered'")
  if (!row) throw new Error('No job is waiting.')
  const ticket = { id: row.id, flags: row.flags, attempts: 1, locked_by: 'test' }
  const executor = createExecutor({ ...theApp(), jobs: [], subscriberJobs: () => [], logError: () => {} }, 8)
  const delivered = job('delivered', Anything, ({ once }) => once(mark('delivered')))
  const deliver = () => executor.execute(delivered, {}, ticket)
  const together = await Promise.allSettled([deliver(), deliver(), deliver(), deliver()])
  expect(together.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  await expect(deliver()).rejects.toThrow('Somebody else has this job now.')
  expect((await marks()).filter((each) => each === 'delivered')).toHaveLength(1)
})

test('a job whose key is enqueued again while it runs ends, and only the new one is left', async () => {
  const { organizationId } = await member('OWNER')
  const later = { key: 'recurring:1', runAt: new Date(Date.now() + 3_600_000) }
  const recurring = job('recurring', Anything, ({ tx }) => tx(async ({ enqueue }) => enqueue('recurring', {}, later)))
  await query("select set_config('app.organization', $1, false), enqueue('recurring', '{}', null, $2)", [
    organizationId,
    later.key,
  ])
  await work([recurring])
  const expected = { key: later.key, attempts: 0, lockedBy: null, lastError: null, runAt: later.runAt }
  await vi.waitFor(async () => expect(await findJobs("job = 'recurring'")).toMatchObject([expected]), 10_000)
})

test('FLT-06 INV-11: a subscriber does its work once although its job is delivered twice', async () => {
  const { organizationId } = await member('OWNER')
  const subscriber = {
    name: 'twice-told',
    on: ['test.happened'],
    run: mark('told'),
  }
  const source = job('teller', Anything, ({ once }) => once(async ({ emit }) => emit(happened, { what: 'twice' })))
  await order(organizationId, 'teller')
  const told = subscriberJob(subscriber)
  const twice = {
    ...told,
    run: async (...given: Parameters<typeof told.run>) => {
      await told.run(...given)
      await expect(told.run(...given)).rejects.toThrow('Somebody else has this job now.')
    },
  }
  await work([source, twice], { subscriberJobs: subscriberJobs([subscriber]) })
  await vi.waitFor(async () => expect(await marks()).toContain('told'), 15_000)
  expect((await marks()).filter((each) => each === 'told')).toHaveLength(1)
})

test('FLT-02: a job whose fetch was not acknowledged to the worker is delivered again', async () => {
  const { organizationId } = await member('OWNER')
  const done: string[] = []
  await work([job('unnoticed', Anything, async () => void done.push('done'))])
  const [{ poolId }] = (await query('select pool_id as "poolId" from worker_heartbeats')) as [{ poolId: string }]
  await query(
    "select set_config('app.organization', $1, false), enqueue('unnoticed', '{}', now() + interval '1 hour')",
    [organizationId],
  )
  const lost = "locked_by = $1, locked_at = now() - interval '1 minute', run_at = now(), attempts = 1"
  await changeJobs(lost, "job = 'unnoticed'", [poolId])
  await vi.waitFor(() => expect(done).toEqual(['done']), 10_000)
})

test('FLT-02: a job in which 25 workers have died is run again when more attempts are allowed, and knows of them', async () => {
  let interruptions: number | undefined
  const once = job('die-often', Anything, async (context) => {
    interruptions = context.interruptions
  })
  const left = () => query("select attempts from graphile_worker.jobs where task_identifier = 'die-often'")
  await query("select graphile_worker.add_job('die-often', '{}')")
  await changeJobs('attempts = 25', "job = 'die-often'")
  await work([once])
  expect(await left()).toEqual([{ attempts: 25 }])
  await query("select allow_more_attempts('die-often')")
  await vi.waitFor(async () => expect(await left()).toEqual([]), 10_000)
  expect(interruptions).toBe(25)
})

test('FLT-05: several workers can count the waiting jobs at the same moment', async () => {
  const { organizationId } = await member('OWNER')
  for (let n = 0; n < 12; n++) await order(organizationId, 'waits')
  await Promise.all(Array.from({ length: 6 }, () => query('select count_job_pressure()')))
  expect(await query('select waiting from job_pressure where organization_id = $1', [organizationId])).toEqual([
    { waiting: 12 },
  ])
})

test('a job that is completed in a transaction is gone if the transaction commits, and still queued if it does not', async () => {
  const { organizationId } = await member('OWNER')
  const seen: unknown[] = []
  const waiting = () => query("select id from graphile_worker.jobs where task_identifier = 'borrow'")
  const borrow = job('borrow', Anything, async ({ tx, endThrough }) => {
    await tx(async ({ ask }) => {
      await endThrough(ask)
      throw new Error('not this time')
    }).catch(() => {})
    seen.push((await waiting()).length)
    const committed = await tx(({ ask }) => endThrough(ask))
    seen.push((await waiting()).length)
    committed()
  })
  await order(organizationId, 'borrow')
  await work([borrow])
  await vi.waitFor(() => expect(seen).toEqual([1, 0]), 10_000)
})

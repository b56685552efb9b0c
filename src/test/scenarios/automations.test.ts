import '../own-world.ts'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { FaultPoint } from '../../core/observe/fault-point.ts'
import { queueTables } from '../../db/queue.ts'
import { verify } from '../../verify/verify.ts'
import { action, automate, graphOf, trigger } from '../automations/automations.ts'
import { buildProgram } from '../processes/bundle.ts'
import { runProgram, startProgram } from '../processes/program.ts'
import { startWorkerHere } from '../processes/worker-here.ts'
import { inProof, proves, sample } from '../prove.ts'
import { member, type Someone, theApp, theDatabase } from '../world.ts'
import { randomOf, seedOf } from './bank/random.ts'

/**
 * How many events, organizations, workers and faults. In `npm test` the other worker is this process: only one that is frozen and
 * then killed needs its own.
 */
const [eventCount, organizationCount] = inProof([12, 2], [5_000, 20])
const [workerCount, faults] = inProof([1, 2], [4, 60])
const automationsEach = 5
const patienceMs = inProof(120_000, 3_000_000)

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

let program: string
const env = () => ({ DATABASE: JSON.stringify(theDatabase()), RATE_LIMIT_SCALE: '100' })
beforeAll(async () => {
  program = await buildProgram('worker')
})

/** Adds a category named after the event, then writes its name into the notes of the customer. */
const twoSteps = (n: number) =>
  graphOf(
    [
      trigger('customer.created'),
      action('mark', 'expense_categories_create', { name: `${n} {{trigger.id}}` }),
      action('note', 'customers_update_patch', { id: '{{trigger.id}}', notes: '{{blocks.mark.name}}' }),
    ],
    'start>mark',
    'mark>note',
  )

/** Up to five runs that are not over, with their jobs and steps, so that a failure shows why. */
const unfinished = () =>
  ask(`select r.id, r.token, now() - r.started_at as age, j.attempts, j.run_at - now() as due_in, j.locked_by, j.last_error,
      (select json_agg(json_build_array(s.block_id, s.status, s.attempt, s.error) order by s.id)
       from automation_steps s where s.run_id = r.id) as steps,
      (select json_agg(f.error) from failed_jobs f where f.payload::text like '%' || r.id || '%') as given_up
    from automation_runs r left join ${queueTables.jobs} j on j.payload::text like '%' || r.id || '%'
    where r.status = 'RUNNING' limit 5`)

test(
  'FLT-02 FLT-03 FLT-05 INV-11 INV-13: while workers are killed and frozen at random, every event starts every automation once, and every step runs once',
  async () => {
    const random = randomOf(seedOf('The test of killed workers'))
    const people: Someone[] = []
    while (people.length < organizationCount) people.push(await member('CONTRIBUTOR'))
    for (const amy of people) for (let n = 0; n < automationsEach; n++) await automate(amy, twoSteps(n))
    const workers: ChildProcess[] = await Promise.all(
      Array.from({ length: workerCount }, () => runProgram(program, env())),
    )
    onTestFinished(() => void workers.map((worker) => worker.kill('SIGKILL')))
    const stopOther = proves ? async () => {} : await startWorkerHere({ RATE_LIMIT_SCALE: '100' })
    onTestFinished(stopOther)
    const creating = createCustomers(people, eventCount)
    for (let done = 0; done < faults; done++) {
      await sleep(random.between(300, 800))
      const victim = random.below(workers.length)
      if (done % 3 === inProof(0, 1)) await freeze(workers[victim])
      else if (proves) await replace(workers, victim)
      else for (const worker of workers.splice(victim, 1)) worker.kill('SIGKILL')
    }
    await creating
    await vi.waitFor(async () => expect(await unfinished()).toEqual([]), { timeout: patienceMs, interval: 500 })
    const expected = eventCount * automationsEach
    const states = await ask('select status, count(*)::int as runs from automation_runs group by 1')
    expect(states).toEqual([{ status: 'SUCCEEDED', runs: expected }])
    const steps = await ask(
      "select block_id, count(*)::int as steps from automation_steps where status = 'SUCCEEDED' group by 1 order by 1",
    )
    expect(steps).toEqual(['mark', 'note', 'start'].map((block_id) => ({ block_id, steps: expected })))
    // The rows that the steps created, not only the record of the steps.
    const [deeds] = await ask(
      `select count(*)::int as rows, count(distinct name)::int as names from expense_categories where name ~ '^\\d '`,
    )
    expect(deeds).toEqual({ rows: expected, names: expected })
    const [trail] = await ask(
      "select count(*)::int as rows, count(distinct run_id)::int as runs from audit_log where source = 'AUTOMATION' and operation = 'customers_update_patch'",
    )
    expect(trail).toEqual({ rows: expected, runs: expected })
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))))
    await stopOther()
    expect(await ask('select job, error from failed_jobs')).toEqual([])
    expect((await verify(theApp())).filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
  },
  patienceMs * 2,
)

/** Creates customers in every organization, four at a time: each is an event that starts five automations. */
async function createCustomers(people: Someone[], count: number) {
  let next = 0
  const client = async () => {
    while (next < count) {
      const at = next++
      await people[at % people.length]?.call('customers_create', { name: `C${at}`, country: 'SG' })
    }
  }
  await Promise.all(Array.from({ length: 4 }, client))
}

async function replace(workers: ChildProcess[], victim: number) {
  workers[victim]?.kill('SIGKILL')
  workers[victim] = await runProgram(program, env())
}

/** Freezes a worker for longer than the silence that is allowed, here 1.5 s. */
async function freeze(worker: ChildProcess | undefined) {
  worker?.kill('SIGSTOP')
  await sleep(2_500)
  worker?.kill('SIGCONT')
}

const signalOf = (child: ChildProcess) => new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))

/** In the middle of the three transactions that a step may have. */
const moments: FaultPoint[] = ['after-commit-before-reply', 'before-commit', 'after-effect-before-record']

test.each(sample(moments, moments.length))(
  'FLT-02 INV-14: a worker killed %s has acted and recorded it, or neither, and the next worker continues the run',
  async (point) => {
    const amy = await member('CONTRIBUTOR')
    const id = await automate(amy, twoSteps(0))
    await amy.call('customers_create', { name: 'Globex', country: 'SG' })
    const doomed = startProgram(program, { ...env(), KONTOR_FAULT: point }, { quiet: true })
    expect(await signalOf(doomed)).toBe('SIGKILL')
    const made = () =>
      ask('select name from expense_categories where organization_id = $1 and not is_default', [amy.organizationId])
    const recorded = () =>
      ask("select id from automation_steps where organization_id = $1 and block_id = 'mark' and status = 'SUCCEEDED'", [
        amy.organizationId,
      ])
    expect(await recorded()).toHaveLength((await made()).length)
    onTestFinished(await startWorkerHere())
    await vi.waitFor(
      async () => expect((await amy.call('automations_runs', { id })).runs[0]?.status).toBe('SUCCEEDED'),
      { timeout: 60_000, interval: 250 },
    )
    expect(await made()).toHaveLength(1)
    expect(await recorded()).toHaveLength(1)
  },
)

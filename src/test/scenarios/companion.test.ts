import '../own-world.ts'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { FaultPoint } from '../../core/observe/fault-point.ts'
import { verify } from '../../verify/verify.ts'
import { buildProgram } from '../processes/bundle.ts'
import { runProgram, startProgram } from '../processes/program.ts'
import { startWorkerHere } from '../processes/worker-here.ts'
import { inProof, proves } from '../prove.ts'
import { member, theApp, theDatabase } from '../world.ts'

/** How many turns, workers and kills. */
const [turnCount, workerCount, kills] = inProof([8, 1, 1], [400, 2, 60])

/** Where a worker kills itself; undefined: it is killed from outside, wherever it is. */
const faults: (FaultPoint | undefined)[] = [
  'before-commit',
  undefined,
  'after-commit-before-reply',
  undefined,
  'after-idem-insert',
  undefined,
]

const ask = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

const running = () => ask("select id from companion_turns where status = 'RUNNING'")

test('FLT-03: with workers killed at any moment, a turn of the companion ends with a reason, and what it did is done once', async () => {
  const amy = await member('OWNER')
  const organizationId = String(amy.organizationId)
  for (let n = 1; n <= turnCount; n++)
    await amy.call('companion_write_sessions', {
      organizationId,
      sessionId: `kill-${n % 20}`,
      text: `add the customer Kill${n}`,
    })
  const program = await buildProgram('worker')
  const env = { DATABASE: JSON.stringify(theDatabase()) }
  const workers: ChildProcess[] = []
  while (workers.length < workerCount) workers.push(await runProgram(program, env))
  onTestFinished(() => void workers.map((worker) => worker.kill('SIGKILL')))
  for (let killed = 0; killed < kills; killed++) {
    await sleep(Math.random() * 150)
    const at = killed % workers.length
    workers[at]?.kill('SIGKILL')
    const fault = faults[killed % faults.length]
    workers[at] = fault
      ? startProgram(program, { ...env, KONTOR_FAULT: fault }, { quiet: true })
      : await runProgram(program, env)
  }
  if (proves)
    for (const at of workers.keys()) {
      workers[at]?.kill('SIGKILL')
      workers[at] = await runProgram(program, env)
    }
  else {
    // The last one kills itself at its first turn; the one that goes on is this process.
    const isOver = async () => workers[0]?.signalCode === 'SIGKILL' || (await running()).length === 0
    await vi.waitFor(async () => expect(await isOver()).toBe(true), { timeout: 60_000, interval: 50 })
    onTestFinished(await startWorkerHere())
  }
  await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 120_000, interval: 500 })
  const left = workers.filter(({ signalCode }) => signalCode === null)
  await Promise.all(left.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM'))))
  const turns = await ask<{ status: string; error: string | null; succeeded: number; made: number }>(
    `select t.status, t.error,
       (select count(*)::integer from companion_steps s where s.turn_id = t.id and s.ref = 'customers_create' and s.status = 'SUCCEEDED') as succeeded,
       (select count(*)::integer from customers c join companion_messages m on m.text = 'add the customer ' || c.name
        where m.turn_id = t.id and m.role = 'user') as made
     from companion_turns t`,
  )
  expect(turns).toHaveLength(turnCount)
  for (const { status, error, succeeded, made } of turns) {
    expect({ made, status }).toEqual({ made: succeeded, status: expect.stringMatching(/^(SUCCEEDED|FAILED)$/) })
    if (status === 'SUCCEEDED') expect(made).toBe(1)
    else expect(error).toMatch(/server stopped|ask again/i)
  }
  expect(turns.some(({ status }) => status === 'SUCCEEDED')).toBe(true)
  const broken = await verify(theApp())
  expect(broken.filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server for tests gives up durability
}, 300_000)

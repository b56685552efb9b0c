import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { FaultPoint } from '../../../core/observe/fault-point.ts'
import { runProgram, startProgram } from '../../processes/program.ts'
import { startWorkerHere } from '../../processes/worker-here.ts'
import { proves } from '../../prove.ts'
import { theDatabase } from '../../world.ts'
import type { Random } from '../bank/random.ts'

const faults: FaultPoint[] = ['before-commit', 'after-commit-before-reply', 'after-effect-before-record']
/** The limits of one worker in three are so low that steps wait their turn. */
const scales = ['100', '100', '0.1']
/** Longer than the silence after which these workers count as dead. */
const frozenMs = 2_000

/** Two workers. One of them at a time is killed, is frozen, or kills itself in the middle of its work. */
export async function startWorkers(program: string, mail: Record<string, string>) {
  const envOf = (scale = '100') => ({ DATABASE: JSON.stringify(theDatabase()), RATE_LIMIT_SCALE: scale, ...mail })
  const workers: ChildProcess[] = await Promise.all([runProgram(program, envOf()), runProgram(program, envOf('0.1'))])
  onTestFinished(() => void workers.map((worker) => worker.kill('SIGKILL')))
  const replace = async (at: number, scale?: string) => {
    workers[at]?.kill('SIGKILL')
    workers[at] = await runProgram(program, envOf(scale))
  }
  let stopHere = async () => {}
  const counts = { killed: 0, frozen: 0, doomed: 0 }
  return {
    counts,
    async disturb(random: Random) {
      const at = random.below(workers.length)
      const worker = workers[at]
      const isDead = worker?.exitCode !== null || worker.signalCode !== null
      const kind = random.pick(['killed', 'killed', 'frozen', 'doomed'] as const) ?? 'killed'
      counts[kind]++
      if (kind === 'frozen' && !isDead) {
        worker.kill('SIGSTOP')
        await sleep(frozenMs)
        worker.kill('SIGCONT')
      } else if (kind === 'doomed') {
        worker?.kill('SIGKILL')
        const fault = { KONTOR_FAULT: random.pick(faults) ?? 'before-commit' }
        workers[at] = startProgram(program, { ...envOf(), ...fault }, { quiet: true })
      } else await replace(at, random.pick(scales))
    },
    /** From now on all are well. In `npm test` the worker that goes on is this process, because nobody kills it. */
    async mend() {
      if (proves) return void (await Promise.all(workers.map((_, at) => replace(at))))
      for (const worker of workers.splice(0)) worker.kill('SIGKILL')
      stopHere = await startWorkerHere({ RATE_LIMIT_SCALE: '100', ...mail })
      onTestFinished(stopHere)
    },
    stop: () => Promise.all([stopHere(), ...workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM')))]),
  }
} // biome-ignore format: a signal a line

import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { FaultPoint } from '../../../core/observe/fault-point.ts'
import { buildProgram } from '../../processes/bundle.ts'
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

type Workers = {
  counts: Record<'killed' | 'frozen' | 'doomed', number>
  disturb(random: Random): Promise<void>
  mend(): Promise<void>
  stop(): Promise<unknown>
}

/**
 * Two workers. One of them at a time is killed, is frozen, or kills itself in the middle of its work. In `npm test` one that is
 * this process, because nobody kills it.
 */
export async function startWorkers(mail: Record<string, string>): Promise<Workers> {
  if (!proves) return workerHere(mail)
  const program = await buildProgram('worker')
  const envOf = (scale = '100') => ({ DATABASE: JSON.stringify(theDatabase()), RATE_LIMIT_SCALE: scale, ...mail })
  const workers: ChildProcess[] = await Promise.all([runProgram(program, envOf()), runProgram(program, envOf('0.1'))])
  onTestFinished(() => void workers.map((worker) => worker.kill('SIGKILL')))
  const replace = async (at: number, scale?: string) => {
    workers[at]?.kill('SIGKILL')
    workers[at] = await runProgram(program, envOf(scale))
  }
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
    /** From now on all are well. */
    async mend() {
      await Promise.all(workers.map((_, at) => replace(at)))
    },
    stop: () => Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve).kill('SIGTERM')))),
  }
} // biome-ignore format: a signal a line

async function workerHere(mail: Record<string, string>): Promise<Workers> {
  const stop = await startWorkerHere({ RATE_LIMIT_SCALE: '100', ...mail })
  onTestFinished(stop)
  const counts = { killed: 0, frozen: 0, doomed: 0 }
  return { counts, disturb: async () => {}, mend: async () => {}, stop }
}

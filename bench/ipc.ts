import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Questions to a process of this benchmark and its answers, over the channel that Node opens between them. */
type Question = { id: number; name: string; given: unknown }
type Reply = { id: number; result?: unknown; error?: string }

/** In the child: answers questions by name, and ends with its parent. */
export function answer(answers: Record<string, (given: never) => unknown>) {
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ id, name, given }: Question) => {
    try {
      process.send?.({ id, result: await answers[name]?.(given as never) } satisfies Reply)
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.stack : String(error) } as Reply)
    }
  })
}

export type Child = {
  ask<T = void>(name: string, given?: unknown): Promise<T>
  /** Resolves when the process has ended, so that it takes no time from the next measure. */
  stop(): Promise<void>
}

/** As `npm start` (docs/decisions/0101-memory-for-short-lived-objects.md); the raw servers have the same. */
const execArgv = ['--max-semi-space-size=64']

/** In the parent: starts a program of this folder and discards its standard output. */
export function start(program: string, env: Record<string, string> = {}): Child {
  const child = fork(new URL(`./${program}.js`, import.meta.url), {
    execArgv,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let asked = 0
  return {
    ask: (name, given) => reply(child, { id: ++asked, name, given }),
    stop: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

function reply<T>(child: ChildProcess, question: Question): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: () => void) => {
      child.off('message', onMessage)
      child.off('exit', onExit)
      outcome()
    }
    const onMessage = ({ id, result, error }: Reply) => {
      if (id !== question.id) return
      settle(() => (error ? reject(new Error(error)) : resolve(result as T)))
    }
    const onExit = (code: number | null) => settle(() => reject(new Error(`A process ended with code ${code}.`)))
    child.on('message', onMessage)
    child.on('exit', onExit)
    child.send(question)
  })
}

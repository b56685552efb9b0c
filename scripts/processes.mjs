// The parts of a build run in processes of their own: at the same time, and their memory is free again afterwards.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Runs a script of this folder and answers whether it succeeded. It prints its errors itself. */
export function runScript(name, args = []) {
  const script = fileURLToPath(new URL(name, import.meta.url))
  return new Promise((resolve, reject) => {
    const child = fork(script, args, { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** What such a script does. It ends when the program that waits for it is gone. */
export async function asScript(work) {
  process.on('disconnect', () => process.exit())
  try {
    await work()
  } catch (error) {
    if (!error.errors) console.error(error) // those of esbuild are printed already
    process.exitCode = 1
  }
  process.disconnect?.()
}

/**
 * Does some work with esbuild, whose process otherwise would run as long as this one. Collecting garbage would take a third of its
 * processor time; it does without until it has 512 MB.
 */
export async function withEsbuild(work) {
  process.env.GOGC ??= 'off'
  process.env.GOMEMLIMIT ??= '512MiB'
  const esbuild = await import('esbuild')
  try {
    return await work(esbuild)
  } finally {
    await esbuild.stop()
  }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { testSecretsKey } from '../database.ts'
import { root } from './bundle.ts'

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a program. It ends with this process at the latest. */
export function startProgram(file: string, env: Record<string, string>, { quiet = false } = {}): ChildProcess {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env.PATH, KONTOR_SECRETS_KEY: testSecretsKey, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Starts a program and waits for the first line of its output. */
export async function runProgram(...given: Parameters<typeof startProgram>): Promise<ChildProcess> {
  const child = startProgram(...given)
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`The program ended with ${code} before it was ready`)))
  })
  return child
}

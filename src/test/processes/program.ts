import { type ChildProcess, spawn } from 'node:child_process'
import { beside } from '../../../scripts/bundle.mjs'
import { testSecretsKey } from '../database.ts'
import { buildThreads, bundle, mirror, root } from './bundle.ts'

const folder = `${root}.cache/programs`

/** Bundles a program of src/test/processes/programs, with its fault points, and answers the file to run. */
export const buildProgram = (name: string): Promise<string> =>
  buildWithFiles(`src/test/processes/programs/${name}.ts`, name)

/** Bundles the product with its fault points. */
export const buildFaultyProduct = (): Promise<string> => buildWithFiles('src/program/cli.ts', 'cli')

async function buildWithFiles(entry: string, name: string): Promise<string> {
  const outfile = `${folder}/${name}.mjs`
  await bundle(entry, outfile)
  await buildThreads(folder)
  for (const { from, to } of beside) mirror(`${root}${from}`, `${folder}/${to}`)
  return outfile
}

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

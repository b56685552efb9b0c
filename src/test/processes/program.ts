import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beside, bundling, threads } from '../../../scripts/bundle.mjs'
import { testSecretsKey } from '../database.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Where programs are built; a run takes them away at its end. */
export const programs = `${root}.cache/programs`

/** Bundles a program with its fault points, so that a test can run it as a process and break it: src/test/processes/programs/… */
export const buildProgram = (name: string): Promise<string> => bundled(`src/test/processes/programs/${name}.ts`, name)

/** The product itself, but with its fault points. */
export const buildFaultyProduct = (): Promise<string> => bundled('src/program/cli.ts', 'cli')

async function bundled(entry: string, name: string): Promise<string> {
  const folder = `${programs}/${process.pid}`
  const outfile = `${folder}/${name}.mjs`
  mkdirSync(folder, { recursive: true })
  await build({ entryPoints: [`${root}${entry}`], outfile, ...bundling({ faults: true }) })
  await buildThreads(folder)
  for (const { from, to } of beside) cpSync(`${root}${from}`, `${folder}/${to}`, { recursive: true })
  return outfile
}

/** What the sources start as threads, since Node reads no TypeScript. */
export async function buildThreads(outdir = `${root}.cache`): Promise<void> {
  const entryPoints = threads.map((thread) => ({ ...thread, in: `${root}${thread.in}` }))
  await build({ entryPoints, outdir, ...bundling({ faults: true }) })
}

/** A test that failed half way leaves nobody behind. */
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Runs it and waits for its first line. */
export async function runProgram(
  file: string,
  env: Record<string, string>,
  { quiet = false } = {},
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env.PATH, KONTOR_SECRETS_KEY: testSecretsKey, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', quiet ? 'ignore' : 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`The program ended with ${code} before it was ready`)))
  })
  return child
}

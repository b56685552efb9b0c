import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Bundles a program of src/test/programs, so that a test can run it as a process and kill it. */
export async function buildProgram(name: string): Promise<string> {
  const outfile = `${root}.cache/programs/${name}-${process.pid}.mjs`
  mkdirSync(`${root}.cache/programs`, { recursive: true })
  await build({
    entryPoints: [`${root}src/test/programs/${name}.ts`],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  return outfile
}

/** Runs it and waits for its first line. */
export async function runProgram(file: string, env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve)
    child.once('exit', (code) => reject(new Error(`The program ended with ${code} before it was ready`)))
  })
  return child
}

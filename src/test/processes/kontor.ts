import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testSecretsKey } from '../database.ts'
import { builtProduct } from './built-product.ts'

/** Runs `kontor <words>` to its end, in a new folder with a new data folder. */
export async function kontor(words: string[], env: Record<string, string | undefined> = {}) {
  const { PATH, HOME } = process.env
  const cwd = mkdtempSync(join(tmpdir(), 'kontor-run-'))
  const child = spawn(process.execPath, [await builtProduct(), ...words], {
    cwd,
    env: {
      PATH,
      HOME,
      KONTOR_ENV_FILE: 'off',
      KONTOR_DATA: join(cwd, 'data'),
      KONTOR_SECRETS_KEY: testSecretsKey,
      KONTOR_DEMO: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (text) => {
    stdout += text
  })
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, stdout, stderr, cwd }
}

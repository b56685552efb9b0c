import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { testSecretsKey } from '../database.ts'

const program = fileURLToPath(new URL('../../../scripts/kontor.mjs', import.meta.url))

/** Runs `kontor <words>` to its end, in a new folder with a new data folder. */
export async function kontor(words: string[], env: Record<string, string | undefined> = {}) {
  const { PATH, HOME } = process.env
  const cwd = mkdtempSync(join(tmpdir(), 'kontor-run-'))
  const child = spawn(process.execPath, [program, ...words], {
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
  return { status, stdout, stderr: stderr.replace(/^(Building|Another command is building)\b.*\n/gm, ''), cwd }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { buildProgram } from '../../test/processes/program.ts'
import type { EmbeddedConfig } from './embedded.ts'

/** Each program is the first process of a PID namespace of its own, like a container. Killing `unshare` kills all of it. */
const unshare = ['-p', '-i', '-n', '--fork', '--mount-proc', '--kill-child']
const canUnshare = process.platform === 'linux' && spawnSync('unshare', [...unshare, 'true']).status === 0

const top = mkdtempSync(join(tmpdir(), 'kontor-namespaces-'))
const containers: ChildProcess[] = []
let file: string

beforeAll(async () => {
  chmodSync(top, 0o755)
  file = await buildProgram('embedded')
})

afterEach(async () => {
  await Promise.all(containers.splice(0).map(kill))
})

afterAll(() => rmSync(top, { recursive: true, force: true }))

type Line = { said?: string; refused?: string; pid?: number; config?: EmbeddedConfig }

/** Starts Kontor's PostgreSQL in a container, and answers what it said once it runs or has refused to. */
async function startInContainer(dataDir: string, flags: string[] = []) {
  const child = spawn('unshare', [...unshare, ...flags, process.execPath, file], {
    env: { PATH: process.env.PATH, KONTOR_DATA: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  containers.push(child)
  const said: string[] = []
  for await (const text of createInterface({ input: child.stdout })) {
    const line: Line = JSON.parse(text)
    if (line.said) said.push(line.said)
    if (line.refused) return { child, said, refused: line.refused }
    if (line.config) return { child, said, config: line.config }
  }
  throw new Error(`The program ended without a word, after: ${said.join(' ')}`)
}

async function started(dataDir: string, flags?: string[]) {
  const { config, ...rest } = await startInContainer(dataDir, flags)
  if (!config) throw new Error(rest.refused)
  return { ...rest, config }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}

async function ask(config: EmbeddedConfig, sql: string): Promise<Record<string, unknown>> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows[0]
  } finally {
    await client.end().catch(() => {})
  }
}

describe.runIf(canUnshare)('two containers on one data folder', () => {
  test('the second one is refused with a sentence, and the first one loses nothing', async () => {
    const dataDir = mkdtempSync(join(top, 'd-'))
    const first = await started(dataDir)
    await ask(first.config, 'create table kept as select generate_series(1, 100) as n')
    const second = await startInContainer(dataDir)
    expect(second.refused).toMatch(/^Kontor already runs on the data folder .+ in another container .+\.$/)
    await ask(first.config, 'insert into kept select generate_series(101, 200)')
    expect(await ask(first.config, 'select count(*)::int as rows from kept')).toEqual({ rows: 200 })
  })

  test('the second one starts at once after all processes of the first one were killed', async () => {
    const dataDir = mkdtempSync(join(top, 'd-'))
    const first = await started(dataDir)
    await ask(first.config, 'create table kept as select generate_series(1, 100) as n')
    await kill(first.child)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
    const began = Date.now()
    const second = await started(dataDir)
    expect(Date.now() - began).toBeLessThan(8_000)
    expect(await ask(second.config, 'select count(*)::int as rows from kept')).toEqual({ rows: 100 })
    expect(readdirSync(dataDir).filter((name) => name.startsWith('kontor.'))).toHaveLength(3)
  })
})

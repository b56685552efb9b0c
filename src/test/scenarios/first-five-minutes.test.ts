import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { shellEnvironment } from '../../db/embedded/process.ts'
import { commandsBelow } from '../processes/readme-commands.ts'
import { inProof, proves } from '../prove.ts'
import { newFolder } from '../temporary-folder.ts'

/**
 * The commands of README.md, executed by bash exactly as printed, in order. The folder looks like a clone: its scripts are
 * those of the project, and its data folder is empty at first. In `npm test` the other companies of the demo have only begun to
 * follow: that their job fills them to the end is shown by src/demo/demo.test.ts.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url))
const clone = newFolder('five-minutes')
const dataDir = join(clone, 'data')
const bin = join(clone, 'bin')

const environment = {
  PATH: `${bin}:${shellEnvironment().PATH}`, // a shell of a person has curl and the like
  HOME: process.env.HOME,
  KONTOR_ENV_FILE: 'off',
  KONTOR_DATA: dataDir,
  PORT: '0',
}

const [[start = ''] = [], [calls = '', agents = ''] = [], [keeping = ''] = []] = [
  commandsBelow('Two commands'),
  commandsBelow('The first five minutes'),
  commandsBelow('The command line'),
]

/** What a block of commands prints; fails with it if the last command fails. */
const bash = (script: string) =>
  execFileSync('bash', ['-euc', script], {
    cwd: clone,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Where there is no curl, a program in its place sends what the README asks for. */
const hasCurl = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0
const curlInNode = `#!/usr/bin/env node
const [headers, rest] = [{}, process.argv.slice(2)]
let body, url
for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
  if (word === '-H') {
    const [name, ...value] = rest.shift().split(': ')
    headers[name] = value.join(': ')
  } else if (word === '-d') body = rest.shift()
  else if (!word.startsWith('-')) url = word
}
fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body })
  .then((answer) => answer.text())
  .then((text) => process.stdout.write(text))
`

let running: ChildProcess | undefined
let banner = ''

/** Runs `npm start`, as the first line of its block says, until Kontor is ready. */
async function npmStart() {
  const [command = ''] = start.split('\n')
  const child = spawn('bash', ['-c', command], {
    cwd: root,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  banner = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        banner += text
        if (banner.includes('Ctrl+C stops it.')) resolve()
      })
    }
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${banner}`)))
  })
}

async function npmStop() {
  const child = running
  running = undefined
  if (!child?.pid) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  process.kill(-child.pid, 'SIGTERM')
  await ended
}

const printed = (title: string) => new RegExp(`^  ${title} +(.+)$`, 'm').exec(banner)?.[1] ?? ''

beforeAll(async () => {
  symlinkSync(join(root, 'scripts'), join(clone, 'scripts'))
  mkdirSync(bin)
  // claude writes down what it is told to add, a line each.
  writeFileSync(
    join(bin, 'claude'),
    `#!/usr/bin/env bash\nprintf '%s\\0' "$@" >> "${clone}/added"; printf '\\n' >> "${clone}/added"\n`,
  )
  chmodSync(join(bin, 'claude'), 0o755)
  if (!hasCurl) writeFileSync(join(bin, 'curl'), curlInNode, { mode: 0o755 })
  await npmStart()
}, 300_000) // builds the program and records two years of a company
afterAll(npmStop)

test('one company of the demo is complete at once, the terminal names the others, and they follow by themselves', async () => {
  expect(printed('Demo')).toBe(
    'one company is complete; Galil Coffee Roasters Ltd and Straits Design Studio Pte. Ltd. will be within a minute or two',
  )
  const beingFilled = async () =>
    ((await (await fetch(`${printed('Web')}/demo`)).json()) as { beingFilled: string[] }).beingFilled
  expect((await beingFilled()).length).toBeLessThanOrEqual(2)
  const followed = inProof(
    async () => expect((await organizations()).length).toBeGreaterThan(1),
    async () => expect(await beingFilled()).toEqual([]),
  )
  await vi.waitFor(followed, { timeout: 240_000, interval: 500 })
}, 300_000)

/** The organizations that the key of the demo reaches. */
async function organizations(): Promise<{ id: string; name: string }[]> {
  const headers = { authorization: `Bearer ${printed('API key')}` }
  const answer = await fetch(`${printed('Web')}/api/organizations`, { headers })
  return ((await answer.json()) as { organizations: { id: string; name: string }[] }).organizations
}

test('the first commands list the organizations of the demo and create a customer', () => {
  expect(statSync(join(dataDir, 'demo.env')).mode & 0o777).toBe(0o600)
  const [list = '', create = ''] = bash(calls.replace(/^curl/gm, 'echo; curl -s -S')).trim().split('\n').filter(Boolean)
  const { organizations: listed } = JSON.parse(list) as { organizations: { id: string; name: string }[] }
  expect(listed.length).toBeGreaterThanOrEqual(inProof(2, 3))
  expect(JSON.parse(create)).toMatchObject({ name: 'Harbour Café', organizationId: listed[0]?.id })
})

/** The words of each `claude mcp add`, as the shell passed them. */
function added(): string[][] {
  rmSync(join(clone, 'added'), { force: true })
  bash(`. data/demo.env; ${agents}`)
  const lines = readFileSync(join(clone, 'added'), 'utf8').trim().split('\n')
  return lines.map((line) => line.split('\0').filter(Boolean))
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

test('an agent that is added over HTTP gets an answer at the given address with the given header', async () => {
  const [[mcp, add, , transport, name, url = '', , header = ''] = []] = added()
  expect([mcp, add, transport, name]).toEqual(['mcp', 'add', 'http', 'kontor'])
  const [title = '', value = ''] = header.split(': ')
  const answer = await fetch(url, {
    method: 'POST',
    headers: { [title]: value, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(initialize),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"serverInfo"')])
})

test('an agent that starts kontor mcp reaches the running server, whatever its port and the current folder', () => {
  const [, words = []] = added()
  const [env = ''] = words.filter((word) => word.startsWith('KONTOR_API_KEY='))
  const [program = '', ...args] = words.slice(words.indexOf('--') + 1)
  const { PORT: _, ...others } = environment
  const answer = execFileSync(program, args, {
    cwd: '/',
    env: { ...others, KONTOR_API_KEY: env.slice('KONTOR_API_KEY='.length) },
    input: `${JSON.stringify(initialize)}\n`,
    encoding: 'utf8',
  })
  expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: { name: expect.any(String) } } })
})

let before = { key: '', login: '' }

// In `npm test` lost-key.test.ts does so with a company without books, and src/demo/demo.test.ts shows that key and login survive.
test.runIf(proves)('the books are backed up and verified while Kontor runs', () => {
  before = { key: printed('API key'), login: printed('Sign in') }
  expect(before.key).toMatch(/^kt_/)
  expect(bash(keeping)).toContain('books.tar.gz')
})

test.runIf(proves)('the backup is restored into a new data folder', async () => {
  await npmStop()
  expect(existsSync(join(dataDir, 'server.json'))).toBe(false)
  copyFileSync(join(dataDir, 'secrets.key'), join(clone, 'secrets.key'))
  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir)
  copyFileSync(join(clone, 'secrets.key'), join(dataDir, 'secrets.key'))
  expect(bash('node scripts/kontor.mjs restore books.tar.gz')).toContain('Restored the state of')
})

test.runIf(proves)('the demo key and login survive the restore: they are printed as before, and valid', async () => {
  await npmStart()
  expect({ key: printed('API key'), login: printed('Sign in') }).toEqual(before)
  const answer = await fetch(`${printed('Web')}/api/organizations`, {
    headers: { authorization: `Bearer ${before.key}` },
  })
  expect(answer.status).toBe(200)
  const [email, password] = before.login.split(/\s+/)
  const signedIn = await fetch(`${printed('Web')}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(signedIn.status).toBe(200)
})

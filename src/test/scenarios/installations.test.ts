import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { shellEnvironment } from '../../db/embedded/process.ts'
import { migratedFolder } from '../database.ts'
import { buildImage, filesOfContext, type Image } from '../installations/dockerfile.ts'
import { installFromHere } from '../installations/packages.ts'
import { ask, freePort } from '../processes/api-process.ts'
import { root } from '../processes/bundle.ts'
import { copyDataFolder } from '../processes/data-folder.ts'
import { proves } from '../prove.ts'
import { newFolder } from '../temporary-folder.ts'

/** The ways to install Kontor that need no clone: the image, made without Docker, and the package. */

const folder = newFolder('installations')
let image: Image

/** `npm run prove` fetches the packages as Docker does; `npm test` takes those that are installed here. */
function install(options: string[], where: string) {
  expect(options).toEqual(expect.arrayContaining(['--omit=dev', '--include=optional', '--ignore-scripts']))
  if (proves) execFileSync('npm', ['ci', '--prefer-offline', ...options], { cwd: where, stdio: 'ignore' })
  else installFromHere(join(where, 'package-lock.json'), where)
}

beforeAll(() => {
  image = buildImage({ root, folder, install })
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** In `npm test` the database is there already: that a start makes one is shown by first-five-minutes.test.ts. */
function prepareData(dataDir: string) {
  if (!proves) copyDataFolder(migratedFolder(), dataDir)
}

type Start = { program: string; words: string[]; cwd: string; env: Record<string, string> }

/** Starts Kontor and waits until it serves. It ends with the test. */
async function started({ program, words, cwd, env }: Start) {
  const url = `http://127.0.0.1:${env.PORT}`
  const child = spawn(program, words, { cwd, env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(async () => void (await ended(child, exited)))
  const isReady = () => output.join('').includes('Kontor is ready')
  await vi.waitFor(() => expect(isReady() || child.exitCode !== null).toBe(true), { timeout: 300_000, interval: 50 })
  expect(isReady(), output.join('')).toBe(true)
  return { url, output: () => output.join(''), stop: () => ended(child, exited) }
}

async function ended(child: ChildProcess, exited: Promise<number | null>): Promise<number | null> {
  child.kill('SIGTERM')
  return exited
}

const environment = (env: Record<string, string>) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  KONTOR_ENV_FILE: 'off',
  ...env,
})

const isProgram = (file: string) => /\.(ts|tsx|typ)$/.test(file)

test('the image holds the built program and the packages that the server needs, and no sources', () => {
  const app = join(image.root, image.workdir)
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('node_modules'),
  )
  expect(files.filter(isProgram)).toEqual([])
  expect(readdirSync(app).sort()).toEqual([
    '.env.example',
    'LICENSE',
    'README.md',
    'dist',
    'node_modules',
    'npm-shrinkwrap.json',
    'package.json',
    'scripts',
  ])
  expect(readdirSync(join(app, 'scripts')).sort()).toEqual(['kontor.mjs', 'program.mjs', 'stack-traces.mjs'])
  const maps = readdirSync(join(app, 'dist')).filter((file) => file.endsWith('.map'))
  expect(maps.length).toBeGreaterThan(3)
  for (const map of maps) expect(readFileSync(join(app, 'dist', map), 'utf8')).not.toContain('sourcesContent')

  const { dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'))
  const all = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies
  const onlyBuild = Object.keys(all).filter((name) => !dependencies[name])
  expect(onlyBuild).toEqual(expect.arrayContaining(['esbuild', 'react', 'tailwindcss']))
  for (const name of onlyBuild) expect(existsSync(join(app, 'node_modules', name)), name).toBe(false)
  for (const name of Object.keys(dependencies)) expect(existsSync(join(app, 'node_modules', name)), name).toBe(true)
})

test('.dockerignore lets no tests, settings or data through', () => {
  const files = filesOfContext(root)
  expect(files).toEqual(expect.arrayContaining(['src/program/cli.ts', 'web/index.html', 'docs/openapi.json']))
  expect(files.filter((file) => /\.test\.|^(data|dist|node_modules|bench|deploy|\.git)\/|\.env$/.test(file))).toEqual(
    [],
  )
  expect(files.filter((file) => file.startsWith('docs/'))).toEqual(['docs/openapi.json'])
})

test('FLT-16: what deploy/Dockerfile builds starts in strict mode, and its first account signs in and opens the web app', async () => {
  const port = String(await freePort())
  const [program = '', ...words] = image.entrypoint
  const cwd = join(image.root, image.workdir)
  const env = {
    ...image.env,
    KONTOR_DATA: join(image.root, image.env.KONTOR_DATA ?? ''),
    KONTOR_SECRETS_KEY: randomBytes(32).toString('base64'),
    KONTOR_URL: `http://127.0.0.1:${port}`,
    HOST: '127.0.0.1',
    PORT: port,
    EXCHANGE_RATES_URL: 'off',
  }
  expect(image.env.NODE_ENV).toBe('production')
  prepareData(env.KONTOR_DATA)
  const { url, output, stop } = await started({ program, words: [...words, ...image.cmd], cwd, env })
  expect(output()).toContain('in strict mode, because NODE_ENV is production')
  expect(output()).not.toMatch(/Installing|Building/)

  // docs/production.md: docker exec <name> node scripts/kontor.mjs account create …
  const create = ['scripts/kontor.mjs', 'account', 'create', 'amy@example.test', '--name', 'Amy Stone']
  const made = execFileSync(process.execPath, create, { cwd, env: environment(env), encoding: 'utf8' })
  const [, token] = /\/reset\?token=(\w+)$/m.exec(made) ?? []
  const send = (path: string, body: object, headers = {}) => ask(`${url}${path}`, { method: 'POST', body, headers })
  const password = 'battery staple'
  expect((await send('/api/auth/password/reset/confirm', { token, password })).status).toBe(200)
  const signedIn = await send('/api/auth/sign-in', { email: 'amy@example.test', password })
  expect([signedIn.status, signedIn.body]).toMatchObject([200, { user: { name: 'Amy Stone' } }])

  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const organization = await send('/api/organizations', { name: 'Acme', country: 'SG' }, { cookie })
  expect(organization.status).toBe(201)
  const page = await (await fetch(`${url}/o/${organization.body.id}`, { headers: { cookie } })).text()
  const [, script] = /"(\/assets\/main-[^"]+\.js)"/.exec(page) ?? []
  expect((await fetch(`${url}${script}`)).status).toBe(200)
  expect(await stop()).toBe(0)
})

/** Puts the package into an empty folder as `npm install` does, with its packages beside it. */
function installPackage(where: string) {
  const app = join(folder, 'build/app')
  execFileSync(process.execPath, ['scripts/package.mjs'], { cwd: app, stdio: 'ignore' })
  const [tarball = ''] = readdirSync(app).filter((file) => /^kontor-\d.*\.tgz$/.test(file))
  if (proves) {
    const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
    execFileSync('npm', [...options, join(app, tarball)], { cwd: where, stdio: 'ignore' })
    return
  }
  const own = join(where, 'node_modules/kontor')
  mkdirSync(own, { recursive: true })
  execFileSync('tar', ['-xzf', join(app, tarball), '--strip-components=1', '-C', own], { env: shellEnvironment() })
  installFromHere(join(own, 'npm-shrinkwrap.json'), where)
  const { bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  mkdirSync(join(where, 'node_modules/.bin'))
  symlinkSync(join('../kontor', bin.kontor), join(where, 'node_modules/.bin/kontor'))
}

test('the package is installed into an empty folder, and kontor start serves there with its data in that folder', async () => {
  const where = newFolder('without-clone')
  onTestFinished(() => rmSync(where, { recursive: true, force: true }))
  installPackage(where)
  const program = join(where, 'node_modules/.bin/kontor')
  const env = { PORT: String(await freePort()), KONTOR_DEMO: '0' }
  prepareData(join(where, 'data'))
  const { url, output, stop } = await started({ program, words: ['start'], cwd: where, env })
  expect(output()).toContain(`Data       ${join(where, 'data')}`)
  expect(output()).not.toMatch(/Installing|Building/)
  const person = { name: 'Amy', email: 'amy@example.test', password: 'battery staple' }
  const signedUp = await ask(`${url}/api/auth/sign-up`, { method: 'POST', body: person })
  expect(signedUp.status).toBe(201)
  const cookie = signedUp.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await (await fetch(`${url}/o/first`, { headers: { cookie } })).text()).toContain('/assets/main-')
  expect(existsSync(join(where, 'data/secrets.key'))).toBe(true)
  expect(await stop()).toBe(0)
})

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { newFolder } from './temporary-folder.ts'

/** The examples in deploy/ and the checklist, as far as they can be checked without the programs that they are for. */

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const isInstalled = (program: string) => spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined
/** A `docker` program alone does not build: it needs an engine that answers. */
const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0

describe('deploy/Dockerfile', () => {
  const dockerfile = read('deploy/Dockerfile')

  test('copies files that exist and that .dockerignore lets through', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
    const allowed = read('.dockerignore').match(/(?<=^!).+$/gm)
    expect(copied.sort()).toEqual([...(allowed ?? [])].sort())
    for (const name of copied) expect(existsSync(join(root, name))).toBe(true)
  })

  test('runs as an ordinary user, keeps its data in a volume and is checked at /health', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
    expect(last).toMatch(/^FROM node:22-\S*slim$/m)
    expect(last).toMatch(/^USER node$/m)
    expect(last).toMatch(/^VOLUME \/data$/m)
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m)
    expect(last).toMatch(/^HEALTHCHECK (.*\n)+?.*\/health/m)
    expect(last).toMatch(/^ENTRYPOINT \["node", "\S+", "scripts\/kontor\.mjs"\]\nCMD \["start"\]$/m)
  })

  test('has settings that Kontor accepts once it has a key', () => {
    const [, pairs = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? []
    const env = Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')))
    const key = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * at * 37 + at * 11) % 256)).toString('base64')
    expect(readConfig({ ...env, KONTOR_SECRETS_KEY: key })).toMatchObject({
      mode: 'strict',
      dataDir: '/data',
      port: 3000,
    })
  })

  test.skipIf(!hasDocker)(
    'builds an image that shows its version',
    () => {
      const build = spawnSync('docker', ['build', '-q', '-f', 'deploy/Dockerfile', '.'], {
        cwd: root,
        encoding: 'utf8',
      })
      expect(build.status, build.stderr).toBe(0)
      const run = spawnSync('docker', ['run', '--rm', build.stdout.trim(), '--version'], { encoding: 'utf8' })
      expect(run.stdout.trim().replace(/\+.*$/, '')).toBe(JSON.parse(read('package.json')).version)
    },
    900_000,
  )
})

test('deploy/kontor.service starts a program that exists, as a user without rights', () => {
  const unit = read('deploy/kontor.service')
  const [, program = '', command = ''] = /^ExecStart=\S+ \S+ \/opt\/kontor\/(\S+) (\S+)$/m.exec(unit) ?? []
  expect([existsSync(join(root, program)), command]).toEqual([true, 'start'])
  expect(unit).toMatch(/^User=kontor$/m)
  for (const line of ['NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=', 'KillSignal=SIGTERM'])
    expect(unit.split('\n')).toContain(line)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(20) // the drain takes up to 20 s
})

test('every way to start a server for many, and the benchmark, gives Node the same space for short-lived objects', () => {
  const places = ['deploy/Dockerfile', 'deploy/kontor.service', 'bench/ipc.ts']
  const sizes = places.map((file) => [...new Set(read(file).match(/--max-semi-space-size=\d+/g))])
  expect(sizes).toEqual(places.map(() => ['--max-semi-space-size=64']))
  expect(read('package.json')).not.toContain('semi-space') // npm start is for one company: docs/decisions/0101
  const [argument = ''] = sizes.flat()
  expect(spawnSync(process.execPath, [argument, '-e', '0'], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})

describe.each(['deploy/nginx.conf', 'deploy/Caddyfile'])('%s', (file) => {
  test('does not buffer streams, allows the largest file and hides /metrics', () => {
    const text = read(file)
    expect(text).toMatch(/proxy_buffering off|flush_interval -1/)
    expect(text).toMatch(/client_max_body_size 25m|max_size 25MB/)
    expect(text).toMatch(/\/metrics.*404/)
    expect(text).toContain('127.0.0.1:3000')
  })
})

test.skipIf(!isInstalled('nginx') || !isInstalled('openssl'))('nginx accepts its example', () => {
  const folder = newFolder('nginx')
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=books.example.com']
  spawnSync('openssl', [...request, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const example = read('deploy/nginx.conf')
    .replace(/\S+fullchain\.pem/, certificate)
    .replace(/\S+privkey\.pem/, key)
  writeFileSync(join(folder, 'kontor.conf'), example)
  const config = `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp { include ${folder}/kontor.conf; }\n`
  writeFileSync(join(folder, 'nginx.conf'), config)
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', join(folder, 'nginx.conf')], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})

test.skipIf(!isInstalled('caddy'))('Caddy accepts its example', () => {
  const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile']
  const { status, stderr } = spawnSync('caddy', args, { cwd: root, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
})

test('every metric and setting that the checklist names exists', () => {
  const checklist = read('docs/production.md')
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(observe|worker|backup)\/[\w-]+\.ts$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => read(join('src', file)))
    .join('\n')
  const metrics = checklist.match(/\bkontor_[a-z_]+/g) ?? []
  expect(metrics.length).toBeGreaterThan(8)
  for (const name of metrics) expect(sources).toContain(`'${name.replace(/_bucket$/, '')}'`)
  const settings = checklist.match(/\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b/g) ?? []
  const examples = read('.env.example') + read('deploy/compose.env.example')
  for (const name of settings) expect(examples).toContain(name)
})

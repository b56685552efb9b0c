import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { connectionsOf } from '../../program/start/pools.ts'
import { asSuperuser, dropDatabase, emptyDatabase, queryOn, urlOf } from '../database.ts'
import { Compose, composeText, environmentOf, filledIn, interpolated, readCompose } from '../installations/compose.ts'
import { freePort, startApi } from '../processes/api-process.ts'
import { root } from '../processes/bundle.ts'
import { kontor } from '../processes/kontor.ts'
import { exampleFor, host, startNginx, withoutNginx } from '../processes/nginx.ts'
import { inProof } from '../prove.ts'
import { newFolder } from '../temporary-folder.ts'

const compose = readCompose()
const settings = filledIn({
  KONTOR_URL: `https://${host}`,
  KONTOR_SECRETS_KEY: randomBytes(32).toString('base64'),
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
})
const services = Object.entries(compose.services)
const ofKontor = services.filter(([, { image }]) => image === 'kontor')
const inProfile = (profile: string) =>
  services.filter(([, { profiles }]) => profiles.includes(profile)).map(([name]) => name)

/** The environment that deploy/Dockerfile gives its processes. */
const ofImage = Object.fromEntries(
  (/^ENV (.+)$/m.exec(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))?.[1] ?? '')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)

test('compose.yaml uses only keys of the specification, with values that they take', () => {
  expect([...Value.Errors(Compose, compose)]).toEqual([])
})

test('everything that compose.yaml refers to exists', () => {
  for (const [name, { depends_on = {}, volumes = [], networks, build }] of services) {
    for (const other of Object.keys(depends_on)) {
      expect(compose.services[other]?.profiles, `${name} depends on ${other}`).toEqual(compose.services[name]?.profiles)
      expect(compose.services[other]?.healthcheck ?? compose.services[other]?.build).toBeDefined()
    }
    for (const volume of volumes) {
      const [source = ''] = volume.split(':')
      if (source.startsWith('.')) expect(existsSync(join(root, 'deploy', source)), volume).toBe(true)
      else if (!source.startsWith('/')) expect(compose.volumes).toHaveProperty(source)
    }
    for (const network of Array.isArray(networks) ? networks : Object.keys(networks))
      expect(compose.networks).toHaveProperty(network)
    if (build) expect(existsSync(join(root, 'deploy', build.context, build.dockerfile))).toBe(true)
  }
  const variables = [...composeText.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name)
  expect(variables.length).toBeGreaterThan(2)
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(variables))
})

test('one profile is a single Kontor, the other a PostgreSQL, two APIs, two workers and nginx', () => {
  expect(settings.COMPOSE_PROFILES).toBe('embedded') // unless it is changed
  expect(inProfile('embedded')).toEqual(['kontor'])
  expect(inProfile('servers')).toEqual(['postgres', 'api-1', 'api-2', 'worker-1', 'worker-2', 'nginx'])
  const commands = Object.fromEntries(ofKontor.map(([name, { command }]) => [name, command?.join(' ')]))
  expect(commands).toEqual({
    kontor: 'start',
    'api-1': 'api',
    'api-2': 'api',
    'worker-1': 'worker',
    'worker-2': 'worker',
  })
  for (const [name, { stop_grace_period = '0s' }] of ofKontor)
    expect(Number.parseInt(stop_grace_period, 10), name).toBeGreaterThan(20) // the drain takes up to 20 s
  // What others can reach is published for this machine only, but for nginx.
  for (const [name, { ports = [] }] of services)
    if (name !== 'nginx') for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
})

test('Kontor accepts the settings of each service in strict mode, and .env.example explains them', () => {
  const explained = readFileSync(join(root, '.env.example'), 'utf8')
  expect(ofKontor).toHaveLength(5)
  for (const [name, service] of ofKontor) {
    const config = readConfig({ ...ofImage, ...environmentOf(service, settings) })
    expect(config, name).toMatchObject({
      mode: 'strict',
      port: 3000,
      dataDir: '/data',
      signUp: 'closed',
      url: `https://${host}`,
    })
    expect(config.trustedProxies).toHaveLength(1)
    for (const setting of Object.keys(service.environment ?? {})) expect(explained).toContain(setting)
  }
  const ofProcesses = ['api-1', 'api-2', 'worker-1', 'worker-2'].map((name) => {
    const service = compose.services[name]
    const { pools } = readConfig({ ...ofImage, ...(service && environmentOf(service, settings)) })
    return connectionsOf(pools)[service?.command?.[0] === 'worker' ? 'worker' : 'api']
  })
  const [, allowed] = /max_connections=(\d+)/.exec(compose.services.postgres?.command?.join(' ') ?? '') ?? []
  expect(ofProcesses.reduce((sum, each) => sum + each)).toBeLessThan(Number(allowed) - 10) // some are reserved
})

/** Makes the database as deploy/postgres.sql does, under another name: the server of the tests has the roles of requests. */
async function makeDatabase() {
  const place = asSuperuser(await emptyDatabase())
  const name = `compose_${randomBytes(4).toString('hex')}`
  const statements = readFileSync(join(root, 'deploy/postgres.sql'), 'utf8')
    .replace(/^(--|\\getenv).*\n/gm, '')
    .replace(/\bkontor\b/g, name)
    .replace(":'password'", `'${settings.POSTGRES_PASSWORD}'`)
    .split(';\n')
    .filter((statement) => statement.trim() !== '')
  for (const statement of statements) {
    if (!/^create role kontor_(confined|across) nologin$/.test(statement.trim())) await queryOn(place, statement)
  }
  const database = { ...place, user: name, database: name }
  // The server of the tests gives durability up for speed.
  await queryOn(asSuperuser(database), `alter database ${name} set synchronous_commit = on`)
  onTestFinished(async () => {
    await dropDatabase(database)
    await queryOn(place, `drop role ${name}`)
    await dropDatabase(place)
  })
  return database
}

/** In `npm test` one API and one worker: two of each have the same settings, and deploy.test.ts has two APIs behind nginx. */
test('FLT-16: the processes of compose.yaml serve and work together, started without Docker', async () => {
  const database = await makeDatabase()
  const data = newFolder('compose')
  const here = { DATABASE_URL: urlOf(database), HOST: '127.0.0.1', KONTOR_DATA: data, TRUSTED_PROXIES: '127.0.0.1' }
  const durable = { DATABASE_STORAGE_DURABLE: '1', EXCHANGE_RATES_URL: 'off' }
  const start = async (name: string) => {
    const service = compose.services[name]
    if (!service) throw new Error(`There is no service ${name}.`)
    const port = String(await freePort())
    const own = { ...ofImage, ...environmentOf(service, settings) }
    const ports = { PORT: port, ...('METRICS_PORT' in own && { METRICS_PORT: port }) }
    const env = { ...own, ...here, ...durable, ...ports }
    const started = await startApi(database, env, undefined, service.command?.[0])
    onTestFinished(async () => void (await started.kill('SIGKILL')))
    return { ...started, port }
  }
  const [apis, workers] = inProof([1, 1], [2, 2])
  const names = [1, 2].flatMap((n) => [...(n <= apis ? [`api-${n}`] : []), ...(n <= workers ? [`worker-${n}`] : [])])
  const processes = await Promise.all(names.map(start))
  const serving = processes.filter((_, at) => names[at]?.startsWith('api'))
  const nginx = withoutNginx
    ? undefined
    : await startNginx(exampleFor([0, 1].map((at) => (serving[at] ?? serving[0])?.port ?? '')))
  onTestFinished(() => nginx?.stop())

  const create = ['account', 'create', 'amy@example.test', '--name', 'Amy']
  const made = await kontor(create, { ...settings, ...here, NODE_ENV: 'production' })
  const [, token] = /^https:\S+\/reset\?token=(\w+)$/m.exec(made.stdout) ?? []
  expect(token, made.stderr).toBeDefined()
  /** Each request goes to the next process, as nginx lets it. */
  let sent = 0
  const ask = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const method = body === undefined ? 'GET' : 'POST'
    if (nginx) return nginx.send(path, { method, headers, ...(body !== undefined && { body }) })
    const { url } = serving[sent++ % serving.length] ?? { url: '' }
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...type, ...headers },
      body: JSON.stringify(body),
    })
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: (await answer.json()) as unknown,
    }
  }
  const password = 'battery staple'
  expect((await ask('/api/auth/password/reset/confirm', { token, password })).status).toBe(200)
  const signedIn = await ask('/api/auth/sign-in', { email: 'amy@example.test', password })
  expect(signedIn.status).toBe(200)
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  const organization = await ask('/api/organizations', { name: 'Acme', country: 'SG' }, { cookie })
  const { id: organizationId } = organization.body as { id: string }
  for (let n = 0; n < 8; n++) {
    const body = { organizationId, name: `Customer ${n}`, country: 'SG' }
    expect((await ask('/api/customers', body, { cookie })).status).toBe(201)
  }

  // A worker answers for the companion.
  const question = { organizationId, sessionId: 'first', text: 'How many customers do we have?' }
  const { body } = await ask('/api/companion/sessions', question, { cookie })
  const turn = async () =>
    (await ask(`/api/companion/turns/${(body as { turnRunId: string }).turnRunId}`, undefined, { cookie })).body
  await vi.waitFor(async () => expect(await turn()).toMatchObject({ status: 'SUCCEEDED' }), {
    timeout: 60_000,
    interval: 100,
  })
  const [alive] = await queryOn(database, 'select count(*)::int as workers from worker_heartbeats')
  expect(alive).toEqual({ workers })
  const usual = getPriority()
  const low = constants.priority.PRIORITY_BELOW_NORMAL
  const priorities = names.map((name) => (name.startsWith('api') ? usual : low))
  expect(processes.map(({ child }) => getPriority(child.pid))).toEqual(priorities)

  expect(await Promise.all(processes.map((each) => each.kill('SIGTERM')))).toEqual(processes.map(() => 0))
  for (const each of processes) expect(each.output()).not.toMatch(/"level":60|"stack":|^\s+at /m)
})

test('the command of nginx in compose.yaml makes a configuration for the addresses of the two APIs and the host of KONTOR_URL', () => {
  const [, , command = ''] = compose.services.nginx?.command ?? []
  const [sed = ''] = interpolated(command, {}).split(' > ')
  const file = join(root, 'deploy/nginx.conf')
  const text = execFileSync('sh', ['-c', sed.replace('/etc/nginx/kontor.conf', `'${file}'`)], {
    env: { PATH: '/usr/bin:/bin', KONTOR_URL: 'https://accounts.example.org' },
    encoding: 'utf8',
  })
  const addressOf = (name: string) =>
    Object.values(compose.services[name]?.networks ?? {}).map((each) => Object.values(each))[0]?.[0]
  const named = [...text.matchAll(/^ +server (\S+) max_fails=0;/gm)].map(([, address]) => address)
  expect(named).toEqual(['api-1', 'api-2'].map((name) => `${addressOf(name)}:3000`))
  expect(text).not.toContain('books.example.com')
  expect(text.match(/accounts\.example\.org/g)?.length).toBeGreaterThan(3)
  expect(compose.services['api-1']?.environment?.TRUSTED_PROXIES).toBe(addressOf('nginx'))
})

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnyOperation, operations } from '../catalog/operations.ts'
import { readConfig } from '../config/config.ts'
import type { Role } from '../core/define/access.ts'
import type { Operation } from '../core/define/operation.ts'
import type { Given, Static, TObject, TSchema } from '../core/define/schema.ts'
import { problemsOf } from '../core/define/validate.ts'
import { newId } from '../core/values/id.ts'
import { newKeySecret } from '../features/company/api-keys/api-key.ts'
import { startSession } from '../features/company/people/session.ts'
import type { App } from '../program/app.ts'
import { createApp } from '../program/app.ts'
import { analyzeGrownTables, dropDatabase, newDatabase, testSecretsKey } from './database.ts'
import { eventsIn } from './event-stream.ts'

/** An API with a database for each test file, and people and organizations to call it with. */

/** By name, because looking an operation up in the union compares it with all of them for every name. */
type Operations = { [O in AnyOperation as O['name']]: O }
type InputOf<N extends Name> = Operations[N] extends Operation<N, infer I extends TObject, TSchema> ? Given<I> : never
type OutputOf<N extends Name> = Operations[N] extends Operation<N, TObject, infer O extends TSchema> ? Static<O> : never
export type Name = AnyOperation['name']

type World = {
  app: App
  database: Awaited<ReturnType<typeof newDatabase>>
  /** The data folder of its API, removed with it. */
  dataDir: string
  /** How many organizations `member` has created in it. */
  founded: number
}

let world: World
/** The world of the files that need none of their own, in this process. */
let shared: { world: World; files: number } | undefined

/** Growing tables make every file slower that looks at all rows, as `kontor verify` does. */
const filesPerWorld = 40

/** A database and a data folder that others are copied from. */
export type Template = { database: string; dataDir: string }

/** Runs before the tests of each file that imports this one (runner/file-setup.ts). */
export async function shareWorld() {
  if (shared?.files === filesPerWorld) await closeShared()
  shared ??= { world: await newWorld(), files: 0 }
  shared.files++
  world = shared.world
}

async function closeShared() {
  if (shared) await close(shared.world)
  shared = undefined
}

/** The same for a file with a world of its own (own-world.ts). */
export async function openWorld(template?: Template) {
  world = await newWorld(template)
}

async function newWorld(template?: Template): Promise<World> {
  const dataDir = mkdtempSync(join(tmpdir(), 'kontor-test-'))
  if (template) cpSync(template.dataDir, dataDir, { recursive: true })
  const database = await newDatabase(template?.database)
  const app = await createApp(testConfig({ KONTOR_DATA: dataDir }), database)
  await app.server.ready()
  return { app, database, dataDir, founded: 0 }
}

export const closeWorld = () => close(world)

async function close({ app, database, dataDir }: World) {
  await app.close()
  await dropDatabase(database)
  rmSync(dataDir, { recursive: true, force: true })
}

/** Closes the API and leaves its database and data folder as a template. */
export async function keepWorld(): Promise<Template> {
  await world.app.close()
  return { database: world.database.database, dataDir: world.dataDir }
}

export const testConfig = (more: Record<string, string> = {}) =>
  readConfig({
    LOG_LEVEL: 'silent',
    KONTOR_MODE: 'local', // also with a public KONTOR_URL or a proxy
    KONTOR_SECRETS_KEY: testSecretsKey,
    RATE_LIMIT_SCALE: '100',
    ...(world && { KONTOR_DATA: world.dataDir }),
    ...more,
  })

/** The API under test and the address of its database. */
export const theApp = () => world.app
export const theDatabase = () => world.database

/** The answer to an HTTP request. */
export type Reply = { status: number; body: unknown; headers: Record<string, unknown> }

/** The error that `call` throws for a refusal. */
class Refused extends Error {
  readonly status: number
  readonly code: string
  readonly details: { path: string; message: string; code?: string }[]
  constructor(status: number, error: { code: string; message: string; details?: Refused['details'] }) {
    super(`${status} ${error.code}: ${error.message}`)
    this.status = status
    this.code = error.code
    this.details = error.details ?? []
  }
}

export type Credentials = { authorization: string } | { cookie: string } | Record<string, never>

/** A caller of the API, with a session or a key. */
export class Someone {
  readonly userId: string
  readonly credentials: Credentials
  /** Their organization; undefined for a person without one. */
  readonly organizationId: string | undefined

  constructor(userId: string, credentials: Credentials, organizationId?: string) {
    this.userId = userId
    this.credentials = credentials
    this.organizationId = organizationId
  }

  /** Calls an operation over HTTP and returns its answer, checked against its schema; throws if it is refused. */
  async call<N extends Name>(
    name: N,
    ...[input]: Partial<InputOf<N>> extends InputOf<N> ? [input?: Loose<InputOf<N>>] : [input: Loose<InputOf<N>>]
  ): Promise<OutputOf<N>> {
    const operation = operationNamed(name)
    const reply = await this.request(operation, (input ?? {}) as Record<string, unknown>)
    if (reply.status >= 400)
      throw new Refused(reply.status, (reply.body as { error: { code: string; message: string } }).error)
    const { body, wrong } = answerOf(operation, reply, input as Record<string, unknown>)
    if (wrong.length > 0) throw new Error(`The answer of ${name} does not fit its schema: ${JSON.stringify(wrong)}`)
    return body as OutputOf<N>
  }

  /** Sends an operation's input to its address and returns any answer, also a refusal. */
  async request(
    operation: Operation,
    input: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const { url, body } = addressed(operation, input)
    return send({ method: operation.method, url, body, headers: { ...this.credentials, ...headers } })
  }
}

/** What an operation returned, and what is wrong with it by its schema. */
export function answerOf(operation: Operation, reply: Reply, input: { lastEventId?: number } = {}) {
  const body = operation.streams ? toPage(String(reply.body), input) : reply.body
  return { body, wrong: problemsOf(operation.output, structuredClone(body)) }
}

/** What an operation with `streams` returned, from the events that HTTP sent. */
function toPage(text: string, { lastEventId = 0 }: { lastEventId?: number | string }) {
  const events = eventsIn(text).map((event) => ({ ...event, id: event.id ?? null }))
  return { events, lastEventId: events.at(-1)?.id ?? lastEventId, hasMore: false }
}

/** Tests may add fields that the types do not allow. */
type Loose<I> = I & Record<string, unknown>

export const operationNamed = (name: string): Operation => {
  const found = operations.find((operation) => operation.name === name)
  if (!found) throw new Error(`There is no operation ${name}`)
  return found
}

/** The address and body of a call: path fields in the path, the rest in the query of GET and DELETE, else in the body. */
export function addressed({ method, path }: Operation, input: Record<string, unknown>) {
  const rest = { ...input }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (method !== 'GET' && method !== 'DELETE') return { url: filled, body: rest }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest))
    for (const each of [value].flat()) if (each !== undefined) query.append(name, String(each))
  return { url: query.size > 0 ? `${filled}?${query}` : filled, body: undefined }
}

type Request = { method: string; url: string; body?: unknown; headers?: Record<string, string> }

/** Sends any HTTP request, without a socket. */
export async function send({ method, url, body, headers = {} }: Request): Promise<Reply> {
  const json = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)
  const answer = await world.app.server.inject({
    method: method as 'GET',
    url,
    headers: { ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: json ? JSON.stringify(body) : (body as string) }),
  })
  const text = answer.payload
  const isDownload = answer.headers['content-disposition'] !== undefined
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isDownload ? text : text.startsWith('{') || text.startsWith('[') || text === 'null' ? JSON.parse(text) : text,
  }
}

/** A person with an account and no organization. */
export async function person(name = 'Amy'): Promise<Someone> {
  return world.app.system.use(async (db) => {
    const id = newId()
    await db
      .insertInto('users')
      .values({ id, name, email: `${id}@example.test`, passwordHash: null, disabledAt: null })
      .execute()
    const { secret } = await startSession(db, { userId: id, remember: false, address: '127.0.0.1', userAgent: 'test' })
    return new Someone(id, { cookie: `sid=${secret}` })
  })
}

/** A person with this role in a new organization, or in the one of a colleague (`of`). */
export async function member(
  role: Role = 'OWNER',
  { of, country = 'SG' }: { of?: Someone; country?: 'IL' | 'SG' | 'US' } = {},
): Promise<Someone> {
  const founder = of ?? (await person('Founder'))
  const organizationId = founder.organizationId ?? (await found(founder, country))
  const someone = !of && role === 'OWNER' ? founder : await person(role)
  if (someone !== founder) {
    await world.app.system.use((db) =>
      db.insertInto('memberships').values({ organizationId, userId: someone.userId, role }).execute(),
    )
  }
  return new Someone(someone.userId, someone.credentials, organizationId)
}

/** Creates an organization. A file with many of them gets the statistics that a database of that size has. */
async function found(founder: Someone, country: 'IL' | 'SG' | 'US'): Promise<string> {
  const { id } = await founder.call('organizations_create', { name: 'Acme', country })
  world.founded++
  if ([20, 60, 200, 600].includes(world.founded)) await world.app.system.raw.query(analyzeGrownTables)
  return id
}

/** The same person, calling with an API key. */
export async function withKey(
  someone: Someone,
  scopes: string[] = ['*:*'],
  more: { allOrgs?: boolean; organizationIds?: string[]; expiresAt?: string } = { allOrgs: true },
): Promise<Someone> {
  const { secret, ...stored } = newKeySecret()
  const { organizationIds = [], allOrgs = false, expiresAt = null } = more
  const id = newId()
  await world.app.system.use(async (db) => {
    await db
      .insertInto('apiKeys')
      .values({
        id,
        userId: someone.userId,
        name: 'key',
        scopes,
        allOrgs,
        expiresAt,
        lastUsedAt: null,
        revokedAt: null,
        ...stored,
      })
      .execute()
    for (const organizationId of organizationIds) {
      await db
        .insertInto('apiKeyOrganizations')
        .values({ apiKeyId: id, organizationId, userId: someone.userId })
        .execute()
    }
  })
  return new Someone(someone.userId, { authorization: `Bearer ${secret}` }, someone.organizationId)
}

/** A caller without credentials. */
export const stranger = () => new Someone('', {})

import '../own-world.ts'
import { describe, expect, test } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import { type Operation, onSurface } from '../../core/define/operation.ts'
import { Type } from '../../core/define/schema.ts'
import { problemsOf } from '../../core/define/validate.ts'
import type { Caller } from '../../core/run/call.ts'
import { newId, sha256 } from '../../core/values/id.ts'
import { accountInput, emailOf, personWithPassword } from '../accounts.ts'
import { automate, graphOf, runSoFar, trigger } from '../automations/automations.ts'
import { expectRefusal } from '../refusal.ts'
import { addressed, type Reply, Someone, send, stranger, theApp, withKey } from '../world.ts'
import { remembered } from './remembered.ts'

/** Every sign-in and account operation: who may call it, what it takes and answers, what it does to the cookie and the trail. */

const account = onSurface(operations, 'account')
const ofSessions = account.filter(({ open }) => !open)
const writes = account.filter(({ reads }) => !reads)
const origin = { address: '127.0.0.1', rateLimitAddress: '127.0.0.1', userAgent: null, language: 'en' } as const

/** Sends every field in the body where there is one, also of a DELETE. */
function sendTo(
  operation: Operation,
  who: Someone,
  input: Record<string, unknown>,
  headers: Record<string, string> = {},
) {
  const { method } = operation
  if (method !== 'DELETE') return who.request(operation, input, headers)
  const { id, ...body } = input
  const { url } = addressed(operation, { id })
  return send({ method, url, body, headers: { ...who.credentials, ...headers } })
}

const succeeds = (reply: Reply, operation: Operation) => expect(reply).toMatchObject({ status: operation.status })

/** A person and valid input for requests that are refused: they use up nothing, as the success of the same input shows. */
const prepared = remembered(prepare)

async function prepare(operation: Operation) {
  const amy = await personWithPassword()
  return { amy, input: await accountInput(operation, amy) }
}

/** Operations whose input is valid for seconds only, so that the successful call needs a new one. */
const shortLived = ['auth_authenticator_confirm']

/** The one successful call of the prepared input, after all that is refused, and the session that made it. */
const succeeded = remembered(async (operation) => {
  const { amy, input } = await (shortLived.includes(operation.name) ? prepare : prepared)(operation)
  const [session] = await theApp().system.use((db) =>
    db.selectFrom('sessions').select('id').where('userId', '=', amy.userId).where('userAgent', '=', 'test').execute(),
  )
  const requestId = newId()
  const headers = { origin: 'http://127.0.0.1:3000', 'x-request-id': requestId }
  const reply = await sendTo(operation, amy, input, headers)
  return { amy, requestId, sessionId: session?.id, reply }
})

describe('what needs a session is refused without one, and an API key is none', () => {
  test.each(ofSessions)('$name', async (operation) => {
    const { amy, input } = await prepared(operation)
    const { authorization } = (await withKey(amy)).credentials as { authorization: string }
    const bad = ['Bearer kt_garbage1_0000000000000000000000000000000000000000000', 'Basic YTpi', 'Bearer', '']
    for (const headers of [{}, { cookie: 'sid=garbage' }, { authorization }])
      expectRefusal(await sendTo(operation, stranger(), input, headers), 'UNAUTHENTICATED')
    // With an Authorization header the cookie beside it is ignored (WEB-2).
    for (const each of [authorization, ...bad])
      expectRefusal(await sendTo(operation, amy, input, { authorization: each }), 'UNAUTHENTICATED')
  })
})

/** An unfinished run of an automation of this person. */
async function runOf(amy: Someone): Promise<string> {
  const { id } = await amy.call('organizations_create', { name: 'Acme', country: 'SG' })
  const owner = new Someone(amy.userId, amy.credentials, id)
  return runSoFar(owner, await automate(owner, graphOf([trigger('invoice.paid')]), { armed: false }), [])
}

describe('the runner refuses every caller but those of the definition', () => {
  test.each(account)('$name', async (operation) => {
    const amy = await personWithPassword()
    const input = await accountInput(operation, amy)
    const hashOf = ({ credentials }: Someone) =>
      sha256(
        Object.values(credentials)
          .join('')
          .replace(/^(Bearer |sid=)/, ''),
      )
    const caller = { requestId: newId(), origin, credential: null }
    const run = (more: Partial<Caller> & Pick<Caller, 'source'>) =>
      theApp().runner.run(operation, { caller: { ...caller, ...more }, input: { ...input }, trace: {} })
    const key: Partial<Caller> & Pick<Caller, 'source'> = { source: 'API_KEY', credential: hashOf(await withKey(amy)) }
    const automation = { source: 'AUTOMATION', userId: amy.userId, runId: await runOf(amy) } as const
    const others = [key, automation, { source: 'COMPANION', userId: amy.userId } as const]
    for (const other of others)
      await expect(run(other)).rejects.toMatchObject({ status: 403, details: [{ code: 'SOURCE' }] })
    await expect(run({ ...automation, runId: newId() })).rejects.toMatchObject({ status: 401 })
    const link = { source: 'LINK', link: { organizationId: newId() } } as const
    await expect(run(link)).rejects.toMatchObject({ status: 401 })
    const session = { source: 'SESSION', credential: hashOf(amy) } as const
    const [allowed, refused] = operation.open
      ? [{ source: 'PUBLIC' } as const, session]
      : [session, { source: 'PUBLIC' } as const]
    await expect(run(refused)).rejects.toMatchObject({ status: operation.open ? 403 : 401 })
    expect(await run(allowed)).toMatchObject({ status: operation.status })
  })
})

describe('a page of another site changes nothing', () => {
  test.each(writes)('$name', async (operation) => {
    const { amy, input } = await prepared(operation)
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expectRefusal(
        await sendTo(operation, amy, input, headers as Record<string, string>),
        'FORBIDDEN',
        'FOREIGN_ORIGIN',
      )
  })
})

describe('an unknown field is refused by name', () => {
  test.each(writes)('$name', async (operation) => {
    const { amy, input } = await prepared(operation)
    for (const field of ['colour', 'userId', 'organizationId', 'role', 'constructor', '$where']) {
      const reply = await sendTo(operation, amy, { ...input, [field]: 'red' })
      expectRefusal(reply, 'VALIDATION')
      expect(reply.body).toMatchObject({ error: { details: [{ path: field }] } })
    }
  })
})

describe('a body that cannot be read is refused, and without a session the missing session is told first', () => {
  test.each(writes)('$name', async (operation) => {
    const { amy, input } = await prepared(operation)
    const { url } = addressed(operation, input)
    for (const body of ['{"name": ', '[]', '"x"']) {
      const headers = { 'content-type': 'application/json' }
      const sent = (who: Someone) =>
        send({ method: operation.method, url, body, headers: { ...headers, ...who.credentials } })
      expectRefusal(await sent(stranger()), operation.open ? 'VALIDATION' : 'UNAUTHENTICATED')
      expectRefusal(await sent(amy), 'VALIDATION')
    }
  })
})

describe('a value of the wrong type is refused by name', () => {
  const wrong = [12_345.678, true, 'x'.repeat(30_000), '', {}, [], null]
  const taking = writes.filter(({ method, input }) => method === 'POST' && Object.keys(input.properties).length > 0)
  test.each(taking)('$name', async (operation) => {
    const { amy, input } = await prepared(operation)
    for (const [field, schema] of Object.entries(operation.input.properties)) {
      for (const value of wrong) {
        if (problemsOf(Type.Object({ field: schema }), { field: value }).length === 0) continue
        const reply = await sendTo(operation, amy, { ...input, [field]: value })
        expectRefusal(reply, 'VALIDATION')
        const { details } = (reply.body as { error: { details: { path: string }[] } }).error
        expect(new Set(details.map(({ path }) => path.split('.')[0]))).toEqual(new Set([field]))
      }
    }
  })
})

describe('unusual text is accepted or refused, and causes no error of the server', () => {
  const unusual = [
    '\u202e',
    '\u{1f4a5}'.repeat(60),
    "'; drop table users; --",
    '\r\nSet-Cookie: a=b',
    '\ud800',
    '\0',
    'a\0b',
  ]
  test.each(writes)('$name', async (operation) => {
    const amy = await personWithPassword()
    const input = await accountInput(operation, amy)
    const known = operation.input.properties as Record<string, { type?: string }>
    const texts = Object.keys(known).filter(
      (field) => known[field]?.type === 'string' && !operation.path.includes(field),
    )
    for (const value of unusual) {
      for (const fields of [texts, ...texts.map((field) => [field])]) {
        const reply = await sendTo(operation, amy, {
          ...input,
          ...Object.fromEntries(fields.map((field) => [field, value])),
        })
        expect(reply.status, `${fields} ${JSON.stringify(value)}: ${JSON.stringify(reply.body)}`).toBeLessThan(500)
      }
    }
  })
})

describe('INV-19: a write leaves the one audit row that its definition names, or none where it names none', () => {
  test.each(account)('$name', async (operation) => {
    const { amy, input } = await prepared(operation)
    const refusedId = newId()
    const refused = await sendTo(operation, amy, { ...input, colour: 'red' }, { 'x-request-id': refusedId })
    expect(refused.status).toBe(operation.reads ? 200 : 400)
    const { amy: caller, requestId, sessionId } = await succeeded(operation)
    expect(await trail(refusedId)).toEqual([])
    const row = {
      operation: operation.recordedAs,
      userId: caller.userId,
      organizationId: null,
      source: operation.open ? 'LINK' : 'SESSION',
      sessionId: operation.open ? null : sessionId,
      apiKeyId: null,
    }
    expect(await trail(requestId)).toMatchObject(operation.reads || operation.recordedAs === null ? [] : [row])
    expect(JSON.stringify(await trail(requestId))).not.toMatch(/correct horse|another horse/)
  })
})

const trail = (requestId: string) =>
  theApp().system.use((db) => db.selectFrom('auditLog').selectAll().where('requestId', '=', requestId).execute())

describe('a valid call succeeds, its answer fits the schema, and it sets the cookie only as declared', () => {
  test.each(account)('$name', async (operation) => {
    const { reply } = await succeeded(operation)
    succeeds(reply, operation)
    expect(problemsOf(operation.output, structuredClone(reply.body))).toEqual([])
    const cookies = [reply.headers['set-cookie'] ?? []].flat().map(String)
    expect(cookies).toEqual(
      operation.session === undefined
        ? []
        : [expect.stringMatching(operation.session === 'STARTS' ? /^sid=[0-9A-Za-z]{43};/ : /^sid=; Max-Age=0;/)],
    )
  })
})

describe('a valid call counts in every bucket of its definition', () => {
  test.each(account)('$name', async (operation) => {
    const { amy } = await succeeded(operation)
    const subjects: Record<string, string> = { address: '127.0.0.1', person: amy.userId, email: emailOf(amy) }
    const keys = operation.alsoRates.map(({ bucket, per }) => `${bucket}:${per}:${subjects[per]}`)
    const found = await theApp().system.raw.query('select key from rate_buckets where key = any ($1)', [keys])
    expect(found.rows.map(({ key }) => key).sort()).toEqual(keys.sort())
  })
})

describe('a cookie that an operation starts belongs to the person, and the cookie before it is no longer valid', () => {
  const starting = account.filter(({ session }) => session === 'STARTS')
  test.each(starting)('$name', async (operation) => {
    const { amy, reply } = await succeeded(operation)
    const [cookie = ''] = [reply.headers['set-cookie'] ?? []].flat().map((text) => String(text).split(';', 1)[0])
    const session = await send({ method: 'GET', url: '/api/auth/session', headers: { cookie } })
    const userId = operation.name === 'auth_sign_up' ? expect.any(String) : amy.userId
    expect(session).toMatchObject({ status: 200, body: { user: { id: userId } } })
    expectRefusal(
      await send({ method: 'GET', url: '/api/auth/session', headers: { ...amy.credentials } }),
      'UNAUTHENTICATED',
    )
  })
})

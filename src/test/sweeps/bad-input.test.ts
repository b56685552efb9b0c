import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { Type } from '../../core/define/schema.ts'
import { problemsOf } from '../../core/define/validate.ts'
import { newId } from '../../core/values/id.ts'
import { filled, sharedInput } from '../filled.ts'
import { inProof, proves } from '../prove.ts'
import { expectRefusal, statusOf } from '../refusal.ts'
import { inputFor, keyOf, tableOf } from '../rows.ts'
import { member, person, type Reply, type Someone, send, theApp, withKey } from '../world.ts'

/** Input that no proper client sends: always a documented status in the shape of a refusal, never 500. */

let amy: Someone
let customerId: string
beforeAll(async () => {
  amy = await member('OWNER')
  customerId = (await amy.call('customers_create', { name: 'Globex', country: 'SG' })).id
})

const json = { 'content-type': 'application/json' }
const post = (body: string, headers: Record<string, string> = json) =>
  send({ method: 'POST', url: '/api/customers', body, headers: { ...amy.credentials, ...headers } })
const get = (url: string, method = 'GET') => send({ method, url, headers: { ...amy.credentials } })

const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])))

/** A body that is accepted, so that each of those below is refused for what was changed in it. */
const valid = '{"name":"Globex","country":"SG"}'
test('the unaltered body is accepted', async () => expect(await post(valid)).toMatchObject({ status: 201 }))

describe('a body that cannot be read', () => {
  test.each([
    ['malformed JSON', '{"name":"Globex","country":"SG"'],
    ['JSON with something after it', `${valid} {}`],
    ['no JSON at all', 'name=Globex&country=SG'],
    ['a byte order mark', `\ufeff${valid}`],
    ['a list', `[${valid}]`],
    ['a text', '"Globex"'],
    ['a number', '1e400'],
    ['null', 'null'],
    ['10 MB', JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) })],
    ['10,000 levels', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['10,000 lists', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['10,001 keys', keys(10_001)],
    ['a key named __proto__', '{"name":"Globex","country":"SG","__proto__":{"status":"INACTIVE"}}'],
    ['a key that is __proto__ in disguise', '{"name":"Globex","country":"SG","\\u005f_proto__":{"a":1}}'],
  ])('%s', async (_, body) => {
    const reply = await post(body)
    expectRefusal(reply, 'VALIDATION')
    expect(pathsOf(reply).filter(Boolean)).toEqual([]) // refused as a whole, not for a field
  })

  test.each([
    ['nothing', '', ['country', 'name']],
    ['nothing but blanks', '   ', ['country', 'name']],
    ['a constructor', '{"name":"Globex","country":"SG","constructor":{"prototype":{"a":1}}}', ['constructor']],
    ['the same field twice, the second wrong', '{"name":"Globex","country":"SG","name":7}', ['name']],
  ])('%s is refused for its fields', async (_, body, fields) => {
    const reply = await post(body)
    expectRefusal(reply, 'VALIDATION')
    expect(pathsOf(reply).sort()).toEqual(fields)
  })

  test.each([
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'nonsense',
    '',
    'application/json, text/plain',
  ])('media type %j', async (type) => {
    const { credentials } = await withKey(amy) // with a cookie, such a request may come from a page of another site (WEB-3)
    const headers = { cookie: '', ...credentials }
    expect(await post(valid, { ...headers, ...json })).toMatchObject({ status: 201 })
    expectRefusal(await post(valid, { ...headers, 'content-type': type }), 'VALIDATION')
  })

  test('JSON under another name of JSON is read', async () => {
    for (const type of ['application/json;charset=UTF-8', 'application/merge-patch+json', 'Application/JSON']) {
      expect(await post(valid, { 'content-type': type })).toMatchObject({ status: 201 })
    }
  })

  test('a compressed body is not unpacked', async () => {
    const headers = { ...amy.credentials, ...json, 'content-encoding': 'gzip' }
    expectRefusal(await send({ method: 'POST', url: '/api/customers', body: gzipSync(valid), headers }), 'VALIDATION')
  })
})

describe('a path without a route', () => {
  test.each([
    ['GET', '/api'], ['GET', '/api/'], ['GET', '/api/nothing'], ['POST', '/api/nothing'], ['GET', '/api/customers/'],
    ['GET', '/API/customers'], ['GET', '/api/Customers'], ['GET', '/api/customers.'], ['GET', '/api/customers;a=b'],
    ['PUT', '/api/customers'], ['DELETE', '/api/customers'], ['PATCH', '/api/customers'], ['OPTIONS', '/api/customers'],
    ['GET', '/api/customers/x/y/z'], ['GET', '/.env'], ['GET', '/api/customers/.'], ['GET', '/api/../api/nothing'],
    ['POST', '/api/customers/'], 
  ])('%s %s', async (method, url) => expectRefusal(await get(url, method), 'NOT_FOUND')) // biome-ignore format: a table

  test.each([
    '//api/customers', '/api//customers', '/api/customers//', '/api%2fcustomers', '/api%2Fcustomers', '/api%5ccustomers',
    '/api/customers/%00', '/api/customers/a%2f..%2fb', '/api/customers/%', '/api/customers/%zz',
    '/api/customers/%c3%28', '/%2e%2e%2fetc/passwd', '/api/customers/%E0%A4%A',
  ])('%s is malformed', async (url) => expectRefusal(await get(url), 'VALIDATION')) // biome-ignore format: a list of words
  test('a path of 8,000 characters, in one piece or in 4,000', async () => {
    for (const url of [`/${'a'.repeat(8_000)}`, `/${'a/'.repeat(4_000)}`]) expectRefusal(await get(url), 'NOT_FOUND')
  })

  test('a header does not change the method', async () => {
    const headers = { ...amy.credentials, 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
    const reply = await send({ method: 'GET', url: `/api/customers/${customerId}?_method=DELETE`, headers })
    expect(reply).toMatchObject({ status: 200, body: { id: customerId } })
  })
})

describe('a query out of range', () => {
  test.each([
    'page=0', 'page=-1', 'page=1.5', 'page=1e3', 'page=abc', 'page=NaN', 'page=1000001', `page=${'9'.repeat(400)}`,
    'page=%201', 'limit=0', 'limit=-5', 'limit=101', 'limit=99999999999999999999', 'limit=0x10', 'sortBy=password',
    'sortBy=id;drop table customers', 'sortOrder=up', 'kind=ROBOT', 'inSystem=maybe', `search=${'x'.repeat(201)}`,
    'search=%00', 'page=1&page=-1', 'limit[]=-1&limit=abc',
  ])('%s', async (query) => expectRefusal(await get(`/api/customers?${query}`), 'VALIDATION')) // biome-ignore format: a list of words

  test.each([
    'page=', 'page=&limit=', 'page=2&page=1', 'search=a&search=b', 'search=%25', 'search=%5c', "search=';--", 'search=%F0%9F%92%A5',
    'page=1000000&limit=100', 'constructor=1', '&&&', '=', '=x', 'search=%zz', `unknown=${'x'.repeat(5000)}`,
  ])('%s is fine', async (query) => expect(await get(`/api/customers?${query}`)).toMatchObject({ status: 200 })) // biome-ignore format: a list of words
})

/** Fields that name the row or the organization, and those in the path, where every value is text: a wrong one is an unknown id. */
const isAddress = (operation: Operation, field: string) =>
  field === keyOf(operation) || field === 'organizationId' || operation.path.includes(`{${field}}`)

/** A body has 1 MB at most, and a refusal a hundred details. */
const chunksOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))

describe('a value of the wrong type is refused by the name of its field', () => {
  let refused = 0
  const wrong = [12_345.678, true, 'x'.repeat(20_000), '', {}, { a: 1 }, [], [[]], [null], null, Number.MAX_VALUE]
  const taking = operations.filter(({ method }) => !['GET', 'DELETE'].includes(method))
  // In npm test one of the values for each operation, in turn.
  const cases = taking.map((operation, turn) => ({
    operation,
    name: operation.name,
    values: inProof([wrong[turn % wrong.length]], wrong),
  }))
  test.each(cases)('$name', async ({ operation, values }) => {
    const input = await sharedInput(operation)
    const fields = Object.entries(operation.input.properties)
      .filter(([field]) => !isAddress(operation, field))
      .map(([field, schema]) => [field, Type.Object({ field: schema })] as const)
    for (const value of values) {
      const refusing = fields.filter(([, alone]) => problemsOf(alone, { field: value }).length > 0)
      for (const some of chunksOf(refusing, 40)) {
        const bad = Object.fromEntries(some.map(([field]) => [field, value]))
        const reply = await filled().owner.request(operation, { ...input, ...bad })
        expectRefusal(reply, 'VALIDATION')
        refused += 1
        const named = pathsOf(reply).map((path) => path.split('.')[0])
        expect([...new Set(named)].sort()).toEqual(Object.keys(bad).sort())
      }
    }
  })

  test('hundreds of values were refused', () => expect(refused).toBeGreaterThanOrEqual(inProof(50, 300)))
})

describe('a text of strange characters is stored or refused, without an error of the server', () => {
  let fields = 0
  const strange = [
    '\u202e', '\u0007\u001b[31m', '\u{1f4a5}'.repeat(60), "'; drop table customers; --", '{{7*7}}', '%s%n', '\\',
    '<script>alert(1)</script>', '\r\nSet-Cookie: a=b', '\ud800', 'a\udc00b', '\0', 'a\0b',
  ] // biome-ignore format: a list of words
  const fine = [200, 201, 400, 403, 404, 409]

  // In npm test one of the texts for each operation, and one of its fields with a zero byte, in turn.
  const cases = operations
    .filter(({ reads }) => !reads)
    .map((operation, turn) => ({
      operation,
      name: operation.name,
      turn,
      values: inProof([strange[turn % strange.length]], strange),
    }))
  test.each(cases)('$name', async ({ operation, values, turn }) => {
    const isShared = tableOf(operation) !== 'organizations' // else the text could change or delete what the others need
    const zoe = isShared ? filled().owner : await member('OWNER')
    const input = isShared ? await sharedInput(operation) : await inputFor(operation, zoe)
    const known = operation.input.properties as Record<string, { type?: string | string[] }>
    const texts = Object.keys(known).filter(
      (field) => [known[field]?.type].flat()[0] === 'string' && !isAddress(operation, field),
    )
    for (const value of values) {
      const everywhere = Object.fromEntries(texts.map((field) => [field, value]))
      const reply = await zoe.request(operation, { ...input, ...everywhere })
      expect(fine, `${JSON.stringify(value)}: ${JSON.stringify(reply.body)}`).toContain(reply.status)
    }
    for (const field of texts.filter((_, at) => proves || at === turn % texts.length)) {
      fields += 1
      const reply = await zoe.request(operation, { ...input, [field]: 'a\0b' })
      expect([400, 404], `${field}: ${JSON.stringify(reply.body)}`).toContain(statusOf(reply))
    }
  })

  test('many fields were tried', () => expect(fields).toBeGreaterThanOrEqual(80))
})

test('a name of 5,000 characters is refused', async () => {
  const reply = await post(JSON.stringify({ name: 'x'.repeat(5_000), country: 'SG' }))
  expectRefusal(reply, 'VALIDATION')
  expect(pathsOf(reply)).toEqual(['name'])
})

describe('a key that is no longer valid', () => {
  const url = '/api/customers'
  const asked = async (who: Someone, query = '') =>
    send({ method: 'GET', url: `${url}${query}`, headers: { ...who.credentials } })

  test('expired', async () => {
    const expiring = (expiresAt: string) => withKey(amy, ['*:*'], { allOrgs: true, expiresAt })
    expect(await asked(await expiring('2099-01-01T00:00:00Z'))).toMatchObject({ status: 200 })
    expectRefusal(await asked(await expiring('2001-01-01T00:00:00Z')), 'UNAUTHENTICATED')
  })

  test('revoked', async () => {
    const { key, secret } = await amy.call('api_keys_create', { name: 'Old', scopes: ['*:*'], allOrgs: true })
    const headers = { authorization: `Bearer ${secret}` }
    expect(await send({ method: 'GET', url, headers })).toMatchObject({ status: 200 })
    await amy.call('api_keys_revoke', { id: key.id })
    expectRefusal(await send({ method: 'GET', url, headers }), 'UNAUTHENTICATED')
  })

  test('of a person who is not a member', async () => {
    const key = await withKey(await person('Eve'))
    expectRefusal(await asked(key, `?organizationId=${amy.organizationId}`), 'FORBIDDEN')
    expect(await asked(key)).toMatchObject({ status: 200, body: { customers: [] } })
  })

  test('of a person whose account is disabled', async () => {
    const zoe = await member('OWNER')
    const key = await withKey(zoe)
    for (const who of [zoe, key]) expect(await asked(who)).toMatchObject({ status: 200 })
    await theApp().system.use((db) =>
      db.updateTable('users').set({ disabledAt: '2001-01-01T00:00:00Z' }).where('id', '=', zoe.userId).execute(),
    )
    for (const who of [zoe, key]) expectRefusal(await asked(who), 'UNAUTHENTICATED')
  })
})

describe('a header out of bounds', () => {
  test.each(['', ' ', 'x'.repeat(256), 'schlüssel', 'a b'])('Idempotency-Key %.20j', async (key) => {
    expect(await post(valid, { ...json, 'idempotency-key': newId() })).toMatchObject({ status: 201 })
    expectRefusal(await post(valid, { ...json, 'idempotency-key': key }), 'VALIDATION')
  })

  test.each(['', 'x'.repeat(129), 'a b', 'a\tb', '<script>'])('X-Request-Id %j is replaced', async (id) => {
    const { headers } = await post('{}', { ...json, 'x-request-id': id })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each(['Bearer  ', 'bearer', 'Bearer a b', 'Token abc', `Bearer ${'x'.repeat(9000)}`, 'Bearer \u00ff'])(
    'Authorization %j',
    async (authorization) => {
      const headers = { ...(await withKey(amy)).credentials }
      expect(await send({ method: 'GET', url: '/api/customers', headers })).toMatchObject({ status: 200 })
      expectRefusal(await send({ method: 'GET', url: '/api/customers', headers: { authorization } }), 'UNAUTHENTICATED')
    },
  )
})

const pathsOf = ({ body }: Reply) =>
  ((body as { error: { details?: { path: string }[] } }).error.details ?? []).map(({ path }) => path)

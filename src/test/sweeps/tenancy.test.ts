import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { missingId } from '../../core/define/query.ts'
import { toSnake } from '../../db/names.ts'
import { image } from '../conformance/samples.ts'
import { expectRefusal, statusOf } from '../refusal.ts'
import { at, inputFor, keyOf, put, referencesOf, referredTable, rowOf, rows, storedIn, tableOf } from '../rows.ts'
import { sell } from '../sales-documents.ts'
import { member, person, type Reply, Someone, theApp, withKey } from '../world.ts'

/** Ids of another organization's rows, of other kinds of rows and of no row, in every id field (INV-18, THR-01, THR-02). */

const aboutRows = operations.filter((operation) => tableOf(operation) !== undefined)
const named = operations.filter(({ within }) => within === 'organizationId')
const byRow = aboutRows.filter(({ within }) => within !== 'caller')

let amy: Someone
let eve: Someone
/** The same Amy, in a second organization of hers. */
let elsewhere: Someone
/** The owner of one more organization, who only reads. */
let reader: Someone
/** A row of each table: Amy's and Eve's. */
let hers: Record<string, string>
let foreign: Record<string, string>
let before: unknown
beforeAll(async () => {
  const founder = await person('Amy')
  amy = await settled(founder)
  elsewhere = await settled(founder)
  eve = await member('OWNER')
  reader = await member('OWNER')
  hers = await oneOfEach(amy)
  foreign = await oneOfEach(eve)
  before = await stored(foreign)
})
afterAll(async () => expect(await stored(foreign), 'rows of the other organization are unchanged').toEqual(before))

async function settled(someone: Someone) {
  const { id } = await someone.call('organizations_create', { name: 'Acme', country: 'SG' })
  return new Someone(someone.userId, someone.credentials, id)
}

async function oneOfEach(someone: Someone) {
  const made: Record<string, string> = {}
  for (const table of Object.keys(rows)) made[table] = await rowOf(table, someone)
  return made
}

const stored = (ids: Record<string, string>) =>
  theApp().system.use((_, connection) =>
    Promise.all(
      Object.entries(ids).map(([table, id]) =>
        connection.query(`select * from ${toSnake(storedIn(table))} where id = $1`, [id]),
      ),
    ),
  )

const malformed = [
  'nope',
  'a'.repeat(400),
  'a'.repeat(2_000),
  'ünï-カ',
  `${missingId}0`,
  `{${missingId}}`,
  "' or 1=1 --",
  '.',
  '..',
]

describe('THR-01: a row of another organization is the same as no row', () => {
  test.each(aboutRows)('$name', async (operation) => {
    const key = keyOf(operation)
    const input = await inputFor(operation, amy)
    const ask = (id: string, who = amy) => who.request(operation, { ...input, [key]: id })
    const missing = await ask(missingId)
    expectRefusal(missing, 'NOT_FOUND')
    const table = tableOf(operation) ?? ''
    const others = Object.keys(rows).filter((other) => other !== table)
    const wrong = [foreign[table], ...others.flatMap((other) => [hers[other], foreign[other]])]
    for (const id of wrong) expect(refusalOf(await ask(String(id)))).toEqual(refusalOf(missing))
    const keyed = operation.sources.includes('API_KEY') && (await withKey(amy))
    if (keyed) expect(refusalOf(await ask(String(foreign[table]), keyed))).toEqual(refusalOf(missing))
    await expectAccepted(amy, operation, input)
  })
})

describe('a malformed id is not found, without an error of the server', () => {
  test.each(aboutRows)('$name', async (operation) => {
    const key = keyOf(operation)
    const input = await inputFor(operation, amy)
    for (const id of malformed.filter((each) => !leadsElsewhere(operation, each))) {
      const reply = await amy.request(operation, { ...input, [key]: id })
      expectRefusal(reply, 'NOT_FOUND')
    }
    if (!operation.path.includes(`{${key}}`)) return
    for (const id of ['a\0b', 'a/b', 'a\\b']) {
      expectRefusal(await amy.request(operation, { ...input, [key]: id }), 'VALIDATION') // guard.ts
    }
  })
})

/** A client removes `..` from an address, and the rest may be the address of another operation. */
const leadsElsewhere = ({ method, path }: Operation, id: string) => {
  const { pathname } = new URL(path.replace(/\{\w+\}/, encodeURIComponent(id)), 'http://kontor.test')
  return operations.some((other) => other.method === method && other.path === pathname)
}

/** A refusal without the id of its request. */
const refusalOf = ({ status, body }: Reply) => {
  const { error } = body as { error: { requestId?: string } }
  return { status, error: { ...error, requestId: undefined } }
}

/** The unaltered request succeeds, so that the altered ones were refused for what was changed in them. */
async function expectAccepted(who: Someone, operation: Operation, input: Record<string, unknown>) {
  if (operation.name === 'organizations_delete') return // the other tests need the organization
  expect(await who.request(operation, input)).toMatchObject({ status: operation.status })
}

describe('a key that does not reach an organization finds nothing in it', () => {
  test.each(byRow.filter(({ sources }) => sources.includes('API_KEY')))('$name', async (operation) => {
    const input = await inputFor(operation, amy)
    const narrow = await withKey(amy, ['*:*'], { organizationIds: [String(elsewhere.organizationId)] })
    const nowhere = await withKey(amy, ['*:*'], {})
    for (const key of [narrow, nowhere]) expectRefusal(await key.request(operation, input), 'NOT_FOUND')
    await expectAccepted(await withKey(amy), operation, input)
  })
})

describe('an organization that the caller is not in is refused', () => {
  test.each(named)('$name', async (operation) => {
    const input = await inputFor(operation, amy)
    const narrow = await withKey(amy, ['*:*'], { organizationIds: [String(elsewhere.organizationId)] })
    const refusal = operation.sources.includes('API_KEY') ? 'ORGANIZATION' : 'SOURCE'
    expectRefusal(await narrow.request(operation, input), 'FORBIDDEN', refusal)
    for (const organizationId of [eve.organizationId, missingId, 'nope', hers.customers, '\u{1f600}']) {
      expectRefusal(await amy.request(operation, { ...input, organizationId }), 'FORBIDDEN', 'ORGANIZATION')
    }
    await expectAccepted(amy, operation, input)
  })
})

describe('an organization that is not the one of the row is not found', () => {
  test.each(byRow)('$name', async (operation) => {
    const input = await inputFor(operation, amy)
    for (const organizationId of [elsewhere.organizationId, eve.organizationId, missingId, 'nope']) {
      expectRefusal(await amy.request(operation, { ...input, organizationId }), 'NOT_FOUND')
    }
    const zoe = operation.reads ? reader : await member('OWNER')
    const own = { ...(await inputFor(operation, zoe)), organizationId: zoe.organizationId }
    expect(await zoe.request(operation, own)).toMatchObject({ status: operation.status })
  })
})

/** Fields that accept only some rows of their table: an issued document, a picture. */
const suitable: Record<string, (someone: Someone) => Promise<string>> = {
  'invoices_payments_create allocations.0.documentId': async (someone) =>
    (await sell(someone, { status: 'UNSENT' })).id,
  'invoices_payments_allocate allocations.0.documentId': async (someone) =>
    (await sell(someone, { status: 'UNSENT' })).id,
  'payroll_employees_update userId': async (someone) => (await member('VIEWER', { of: someone })).userId,
  'settings_update logoFileId': async (someone) => {
    const file = { fileName: 'logo.png', base64: image }
    const { organizationId = '' } = someone
    return (await someone.call('organizations_file_upload', { organizationId, file })).id
  },
}

/** A company is one record: a supplier that is sold something becomes a customer too. */
const isSameRecord = (...tables: string[]) =>
  tables.every((table) => ['customers', 'suppliers', 'employees'].includes(table))

/** An answer without the time at which it was made. */
const withoutTime = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null) return body // a file
  const { generatedAt: _, ...rest } = body as Record<string, unknown>
  return rest
}

describe('THR-02: a field that refers to a row accepts no row of another organization or table', () => {
  const cases = operations.flatMap((operation) =>
    referencesOf(operation).map((reference) => ({
      operation,
      ...reference,
      called: `${operation.name} ${reference.path.join('.')}`,
    })),
  )
  test.each(cases)('$called', async ({ operation, path, field }) => {
    const table = referredTable(field, operation.name) ?? ''
    const others = Object.keys(rows).filter((other) => other !== table && !isSameRecord(other, table))
    const make = suitable[`${operation.name} ${path.join('.')}`]
    const foreignId = make ? await make(eve) : foreign[table]
    const wrong = [foreignId, ...others.map((other) => hers[other]), missingId, ...malformed]
    const lists = field.endsWith('Ids')
    const own = await inputFor(operation, amy)
    const values = lists ? wrong.flatMap((id) => [[id], [hers[table], id]]) : [...wrong, [missingId]]
    const ask = (value: unknown) => {
      const input = structuredClone(own)
      put(input, path, value)
      return amy.request(operation, input)
    }
    const missing = await ask(missingId)
    for (const value of values) {
      const reply = await ask(value)
      // A list filtered by an unknown row is empty.
      if (operation.reads && missing.status === 200)
        expect(reply).toMatchObject({ status: 200, body: withoutTime(missing.body) })
      else expect([400, 403, 404], `${field} ${value}: ${JSON.stringify(reply.body)}`).toContain(statusOf(reply))
    }
    if (at(own, path) === undefined || make) {
      const id = make ? await make(amy) : hers[table]
      put(own, path, lists ? [id] : id)
    }
    await expectAccepted(amy, operation, own)
  })
})

test('these sweeps cover every operation that takes an id', () => {
  expect(aboutRows.length).toBeGreaterThanOrEqual(60)
  expect(byRow.length).toBeGreaterThanOrEqual(54)
  expect(named.length).toBeGreaterThanOrEqual(20)
  expect(operations.flatMap(referencesOf).length).toBeGreaterThanOrEqual(23)
  expect(Object.keys(rows).length).toBeGreaterThanOrEqual(16)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../../catalog/operations.ts'
import type { Operation } from '../../core/define/operation.ts'
import { missingId } from '../../core/define/query.ts'
import { toSnake } from '../../db/names.ts'
import { image } from '../conformance/samples.ts'
import { filled, inputOnce, sharedInput } from '../filled.ts'
import { proves, sample } from '../prove.ts'
import { expectRefusal, statusOf } from '../refusal.ts'
import { at, inputFor, keyOf, put, referencesOf, referredTable, rows, storedIn, tableOf } from '../rows.ts'
import { sell } from '../sales-documents.ts'
import { member, type Reply, type Someone, theApp, withKey } from '../world.ts'

/** Ids of another organization's rows, of other kinds of rows and of no row, in every id field (INV-18, THR-01, THR-02). */

const aboutRows = operations.filter((operation) => tableOf(operation) !== undefined)
const named = operations.filter(({ within }) => within === 'organizationId')
const byRow = aboutRows.filter(({ within }) => within !== 'caller')

/** The rows of the other organization before the sweeps. */
let before: unknown
beforeAll(async () => {
  before = await stored(filled().foreign)
})
afterAll(async () =>
  expect(await stored(filled().foreign), 'rows of the other organization are unchanged').toEqual(before),
)

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

/** In npm test one of the list, in turn by the operation; in a proof all of them. */
const inTurn = <T>(list: readonly T[], turn: number): T[] => (proves ? [...list] : [list[turn % list.length] as T])

/** The operations with a number each. */
const numbered = (list: readonly Operation[]) =>
  list.map((operation, turn) => ({ operation, turn, name: operation.name }))

describe('THR-01: a row of another organization is the same as no row', () => {
  test.each(numbered(aboutRows))('$name', async ({ operation, turn }) => {
    const { owner, hers, foreign } = filled()
    const key = keyOf(operation)
    const input = await sharedInput(operation)
    const ask = (id: string, who = owner) => who.request(operation, { ...input, [key]: id })
    const missing = await ask(missingId)
    expectRefusal(missing, 'NOT_FOUND')
    const table = tableOf(operation) ?? ''
    const others = Object.keys(rows).filter((other) => other !== table)
    // A row of another kind of one's own is told apart by the operation itself, most easily missed where both are in one table.
    const near = others.filter((other) => storedIn(other) === storedIn(table))
    const own = inTurn(near.length > 0 ? near : others, turn).map((other) => hers[other])
    const ofOthers = proves ? others.flatMap((other) => [hers[other], foreign[other]]) : own
    const wrong = [foreign[table], ...ofOthers]
    for (const id of wrong) expect(refusalOf(await ask(String(id)))).toEqual(refusalOf(missing))
    const isKeyed = operation.sources.includes('API_KEY') && (proves || turn % 3 === 0)
    const keyed = isKeyed && (await everyKey())
    if (keyed) expect(refusalOf(await ask(String(foreign[table]), keyed))).toEqual(refusalOf(missing))
  })
})

describe('a malformed id is not found, without an error of the server', () => {
  test.each(numbered(aboutRows))('$name', async ({ operation, turn }) => {
    const key = keyOf(operation)
    const input = await sharedInput(operation)
    const { owner } = filled()
    const asked = malformed.filter((each) => !leadsElsewhere(operation, each))
    expect(asked).not.toEqual([])
    for (const id of inTurn(asked, turn))
      expectRefusal(await owner.request(operation, { ...input, [key]: id }), 'NOT_FOUND')
    if (!operation.path.includes(`{${key}}`)) return
    for (const id of inTurn(['a\0b', 'a/b', 'a\\b'], turn))
      expectRefusal(await owner.request(operation, { ...input, [key]: id }), 'VALIDATION') // guard.ts
  })
})

/** A client removes `..` from an address, and the rest may be the address of another operation. */
const leadsElsewhere = ({ method, path }: Operation, id: string) => {
  if (!path.includes('{')) return false // the id is in the body
  const { pathname } = new URL(path.replace(/\{\w+\}/, encodeURIComponent(id)), 'http://kontor.test')
  return operations.some((other) => other.method === method && other.path === pathname)
}

/** A refusal without the id of its request. */
const refusalOf = ({ status, body }: Reply) => {
  const { error } = body as { error: { requestId?: string } }
  return { status, error: { ...error, requestId: undefined } }
}

/** One key for all operations. */
const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
const everyKey = once(() => withKey(filled().owner))
/** A key of the same person that reaches another organization of hers, and one that reaches none. */
const narrowKey = once(() =>
  withKey(filled().owner, ['*:*'], { organizationIds: [String(filled().elsewhere.organizationId)] }),
)
const nowhereKey = once(() => withKey(filled().owner, ['*:*'], {}))

describe('a key that does not reach an organization finds nothing in it', () => {
  test.each(numbered(byRow.filter(({ sources }) => sources.includes('API_KEY'))))(
    '$name',
    async ({ operation, turn }) => {
      const input = await sharedInput(operation)
      for (const key of inTurn([await narrowKey(), await nowhereKey()], turn))
        expectRefusal(await key.request(operation, input), 'NOT_FOUND')
    },
  )
})

describe('an organization that the caller is not in is refused', () => {
  test.each(numbered(named))('$name', async ({ operation, turn }) => {
    const { owner, other, hers } = filled()
    const input = await sharedInput(operation)
    const refusal = operation.sources.includes('API_KEY') ? 'ORGANIZATION' : 'SOURCE'
    expectRefusal(await (await narrowKey()).request(operation, input), 'FORBIDDEN', refusal)
    for (const organizationId of [
      other.organizationId,
      ...inTurn([missingId, 'nope', hers.customers, '\u{1f600}'], turn),
    ])
      expectRefusal(await owner.request(operation, { ...input, organizationId }), 'FORBIDDEN', 'ORGANIZATION')
  })
})

describe('an organization that is not the one of the row is not found', () => {
  test.each(numbered(byRow))('$name', async ({ operation, turn }) => {
    const { owner, elsewhere, other } = filled()
    const input = await sharedInput(operation)
    for (const organizationId of [elsewhere.organizationId, ...inTurn([other.organizationId, missingId, 'nope'], turn)])
      expectRefusal(await owner.request(operation, { ...input, organizationId }), 'NOT_FOUND')
  })
})

/** Operations that would delete the organization, which the others need. */
const ends = ['organizations_delete']

describe('the unaltered request succeeds, so that the altered ones above were refused for what was changed in them', () => {
  const altered = [...new Set<Operation>([...aboutRows, ...named])].filter(({ name }) => !ends.includes(name))
  // In npm test some: success.test.ts makes the same call of every operation.
  test.each(sample(altered, 8))('$name', async (operation) => {
    const { owner } = filled()
    const input = await inputOnce(operation)
    // The organization of the row may be named; another one is refused above.
    const more = byRow.includes(operation as never) ? { organizationId: owner.organizationId } : {}
    const caller = operation.sources.includes('API_KEY') ? await everyKey() : owner
    expect(await caller.request(operation, { ...input, ...more })).toMatchObject({ status: operation.status })
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
  test.each(cases.map((each, turn) => ({ ...each, turn })))('$called', async ({ operation, path, field, turn }) => {
    const { owner: amy, other: eve, hers, foreign } = filled()
    const table = referredTable(field, operation.name) ?? ''
    const others = Object.keys(rows).filter((other) => other !== table && !isSameRecord(other, table))
    const make = suitable[`${operation.name} ${path.join('.')}`]
    const foreignId = make ? await make(eve) : foreign[table]
    const wrong = [
      foreignId,
      ...inTurn(
        others.map((other) => hers[other]),
        turn,
      ),
      missingId,
      ...inTurn(malformed, turn),
    ]
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
    if (!ends.includes(operation.name))
      expect(await amy.request(operation, own)).toMatchObject({ status: operation.status })
  })
})

test('these sweeps cover every operation that takes an id', () => {
  expect(aboutRows.length).toBeGreaterThanOrEqual(60)
  expect(byRow.length).toBeGreaterThanOrEqual(54)
  expect(named.length).toBeGreaterThanOrEqual(20)
  expect(operations.flatMap(referencesOf).length).toBeGreaterThanOrEqual(23)
  expect(Object.keys(rows).length).toBeGreaterThanOrEqual(16)
})

import '../test/own-world.ts'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../core/values/id.ts'
import { kontor } from '../test/processes/kontor.ts'
import { sell } from '../test/sales-documents.ts'
import { newFolder } from '../test/temporary-folder.ts'
import { member, type Someone, theApp } from '../test/world.ts'
import { type ChainedEvent, checkChain } from './chain.ts'

/** Written from docs/decisions/0023-a-chain-anyone-can-check.md alone, to show that the page is enough. */
function recomputed(event: ChainedEvent): string {
  const number = (value: number) => {
    const [mantissa = '', exponent = '0'] = String(value).split('e')
    const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
    const digits = `${'0'.repeat(400)}${whole}${fraction}${'0'.repeat(400)}`
    const point = 400 + whole.length + Number(exponent)
    const [before, after] = [digits.slice(0, point).replace(/^0+(?=\d)/, ''), digits.slice(point).replace(/0+$/, '')]
    return (value < 0 ? '-' : '') + before + (after && `.${after}`)
  }
  const bytes = (text: string) => Buffer.from(text, 'utf8')
  const json = (value: unknown): string => {
    if (typeof value === 'number') return number(value)
    if (Array.isArray(value)) return `[${value.map(json).join(', ')}]`
    if (value === null || typeof value !== 'object') return JSON.stringify(value)
    const order = (a: string, b: string) => bytes(a).length - bytes(b).length || bytes(a).compare(bytes(b))
    const keys = Object.keys(value).sort(order)
    return `{${keys.map((key) => `${JSON.stringify(key)}: ${json((value as Record<string, unknown>)[key])}`).join(', ')}}`
  }
  const { documentId, sequence, type, actorUserId, payload, createdAt, previousHash } = event
  const text = json([documentId, sequence, type, actorUserId, payload, createdAt])
  return createHash('sha256').update(Buffer.concat([Buffer.from(previousHash ?? '', 'hex'), bytes(text)])).digest('hex')
} // biome-ignore format: a rule a line

let amy: Someone
beforeAll(async () => {
  amy = await member('MANAGER')
})

/** All events of a document as a user exports them: page by page, the newest first. */
async function exported(id: string): Promise<ChainedEvent[]> {
  const events: ChainedEvent[] = []
  for (let page = 1; ; page++) {
    const answer = await amy.call('invoices_events', { id, page, limit: 100 })
    events.push(...answer.events)
    if (page >= answer.pagination.totalPages) return events
  }
}

/** Created, issued, disputed, answered, paid and opened again. */
async function history(): Promise<ChainedEvent[]> {
  const { id } = await sell(amy)
  await amy.call('invoices_update', { id, status: 'SENT' })
  await amy.call('invoices_events_post', { id, type: 'DISPUTED', payload: { reason: 'too much', amount: 10.5 } })
  await amy.call('invoices_events_post', { id, type: 'DISPUTE_RESOLVED' })
  await amy.call('invoices_update', { id, status: 'PAID' })
  await amy.call('invoices_update', { id, clearReceiptInfo: true })
  return exported(id)
}

test('INV-19: an exported history is a valid chain, for our program and for one written from its description', async () => {
  const events = await history()
  const head = events[0]?.hash
  expect(events.length).toBeGreaterThan(6)
  for (const form of [
    events,
    { events },
    [{ events: events.slice(0, 3) }, { events: events.slice(3) }],
    events.toReversed(),
  ])
    expect(checkChain(form, head)).toEqual({ isValid: true, events: events.length, head })
  expect(events.map(recomputed)).toEqual(events.map(({ hash }) => hash))
  expect(checkChain([])).toEqual({ isValid: true, events: 0, head: null })
})

test('INV-19: the hash of an event can be recomputed for any payload', async () => {
  const { id } = await sell(amy)
  const text = fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', ''))
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(),
      fc.constant(null), fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(text, tie('value'), { maxKeys: 6 })),
  })) // biome-ignore format: a list of words
  const awkward = [
    1e21,
    1e-7,
    -1.5e-9,
    0.1 + 0.2,
    5e-324,
    1.7976931348623157e308,
    -0,
    100,
    'é"\\/\u2028\u001f\u007f\t',
    '😀',
  ]
  const payloads = [
    { awkward, ä: 1, zz: 2, b: 3 },
    ...fc.sample(value, { numRuns: 150, seed: 7 }).map((each) => ({ each })),
  ]
  await theApp().system.raw.query(
    `insert into document_events (organization_id, id, document_id, type, payload)
     select $1, gen_random_uuid(), $2, 'COMMENTED', p from unnest($3::jsonb[]) with ordinality u (p, at) order by at`,
    [amy.organizationId, id, payloads.map((payload) => JSON.stringify(payload))],
  )
  const events = await exported(id)
  expect(checkChain(events)).toMatchObject({ isValid: true, events: payloads.length + 1 })
  expect(events.map(recomputed)).toEqual(events.map(({ hash }) => hash))
})

describe('INV-19: a check of an altered chain names the first broken event', () => {
  let whole: ChainedEvent[]
  beforeAll(async () => {
    whole = await history()
  })
  const changed = (events: ChainedEvent[], at: number, more: Partial<ChainedEvent>) =>
    events.map((event, place) => (place === at ? { ...event, ...more } : event))
  const resealed = (events: ChainedEvent[], at: number, more: Partial<ChainedEvent>) =>
    changed(events, at, more).map((event, place) => (place === at ? { ...event, hash: recomputed(event) } : event))
  const swapped = ([a, b, c, ...rest]: ChainedEvent[]) => [a, c, b, ...rest].filter((each) => each !== undefined)

  test.each<[string, (events: ChainedEvent[]) => ChainedEvent[], RegExp]>([
    ['a changed payload', (all) => changed(all, 2, { payload: { reason: 'nothing' } }), /Event 3: its content/],
    ['another type', (all) => changed(all, 0, { type: 'COMMENTED' }), /Event 1: its content/],
    ['another actor', (all) => changed(all, 3, { actorUserId: newId() }), /Event 4: its content/],
    ['another time', (all) => changed(all, 3, { createdAt: '2020-01-01T00:00:00.000Z' }), /Event 4: its content/],
    ['a changed payload with a recomputed hash', (all) => resealed(all, 2, { payload: null }), /Event 4: its previousHash is not/],
    ['a missing event', (all) => all.filter((_, at) => at !== 3), /Event 4: its sequence is 5, not 4/],
    ['a missing event, the rest renumbered', (all) => all.filter((_, at) => at !== 3).map((each, at) => ({ ...each, sequence: at + 1 })), /Event 4: its previousHash is not/],
    ['a missing first event', (all) => all.slice(1), /Event 1: its sequence is 2, not 1/],
    ['another order', swapped, /Event 2: its sequence is 3, not 2/],
    ['an event of another document', (all) => changed(all, 1, { documentId: newId() }), /Event 2: it belongs to another/],
    ['a repeated event', (all) => [...all.slice(0, 2), ...all.slice(1)], /Event 3: its sequence is 2, not 3/],
  ])('%s', (_, tamper, why) => {
    const events = whole.toReversed()
    expect(checkChain(events)).toMatchObject({ isValid: true })
    expect(checkChain(tamper(events))).toEqual({ isValid: false, reason: expect.stringMatching(why) })
  }) // biome-ignore format: a case a line

  test('missing events at the end are found only if the last hash is given', async () => {
    const events = await history()
    const cut = events.slice(2)
    expect(checkChain(cut)).toMatchObject({ isValid: true, events: events.length - 2 })
    expect(checkChain(cut, events[0]?.hash)).toEqual({
      isValid: false,
      reason: expect.stringContaining('not the given one'),
    })
  })
})

test('kontor verify --chain needs no database, and names the broken event', async () => {
  const events = await history()
  const folder = newFolder('chain')
  const written = (name: string, content: unknown) => {
    const file = join(folder, name)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const run = (...words: string[]) => kontor(['verify', ...words], { KONTOR_SECRETS_KEY: undefined })
  const good = written('good.json', { events })
  const head = String(events[0]?.hash)
  expect(await run('--chain', good, '--head', head)).toMatchObject({ status: 0, stdout: expect.stringContaining(head) })
  const bad = written('bad.json', { events: events.filter(({ sequence }) => sequence !== 2) })
  expect(await run('--chain', bad)).toMatchObject({ status: 1, stdout: expect.stringMatching(/broken\. Event 2: /) })
  expect(await run('--chain', written('none.json', 'no json'))).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be read as JSON') })
  expect(await run('--chain')).toMatchObject({ status: 1, stderr: expect.stringContaining('--chain of kontor verify needs a value') })
}) // biome-ignore format: a case a line

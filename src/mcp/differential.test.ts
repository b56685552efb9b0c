import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../catalog/operations.ts'
import type { Operation } from '../core/define/operation.ts'
import { isFile } from '../core/files/file.ts'
import { filled, sharedInput } from '../test/filled.ts'
import { type Lane, request } from '../test/mcp.ts'
import { inProof, proves } from '../test/prove.ts'
import { inputFor, keyOf, tableOf } from '../test/rows.ts'
import { addressed, member, type Reply, Someone, send, withKey } from '../test/world.ts'

/** THR-03: the same call over HTTP and over MCP gets the same status and the same answer. */

/** Two owners whose organizations get the same changes in the same order, since some can be made only once. */
let twins: [Owner, Owner]
let key: Someone
let foreignKey: Someone
beforeAll(async () => {
  key = await withKey(filled().owner)
  foreignKey = await withKey(filled().other)
  twins = [await newOwner(), await newOwner()]
})

/** Operations that are alike for the two ways in which a tool call is handled: the short path, and the library. */
const shapeOf = ({ method, reads, within, output, sources, open, streams }: Operation) =>
  JSON.stringify([
    method,
    reads,
    typeof within,
    within === 'caller',
    isFile(output),
    sources.includes('API_KEY'),
    open,
    streams,
  ])
const shapes = [...new Map(operations.map((operation) => [shapeOf(operation), operation])).values()]
/** All operations take the short path, in npm test every second one and one of each shape; one of each shape takes the other, too. */
const lanes: [Lane, readonly Operation[]][] = [
  ['quick', operations.filter((operation, at) => proves || at % 2 === 0 || shapes.includes(operation))],
  ['full', proves ? operations : shapes],
]

/** A stream is text over HTTP and JSON as a tool; its own tests compare the two. */
const inOneForm = (some: readonly Operation[]) => some.filter(({ streams }) => !streams)

/** Whether a call changes or deletes the organization itself, so that the next one would find another. */
const changesOrganization = (operation: Operation) => !operation.reads && tableOf(operation) === 'organizations'

describe.each(lanes)('%s', (lane, some) => {
  test.each(inOneForm(some))('THR-03: $name gives the same answer', async (operation) => {
    const [amy, ben] = await ownersFor(operation)
    const input = await inputFor(operation, amy.owner)
    const http = await amy.key.request(operation, input)
    expect(http.status).toBe(operation.sources.includes('API_KEY') ? operation.status : 403)
    const same = operation.reads ? input : await inputFor(operation, ben.owner)
    const mcp = await request(ben.key, operation, same, { lane })
    expect(comparable(mcp)).toEqual(comparable(http))
  })

  /** The same person for what only reads. */
  async function ownersFor(operation: Operation): Promise<[Owner, Owner]> {
    if (operation.reads) return [reader(), reader()]
    return changesOrganization(operation) ? [await newOwner(), await newOwner()] : twins
  }

  // In npm test the refusals are shared out among the operations; those of one shape get all of them.
  const turns = some.map((operation, turn) => ({ operation, turn, name: operation.name }))
  test.each(turns)('THR-03: $name gives the same refusal', async ({ operation, turn }) => {
    const input = await sharedInput(operation)
    const forKeys = operation.sources.includes('API_KEY')
    const both = async (someone: Someone, given: Record<string, unknown>, sent = someone.request(operation, given)) => {
      const http = await sent
      const mcp = await request(someone, operation, given, { lane })
      expect(comparable(mcp)).toEqual(comparable(http))
      return http.status
    }
    const refusals: (() => Promise<void>)[] = [
      async () => expect(await both(new Someone('', { authorization: 'Bearer kt_garbage1_0' }), input)).toBe(401),
      async () => expect(await both(await narrowKey(operation.scope), input)).toBe(403),
    ]
    if (operation.within !== 'caller')
      refusals.push(async () => expect([403, 404]).toContain(await both(foreignKey, input)))
    if (tableOf(operation))
      refusals.push(async () =>
        expect(await both(key, { ...input, [keyOf(operation)]: 'none' })).toBe(forKeys ? 404 : 403),
      )
    if (operation.method === 'DELETE')
      refusals.push(async () => {
        const { url } = addressed(operation, input)
        const sent = send({ method: 'DELETE', url, body: { colour: 'red' }, headers: { ...key.credentials } })
        expect(await both(key, { ...input, colour: 'red' }, sent)).toBe(forKeys ? 400 : 403)
      })
    else if (!operation.reads)
      refusals.push(async () => expect(await both(key, { ...input, colour: 'red' })).toBe(forKeys ? 400 : 403))
    const asked = inProof(
      refusals.filter((_, at) => shapes.includes(operation) || at === turn % refusals.length),
      refusals,
    )
    for (const expectSame of asked) await expectSame()
  })
})

test('both ways of handling a call are compared for every shape, and the short one for many operations of each', () => {
  expect(lanes[0]?.[1].length).toBeGreaterThanOrEqual(inProof(125, 250))
  expect(shapes.length).toBeGreaterThanOrEqual(8)
})

type Owner = { owner: Someone; key: Someone }

/** The owner of a new organization, and their API key. */
async function newOwner(): Promise<Owner> {
  const owner = await member('OWNER')
  return { owner, key: await withKey(owner) }
}

/** The owner of the filled organization. */
const reader = (): Owner => ({ owner: filled().owner, key })

const narrowKeys = new Map<string, Promise<Someone>>()
/** A key with another scope than this one. */
function narrowKey(scope: string): Promise<Someone> {
  const other = scope === 'logistics:read' ? 'customers:read' : 'logistics:read'
  const made = narrowKeys.get(other) ?? withKey(filled().owner, [other])
  narrowKeys.set(other, made)
  return made
}

/** Status and body, with ids, times, durations and secrets replaced, since these differ between two calls. */
const comparable = ({ status, body }: Reply) => ({
  status,
  body: JSON.parse(withoutVariables(JSON.stringify(namesInZip(body) ?? body))),
})

/** The printed documents in a ZIP contain ids and times, compressed; it is compared by the names of its files. */
function namesInZip(body: unknown): string[] | undefined {
  if (typeof body !== 'string' || !body.startsWith('PK\x03\x04')) return undefined
  const directory = body.slice(body.indexOf('PK\x01\x02'))
  return directory.match(/[\w -]+\.(pdf|txt)/g) ?? []
}

const withoutVariables = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'a time')
    .replaceAll(/\.\d{10}\./g, '.a time.')
    .replaceAll(/D:\d{14}Z/g, 'a time in a PDF')
    .replaceAll(/(?<=[Ii]nstanceID>|\/ID \[)[^<\]]+/g, 'ids that follow from times')
    .replaceAll(/"(code|accountCode)":"[0-9a-f]{12}"/g, '"$1":"a code that was made up"')
    .replaceAll(/"(latencyMs|processingTimeMs)":\d+/g, '"$1":"a while"')
    .replaceAll(/"(hash|previousHash)":"[0-9a-f]{64}"/g, '"$1":"of ids and times"')
    .replaceAll(/(?<![\w-])(?![0-9a-f]{64}(?![\w-]))[\w-]{43,}/g, 'a secret')

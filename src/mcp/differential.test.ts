import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../catalog/operations.ts'
import { type Lane, request } from '../test/mcp.ts'
import { inputFor, keyOf, tableOf } from '../test/rows.ts'
import { addressed, member, type Reply, Someone, send, withKey } from '../test/world.ts'

/** THR-03: the same call over HTTP and over MCP gets the same status and the same answer. */

let eve: Someone
/** For requests that are refused. */
let owner: Someone
let key: Someone

beforeAll(async () => {
  eve = await withKey(await member('OWNER'))
  ;({ owner, key } = await newOwner())
})

const lanes: Lane[] = ['quick', 'full']

/** A stream is text over HTTP and JSON as a tool; its own tests compare the two. */
const inOneForm = operations.filter(({ streams }) => !streams)

describe.each(lanes)('%s', (lane) => {
  test.each(inOneForm)('THR-03: $name gives the same answer', async (operation) => {
    const [amy, ben] = [await newOwner(), await newOwner()] // two people, since some writes can be done only once
    const http = await amy.key.request(operation, await inputFor(operation, amy.owner))
    expect(http.status).toBe(operation.sources.includes('API_KEY') ? operation.status : 403)
    const mcp = await request(ben.key, operation, await inputFor(operation, ben.owner), { lane })
    expect(comparable(mcp)).toEqual(comparable(http))
  })

  test.each(operations)('THR-03: $name gives the same refusal', async (operation) => {
    const amy = key
    const input = await inputFor(operation, owner)
    const forKeys = operation.sources.includes('API_KEY')
    const both = async (someone: Someone, given: Record<string, unknown>, sent = someone.request(operation, given)) => {
      const http = await sent
      const mcp = await request(someone, operation, given, { lane })
      expect(comparable(mcp)).toEqual(comparable(http))
      return http.status
    }
    expect(await both(new Someone('', { authorization: 'Bearer kt_garbage1_0' }), input)).toBe(401)
    const other = operation.scope === 'logistics:read' ? 'customers:read' : 'logistics:read'
    expect(await both(await withKey(owner, [other]), input)).toBe(403)
    if (operation.within !== 'caller') expect([403, 404]).toContain(await both(eve, input))
    if (tableOf(operation)) expect(await both(amy, { ...input, [keyOf(operation)]: 'none' })).toBe(forKeys ? 404 : 403)
    if (!operation.reads && operation.method !== 'DELETE') {
      expect(await both(amy, { ...input, colour: 'red' })).toBe(forKeys ? 400 : 403)
    }
    if (operation.method === 'DELETE') {
      const { url } = addressed(operation, input)
      const sent = send({ method: 'DELETE', url, body: { colour: 'red' }, headers: { ...amy.credentials } })
      expect(await both(amy, { ...input, colour: 'red' }, sent)).toBe(forKeys ? 400 : 403)
    }
  })
})

/** The owner of a new organization, and their API key. */
async function newOwner() {
  const owner = await member('OWNER')
  return { owner, key: await withKey(owner) }
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

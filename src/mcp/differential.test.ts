import { beforeAll, describe, expect, test } from 'vitest'
import { apiOperations as operations } from '../catalog/operations.ts'
import { type Lane, request } from '../test/mcp.ts'
import { inputFor, keyOf, tableOf } from '../test/rows.ts'
import { addressed, member, type Reply, Someone, send, withKey } from '../test/world.ts'

/** THR-03: whatever is asked over HTTP and over MCP gets the same verdict and the same answer. */

let eve: Someone

beforeAll(async () => {
  eve = await withKey(await member('OWNER'))
})

const lanes: Lane[] = ['quick', 'full']

describe.each(lanes)('%s', (lane) => {
  test.each(operations)('THR-03: $name answers alike', async (operation) => {
    const [amy, ben] = [await newcomer(), await newcomer()] // two of a kind, since a write may leave nothing for another
    const http = await amy.key.request(operation, await inputFor(operation, amy.owner))
    const mcp = await request(ben.key, operation, await inputFor(operation, ben.owner), { lane })
    expect(verdict(mcp)).toEqual(verdict(http))
  })

  test.each(operations)('THR-03: $name refuses alike', async (operation) => {
    const { owner, key: amy } = await newcomer()
    const input = await inputFor(operation, owner)
    const both = async (someone: Someone, given: Record<string, unknown>, sent = someone.request(operation, given)) => {
      const http = await sent
      const mcp = await request(someone, operation, given, { lane })
      expect(verdict(mcp)).toEqual(verdict(http))
      return http.status
    }
    expect(await both(new Someone('', { authorization: 'Bearer kt_garbage1_0' }), input)).toBe(401)
    expect(await both(await withKey(owner, ['logistics:read']), input)).toBe(403)
    if (operation.within !== 'caller') expect([403, 404]).toContain(await both(eve, input))
    if (tableOf(operation)) expect([403, 404]).toContain(await both(amy, { ...input, [keyOf(operation)]: 'none' }))
    if (!operation.reads && operation.method !== 'DELETE') {
      expect([400, 403]).toContain(await both(amy, { ...input, colour: 'red' }))
    }
    if (operation.method === 'DELETE') {
      const { url } = addressed(operation, input)
      const sent = send({ method: 'DELETE', url, body: { colour: 'red' }, headers: { ...amy.credentials } })
      expect([400, 403]).toContain(await both(amy, { ...input, colour: 'red' }, sent))
    }
  })
})

/** The owner of a new company, and a key of theirs. */
async function newcomer() {
  const owner = await member('OWNER')
  return { owner, key: await withKey(owner) }
}

/** What was answered, but for ids, times and how long it took, and secrets. */
const verdict = ({ status, body }: Reply) => ({ status, body: JSON.parse(alike(JSON.stringify(body))) })

const alike = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'an id')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'a time')
    .replaceAll(/\.\d{10}\./g, '.a time.')
    .replaceAll(/D:\d{14}Z/g, 'a time in a PDF')
    .replaceAll(/(?<=InstanceID>|\/ID \[)[^<\]]+/g, 'ids that follow from times')
    .replaceAll(/"latencyMs":\d+/g, '"latencyMs":"a while"')
    .replaceAll(/"(hash|previousHash)":"[0-9a-f]{64}"/g, '"$1":"of ids and times"')
    .replaceAll(/(?<![\w-])(?![0-9a-f]{64}(?![\w-]))[\w-]{43,}/g, 'a secret')

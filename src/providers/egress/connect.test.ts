import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResolve } from './connect.ts'
import { createEgress } from './egress.ts'

// A name server in forty lines: enough of RFC 1035 to answer one question.
type Answer = 'SERVFAIL' | 'NXDOMAIN' | 'REFUSED' | 'SILENCE' | (string | { cname: string })[]
const codes = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }
const zone: Record<string, { A: Answer; AAAA: Answer }> = {
  'both.example': { A: ['93.184.215.14', '93.184.215.15'], AAAA: ['2606:4700:0:0:0:0:0:1111'] },
  'four.example': { A: ['93.184.215.14'], AAAA: [] },
  'six.example': { A: [], AAAA: ['2606:4700:0:0:0:0:0:1111'] },
  'none.example': { A: [], AAAA: [] },
  'unknown.example': { A: 'NXDOMAIN', AAAA: 'NXDOMAIN' },
  'half.example': { A: ['93.184.215.14'], AAAA: 'SERVFAIL' },
  'refused.example': { A: 'REFUSED', AAAA: 'REFUSED' },
  'silent.example': { A: ['93.184.215.14'], AAAA: 'SILENCE' },
  'alias.example': { A: [{ cname: 'db.internal' }, '10.0.0.5'], AAAA: [{ cname: 'db.internal' }] },
}
const questions: string[] = []
let server: Socket
let resolve: ReturnType<typeof createResolve>

const encoded = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])
const number = (value: number, bytes: number) => Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex')

function reply(query: Buffer): Buffer | undefined {
  const end = query.indexOf(0, 12) + 5
  const question = query.subarray(12, end)
  const labels: string[] = []
  for (let at = 0; question[at]; at += (question[at] ?? 0) + 1) {
    labels.push(question.subarray(at + 1, at + 1 + (question[at] ?? 0)).toString())
  }
  const name = labels.join('.').toLowerCase()
  const kind = question.at(-3) === 28 ? 'AAAA' : 'A'
  questions.push(`${name} ${kind}`)
  const answer = zone[name]?.[kind] ?? 'NXDOMAIN'
  if (answer === 'SILENCE') return undefined
  const records = typeof answer === 'string' ? [] : answer
  const head = Buffer.concat([
    query.subarray(0, 2),
    number(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2),
    ...[1, records.length, 0, 0].map((count) => number(count, 2)),
    question,
  ])
  let owner = encoded(name)
  const bodies = records.map((record) => {
    const [type, value] =
      typeof record !== 'string'
        ? [5, encoded(record.cname)]
        : kind === 'A'
          ? [1, Buffer.from(record.split('.').map(Number))]
          : [28, Buffer.concat(record.split(':').map((group) => number(Number.parseInt(group, 16), 2)))]
    const body = Buffer.concat([owner, number(type, 2), number(1, 2), number(60, 4), number(value.length, 2), value])
    if (typeof record !== 'string') owner = encoded(record.cname)
    return body
  })
  return Buffer.concat([head, ...bodies])
}

beforeAll(async () => {
  server = createSocket('udp4', (query, from) => {
    const answer = reply(query)
    if (answer) server.send(answer, from.port, from.address)
  })
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done))
  resolve = createResolve([`127.0.0.1:${server.address().port}`])
})
afterAll(() => void server.close())

const never = new AbortController().signal

test('SSRF-3 all A and AAAA records of a name are resolved, and no other name', async () => {
  questions.length = 0
  expect(await resolve('both.example', never)).toEqual(['93.184.215.14', '93.184.215.15', '2606:4700::1111'])
  expect(questions.sort()).toEqual(['both.example A', 'both.example AAAA'])
})

test('SSRF-3 a name may have IPv4 addresses, IPv6 addresses or none', async () => {
  expect(await resolve('four.example', never)).toEqual(['93.184.215.14'])
  expect(await resolve('six.example', never)).toEqual(['2606:4700::1111'])
  expect(await resolve('none.example', never)).toEqual([])
  expect(await resolve('unknown.example', never)).toEqual([])
})

test('SSRF-3 a lookup fails if one record type fails, because the missing address may be private', async () => {
  await expect(resolve('half.example', never)).rejects.toThrow()
  await expect(resolve('refused.example', never)).rejects.toThrow()
})

const post = (host: string) => {
  const connect = () => Promise.reject(new Error('Nothing here is connected to.'))
  const limits = { resolveMs: 300, failureStepMs: 1 }
  const egress = createEgress({ mode: 'strict', allow: [], allowHttp: false, resolve, connect, limits })
  return egress.post(`https://${host}/`, { organizationId: 'one', headers: {}, body: '' })
}

test('SSRF-11 a CNAME that resolves to a private address is refused', async () => {
  expect(await resolve('alias.example', never)).toEqual(['10.0.0.5'])
  await expect(post('alias.example')).rejects.toMatchObject({ target: 'TARGET_NOT_ALLOWED', reason: 'address' })
})

test('SSRF-3 a name server that does not answer for one record type times out', async () => {
  const began = performance.now()
  await expect(post('silent.example')).rejects.toMatchObject({ target: 'TARGET_UNREACHABLE', reason: 'resolver' })
  expect(performance.now() - began).toBeLessThan(1000)
})

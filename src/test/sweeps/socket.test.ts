import '../own-world.ts'
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { member, theApp } from '../world.ts'

/** Requests that no HTTP library would send, and the headers of every answer, over a real socket. */

let port: number
let cookie: string
beforeAll(async () => {
  await theApp().server.listen({ port: 0, host: '127.0.0.1' })
  port = (theApp().server.server.address() as AddressInfo).port
  cookie = Object.values((await member('OWNER')).credentials)[0] ?? ''
})

type Wire = { status: number; headers: Record<string, string>; text: string }

/** Sends bytes as they are and reads until the server closes the connection. */
function say(bytes: string | Buffer): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const chunks: Buffer[] = []
    socket.setTimeout(5_000, () => socket.destroy(new Error('The server does not answer')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(parsed(Buffer.concat(chunks).toString())))
  })
}

function parsed(answer: string): Wire {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => line.split(/: (.*)/s).slice(0, 2))
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), text: rest.join('\r\n\r\n') }
}

const ask = (line: string, headers: string[] = []) =>
  say(
    `${line} HTTP/1.1\r\n${['Host: localhost', 'Connection: close', `Cookie: ${cookie}`, ...headers].join('\r\n')}\r\n\r\n`,
  )

function expectWireRefusal({ status, text }: Wire, expected: number) {
  expect({ status, body: JSON.parse(text) }).toEqual({
    status: expected,
    body: {
      error: { code: expect.any(String), message: expect.stringMatching(/^[A-Z].+\.$/), requestId: expect.any(String) },
    },
  })
}

describe('malformed HTTP is refused in the same shape as everything else', () => {
  test.each([
    ['headers of more than 16 KiB', `GET /api/customers HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['an address of more than 16 KiB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['no HTTP', 'Good evening.\r\n\r\n'],
    ['a method that does not exist', 'FETCH /api/customers HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two lengths', 'POST /api/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'a length and chunks',
      'POST /api/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /api/customers HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['a header with a NUL', 'GET /api/customers HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
  ])('%s', async (_, bytes) => expectWireRefusal(await say(bytes), 400))
})

describe('a route is reached by one spelling of its path only', () => {
  test.each([
    '//api/customers',
    '/api\\customers',
    '/api/customers/..%2fcustomers',
    '/api%2fcustomers',
    '///',
    '/api/customers/%00',
  ])('%s', async (path) => expectWireRefusal(await ask(`GET ${path}`), 400))
  test.each([
    '/api/./customers',
    '/api/../api/customers',
    '/x/../api/customers',
    '/api/customers/../customers',
    '/%61pi/customers/%2e',
    '*',
  ])('%s', async (path) => expect([400, 404]).toContain((await ask(`GET ${path}`)).status))
  test('an address with a host has no route', async () => {
    expect([400, 404]).toContain((await ask('GET http://evil.test/api/customers')).status)
  })
  test('the plain path has one', async () => expect(await ask('GET /api/customers')).toMatchObject({ status: 200 }))
  test('HEAD has no body', async () =>
    expect(await ask('HEAD /api/customers')).toMatchObject({ status: 404, text: '' }))
})

describe('every answer of the API carries the headers that protect a browser', () => {
  test.each([
    ['a success', 'GET /api/customers', 200],
    ['a refusal', 'GET /api/customers/nope', 404],
    ['an unknown path', 'GET /api/nothing', 404],
    ['a malformed path', 'GET //api/customers', 400],
    ['an encoded separator', 'GET /api%2fcustomers', 400],
    ['an address that is none', 'GET /api/customers/%zz', 400],
    ['sign-in', 'POST /api/auth/sign-in', 400],
    ['who is signed in', 'GET /api/auth/session', 200],
  ])('%s', async (_, line, status) => {
    const answer = await ask(line, ['X-Request-Id: wire-7', 'Content-Length: 0'])
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'wire-7',
    })
    expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['x-powered-by']))
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  })
})

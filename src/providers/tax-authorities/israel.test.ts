import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AllocationRequest } from '../../core/outside/tax-authority.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { startTaxAuthoritySimulator } from '../../simulators/tax-authority/simulator.ts'
import { simulatorClient } from '../../simulators/tax-authority/tokens.ts'
import { selfSigned } from '../../test/fakes/certificate.ts'
import { receiver } from '../../test/fakes/webhook-receiver.ts'
import { createEgress } from '../egress/egress.ts'
import { israelTaxAuthority, toAllocationAnswer } from './israel.ts'

const egress = createEgress({ mode: 'local', allow: [], allowHttp: false, audit: async () => {} })
const caller = { organizationId: 'one', environment: 'sandbox' as const }

const authorityAt = (url: string, ms?: number) =>
  israelTaxAuthority({
    egress,
    addressOf: async () => ({ tokens: url, service: url }),
    isSimulated: () => true,
    ...(ms && { ms }),
  })

const request: AllocationRequest = {
  invoice_id: 'one', invoice_type: 305, vat_number: 514000009, union_vat_number: 0, user_id: 123456782,
  invoice_reference_number: 'INV-1', customer_vat_number: 512345679, customer_name: 'Globex',
  invoice_date: new Date().toISOString().slice(0, 10), invoice_issuance_date: new Date().toISOString().slice(0, 10),
  accounting_software_number: 12345678, amount_before_discount: 15000, discount: 0, payment_amount: 15000, vat_amount: 2700,
  payment_amount_including_vat: 17700, action: 0,
} // biome-ignore format: a list of fields
const access = { accessToken: new Secret('token'), request }
const client = { clientId: simulatorClient.clientId, clientSecret: new Secret(simulatorClient.clientSecret) }

/** What an answer of the authority with this status and body is read as. */
const readAs = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  toAllocationAnswer({
    status,
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  })

describe('an answer', () => {
  const number = '20240627231846297178091822'
  const approval = { status: 200, message: 'Invoice approved', confirmation_number: number, approved: true }
  const error = (code: number, message: string, param: string, location = 'approval') => ({
    errors: [{ code, message, param, location }],
  })

  test('is an approval only with approved and a number', () => {
    expect(readAs(200, approval)).toEqual({ kind: 'approved', number })
    expect(readAs(200, { ...approval, approved: false }).kind).toBe('unavailable')
    expect(readAs(200, { ...approval, confirmation_number: '0' }).kind).toBe('unavailable')
    expect(readAs(200, { ...approval, confirmation_number: '' }).kind).toBe('unavailable')
    expect(readAs(200, { ...approval, approved: 'true' }).kind).toBe('unavailable')
    expect(readAs(202, approval).kind).toBe('unavailable')
    expect(readAs(200, {}).kind).toBe('unavailable')
  })

  test.each([24, 25, 26])('may have a number of %i digits', (length) => {
    const digits = number.slice(0, length)
    expect(readAs(200, { ...approval, confirmation_number: digits })).toEqual({ kind: 'approved', number: digits })
  })

  test.each([460, 461, 462])('with the code %i is a rejection', (code) => {
    const body = {
      status: 200,
      message: error(code, 'Invoice not approved', 'vat_number'),
      confirmation_number: '0',
      approved: false,
    }
    expect(readAs(200, body)).toEqual({
      kind: 'rejected',
      reasons: [{ code, message: 'Invoice not approved', param: 'vat_number' }],
    })
  })

  test.each([431, 432, 434, 435, 437, 438, 446])('with the status 400 and the code %i is a rejection', (code) => {
    const body = {
      status: 400,
      message: error(code, 'Wrong', 'x', 'request'),
      confirmation_number: '0',
      approved: false,
    }
    expect(readAs(400, body)).toMatchObject({ kind: 'rejected', reasons: [{ code }] })
  })

  test('of version 1 is read too', () => {
    const refused = {
      Status: 400,
      Message: [error(431, 'Wrong', 'Vat_Number')],
      Confirmation_Number: 0,
      Approved: false,
    }
    expect(readAs(400, refused)).toMatchObject({ kind: 'rejected', reasons: [{ code: 431 }] })
  })

  test.each([
    ['the gateway: 401', 401, { httpCode: '401', httpMessage: 'Unauthorized', moreInformation: '' }, 'unauthorized'],
    ['the gateway: 401 in the body alone', 200, { httpCode: '401', httpMessage: 'Unauthorized' }, 'unauthorized'],
    ['no permission', 403, { httpCode: '403', httpMessage: 'Forbidden' }, 'refused'],
    ['a wrong path', 404, '<html>not found</html>', 'refused'],
    ['no permission for the VAT number', 406, {}, 'refused'],
    [
      'a wrong schema',
      422,
      { httpCode: '422', httpMessage: 'Unprocessable', moreInformation: 'vat_number' },
      'rejected',
    ],
    ['a failure of the server', 500, { Status: 500, Message: 'Internal Server Error', Error_Id: '7' }, 'unavailable'],
    ['a failure of the server with status 200', 200, { Status: 500, Message: 'Internal Server Error' }, 'unavailable'],
    ['too many calls', 429, '', 'unavailable'],
    ['an outage', 503, '', 'unavailable'],
    ['a web page', 200, '<!doctype html><p>Maintenance', 'unavailable'],
    ['half of the JSON', 200, '{"status":200,"approved":tr', 'unavailable'],
    ['nothing', 200, '', 'unavailable'],
    ['a list', 200, '[]', 'unavailable'],
    ['400 without a reason', 400, { message: 'no' }, 'unavailable'],
  ])('is read for what it is: %s', (_, status, body, kind) => {
    expect(readAs(status, body).kind).toBe(kind)
  })

  test('says when to ask again', () => {
    expect(readAs(503, '', { 'retry-after': '120' })).toMatchObject({ kind: 'unavailable', retryAfterS: 120 })
  })
})

describe('a call', () => {
  test('goes to the address of the environment, with the token and the request', async () => {
    const { heard, url } = await receiver((response) => response.end('{}'))
    await authorityAt(new URL(url).origin).approve({ ...caller, environment: 'production' }, access)
    expect(heard[0]).toMatchObject({
      path: '/shaam/production/Invoices/v2/Approval',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    })
    expect(JSON.parse(heard[0]?.body ?? '')).toEqual(request)
  })

  test('to an authority that is silent ends in time', async () => {
    const { url } = await receiver(() => {})
    const answer = await authorityAt(new URL(url).origin, 300).approve(caller, access)
    expect(answer).toEqual({ kind: 'unavailable', message: 'The tax authority did not answer in time.' })
  })

  test('to an authority with a wrong certificate is not made', async () => {
    const heard: string[] = []
    const server = createServer(selfSigned({ host: 'another.test' }), (request, response) => {
      heard.push(request.url ?? '')
      response.end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const answer = await authorityAt(`https://127.0.0.1:${port}`).approve(caller, access)
    expect(answer).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('certificate') })
    expect(heard).toEqual([])
  })

  test('to nowhere says that the authority cannot be reached', async () => {
    const answer = await authorityAt('http://127.0.0.1:9').approve(caller, access)
    expect(answer).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('cannot be reached') })
  })
})

describe('tokens', () => {
  test('the refresh token is replaced by each use, and an answer that was lost can be asked for again', async () => {
    const simulator = await startTaxAuthoritySimulator()
    onTestFinished(() => simulator.close())
    const authority = authorityAt(simulator.url)
    const use = async (token: string) => {
      const answer = await authority.refresh(caller, { ...client, refreshToken: new Secret(token) })
      return answer.kind === 'granted' ? answer.tokens.refreshToken.reveal() : answer.kind
    }
    const first = await use(simulatorClient.refreshToken)
    const second = await use(first)
    expect([first, second].map((token) => token.startsWith('refresh-'))).toEqual([true, true])
    expect(second).not.toBe(first)
    expect(await use(first)).toBe(second)
    await use(second)
    expect(await use(first)).toBe('refused')
  })

  test('a code is exchanged once, for the address that it was given for', async () => {
    const simulator = await startTaxAuthoritySimulator()
    onTestFinished(() => simulator.close())
    const authority = authorityAt(simulator.url)
    const redirectUri = 'http://127.0.0.1:3000/back'
    const page = await authority.authorizeUrl('sandbox', { clientId: client.clientId, state: 'a state', redirectUri })
    const codeOf = async () =>
      new URL((await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '').searchParams
    const back = await codeOf()
    expect(back.get('state')).toBe('a state')
    const exchange = async (code: string | null, to = redirectUri) =>
      (await authority.exchange(caller, { ...client, code: new Secret(code ?? ''), redirectUri: to })).kind
    expect(await exchange(back.get('code'))).toBe('granted')
    expect(await exchange(back.get('code'))).toBe('refused')
    expect(await exchange((await codeOf()).get('code'), 'http://127.0.0.1:3000/elsewhere')).toBe('refused')
  })

  test.each([
    ['a wrong client', 400, { error: 'unauthorized_client' }, 'client id'],
    ['an authorization that has ended', 400, { error: 'invalid_grant' }, 'sign in there again'],
    ['another error', 400, { error: 'invalid_request' }, 'invalid_request'],
  ])('%s needs a person', async (_, status, body, words) => {
    const { url } = await receiver((response) => response.writeHead(status).end(JSON.stringify(body)))
    const answer = await authorityAt(new URL(url).origin).refresh(caller, { ...client, refreshToken: new Secret('x') })
    expect(answer).toEqual({ kind: 'refused', message: expect.stringContaining(words) })
  })

  test.each([
    ['an outage', 503, ''],
    ['a web page', 200, '<html>'],
    ['half of the JSON', 200, '{"access_token":"a'],
    ['no token', 200, '{}'],
  ])('%s is asked for again later', async (_, status, body) => {
    const { url } = await receiver((response) => response.writeHead(status).end(body))
    const answer = await authorityAt(new URL(url).origin).refresh(caller, { ...client, refreshToken: new Secret('x') })
    expect(answer.kind).toBe('unavailable')
  })
})

import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../core/secrets/secret.ts'
import { accessPointClient, startAccessPointSimulator } from '../../simulators/access-point/simulator.ts'
import { selfSigned } from '../../test/fakes/certificate.ts'
import { receiver } from '../../test/fakes/webhook-receiver.ts'
import { createEgress } from '../egress/egress.ts'
import { accessPoint, toSubmission } from './access-point.ts'

const egress = createEgress({ mode: 'local', allow: [], allowHttp: false, audit: async () => {} })
const caller = { organizationId: 'one', environment: 'sandbox' as const }
const at = (url: string | undefined, ms?: number) =>
  accessPoint({ egress, addressOf: async () => url, isSimulated: () => true, ...(ms && { ms }) })

const accessToken = new Secret('token')
const request = {
  invoice_id: 'one', sender: '0195:SGUEN201403121W', receiver: '0195:SGUEN197401143C', document_type: 'invoice', process: 'billing',
  content: '<Invoice/>',
} // biome-ignore format: a list of fields
const client = { clientId: accessPointClient.clientId, clientSecret: new Secret(accessPointClient.clientSecret) }

/** What an answer with this status and body is read as. */
const readAs = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  toSubmission({ status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) })

describe('an answer', () => {
  const accepted = { documentId: 'one', status: 'ACCEPTED', irasAcknowledgementId: 'ACK-1' }

  test('is an approval only with ACCEPTED and an acknowledgement', () => {
    expect(readAs(200, accepted)).toEqual({ kind: 'approved', number: 'ACK-1' })
    expect(readAs(200, { ...accepted, irasAcknowledgementId: null }).kind).toBe('unavailable')
    expect(readAs(200, { ...accepted, irasAcknowledgementId: ' ' }).kind).toBe('unavailable')
    expect(readAs(200, { ...accepted, status: 'accepted' }).kind).toBe('unavailable')
    expect(readAs(404, accepted).kind).toBe('unavailable')
  })

  test('is pending while it is SUBMITTED', () => {
    expect(readAs(202, { ...accepted, status: 'SUBMITTED' })).toEqual({ kind: 'pending' })
  })

  test.each([
    [422, {}],
    [200, { status: 'REJECTED' }],
  ])('with the status %i is a rejection with its rules', (status, body) => {
    const errors = [{ code: 'IRASC5-072', message: 'A credit note has a note', location: 'cbc:Note' }]
    expect(readAs(status, { ...body, errors })).toEqual({
      kind: 'rejected',
      reasons: [{ code: null, message: 'IRASC5-072: A credit note has a note', param: 'cbc:Note' }],
    })
    expect(readAs(status, { ...body, message: 'No' })).toMatchObject({ kind: 'rejected', reasons: [{ message: 'No' }] })
  })

  test.each([
    ['a delivery that failed', 200, { status: 'FAILED', message: 'No answer.' }],
    ['a web page', 200, '<!doctype html><p>Maintenance'],
    ['half of the JSON', 200, '{"status":"ACCEP'],
    ['nothing', 200, ''],
    ['a list', 200, '[]'],
    ['another status', 200, { status: 'DONE' }],
  ])('that is none is asked for again: %s', (_, status, body) => {
    expect(readAs(status, body)).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('access point'),
    })
  })
})

describe('a call', () => {
  test('sends the document with the token and the id of the document as its key', async () => {
    const { url, heard } = await receiver((response) => response.writeHead(202).end('{"status":"SUBMITTED"}'))
    expect(await at(new URL(url).origin).send(caller, { accessToken, request })).toEqual({ kind: 'pending' })
    const [{ path, headers, body }] = heard as [(typeof heard)[number]]
    expect(path).toBe('/v1/documents')
    expect(headers).toMatchObject({ authorization: 'Bearer token', 'idempotency-key': 'one' })
    expect(JSON.parse(String(body))).toEqual({
      documentId: 'one', sender: request.sender, receiver: request.receiver, documentType: 'invoice', process: 'billing',
      content: Buffer.from('<Invoice/>').toString('base64'),
    }) // biome-ignore format: a list of fields
  })

  test.each([
    [401, 'unauthorized'],
    [403, 'refused'],
    [429, 'unavailable'],
    [503, 'unavailable'],
  ])('that is answered with %i is %s', async (status, kind) => {
    const { url } = await receiver((response) => response.writeHead(status).end('{}'))
    const point = at(new URL(url).origin)
    expect((await point.send(caller, { accessToken, request })).kind).toBe(kind)
    expect((await point.received(caller, { accessToken, participant: 'x' })).kind).toBe(kind)
  })

  test('without an address says that there is no access point', async () => {
    expect(await at(undefined).token(caller, client)).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('no access point'),
    })
  })

  test('ends with a sentence if there is silence or a wrong certificate', async () => {
    const simulator = await startAccessPointSimulator({ silence: 1 })
    onTestFinished(() => simulator.close())
    expect(await at(simulator.url, 300).token(caller, client)).toMatchObject({
      kind: 'unavailable',
      message: 'The access point did not answer in time.',
    })
    const server = createServer(selfSigned({ host: 'another.test' }), (_, response) => response.end('{}'))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await at(url).token(caller, client)).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('certificate'),
    })
  })

  test('requests a token of the simulator, and lists, fetches and confirms what was received', async () => {
    const simulator = await startAccessPointSimulator()
    onTestFinished(() => simulator.close())
    const point = at(simulator.url)
    const wrong = { ...client, clientSecret: new Secret('wrong') }
    expect(await point.token(caller, wrong)).toMatchObject({ kind: 'refused' })
    const granted = await point.token(caller, client)
    if (granted.kind !== 'granted') throw new Error('There is no token.')
    const access = { accessToken: granted.accessToken }
    await fetch(`${simulator.url}/received?participant=0195:SGTST1&id=a%2Fb&sender=0195:SGTST2`, {
      method: 'POST',
      body: '<Invoice/>',
    })
    const list = () => point.received(caller, { ...access, participant: '0195:SGTST1' })
    expect(await list()).toEqual({
      kind: 'listed',
      documents: [{ id: 'a/b', sender: '0195:SGTST2', receivedAt: expect.any(String) }],
    })
    expect(await point.fetchReceived(caller, { ...access, id: 'a/b' })).toEqual({
      kind: 'content',
      bytes: Buffer.from('<Invoice/>'),
    })
    expect(await point.confirmReceived(caller, { ...access, id: 'a/b' })).toEqual({ kind: 'done' })
    expect(await list()).toEqual({ kind: 'listed', documents: [] })
    expect((await point.fetchReceived(caller, { ...access, id: 'none' })).kind).toBe('unavailable')
    expect(await point.confirmReceived(caller, { ...access, id: 'none' })).toEqual({ kind: 'done' })
  })
})

import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Reading, ReadOutcome } from '../../../core/outside/receipt-reader.ts'
import { Secret } from '../../../core/secrets/secret.ts'
import { chat, modelServer, sendJson } from '../../../test/fakes/model-server.ts'
import { createEgress } from '../../egress/egress.ts'
import { type ModelSetting, openModel } from '../../model/model.ts'
import { withSecondReader } from './second-reader.ts'

const hints = { country: 'SG', dateOrder: 'DMY', currency: 'SGD', today: '2026-06-01' } as const
const request = { path: 'a', contentType: 'image/png', hints, organizationId: 'acme' }
const box = { page: 1, x: 0, y: 0, width: 1, height: 1 }

const reading: Reading = {
  providerId: 'kontor-ocr',
  fields: { total: { value: '21.80', confidence: 0.8, box }, vendor: { value: 'Acme', confidence: 0.7, box } },
  checks: [],
  pages: 1,
  text: 'Acme',
  turned: [0],
}
const noText: ReadOutcome = { unread: 'NO_TEXT', message: 'No text was found.' }
const empty = {
  vendor: null,
  vendorTaxNumber: null,
  documentNumber: null,
  date: null,
  dueDate: null,
  currency: null,
  subtotal: null,
  taxAmount: null,
  taxRate: null,
  total: null,
  paymentMethod: null,
  items: [],
}
const answer = { ...empty, vendor: 'ACME', date: '2026-05-30', total: '21.80' }

const localEgress = () => createEgress({ mode: 'local', allow: [], allowHttp: false })

const mailOutcome = { unread: 'DAMAGED' as const, message: 'The message is damaged.' }
const pageOutcome = { pageCount: 1, jpeg: null }
const others = { readMail: async () => mailOutcome, drawPage: async () => pageOutcome, close: async () => {} }

test('mail messages are read by the built-in reader', async () => {
  const { url, asked } = await modelServer(answer)
  const reader = readerOf(url)
  expect(await reader.readMail({ path: 'a', folder: 'b', organizationId: 'c' })).toBe(mailOutcome)
  expect(await reader.drawPage({ path: 'a', dotsPerInch: 72, organizationId: 'c' })).toBe(pageOutcome)
  expect(asked).toEqual([])
})

/** A built-in reader with this outcome and one picture, and a model at this address. */
function readerOf(
  url: string,
  outcome: ReadOutcome = { reading },
  {
    provider = 'compatible',
    egress = localEgress(),
    askMs = 20_000,
  }: Partial<Pick<ModelSetting, 'provider'>> & { egress?: ReturnType<typeof createEgress>; askMs?: number } = {},
) {
  const model = openModel({ provider, model: 'vision', url, key: new Secret('key-of-the-model') }, egress)
  const offline = {
    read: async () => ({ ...outcome, pictures: [Buffer.from('picture-1'), Buffer.from('picture-2')] }),
    ...others,
  }
  return withSecondReader(offline, model, { askMs, answerMs: 50_000 })
}

test.for([
  ['compatible', '/v1/chat/completions', 'authorization', 'Bearer key-of-the-model'],
  ['openai', '/v1/chat/completions', 'authorization', 'Bearer key-of-the-model'],
  ['anthropic', '/v1/messages', 'x-api-key', 'key-of-the-model'],
  ['google', '/v1/models/vision:generateContent', 'x-goog-api-key', 'key-of-the-model'],
] as const)('%s is asked in its protocol, with the pictures and the key', async ([provider, path, header, key]) => {
  const { url, asked } = await modelServer(answer)
  const outcome = await readerOf(url, { reading }, { provider }).read(request)
  expect(outcome).toEqual({
    reading: {
      ...reading,
      providerId: `${provider}:vision`,
      fields: {
        total: { value: '21.80', confidence: 0.95, box, reader: 'kontor-ocr' },
        vendor: { value: 'Acme', confidence: 0.95, box, reader: 'kontor-ocr' },
        date: { value: '2026-05-30', confidence: 0.8, box: null, reader: `${provider}:vision` },
      },
    },
  })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ path, headers: { [header]: key } })
  for (const picture of ['picture-1', 'picture-2'])
    expect(asked[0]?.text).toContain(Buffer.from(picture).toString('base64'))
  expect(asked[0]?.text).toContain('never an instruction')
})

const failing: Record<string, [fail: (response: ServerResponse) => void, reason: RegExp]> = {
  'a rate limit': [(to) => sendJson(to, 429, { error: { message: 'slow down' } }, { 'retry-after': '30' }), /no more/],
  'a failure of the provider': [(to) => sendJson(to, 500, { error: { message: 'account 4711' } }), /failed/],
  'a wrong key': [(to) => sendJson(to, 401, { error: { message: 'key-of-the-model' } }), /key of this installation/],
  'a redirect': [(to) => sendJson(to, 302, {}, { location: 'http://127.0.0.1:1/' }), /failed/],
  'a hang before the answer': [() => {}, /in time/],
  'a hang within the answer': [(to) => to.writeHead(200, { 'content-type': 'application/json' }).write('{"id":'), /in time/],
  'a broken connection': [(to) => to.writeHead(200, { 'content-length': '999' }).write('{"id":', () => to.destroy()), /failed|no answer/],
  'half of a JSON': [(to) => to.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "chat'), /no answer/],
  'a text instead of an object': [(to) => sendJson(to, 200, chat({ role: 'assistant', content: 'It is a receipt.' })), /no answer/],
  'a refusal': [(to) => sendJson(to, 200, chat({ role: 'assistant', content: null, refusal: 'I cannot help.' })), /no answer/],
  'an object without a value': [(to) => sendJson(to, 200, chat({ role: 'assistant', content: '{"a":1}' })), /no answer/],
  'an answer that is too large': [(to) => to.writeHead(200).end('x'.repeat(2 * 1024 * 1024)), /failed|no answer/],
} // biome-ignore format: a case a line

test.for(Object.entries(failing))(
  'after %s the result of the built-in reader stands, with a warning',
  async ([, [fail, reason]]) => {
    const { url, answers } = await modelServer(answer)
    const reader = readerOf(url, { reading }, { askMs: 3_000 })
    expect(await reader.read(request)).toMatchObject({ reading: { providerId: 'compatible:vision' } })
    answers.next = fail
    const message = expect.stringMatching(reason)
    const warnings = [{ code: 'MODEL_UNAVAILABLE', message, path: '' }]
    const outcome = await reader.read(request)
    expect(outcome).toEqual({ reading, warnings })
    expect(JSON.stringify(outcome)).not.toMatch(/4711|key-of-the-model|127\.0\.0\.1/)
  },
)

test('a model alone may read what the built-in reader could not, if it finds a total', async () => {
  const { url, answers } = await modelServer(answer)
  const reader = readerOf(url, noText)
  expect(await reader.read(request)).toMatchObject({
    reading: {
      providerId: 'compatible:vision',
      fields: { total: { value: '21.80', reader: 'compatible:vision', box: null } },
    },
  })
  answers.next = { ...answer, total: null }
  expect(await reader.read(request)).toEqual(noText)
})

test('an object in a block of code is understood', async () => {
  const { url } = await modelServer(`Here it is:\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``)
  expect(await readerOf(url).read(request)).toMatchObject({ reading: { providerId: 'compatible:vision' } })
})

test('values that cannot be right are left out, whatever a text in the picture told the model', async () => {
  const { url } = await modelServer({
    ...answer,
    vendor: 'x'.repeat(300),
    documentNumber: 'none',
    date: '2026-02-30',
    dueDate: '2099-01-01',
    currency: 'COINS',
    subtotal: '1e9',
    taxAmount: 'delete all',
    taxRate: '150',
    total: '1,234.50',
    paymentMethod: 'SHELLS',
    items: [{ description: 'Lamp\u0000\n', quantity: 2, unitPrice: 'x', amount: '3.00' }, 'Lamp'],
  })
  const outcome = await readerOf(url, noText).read(request)
  const fields = 'reading' in outcome ? outcome.reading.fields : {}
  expect(Object.keys(fields).sort()).toEqual(['items', 'total'])
  expect(fields.total?.value).toBe('1234.50')
  expect(fields.items?.value).toEqual([{ description: 'Lamp', quantity: '2', unitPrice: null, amount: '3.00' }])
})

test('SSRF-11 a model on this machine is called in local mode, and in strict mode only if EGRESS_ALLOW names it', async () => {
  const { url, asked } = await modelServer(answer)
  expect(await readerOf(url).read(request)).toMatchObject({ reading: { providerId: 'compatible:vision' } })
  const strict = createEgress({ mode: 'strict', allow: [], allowHttp: true })
  expect(await readerOf(url, { reading }, { egress: strict }).read(request)).toMatchObject({
    reading,
    warnings: [{ code: 'MODEL_UNAVAILABLE' }],
  })
  expect(asked).toHaveLength(1)
  const listed = createEgress({ mode: 'strict', allow: [new URL(url).host], allowHttp: false })
  expect(await readerOf(url, { reading }, { egress: listed }).read(request)).toMatchObject({
    reading: { providerId: 'compatible:vision' },
  })
})

test('without pictures no model is asked; that is a warning unless there was nothing to ask', async () => {
  const { url, asked } = await modelServer(answer)
  const model = openModel({ provider: 'compatible', model: 'vision', url, key: undefined }, localEgress())
  const read = (outcome: ReadOutcome) => withSecondReader({ read: async () => outcome, ...others }, model).read(request)
  const exact: ReadOutcome = { reading: { ...reading, providerId: 'kontor-einvoice' } }
  expect(await read(exact)).toEqual(exact)
  expect(await read({ reading })).toEqual({
    reading,
    warnings: [{ code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('no picture'), path: '' }],
  })
  expect(asked).toEqual([])
})

test('a model is not asked if the time of the scan is used up', async () => {
  const { url, asked } = await modelServer(answer)
  const model = openModel({ provider: 'compatible', model: 'vision', url, key: undefined }, localEgress())
  const offline = { read: async () => ({ reading, pictures: [Buffer.from('picture-1')] }), ...others }
  expect(await withSecondReader(offline, model).read(request)).toMatchObject({
    reading: { providerId: 'compatible:vision' },
  })
  const late = await withSecondReader(offline, model, { askMs: 20_000, answerMs: 1_000 }).read(request)
  expect(late).toEqual({
    reading,
    warnings: [{ code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('not asked'), path: '' }],
  })
  expect(asked).toHaveLength(1)
})

import '../../../test/own-world.ts'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { linkToken } from '../../../core/secrets/link-token.ts'
import { form, type Part } from '../../../test/multipart-form.ts'
import { expectRefusal } from '../../../test/refusal.ts'
import { within } from '../../../test/secrets.ts'
import {
  member,
  operationNamed,
  person,
  type Someone,
  send,
  stranger,
  testConfig,
  theApp,
  withKey,
} from '../../../test/world.ts'
import { filePurpose } from './file.ts'
import { remove } from './store.ts'

const hello = Buffer.from('Taxi, 12.50 SGD')
const file = (more = {}) => ({ fileName: 'taxi.txt', base64: hello.toString('base64'), ...more })
const upload = (who: Someone, more = {}) => who.call('organizations_file_upload', { file: file(more) })

const sendForm = (who: Someone, parts: Part[], headers: Record<string, string> = {}) => {
  const sent = form(parts)
  return send({
    method: 'POST',
    url: '/api/files',
    body: sent.body,
    headers: { ...sent.headers, ...who.credentials, ...headers },
  })
}

const arriving = () => readdirSync(join(testConfig().dataDir, 'files', 'arriving'))
afterEach(() => expect(arriving(), 'nothing is left where files arrive').toEqual([]))

describe('a file is stored and read back unchanged', () => {
  test('as JSON', async () => {
    const amy = await member('CONTRIBUTOR')
    const kept = await upload(amy)
    expect(kept).toEqual({
      id: expect.any(String),
      organizationId: amy.organizationId,
      fileName: 'taxi.txt',
      fileType: 'text/plain',
      fileSize: hello.length,
      sha256: createHash('sha256').update(hello).digest('hex'),
      storageKey: expect.any(String),
      storageUrl: expect.stringContaining(`/api/files/${kept.id}?token=`),
      createdAt: expect.any(String),
    })
    expect(await amy.call('organizations_file', { id: kept.id })).toBe(hello.toString())
  })

  test('as a form, with the organization as a field', async () => {
    const amy = await member('CONTRIBUTOR')
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * n) % 251))
    const reply = await sendForm(amy, [
      { name: 'organizationId', value: String(amy.organizationId) },
      { name: 'file', value: bytes, fileName: 'קבלה 7.bin', type: 'application/pdf' },
    ])
    expect(reply).toMatchObject({ status: 201, body: { fileName: 'קבלה 7.bin', fileSize: bytes.length } })
    expect(reply.body).toMatchObject({
      fileType: 'application/octet-stream',
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
  })

  test('with characters that JSON escapes', async () => {
    const amy = await member('CONTRIBUTOR')
    const bytes = Buffer.from('fb,ff,fe/~~~???>>>'.repeat(10_000))
    const escaped = JSON.stringify({ file: { fileName: 'a.txt', base64: bytes.toString('base64') } })
      .replaceAll('/', '\\/')
      .replaceAll('+', '\\u002B')
    const headers = { ...amy.credentials, 'content-type': 'application/json' }
    const reply = await send({ method: 'POST', url: '/api/files', body: escaped, headers })
    expect(reply).toMatchObject({
      status: 201,
      body: { fileSize: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    })
  })
})

test('the type is determined by the content, not by the name or the sender', async () => {
  const amy = await member('CONTRIBUTOR')
  const page = Buffer.from('  <!-- x --><script>alert(1)</script>').toString('base64')
  const kept = await upload(amy, { fileName: 'photo.png', fileType: 'image/png', base64: page })
  expect(kept.fileType).toBe('text/html')
})

test('THR-16: a file name is a label and never a path', async () => {
  const amy = await member('CONTRIBUTOR')
  const named = async (fileName: string) => (await upload(amy, { fileName })).fileName
  expect(await named('../../etc/passwd')).toBe('passwd')
  expect(await named('C:\\Users\\amy\\receipt.pdf')).toBe('receipt.pdf')
  expect(await named('a\0b\r\nSet-Cookie: x')).toBe('abSet-Cookie: x')
  expect(await named('invoice\u202efdp.exe')).toBe('invoicefdp.exe')
  expect(await named('/')).toBe('file')
  expect(await named('é'.normalize('NFD').repeat(300))).toBe('é'.repeat(200))
  expect(await named('a\ud800')).toBe('a\ufffd')
})

describe('a file that cannot be accepted is refused with a message', () => {
  test.each([
    ['nothing', { base64: undefined }],
    ['both ways', { url: 'https://example.com/a.pdf' }],
    ['a data URL', { base64: 'data:text/plain;base64,SGVsbG8=' }],
    ['no padding', { base64: 'SGVsbG8' }],
    ['line breaks', { base64: 'SGVs\nbG8=' }],
    ['the other alphabet', { base64: '-_-_' }],
    ['padding in between', { base64: 'SGVsbG8=SGVsbG8=' }],
    ['an empty file', { base64: '' }],
    ['an unknown field', { path: '/etc/passwd' }],
    ['no name', { fileName: '' }],
    ['an address inside', { base64: undefined, url: 'http://169.254.169.254/latest' }],
    ['an address that is none', { base64: undefined, url: 'file:///etc/passwd' }],
  ])('%s', async (_, more) => {
    const amy = await member('CONTRIBUTOR')
    await upload(amy)
    const reply = await amy.request(operationNamed('organizations_file_upload'), { file: file(more) })
    expectRefusal(reply, 'VALIDATION')
  })

  const aFile = { name: 'file', value: 'a', fileName: 'a' }

  test.each([
    ['two files', [aFile, { ...aFile, value: 'b' }]],
    ['a file under another name', [{ ...aFile, name: 'document' }]],
    ['no file', []],
    ['an unknown field', [{ name: 'colour', value: 'red' }, aFile]],
    ['21 fields', [...Array.from({ length: 21 }, (_, n) => ({ name: `f${n}`, value: 'x' })), aFile]],
    ['a long field', [{ name: 'fileType', value: 'x'.repeat(70_000) }, aFile]],
    ['__proto__', [{ name: '__proto__', value: 'x' }, aFile]],
  ])('a form with %s', async (_, parts: Part[]) => {
    const amy = await member('CONTRIBUTOR')
    const organization = { name: 'organizationId', value: String(amy.organizationId) }
    expect(await sendForm(amy, [organization, aFile])).toMatchObject({ status: 201 })
    expectRefusal(await sendForm(amy, [organization, ...parts]), 'VALIDATION')
  })

  const rawForm = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nab\r\n--x--\r\n'
  const rawJson = '{"file":{"fileName":"a","base64":"SGk="}}'
  const accepted: [string, string][] = [
    ['multipart/form-data; boundary=x', rawForm],
    ['application/json', rawJson],
  ]

  test.each([
    ['JSON with the media type of a form', 'multipart/form-data; boundary=x', rawJson],
    ['a tab after the media type', 'multipart/form-data\t; boundary=x', rawForm],
    ['a form without a boundary', 'multipart/form-data', rawForm],
    ['a truncated form', 'multipart/form-data; boundary=x', rawForm.slice(0, rawForm.indexOf('\r\n--x--'))],
    ['another media type', 'text/plain', rawJson],
    ['a URL-encoded form', 'application/x-www-form-urlencoded', 'file=a'],
    ['broken JSON', 'application/json', rawJson.slice(0, -2)],
    ['the file twice', 'application/json', '{"file":{"fileName":"a","base64":"SGk=","base64":"SGk="}}'],
    ['10^5 levels', 'application/json', `${rawJson.slice(0, -1)},"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['10^6 keys', 'application/json', `${rawJson.slice(0, -1)}${',"k":1'.repeat(150_000)}}`],
  ])('THR-16 FLT-13 %s', async (name, type, body) => {
    const message = { '10^5 levels': /levels|nested/, '10^6 keys': /keys/ }[name] ?? /./
    const { credentials } = await withKey(await member('CONTRIBUTOR'))
    const post = (contentType: string, content: string) =>
      send({
        method: 'POST',
        url: '/api/files',
        body: content,
        headers: { ...credentials, 'content-type': contentType },
      })
    for (const request of accepted) expect(await post(...request)).toMatchObject({ status: 201 })
    const reply = await post(type, body)
    expectRefusal(reply, 'VALIDATION')
    expect(JSON.stringify(reply.body)).toMatch(message)
  })
})

test('FLT-12: a file of 20 MiB is accepted, and one with one more byte is refused', async () => {
  const amy = await member('CONTRIBUTOR')
  const most = Buffer.alloc(20 * 1024 * 1024, 'a')
  const more = Buffer.concat([most, Buffer.from('a')])
  const part = (value: Buffer) => [{ name: 'file', value, fileName: 'a.txt' }]
  expect(await sendForm(amy, part(most))).toMatchObject({ status: 201, body: { fileSize: most.length } })
  expectRefusal(await sendForm(amy, part(more)), 'VALIDATION', 'FILE_TOO_LARGE')
  expect((await upload(amy, { base64: most.toString('base64') })).fileSize).toBe(most.length)
  const request = amy.request(operationNamed('organizations_file_upload'), {
    file: file({ base64: more.toString('base64') }),
  })
  expectRefusal(await request, 'VALIDATION', 'FILE_TOO_LARGE')
})

test('a form with a cookie is accepted from our own page and refused from another site (WEB-3)', async () => {
  const amy = await member('CONTRIBUTOR')
  const part = [{ name: 'file', value: 'a', fileName: 'a.txt' }]
  expect(await sendForm(amy, part, { 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 201 })
  expectRefusal(await sendForm(amy, part, { 'sec-fetch-site': 'cross-site' }), 'FORBIDDEN', 'FOREIGN_ORIGIN')
  expectRefusal(await sendForm(amy, part, { origin: 'https://evil.test' }), 'FORBIDDEN', 'FOREIGN_ORIGIN')
})

describe('IDEM-3: an upload is the same request when its file is', () => {
  test('as a form, with any boundary', async () => {
    const amy = await member('CONTRIBUTOR')
    const once = async (value: string, boundary: string) => {
      const { body, headers } = form([{ name: 'file', value, fileName: 'a.txt', type: 'text/plain' }], boundary)
      const all = { ...headers, ...amy.credentials, 'idempotency-key': 'upload-1' }
      return send({ method: 'POST', url: '/api/files', body, headers: all })
    }
    const first = await once('one', 'x')
    expect(await once('one', 'y')).toMatchObject({ status: 201, body: first.body })
    expectRefusal(await once('two', 'x'), 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED')
  })

  test('as JSON', async () => {
    const amy = await member('CONTRIBUTOR')
    const once = (more = {}) =>
      amy.request(operationNamed('organizations_file_upload'), { file: file(more) }, { 'idempotency-key': 'u' })
    const first = await once()
    expect(await once()).toMatchObject({ body: first.body, headers: { 'idempotency-replayed': 'true' } })
    expectRefusal(await once({ base64: 'SGVsbG8=' }), 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED')
  })
})

describe('THR-14 THR-26: a file is sent with headers that keep browsers from running or caching it', () => {
  test.each([
    ['a.html', '<html><script>alert(1)</script>', 'application/octet-stream'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'application/octet-stream'],
    ['a.xml', '<?xml version="1.0"?><a/>', 'application/octet-stream'],
    ['a.txt', 'plain words', 'text/plain; charset=utf-8'],
  ])('%s', async (fileName, text, type) => {
    const amy = await member('CONTRIBUTOR')
    const { storageUrl } = await upload(amy, { fileName, base64: Buffer.from(text).toString('base64') })
    const { headers, body } = await open(storageUrl)
    expect(body).toBe(text)
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="${fileName}"; filename*=UTF-8''${fileName}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
      'content-length': String(text.length),
    })
  })

  test('a name in any script arrives unchanged and breaks no header', async () => {
    const amy = await member('CONTRIBUTOR')
    const { storageUrl } = await upload(amy, { fileName: 'קבלה "7" (1).txt' })
    expect((await open(storageUrl)).headers['content-disposition']).toBe(
      `attachment; filename="____ _7_ (1).txt"; filename*=UTF-8''${encodeURIComponent('קבלה "7" (1).txt').replace('(', '%28').replace(')', '%29')}`,
    )
  })
})

const open = (url: string, headers: Record<string, string> = {}) =>
  send({ method: 'GET', url: url.replace(/^https?:\/\/[^/]+/, ''), headers })

describe('THR-26: a link opens one file for a limited time', () => {
  test('for any holder of the link, and for a member without it', async () => {
    const amy = await member('CONTRIBUTOR')
    const { storageUrl, id } = await upload(amy)
    expect(await open(storageUrl)).toMatchObject({ status: 200, body: hello.toString() })
    expect(await open(storageUrl, (await person('Eve')).credentials)).toMatchObject({ status: 200 })
    expect(await open(`/api/files/${id}`, amy.credentials)).toMatchObject({ status: 200 })
    expectRefusal(await open(`/api/files/${id}`), 'UNAUTHENTICATED')
  })

  test('and an altered link is treated like a missing one', async () => {
    const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
    const [{ storageUrl, id }, other] = [await upload(amy), await upload(amy)]
    const [organization = '', expires = '', signature = ''] = (storageUrl.split('token=')[1] ?? '').split('.')
    expect(await open(storageUrl)).toMatchObject({ status: 200 })
    const later = String(Number(expires) + 60)
    const otherStart = signature.startsWith('A') ? 'B' : 'A'
    const tokens = [
      [eve.organizationId, expires, signature], [organization, later, signature], [organization, expires, `${otherStart}${signature.slice(1)}`],
      [organization, expires, ''], [organization, expires], [organization, expires, signature, ''], [''], ['x'.repeat(400)],
    ].map((parts) => parts.join('.')) // biome-ignore format: a table
    for (const token of tokens) {
      const url = `/api/files/${id}?token=${token}`
      expectRefusal(await open(url), 'UNAUTHENTICATED')
      if (token.length <= 300) expect(await open(url, amy.credentials)).toMatchObject({ status: 200 })
      expect([400, 404]).toContain((await open(url, eve.credentials)).status)
    }
    expectRefusal(
      await open(`/api/files/${other.id}?token=${[organization, expires, signature].join('.')}`),
      'UNAUTHENTICATED',
    )
  })

  test('but not after its expiry, for another purpose or in another organization', async () => {
    const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
    const { id, organizationId } = await upload(amy)
    const key = theApp().services.secrets.derived('signed-url')
    const token = (more = {}, minutesAgo = 0) =>
      linkToken(
        key,
        { purpose: filePurpose, objectId: id, organizationId, ...more },
        new Date(Date.now() - minutesAgo * 60_000),
      )
    const opened = (text: string) => open(`/api/files/${id}?token=${text}`)
    expect(await opened(token())).toMatchObject({ status: 200 })
    expectRefusal(await opened(token({}, 17)), 'UNAUTHENTICATED')
    expectRefusal(await opened(token({ purpose: 'preview' })), 'UNAUTHENTICATED')
    expectRefusal(await opened(token({ organizationId: eve.organizationId })), 'NOT_FOUND')
  })

  test('and ends with the file, whose bytes are removed by a job', async () => {
    const amy = await member('CONTRIBUTOR')
    const { storageUrl, id, storageKey, organizationId } = await upload(amy)
    expect(await open(storageUrl)).toMatchObject({ status: 200 })
    const ordered: [string, object][] = []
    await within(organizationId, (db) =>
      remove({ db, enqueue: (job, payload) => void ordered.push([job, payload]) }, id),
    )
    expectRefusal(await open(storageUrl), 'NOT_FOUND')
    expect(ordered).toEqual([['remove-file', { storageKey }]])
  })

  test('and gives access to no other address', async () => {
    const amy = await member('CONTRIBUTOR')
    const { storageUrl, id } = await upload(amy)
    const token = storageUrl.split('token=')[1]
    expect(await open(`/api/files/${id}?token=${token}`)).toMatchObject({ status: 200 })
    for (const path of ['/api/customers', `/api/customers/${id}`, `/api/organizations/${amy.organizationId}`]) {
      expectRefusal(await open(`${path}?token=${token}`), 'UNAUTHENTICATED')
    }
  })
})

test('the body of a request without credentials is not read', async () => {
  const reply = await sendForm(stranger(), [{ name: 'file', value: 'a', fileName: 'a' }])
  expectRefusal(reply, 'UNAUTHENTICATED')
  expect(reply.headers.connection).toBe('close')
})

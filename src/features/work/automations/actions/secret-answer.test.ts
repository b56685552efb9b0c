import { expect, test } from 'vitest'
import { logOf, started, testRun } from '../../../../test/automations/outside-actions.ts'
import { receiver } from '../../../../test/fakes/webhook-receiver.ts'
import { asProduct } from '../../../../test/secrets.ts'
import { member, type Someone } from '../../../../test/world.ts'

const secret = 'sk-live-"7Q/x+9=<&>\\z 5~'
const headers = { authorization: 'Bearer {{secrets.CRM_TOKEN}}' }
const json = { 'content-type': 'application/json' }

const escapedAs = (toEscape: (code: number, n: number) => string | undefined, text = secret) =>
  [...text].map((each, n) => toEscape(each.charCodeAt(0), n) ?? each).join('')
const hex = (code: number, length = 2) => code.toString(16).padStart(length, '0')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const slashed = JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')
const unicode = escapedAs((code) => `\\u${hex(code, 4)}`)
const unicodeInPart = escapedAs((code, n) =>
  n % 2 || /["\\]/.test(String.fromCharCode(code)) ? `\\u${hex(code, 4)}` : undefined,
)
const decimal = escapedAs((code) => `&#${code};`)
const named = secret
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  .replaceAll('"', '&quot;')
  .replaceAll('/', '&#x2F;')
  .replaceAll('\\', '&bsol;')
const percent = escapedAs((code) => `%${hex(code)}`)
const percentInPart = escapedAs((code, n) => (n % 3 ? undefined : `%${hex(code).toUpperCase()}`))
const form = new URLSearchParams({ a: secret }).toString().slice(2)

/** An answer, with the form of the secret in it. */
const answers: [name: string, form: string, text: string, headers?: Record<string, string>][] = [
  ['JSON with \\/', slashed, `{"you":"${slashed}"}`, json],
  ['JSON with all characters as \\u00XX', unicode, `{"you":["${unicode}"]}`, json],
  ['JSON with some characters as \\u00XX', unicodeInPart, `{"a":{"you":"x ${unicodeInPart} y"}}`],
  ['a key of JSON', slashed, `{"a":[{"${slashed}":1}]}`, json],
  ['a key that JSON has twice', unicode, `{"a":"${unicode}","a":1}`, json],
  ['JSON inside a text of JSON', slashed, JSON.stringify({ log: `{"you":"${slashed}"}` }), json],
  ['text with escapes of JSON', unicodeInPart, `got ${unicodeInPart}`],
  ['a call with JSON', slashed, `callback({"you":"${slashed}"})`],
  ['HTML with decimal entities', decimal, `<p>${decimal}</p>`],
  ['HTML with named entities', named, `<p>${named}</p>`],
  ['HTML in JSON', named, JSON.stringify({ page: `<p>${named}</p>` }), json],
  ['all characters percent-encoded', percent, `you=${percent}`],
  ['some characters percent-encoded', percentInPart, `you=${percentInPart}`],
  ['a form', form, `you=${form}&b=1`],
  ['percent-encoding in JSON', percentInPart, JSON.stringify({ you: percentInPart }), json],
  ['base64', base64(secret), `you: ${base64(secret)}`],
  ['base64 of the header', base64(`Bearer ${secret}`), JSON.stringify({ you: base64(`Bearer ${secret}`) }), json],
  ['base64 of a longer text', base64(`us:${secret}`), `Basic ${base64(`us:${secret}`)}`],
  ['base64 for addresses', Buffer.from(`a${secret}`).toString('base64url'), `/${Buffer.from(`a${secret}`).toString('base64url')}`],
  ['base64 of JSON', base64(`{"you":"${slashed}"}`), base64(`{"you":"${slashed}"}`)],
  ['hexadecimal digits', Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('hex')],
  ['capital letters', secret.toUpperCase(), `SK: ${secret.toUpperCase()}`],
  ['a percent-encoded header', percent, 'ok', { 'x-echo': percent }],
  ['a base64 header', base64(`Bearer ${secret}`), 'ok', { 'x-echo': base64(`Bearer ${secret}`) }],
  ['a header with entities', decimal, 'ok', { 'x-echo': decimal }],
] // biome-ignore format: a list of words

/** Everything that is stored and shown of the runs, without backslashes, which JSON doubles. */
async function everything(amy: Someone, runs: unknown) {
  const tables = ['automation_steps', 'automation_runs', 'automation_deliveries', 'audit_log', 'events']
  const stored = await Promise.all(tables.map((table) => asProduct(`select t::text as row from ${table} t where organization_id = $1`, [amy.organizationId])))
  return plain(JSON.stringify([stored, runs, await logOf(amy)]))
} // biome-ignore format: a list of words
const plain = (text: string) => text.replaceAll('\\', '')

async function managerWithSecret(value = secret) {
  const amy = await member('MANAGER')
  await amy.call('automations_secrets_set', { organizationId: amy.organizationId ?? '', name: 'CRM_TOKEN', value })
  return amy
}

test.each([200, 400])('INV-20: a secret that an answer %i repeats in an encoded form is not stored or shown', async (status) => {
  const amy = await managerWithSecret()
  const runs: unknown[] = []
  for (const [, , text, more = {}] of answers) {
    const { heard, url } = await receiver((response) => response.writeHead(status, more).end(text))
    const run = await testRun(amy, 'webhook.post', { url, headers })
    expect(heard[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(run.status).toBe(status === 200 ? 'SUCCEEDED' : 'FAILED')
    runs.push(run)
  }
  const shown = await everything(amy, runs)
  expect(shown).not.toContain('sk-live')
  for (const [name, form] of answers)
    for (const each of [form, JSON.stringify(form).slice(1, -1), secret]) expect(shown, name).not.toContain(plain(each))
}, 120_000) // biome-ignore format: a list of words

test('INV-20: an answer that may be tried again does not store the secret either', async () => {
  const amy = await managerWithSecret()
  const { url } = await receiver((response) => response.writeHead(503, { 'x-echo': percent }).end(`{"you":"${unicode}"}`))
  const { work, run } = await started(amy, 'webhook.post', { url, headers })
  await work()
  const shown = await everything(amy, await run())
  for (const each of [percent, unicode, secret]) expect(shown).not.toContain(plain(each))
}) // biome-ignore format: a list of words

test('JSON stays a value without the secret; text that repeats it in an encoded form is replaced, with a warning', async () => {
  const amy = await managerWithSecret()
  const answered = async (text: string) => {
    const { url } = await receiver((response) => response.writeHead(200, json).end(text))
    return (await testRun(amy, 'webhook.post', { url, headers })).steps[1]
  }
  const value = await answered(`{"id":7,"you":"Bearer ${slashed}","page":"${named.replaceAll('"', '')}","${unicode}":[1]}`)
  expect(value?.output).toMatchObject({ body: { id: 7, you: 'Bearer [redacted]', page: '[redacted]', '[redacted]': [1] } })
  const text = await answered(`callback("${slashed}")`)
  expect(text?.output).toMatchObject({ body: expect.stringContaining('The answer is not kept') })
  expect(text?.warnings).toMatchObject([{ code: 'ANSWER_HIDDEN', path: 'output.body' }])
  const other = await answered('{"id":7,"you":"Bearer \\/ %41 &amp; c2stbGl2ZQ=="}')
  expect(other).toMatchObject({ output: { body: { id: 7, you: 'Bearer / %41 &amp; c2stbGl2ZQ==' } } })
  expect(other?.warnings ?? []).toEqual([])
}) // biome-ignore format: a list of words

test.each([
  ['\\u00XX', unicode, 6],
  ['percent-encoding', percent, 3],
  ['entities', decimal, 6],
  ['base64 of the header', base64(`Bearer ${secret}`), 4],
])('INV-20: an answer that is cut off within a secret in %s shows no part of it', async (_, form, length) => {
  const amy = await managerWithSecret()
  for (const kept of [20, 21, 23, 5].map((characters) => Math.min(form.length - 1, characters * length) - 1)) {
    const { url } = await receiver((response) => response.end(' '.repeat(4_096 - kept) + form))
    const run = await testRun(amy, 'webhook.post', { url, headers })
    expect(await everything(amy, run)).not.toContain(plain(form.slice(0, kept - length)))
  }
})

test('INV-20: a secret of digits is not shown as a number', async () => {
  const amy = await managerWithSecret('1234567890')
  const { url } = await receiver((response) => response.end('{"a":[1234567890],"b":1.23456789e9}'))
  const run = await testRun(amy, 'webhook.post', { url, headers })
  expect(run.steps[1]?.output).toMatchObject({ body: { a: ['[redacted]'], b: '[redacted]' } })
  expect(await everything(amy, run)).not.toMatch(/1234567890|1\.23456789e9/)
})

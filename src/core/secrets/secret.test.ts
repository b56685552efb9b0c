import { format, inspect } from 'node:util'
import { serialize } from 'node:v8'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { Type } from '../define/schema.ts'
import { toJson } from '../run/serialize.ts'
import { Secret } from './secret.ts'

const canary = 'canary-7f3a'
const secret = new Secret(canary)

test('SEC-6: only reveal() returns the text', () => {
  expect(secret.reveal()).toBe(canary)
})

const nested = { connection: { password: secret, list: [secret], map: new Map([['password', secret]]) } }
const logged = () => {
  const lines: string[] = []
  const { log } = fastify({ logger: { stream: { write: (line: string) => void lines.push(line) } } })
  log.error(
    { secret, nested, err: Object.assign(new Error(`for ${secret}`), { secret }) },
    'wrong %s %o',
    secret,
    nested,
  )
  return lines.join('')
}

test.each<[string, () => string]>([
  ['a template', () => `${secret}`],
  ['concatenation', () => `password: ${String(secret)}`],
  ['joining', () => [secret, secret].join()],
  ['JSON', () => JSON.stringify(nested)],
  ['inspection', () => inspect(nested, { depth: 9, showHidden: true, getters: true })],
  ['formatting', () => format('%s %o %O %j %d', secret, secret, secret, secret, secret)],
  ['entries', () => JSON.stringify([Object.entries(secret), { ...secret }, Object.getOwnPropertyNames(secret)])],
  ['a copy', () => inspect(structuredClone(secret))],
  ['serialization', () => serialize(secret).toString('latin1')],
  ['an answer that declares it as text', () => toJson(Type.Object({ password: Type.String() }), { password: secret })],
  [
    'an answer that declares it as anything',
    () => toJson(Type.Object({ password: Type.Unknown() }), { password: secret }),
  ],
  ['a log line', logged],
])('INV-20 SEC-6: %s of a secret does not reveal it', (_, written) => {
  expect(written()).not.toContain(canary)
})

test('SEC-6: a secret written out reads [redacted]', () => {
  expect([`${secret}`, JSON.parse(JSON.stringify(secret)), inspect(secret)]).toEqual(Array(3).fill('[redacted]'))
})

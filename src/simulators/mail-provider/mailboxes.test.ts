import { createSecretKey, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { MailboxAccess } from '../../core/outside/mailbox.ts'
import { type SimulatedMailbox, simulatedMailHost } from '../../core/outside/simulated-mailbox.ts'
import { createEgress } from '../../providers/egress/egress.ts'
import { openMailboxClient } from '../../providers/mailbox/mailbox.ts'
import { newFolder } from '../../test/temporary-folder.ts'
import { simulateMailboxes } from './mailboxes.ts'
import { issueToken } from './tokens.ts'

const key = createSecretKey(randomBytes(32))
const source = Buffer.from('Message-ID: <1@shop.test>\r\nSubject: Hello\r\nFrom: a@shop.test\r\n\r\nHello\r\n')
const amys: SimulatedMailbox = {
  address: 'amy@example.test',
  name: 'Amy',
  password: 'correct horse',
  messages: (now) => [{ uid: 7, receivedAt: new Date(now.getTime() - 60_000), source: () => source }],
}
const bobs: SimulatedMailbox = { ...amys, address: 'bob@example.test', name: 'Bob', messages: () => [] }

const client = openMailboxClient({ egress: createEgress({ mode: 'local', allow: [], allowHttp: false }) })
const { client: both, close } = simulateMailboxes(client, { mailboxes: [amys, bobs], key })
afterAll(close)

const at = {
  organizationId: 'acme',
  protocol: 'IMAP',
  host: simulatedMailHost,
  port: 143,
  tls: false,
  withoutTls: true,
  folder: null,
} as const
const open = (access: Pick<MailboxAccess, 'username' | 'login'>) =>
  both.open({ ...at, ...access }, new AbortController().signal)
const tokenFor = (address: string, { lifeS = 60, signedWith = key } = {}) =>
  issueToken(
    { key: signedWith, now: () => new Date() },
    { kind: 'access', provider: 'GMAIL', address, grant: 'g' },
    lifeS,
  )
const everything = { from: new Date('2000-01-01'), to: new Date('2100-01-01') }

test.for([
  ['password', { password: 'correct horse' }],
  ['token', { accessToken: tokenFor('amy@example.test') }],
] as const)('a simulated mailbox is read with its %s', async ([, login]) => {
  const mailbox = await open({ username: 'amy@example.test', login })
  const pages = []
  for await (const page of mailbox.list(everything, async () => new Set())) pages.push(...page)
  expect(pages).toMatchObject([{ messageId: '<1@shop.test>', subject: 'Hello' }])
  const file = join(newFolder('simulated-mailbox'), 'message')
  await mailbox.fetch(pages[0]?.place ?? '', { file, maxBytes: 1_000 })
  expect(readFileSync(file).equals(source)).toBe(true)
  await mailbox.close()
})

test.for([
  ['another password', { password: 'wrong' }],
  ['the token of another account', { accessToken: tokenFor('bob@example.test') }],
  ['a token that has expired', { accessToken: tokenFor('amy@example.test', { lifeS: -1 }) }],
  ['a token with another signature', { accessToken: tokenFor('amy@example.test', { signedWith: createSecretKey(randomBytes(32)) }) }],
  ['no token', { accessToken: 'nothing' }],
] as const)('a simulated mailbox is not opened with %s', async ([, login]) => {
  await (await open({ username: 'amy@example.test', login: { password: 'correct horse' } })).close()
  await expect(open({ username: 'amy@example.test', login })).rejects.toMatchObject({ trouble: 'LOGIN' })
}) // biome-ignore format: a case a line

test('a server of another name is not simulated', async () => {
  const login = { password: 'correct horse' }
  const elsewhere = {
    ...at,
    host: 'imap.nowhere.invalid',
    port: 993,
    tls: true,
    withoutTls: false,
    username: 'amy@example.test',
    login,
  }
  await expect(both.open(elsewhere, new AbortController().signal)).rejects.toMatchObject({ trouble: 'NAME' })
})

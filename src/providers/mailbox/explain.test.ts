import { expect, test } from 'vitest'
import { TargetFailure } from '../../core/outside/target-failure.ts'
import { explainFor } from './explain.ts'

const explain = explainFor({ protocol: 'IMAP', username: 'amy', login: { password: 'a-long-secret' } })

test('what the server said is one line, without what identifies the account', () => {
  expect(explain.failure('LOGIN', 'Bad\r\nlogin of amy (amy@x.test) from 10.0.0.1 and fe80::1').message).toBe(
    'The mail server does not accept the user name and password. Check both; some providers need a password for apps. The server said: Bad login of … … from … and …',
  )
  expect(explain.failure('LOGIN', 'Not a-long-secret').message).not.toContain('The server said')
  expect(explain.failure('CLOSED', 'x'.repeat(1000)).message.length).toBeLessThan(300)
})

test.each([
  ['unresolved', 'NAME'], ['address', 'NAME'], ['name', 'NAME'], ['resolver', 'NAME'], ['port', 'NAME'], ['refused', 'REFUSED'],
  ['silent', 'SILENT'], ['broken', 'CLOSED'], ['insecure', 'CERTIFICATE'], ['unreadable', 'GARBAGE'], ['busy', 'UNAVAILABLE'],
] as const)('%s of egress is %s', (reason, trouble) => {
  expect(explain.fromEgress(new TargetFailure(reason))).toMatchObject({ trouble })
}) // biome-ignore format: pairs

test('other errors stay as they are', () => {
  const error = new Error('Stopped')
  expect(explain.fromEgress(error)).toBe(error)
})

test('folders are listed by name, in one line', () => {
  expect(explain.noFolder(['INBOX', 'a\r\nb']).message).toBe(
    'The mailbox has no folder of that name. Choose another one. The mailbox has "INBOX", "a b".',
  )
})

test('a secret at the cut end of a long line of the server shows no part of itself', () => {
  const explain = explainFor({ protocol: 'POP3', username: 'amy', login: { password: 'CanaryLongPassword-12345' } })
  const said = `${'z'.repeat(138)} CanaryLongPassword-12345`
  expect(explain.failure('LOGIN', `${'z'.repeat(138)} later`).message).toContain('zzz')
  expect(explain.failure('LOGIN', said).message).not.toContain('Canary')
})

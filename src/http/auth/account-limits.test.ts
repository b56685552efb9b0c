import '../../test/own-world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emailSubject } from '../../core/run/rate-limit.ts'
import { newId } from '../../core/values/id.ts'
import { type App, createApp } from '../../program/app.ts'
import { emailOf, personWithPassword } from '../../test/accounts.ts'
import { type Someone, testConfig, theDatabase } from '../../test/world.ts'

/** Limits of account mail at their real size: the other tests run with a hundred times as much. */

let app: App
beforeAll(async () => {
  app = await createApp(testConfig({ RATE_LIMIT_SCALE: '1' }), theDatabase())
  await app.server.ready()
})
afterAll(() => app.close())

async function post(url: string, payload: object, someone?: Someone) {
  const headers = { ...(someone?.credentials as Record<string, string>) }
  return (await app.server.inject({ method: 'POST', url, headers, payload })).statusCode
}
const requestReset = (email: string) => post('/api/auth/password/reset', { email })
const requestChange = (someone: Someone) =>
  post('/api/auth/email', { email: `${newId()}@example.test`, password: 'correct horse' }, someone)

const statuses = async (times: number, call: () => Promise<number>) => {
  const answers: number[] = []
  for (let n = 0; n < times; n += 1) answers.push(await call())
  return answers
}

test('RATE: a person and an address with the same text are counted apart', async () => {
  const amy = await personWithPassword()
  expect(await statuses(4, () => post('/api/auth/email/verify', {}, amy))).toEqual([200, 200, 200, 429])
  expect(await statuses(4, () => requestReset(amy.userId))).toEqual([200, 200, 200, 429])
})

test('RATE: requests for a reset with a crafted address do not use up the address changes of a person', async () => {
  const [amy, eve] = [await personWithPassword(), await personWithPassword()]
  expect(await statuses(4, () => requestChange(eve))).toEqual([200, 200, 200, 429])
  for (const text of [`change:${amy.userId}`, `person:${amy.userId}`, `change:person:${amy.userId}`])
    expect(await statuses(3, () => requestReset(text))).toEqual([200, 200, 200])
  expect(await requestChange(amy)).toBe(200)
})

test('RATE: every letter that PostgreSQL takes for another one in lower case has the same subject as that one', async () => {
  const { rows } = await app.system.raw.query(`select chr(n) as letter, lower(chr(n)) as lower
    from generate_series(33, 131071) n where n not between 55296 and 57343 and lower(chr(n)) <> chr(n)`)
  expect(rows.length).toBeGreaterThan(1_000)
  const different = rows.filter(({ letter, lower }) => emailSubject(letter) !== emailSubject(lower))
  expect(different).toEqual([])
})

test.each([
  ['in capitals', (email: string) => email.toUpperCase()],
  ['with the dotted capital I of Turkish', (email: string) => email.replace('i', '\u0130')],
  ['with the dotted capital I and in capitals', (email: string) => email.toUpperCase().replace('I', '\u0130')],
])('RATE: an address %s counts as the same address', async (_, spelled) => {
  const amy = await personWithPassword()
  const email = `i${emailOf(amy)}`
  expect(await statuses(3, () => requestReset(email))).toEqual([200, 200, 200])
  expect(await requestReset(spelled(email))).toBe(429)
})

import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { dropDatabase, newDatabase, queryAsSuperuser, urlOf } from '../database.ts'
import { ask, startApi } from '../processes/api-process.ts'
import { kontor } from '../processes/kontor.ts'

test('in strict mode with closed sign-up, the output is a log of JSON lines, and the command line makes the first account', async () => {
  const database = await newDatabase()
  onTestFinished(() => dropDatabase(database))
  await queryAsSuperuser(database, `alter database ${database.database} set synchronous_commit = on`) // strict mode needs it
  const settings = {
    KONTOR_MODE: 'strict',
    KONTOR_SIGN_UP: 'closed',
    KONTOR_SECRETS_KEY: randomBytes(32).toString('base64'),
    DATABASE_STORAGE_DURABLE: '1',
    EXCHANGE_RATES_URL: 'off',
  }
  const api = await startApi(database, settings)
  onTestFinished(async () => void (await api.kill('SIGTERM')))
  const person = { name: 'Eve', email: 'eve@example.test', password: 'correct horse' }
  const up = await ask(`${api.url}/api/auth/sign-up`, { method: 'POST', body: person })
  expect([up.status, up.body]).toMatchObject([403, { error: { details: [{ code: 'SIGN_UP_CLOSED' }] } }])

  const create = ['account', 'create', 'Amy@Example.test', '--name', 'Amy Stone']
  const made = await kontor(create, { ...settings, DATABASE_URL: urlOf(database), KONTOR_URL: api.url })
  expect(made).toMatchObject({ status: 0, stderr: '' })
  const [link = '', token] = /^http\S+\/reset\?token=(\w+)$/m.exec(made.stdout) ?? []
  expect(new URL(link).origin).toBe(api.url)
  const post = (path: string, body: object) => ask(`${api.url}/api/auth${path}`, { method: 'POST', body })
  const password = 'battery staple'
  expect((await post('/password/reset/confirm', { token, password })).status).toBe(200)
  expect((await post('/password/reset/confirm', { token, password })).status).toBe(400)
  const signedIn = await post('/sign-in', { email: 'amy@example.test', password })
  expect([signedIn.status, signedIn.body]).toMatchObject([200, { user: { name: 'Amy Stone' } }])

  await api.kill('SIGTERM')
  const lines = api
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string })
  const sentences = lines.map(({ msg }) => msg)
  expect(sentences).toContainEqual(
    expect.stringMatching(/^Kontor is ready \(.* s\) at http.*, in strict mode, because/),
  )
  expect(sentences).toContain('Stopping.')
  expect(lines.every(({ level }) => level >= 30)).toBe(true)
})

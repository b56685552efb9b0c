import '../../test/own-world.ts'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretKinds } from '../../catalog/secret-kinds.ts'
import { openKeyring } from '../../core/secrets/keyring.ts'
import { markLost } from '../../core/secrets/lost.ts'
import { Secret } from '../../core/secrets/secret.ts'
import { newId } from '../../core/values/id.ts'
import { removeSecondFactor } from '../../features/company/people/factors/lost-factor.ts'
import { asProduct, randomKey } from '../../test/secrets.ts'
import {
  addressed,
  member,
  operationNamed,
  type Someone,
  testConfig,
  theApp,
  theDatabase,
  withKey,
} from '../../test/world.ts'
import { readObservations, verify } from '../../verify/verify.ts'
import { type App, createApp } from '../app.ts'
import { giveUpLostSecrets, lossReport } from './without-secrets.ts'

const key = randomKey()
const password = 'correct horse'
/** The owner with an API key, and with a session. */
let amy: Someone
let owner: Someone
let report: string
let email: string
let uri: string
let cookie: string
/** Kontor, started again with another key. */
let later: App

const at = () => ({ organizationId: amy.organizationId ?? '' })

beforeAll(async () => {
  owner = await member('OWNER')
  amy = await withKey(owner)
  const id = amy.organizationId ?? ''
  await owner.call('integrations_tax_authority_post', {
    id,
    integrationId: 'sg-invoicenow',
    credentials: { clientId: 'a', clientSecret: 'b' },
  })
  await owner.call('automations_secrets_set', { ...at(), name: 'CRM_TOKEN', value: 'hunter2hunter2' })
  await owner.call('settings_webhook_secret_rotate', { id })
  const mailbox = { name: 'Receipts', provider: 'IMAP', host: 'imap.example.com', username: 'amy' } as const
  await owner.call('integrations_email_settings_post', { ...at(), ...mailbox, password: 'hunter2' })

  email = `${newId()}@example.test`
  const signedUp = await post(theApp(), '/api/auth/sign-up', { name: 'Bob', email, password })
  const begun = await post(theApp(), '/api/auth/authenticator', { password }, signedUp.cookie)
  uri = String(begun.body.uri)
  const confirmed = await post(theApp(), '/api/auth/authenticator/confirm', { code: codeOf(-1) }, signedUp.cookie)
  expect(confirmed.status).toBe(200)
  cookie = confirmed.cookie

  const loss = await markLost(theApp().system, openKeyring(new Secret(key)), secretKinds)
  if (!loss) throw new Error('Nothing was lost.')
  report = lossReport(loss, 'new')
  later = await createApp(testConfig({ KONTOR_SECRETS_KEY: key }), theDatabase())
})
afterAll(() => later?.close())

const codeOf = (stepsAhead = 0) =>
  new TOTP({ secret: new URL(uri).searchParams.get('secret') ?? '' }).generate({
    timestamp: Date.now() + stepsAhead * 30_000,
  })

async function post(app: App, url: string, payload: object, given = '') {
  const headers = given ? { cookie: given } : {}
  const answer = await app.server.inject({ method: 'POST', url, headers, payload })
  const set = [answer.headers['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0] ?? ''
  return { status: answer.statusCode, body: answer.json(), cookie: set }
}

async function call(name: string, input: Record<string, unknown>, someone = amy) {
  const operation = operationNamed(name)
  const { url, body } = addressed(operation, input)
  const answer = await later.server.inject({
    method: operation.method as 'GET',
    url,
    headers: someone.credentials,
    ...(body && { payload: body }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

test('SEC-2: the loss is listed in words, by organization, with what to do', () => {
  expect(report).toContain('The books are complete.')
  for (const called of [
    'secrets of automations',
    'passwords of mailboxes',
    'credentials for tax authorities and access points',
    'secrets that sign webhooks',
  ])
    expect(report).toContain(`  Acme (${amy.organizationId}): 1 ${called}\n`)
  expect(report).toContain(`Second factors of: ${email}`)
  expect(report).toContain('The new key is new.')
})

test('SEC-2: the books work with the API keys and sessions of before, and verify lists what is to be entered again', async () => {
  expect((await call('customers_create', { ...at(), name: 'Globex', country: 'SG' })).status).toBe(201)
  expect((await call('customers_list', at())).status).toBe(200)
  expect((await verify(later)).filter(({ id }) => id !== 'INV-22')).toEqual([]) // the server of the tests is not durable
  const observed = await readObservations(later.system)
  expect(observed).toContain('Lost with their key and not entered again, passwords of mailboxes: 1')
  expect(observed).toContain('Lost with their key and not set up again, second factors of people: 1')
  const found = await asProduct("select detail from audit_log where operation = 'secrets.lost'")
  expect(found).toHaveLength(1)
})

test('SEC-2: the webhook secret is refused with what to do, and a new one works at once', async () => {
  const id = amy.organizationId
  expect(await call('settings_webhook_secret', { id }, owner)).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('rotate'), details: [{ code: 'SECRET_LOST' }] } },
  })
  const rotated = await call('settings_webhook_secret_rotate', { id }, owner)
  expect(rotated).toMatchObject({
    status: 200,
    body: { secret: expect.stringMatching(/^whsec_/), previousUntil: null },
  })
  expect(await call('settings_webhook_secret', { id }, owner)).toMatchObject({ body: { secret: rotated.body.secret } })
})

test('SEC-2: the tax authority says that its credentials are to be entered again', async () => {
  const found = await call('integrations_tax_authority_get', { id: amy.organizationId, integrationId: 'sg-invoicenow' })
  expect(found.body.status).toMatchObject({
    isActive: false,
    validationError: expect.stringContaining('Enter them again'),
  })
  const checked = await call('integrations_validate', { id: amy.organizationId, integrationId: 'sg-invoicenow' })
  expect(checked).toMatchObject({ status: 409, body: { error: { details: [{ code: 'SECRET_LOST' }] } } })
})

test('THR-10: a lost second factor does not make the password enough; it is said, and new recovery codes or the operator help', async () => {
  const signIn = (more: object = {}) => post(later, '/api/auth/sign-in', { email, password, ...more })
  const lost = { status: 401, cookie: '', body: { error: { details: [{ code: 'SECOND_FACTOR_LOST' }] } } }
  expect(await signIn()).toMatchObject(lost)
  expect(await signIn({ code: codeOf() })).toMatchObject(lost)
  expect((await post(later, '/api/auth/sign-in', { email, password: 'wrong horse' })).body.error.details).toMatchObject(
    [{ code: 'WRONG_CREDENTIALS' }],
  )
  const renewed = await post(later, '/api/auth/recovery-codes', { password }, cookie)
  expect((await signIn({ code: renewed.body.recoveryCodes[0] })).status).toBe(200)
  expect(await signIn({ code: renewed.body.recoveryCodes[0] })).toMatchObject(lost)

  expect(await later.system.use((_, connection) => removeSecondFactor(connection, email.toUpperCase()))).toBe(true)
  expect(await later.system.use((_, connection) => removeSecondFactor(connection, email))).toBe(false)
  expect((await signIn()).status).toBe(200)
})

test('SEC-2: secrets are not given up while another Kontor is connected to the database', async () => {
  const config = testConfig({ KONTOR_SECRETS_KEY: randomKey() })
  await expect(giveUpLostSecrets(config, theDatabase(), () => {})).rejects.toThrow('Other programs are connected')
})

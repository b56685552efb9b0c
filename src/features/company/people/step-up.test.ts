import { TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { sha256 } from '../../../core/values/id.ts'
import { personWithPassword, storedPasskey } from '../../../test/accounts.ts'
import { operationNamed, Someone, theApp } from '../../../test/world.ts'

const password = 'correct horse'
const stepUp = operationNamed('auth_step_up')
const createKey = operationNamed('api_keys_create')
const key = { name: 'Books', scopes: ['*:read'] }

const secretOf = ({ credentials }: Someone) => String({ cookie: '', ...credentials }.cookie).slice('sid='.length)
const query = async (text: string, values: unknown[]) => (await theApp().system.raw.query(text, values)).rows

/** A person whose sign-in was yesterday, with an organization. */
async function signedInYesterday() {
  const someone = await personWithPassword()
  await someone.call('organizations_create', { name: 'Acme', country: 'SG' })
  await query("update sessions set signed_in_at = now() - interval '1 day' where secret_hash = $1", [
    sha256(secretOf(someone)),
  ])
  return someone
}

/** The same person with the session that an answer has started. */
function renewed(someone: Someone, { headers }: { headers: Record<string, unknown> }) {
  const [cookie = ''] = String(headers['set-cookie']).split(';', 1)
  expect(cookie).toMatch(/^sid=/)
  return new Someone(someone.userId, { cookie }, someone.organizationId)
}

const tooLongAgo = {
  status: 403,
  body: { error: { details: [{ code: 'SIGN_IN_AGAIN', params: { signedInWithinH: 12 } }] } },
}

test('after the password was given again, an operation that needs a recent sign-in goes on', async () => {
  const amy = await signedInYesterday()
  expect(await amy.request(createKey, key)).toMatchObject(tooLongAgo)
  const proven = await amy.request(stepUp, { password })
  expect(proven).toMatchObject({ status: 200, body: { user: { id: amy.userId }, organizations: [{ name: 'Acme' }] } })
  const again = renewed(amy, proven)
  expect(await again.request(createKey, key)).toMatchObject({ status: 201 })
  expect(await amy.request(createKey, key)).toMatchObject({ status: 401 }) // the old secret has ended
})

test('a wrong password or none proves nothing, and the session stays as it is', async () => {
  const amy = await signedInYesterday()
  expect(await amy.request(stepUp, { password: 'wrong' })).toMatchObject({
    status: 403,
    body: { error: { details: [{ code: 'WRONG_PASSWORD' }] } },
  })
  expect(await amy.request(stepUp, {})).toMatchObject({ status: 400 })
  expect(await amy.request(stepUp, { code: '123456' })).toMatchObject({ status: 403 })
  expect(await amy.request(createKey, key)).toMatchObject(tooLongAgo)
})

test('a code of the second factor is enough, and works once', async () => {
  const amy = await personWithPassword()
  const { uri } = await amy.call('auth_authenticator', { password })
  const totp = new TOTP({ secret: new URL(uri).searchParams.get('secret') ?? '' })
  const confirmed = await amy.request(operationNamed('auth_authenticator_confirm'), { code: totp.generate() })
  const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] }
  const signedIn = renewed(amy, confirmed)
  expect(await signedIn.request(stepUp, { code: totp.generate() })).toMatchObject({
    status: 403, // it confirmed the app
    body: { error: { details: [{ code: 'WRONG_CODE' }] } },
  })
  const [code] = recoveryCodes
  const proven = await signedIn.request(stepUp, { code })
  expect(proven).toMatchObject({ status: 200 })
  expect(await renewed(amy, proven).request(stepUp, { code })).toMatchObject({ status: 403 })
})

test('a passkey of the person is enough, and that of somebody else is not', async () => {
  const [amy, eve] = [await signedInYesterday(), await personWithPassword()]
  const [own, other] = [await storedPasskey(amy), await storedPasskey(eve)]
  const options = operationNamed('auth_step_up_passkey_options')
  const byPasskey = operationNamed('auth_step_up_passkey')
  const challenge = async () => ((await amy.request(options, {})).body as { challenge: string }).challenge
  const refused = { status: 403, body: { error: { details: [{ code: 'WRONG_CREDENTIALS' }] } } }
  expect(await amy.request(byPasskey, { response: other.signIn(await challenge()) })).toMatchObject(refused)
  const ofEve = ((await eve.request(options, {})).body as { challenge: string }).challenge
  expect(await amy.request(byPasskey, { response: own.signIn(ofEve) })).toMatchObject({ status: 400 })
  const proven = await amy.request(byPasskey, { response: own.signIn(await challenge()) })
  expect(proven).toMatchObject({ status: 200 })
  expect(await renewed(amy, proven).request(createKey, key)).toMatchObject({ status: 201 })
})

test('a session that was to last 30 days still does', async () => {
  const amy = await personWithPassword()
  const hash = sha256(secretOf(amy))
  await query("update sessions set ends_at = signed_in_at + interval '30 days' where secret_hash = $1", [hash])
  await amy.request(stepUp, { password })
  const [session] = await query(
    "select ends_at > now() + interval '29 days' as long from sessions where user_id = $1 order by signed_in_at desc limit 1",
    [amy.userId],
  )
  expect(session).toEqual({ long: true })
})

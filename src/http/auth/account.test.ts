import '../../test/own-world.ts'
import { TOTP } from 'otpauth'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { operations } from '../../catalog/operations.ts'
import { onSurface } from '../../core/define/operation.ts'
import { newId } from '../../core/values/id.ts'
import { resilientPool } from '../../db/pool.ts'
import { accountMail } from '../../features/company/people/account-mail.ts'
import { sendMail } from '../../features/platform/mail/send-mail.ts'
import { theApp, theDatabase } from '../../test/world.ts'
import { startWorker, type Worker } from '../../worker/worker.ts'

/** Account operations over HTTP, with e-mails that a real worker sends. */

let worker: Worker
let raw: pg.Pool

beforeAll(async () => {
  raw = resilientPool({ ...theDatabase(), max: 8 })
  const jobs = [accountMail, sendMail]
  worker = await startWorker(raw, { ...theApp(), jobs, subscriberJobs: () => [], logError: () => {} })
})
afterAll(async () => {
  await worker.stop()
  await raw.end()
})

const rows = async <T>(text: string, values: unknown[] = []) =>
  theApp().system.use(async (_, connection) => (await connection.query(text, values)).rows as T[])

async function call(path: string, { body = {}, cookie = '' }: { body?: object; cookie?: string } = {}) {
  const answer = await theApp().server.inject({
    method: path === '/api/auth/factors' || path === '/api/auth/session' ? 'GET' : 'POST',
    url: path,
    headers: { ...(cookie && { cookie }) },
    ...(path !== '/api/auth/factors' && path !== '/api/auth/session' && { payload: body }),
  })
  const set = [answer.headers['set-cookie'] ?? []].flat()[0]?.split(';', 1)[0] ?? ''
  return { status: answer.statusCode, body: answer.json(), cookie: set.endsWith('=') ? '' : set || cookie }
}

const password = 'correct horse'

async function signedUp() {
  const email = `${newId()}@example.test`
  const { cookie } = await call('/api/auth/sign-up', { body: { name: 'Amy', email, password } })
  return { email, cookie }
}

const signIn = (email: string, more: object = {}) => call('/api/auth/sign-in', { body: { email, password, ...more } })

/** The newest e-mail to an address with a subject, and the token of its link. */
async function messageTo(email: string, subject: string) {
  const text = await vi.waitFor(async () => {
    const [message] = await rows<{ text: string }>(
      'select text from outbox where "to" = $1 and subject = $2 order by created_at desc limit 1',
      [email, subject],
    )
    if (!message) throw new Error(`No e-mail "${subject}" to ${email} yet.`)
    return message.text
  }, 20_000)
  return { text, token: /token=(\w+)/.exec(text)?.[1] ?? '' }
}

test('the reference lists every account operation with its address', async () => {
  const { body } = await theApp().server.inject('/docs')
  const listed = [...body.matchAll(/<code>((?:GET|POST|DELETE) \/api\/auth\/[^<]+)<\/code>/g)].map(([, http]) => http)
  const defined = onSurface(operations, 'account').map(({ http }) => http)
  expect(listed.sort()).toEqual(defined.sort())
})

describe('a forgotten password', () => {
  test('is replaced with an e-mailed link, which ends every session', async () => {
    const { email, cookie } = await signedUp()
    expect(await call('/api/auth/password/reset', { body: { email } })).toMatchObject({
      status: 200,
      body: { success: true },
    })
    const { token, text } = await messageTo(email, 'Choose a new password')
    expect(text).toContain(`${theApp().services.installation.url}/reset?token=`)
    const fresh = { token, password: 'another horse' }
    expect((await call('/api/auth/password/reset/confirm', { body: fresh })).status).toBe(200)
    expect((await call('/api/auth/session', { cookie })).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, { password: 'another horse' })).status).toBe(200)
  })

  test('THR-09: an unknown address gets the same answer as a known one, and no e-mail', async () => {
    const email = `${newId()}@nobody.test`
    const { email: known } = await signedUp()
    const [unknown, other] = [
      await call('/api/auth/password/reset', { body: { email } }),
      await call('/api/auth/password/reset', { body: { email: known } }),
    ]
    expect(unknown).toEqual(other)
    await messageTo(known, 'Choose a new password') // by then the job of the first request has run too
    expect(await rows('select 1 from outbox where "to" = $1', [email])).toEqual([])
  })

  test('a link works once and for its purpose only; of ten requests at once one succeeds', async () => {
    const { email } = await signedUp()
    await call('/api/auth/password/reset', { body: { email } })
    const { token } = await messageTo(email, 'Choose a new password')
    expect((await call('/api/auth/email/confirm', { body: { token } })).status).toBe(400)
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        call('/api/auth/password/reset/confirm', { body: { token, password: `new horse ${n}` } }),
      ),
    )
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(all.find(({ status }) => status === 400)?.body.error).toMatchObject({
      details: [{ path: 'token', code: 'LINK' }],
    })
  })

  test('a link is dead when it is too old, or when a newer one was asked for', async () => {
    const { email } = await signedUp()
    await call('/api/auth/password/reset', { body: { email } })
    const first = await messageTo(email, 'Choose a new password')
    await rows('delete from outbox where "to" = $1', [email])
    await call('/api/auth/password/reset', { body: { email } })
    const second = await messageTo(email, 'Choose a new password')
    const use = (token: string) => call('/api/auth/password/reset/confirm', { body: { token, password: 'new horse' } })
    expect((await use(first.token)).status).toBe(400)
    await rows("update account_links set expires_at = now() - interval '1 second' where email = $1", [email])
    expect((await use(second.token)).status).toBe(400)
    expect((await signIn(email)).status).toBe(200)
  })

  test('THR-09: the e-mail goes to the address of the account, not to one that equals it in lower case only', async () => {
    const { email } = await signedUp()
    const lookalike = email.replace('i', 'I').replace('example', 'EXAMPLE')
    const name = `${newId()}-billing`
    await call('/api/auth/sign-up', { body: { name: 'Amy', email: `${name}@firm.test`, password } })
    // In lower case this is the address above, but it is another domain: the dotted capital I of Turkish.
    await call('/api/auth/password/reset', { body: { email: `${name}@f\u0130rm.test` } })
    await call('/api/auth/password/reset', { body: { email: lookalike } })
    await messageTo(email, 'Choose a new password') // by then the job of the first request has run too
    const to = await rows<{ to: string }>(`select "to" from outbox where "to" like $1 and subject like 'Choose%'`, [
      `${name}%`,
    ])
    expect(to.filter((each) => each.to !== `${name}@firm.test`)).toEqual([])
    const links = await rows<{ email: string }>('select email from account_links where email in ($1, $2)', [
      email,
      lookalike,
    ])
    expect(new Set(links.map((each) => each.email))).toEqual(new Set([email]))
  })

  test('THR-08: a reset of an account whose address was never confirmed revokes all other access to it', async () => {
    const { email, cookie } = await signedUp() // with somebody else's address
    const { id: userId } = (await call('/api/auth/session', { cookie })).body.user as { id: string }
    const key = { name: 'Books', scopes: ['*:*'], allOrgs: true }
    expect((await call('/api/api-keys', { cookie, body: key })).status).toBe(201)
    await rows(
      `insert into passkeys (id, user_id, name, public_key, counter, transports, backed_up)
       values ($1, $2, 'Telephone', '\\x00', 0, '{}', false)`,
      [newId(), userId],
    )
    await call('/api/auth/password/reset', { body: { email } })
    const { token } = await messageTo(email, 'Choose a new password')
    await call('/api/auth/password/reset/confirm', { body: { token, password: 'another horse' } })
    expect(await rows('select 1 from passkeys where user_id = $1', [userId])).toEqual([])
    expect(await rows('select 1 from api_keys where user_id = $1 and revoked_at is null', [userId])).toEqual([])
    const mine = (await signIn(email, { password: 'another horse' })).cookie
    expect((await call('/api/api-keys', { cookie: mine, body: key })).status).toBe(201)
    await rows('delete from outbox where "to" = $1', [email])
    await call('/api/auth/password/reset', { body: { email } })
    const again = await messageTo(email, 'Choose a new password')
    await call('/api/auth/password/reset/confirm', { body: { token: again.token, password } })
    expect(await rows('select 1 from api_keys where user_id = $1 and revoked_at is null', [userId])).toHaveLength(1)
  })

  test('SEC-1: the token of a link is stored nowhere; it is in the e-mail only', async () => {
    const { email } = await signedUp()
    await call('/api/auth/password/reset', { body: { email } })
    const { token } = await messageTo(email, 'Choose a new password')
    await vi.waitFor(async () => {
      const waiting = await rows(`select 1 from mail_deliveries where "to" = $1 and status = 'QUEUED'`, [email])
      expect(waiting).toEqual([])
    })
    const kept = await rows(
      `select 1 from account_links l where l::text like '%' || $1 || '%'
       union all select 1 from mail_deliveries d where d::text like '%' || $1 || '%' or d.letter is not null and d."to" = $2`,
      [token, email],
    )
    expect(kept).toEqual([])
  })
})

test('changing the password needs the old one, ends all other sessions and gives this one a new secret', async () => {
  const { email, cookie } = await signedUp()
  const elsewhere = (await signIn(email)).cookie
  const change = { currentPassword: 'wrong horse', password: 'another horse' }
  expect(await call('/api/auth/password', { cookie, body: change })).toMatchObject({
    status: 403,
    body: { error: { details: [{ code: 'WRONG_PASSWORD' }] } },
  })
  const changed = await call('/api/auth/password', { cookie, body: { ...change, currentPassword: password } })
  expect(changed.status).toBe(200)
  expect((await call('/api/auth/session', { cookie: elsewhere })).status).toBe(401)
  expect((await call('/api/auth/session', { cookie })).status).toBe(401)
  expect((await call('/api/auth/session', { cookie: changed.cookie })).status).toBe(200)
})

test('signing out everywhere ends every session', async () => {
  const { email, cookie } = await signedUp()
  const elsewhere = (await signIn(email)).cookie
  expect((await call('/api/auth/sign-out-everywhere', { cookie })).status).toBe(200)
  for (const each of [cookie, elsewhere]) expect((await call('/api/auth/session', { cookie: each })).status).toBe(401)
})

describe('an e-mail address', () => {
  test('is confirmed with the link sent at sign-up', async () => {
    const { email, cookie } = await signedUp()
    const { token } = await messageTo(email, 'Confirm your e-mail address')
    expect(await rows('select 1 from users where email = $1 and email_verified_at is null', [email])).toHaveLength(1)
    expect(await call('/api/auth/email/confirm', { cookie, body: { token } })).toMatchObject({
      status: 200,
      body: { email, ended: { everything: false } },
    })
    expect(await rows('select 1 from users where email = $1 and email_verified_at is not null', [email])).toHaveLength(
      1,
    )
    expect((await call('/api/auth/session', { cookie })).status).toBe(200)
    expect((await signIn(email)).status).toBe(200)
  })

  test('THR-08: confirmed outside a session ends what was set up before, and an e-mail tells what that was', async () => {
    const { email, cookie } = await signedUp()
    const key = { name: 'Books', scopes: ['*:*'], allOrgs: true }
    expect((await call('/api/api-keys', { cookie, body: key })).status).toBe(201)
    const { token } = await messageTo(email, 'Confirm your e-mail address')
    expect(await call('/api/auth/email/confirm', { body: { token } })).toMatchObject({
      status: 200,
      body: { email, ended: { everything: true, sessions: 1, apiKeys: 1, connectedApps: 0, password: true } },
    })
    expect((await call('/api/auth/session', { cookie })).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
    const { text } = await messageTo(email, 'Earlier access to your account was ended')
    expect(text).toContain('• Sessions: 1\n\n• The password\n\n• API keys: 1\n\nChoose a password:')
    expect(text).not.toContain('Connected apps')
    await call('/api/auth/password/reset', { body: { email } })
    const reset = await messageTo(email, 'Choose a new password')
    await call('/api/auth/password/reset/confirm', { body: { token: reset.token, password: 'another horse' } })
    expect((await signIn(email, { password: 'another horse' })).status).toBe(200)
  })

  test('is changed with the password and a link to the new address; the old address is notified', async () => {
    const { email, cookie } = await signedUp()
    const next = `${newId()}@example.test`
    expect((await call('/api/auth/email', { cookie, body: { email: next, password: 'wrong' } })).status).toBe(403)
    expect((await call('/api/auth/email', { cookie, body: { email: next, password } })).status).toBe(200)
    const { token } = await messageTo(next, 'Confirm your e-mail address')
    expect((await signIn(next)).status).toBe(401) // not yet
    expect((await call('/api/auth/email/confirm', { body: { token } })).status).toBe(403) // by somebody else
    expect((await call('/api/auth/email/confirm', { cookie, body: { token } })).status).toBe(200)
    expect((await signIn(next)).status).toBe(200)
    expect((await messageTo(email, 'Your e-mail address was changed')).text).toContain(next)
  })

  test('THR-09: is not changed by a link from before a change of the password', async () => {
    const { email, cookie } = await signedUp()
    const thief = `${newId()}@thief.test`
    await call('/api/auth/email', { cookie, body: { email: thief, password } })
    const { token } = await messageTo(thief, 'Confirm your e-mail address')
    const change = { currentPassword: password, password: 'another horse' }
    expect((await call('/api/auth/password', { cookie, body: change })).status).toBe(200)
    expect((await call('/api/auth/email/confirm', { body: { token } })).status).toBe(400)
    expect((await signIn(email, { password: 'another horse' })).status).toBe(200)
  })

  test('THR-09: after a change, links sent to the old address do not work', async () => {
    const { email, cookie } = await signedUp()
    const next = `${newId()}@example.test`
    await call('/api/auth/password/reset', { body: { email } })
    const old = await messageTo(email, 'Choose a new password')
    await call('/api/auth/email', { cookie, body: { email: next, password } })
    const { token } = await messageTo(next, 'Confirm your e-mail address')
    expect((await call('/api/auth/email/confirm', { cookie, body: { token } })).status).toBe(200)
    const reset = { token: old.token, password: 'stolen horse' }
    expect((await call('/api/auth/password/reset/confirm', { body: reset })).status).toBe(400)
  })

  test('of another account cannot be taken, and the request does not reveal that it exists', async () => {
    const [{ cookie }, { email: taken }] = [await signedUp(), await signedUp()]
    await messageTo(taken, 'Confirm your e-mail address') // that of the sign-up
    await rows('delete from outbox where "to" = $1', [taken])
    expect((await call('/api/auth/email', { cookie, body: { email: taken, password } })).status).toBe(200)
    const { token } = await messageTo(taken, 'Confirm your e-mail address')
    expect((await call('/api/auth/email/confirm', { cookie, body: { token } })).status).toBe(409)
    expect((await signIn(taken)).status).toBe(200)
  })
})

describe('an authenticator app', () => {
  const codeOf = (uri: string, stepsAhead = 0) => {
    const secret = new URL(uri).searchParams.get('secret') ?? ''
    return new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 })
  }

  async function withApp() {
    const { email, cookie: before } = await signedUp()
    const begun = await call('/api/auth/authenticator', { cookie: before, body: { password } })
    expect(begun.body).toMatchObject({
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Kontor:/),
      qr: expect.stringMatching(/^<svg/),
    })
    const { uri } = begun.body as { uri: string }
    const confirmed = await call('/api/auth/authenticator/confirm', { cookie: before, body: { code: codeOf(uri, -1) } })
    expect(confirmed.status).toBe(200)
    const { recoveryCodes } = confirmed.body as { recoveryCodes: string[] }
    return { email, cookie: confirmed.cookie, before, uri, recoveryCodes }
  }

  test('THR-10: makes the password alone insufficient, and no session exists before the code is right', async () => {
    const { email, uri, before } = await withApp()
    expect((await call('/api/auth/session', { cookie: before })).status).toBe(401) // a new secret (WEB-1)
    const half = await signIn(email)
    expect(half).toMatchObject({ status: 401, cookie: '', body: { error: { details: [{ code: 'SECOND_FACTOR' }] } } })
    expect((await signIn(email, { code: '000000' })).status).toBe(401)
    expect((await signIn(email, { code: codeOf(uri) })).status).toBe(200)
  })

  test('shows codes that work once, also for two requests at the same time', async () => {
    const { email, uri } = await withApp()
    const code = codeOf(uri)
    const both = await Promise.all([signIn(email, { code }), signIn(email, { code })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await signIn(email, { code })).status).toBe(401)
  })

  test('can be replaced by a recovery code, once, in any spelling', async () => {
    const { email, cookie, recoveryCodes } = await withApp()
    expect(recoveryCodes).toHaveLength(10)
    const code = recoveryCodes[0] ?? ''
    expect((await signIn(email, { code: code.toUpperCase().replaceAll('-', ' ') })).status).toBe(200)
    expect((await signIn(email, { code })).status).toBe(401)
    expect((await call('/api/auth/factors', { cookie })).body).toMatchObject({
      authenticator: { recoveryCodesLeft: 9 },
    })
    const renewed = await call('/api/auth/recovery-codes', { cookie, body: { password } })
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expect((await signIn(email, { code: recoveryCodes[1] })).status).toBe(401)
    expect((await signIn(email, { code: renewed.body.recoveryCodes[1] })).status).toBe(200)
  })

  test('is added and removed with the password only, so a stolen session cannot', async () => {
    const { email, cookie } = await withApp()
    for (const path of [
      '/api/auth/authenticator',
      '/api/auth/authenticator/remove',
      '/api/auth/recovery-codes',
      '/api/auth/passkeys/options',
    ]) {
      expect((await call(path, { cookie, body: { password: 'stolen?' } })).status).toBe(403)
    }
    const passkey = { id: 'AAAA', password: 'stolen?' }
    expect((await call('/api/auth/passkeys/remove', { cookie, body: passkey })).status).toBe(403)
    expect((await call('/api/auth/passkeys/remove', { cookie, body: { ...passkey, password } })).status).toBe(404)
    expect((await call('/api/auth/authenticator/remove', { cookie, body: { password } })).status).toBe(200)
    expect((await signIn(email)).status).toBe(200)
  })

  test('that was not confirmed is not asked for at sign-in', async () => {
    const { email, cookie } = await signedUp()
    await call('/api/auth/authenticator', { cookie, body: { password } })
    expect((await call('/api/auth/authenticator/confirm', { cookie, body: { code: '000000' } })).status).toBe(400)
    expect((await signIn(email)).status).toBe(200)
  })

  test('INV-20: its secret and the recovery codes are not stored in plain text', async () => {
    const { uri, recoveryCodes } = await withApp()
    const secret = new URL(uri).searchParams.get('secret') ?? ''
    const kept = await rows<{ all: string }>(
      `select string_agg(a::text, '') || (select string_agg(r::text, '') from recovery_codes r) as all from authenticators a`,
    )
    expect(kept[0]?.all).not.toContain(secret)
    for (const code of recoveryCodes) expect(kept[0]?.all).not.toContain(code)
  })

  test('codes are rate limited like passwords', async () => {
    const { cookie } = await signedUp()
    await call('/api/auth/authenticator', { cookie, body: { password } })
    const tries = await Promise.all(
      Array.from({ length: 1_200 }, () =>
        call('/api/auth/authenticator/confirm', { cookie, body: { code: '123456' } }),
      ),
    )
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  })

  test('INV-19: changes of an account are in the audit trail, without secrets', async () => {
    const { email, recoveryCodes } = await withApp()
    const [user] = await rows<{ id: string }>('select id from users where email = $1', [email])
    const trail = await rows<{ operation: string; all: string }>(
      'select operation, a::text as all from audit_log a where user_id = $1 order by created_at',
      [user?.id],
    )
    expect(trail.map(({ operation }) => operation)).toEqual(['auth.authenticator_added'])
    const [row] = await rows('select source, request_id, session_id from audit_log where user_id = $1', [user?.id])
    expect(row).toMatchObject({
      source: 'SESSION',
      requestId: expect.stringMatching(/./),
      sessionId: expect.any(String),
    })
    for (const { all } of trail) for (const code of recoveryCodes) expect(all).not.toContain(code)
  })
})

test('an unregistered passkey is refused, and a challenge works once', async () => {
  const { body: options } = await call('/api/auth/passkeys/sign-in/options')
  const { challenge } = options as { challenge: string }
  const clientDataJSON = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge, origin: 'http://localhost:3000' }),
  ).toString('base64url')
  const response = {
    id: 'AAAA',
    rawId: 'AAAA',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA' },
  }
  expect((await call('/api/auth/passkeys/sign-in', { body: { response } })).status).toBe(401)
  expect(await call('/api/auth/passkeys/sign-in', { body: { response } })).toMatchObject({
    status: 400,
    body: { error: { details: [{ code: 'PASSKEY' }] } },
  })
})

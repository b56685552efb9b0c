import '../own-world.ts'
import { TOTP } from 'otpauth'
import type pg from 'pg'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '../../core/values/id.ts'
import type { Purpose } from '../../features/company/people/account-link.ts'
import { emailOf, linkFor, newAuthenticator, personWithPassword } from '../accounts.ts'
import { queryAsSuperuser } from '../database.ts'
import { listening, TestApp } from '../oauth-client.ts'
import { member, type Reply, Someone, send, theApp, theDatabase } from '../world.ts'

/** Attacks on accounts: an attacker makes the account first, keeps access beyond its end, or lets others confirm an address. */

const server = listening()

const password = 'correct horse' // of the attacker
const key = { name: 'Books', scopes: ['*:*'], allOrgs: true }

const rows = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await theApp().system.raw.query(text, values)).rows as T[]

const post = (path: string, body: object, someone?: Someone) =>
  send({ method: 'POST', url: path, body, headers: { ...(someone?.credentials as Record<string, string>) } })

const cookieOf = (reply: Reply) => [reply.headers['set-cookie'] ?? []].flat().map(String)[0]?.split(';', 1)[0] ?? ''

async function signIn(email: string, secret: string): Promise<Someone | number> {
  const reply = await post('/api/auth/sign-in', { email, password: secret })
  if (reply.status !== 200) return reply.status
  return new Someone((reply.body as { user: { id: string } }).user.id, { cookie: cookieOf(reply) })
}

const signedIn = async (email: string, secret: string): Promise<Someone> => {
  const someone = await signIn(email, secret)
  if (typeof someone === 'number') throw new Error(`Signing in was refused: ${someone}`)
  return someone
}

const statusOf = async (someone: Someone) =>
  (await send({ method: 'GET', url: '/api/users/me', headers: { ...(someone.credentials as object) } })).status

/** An account that an attacker made with the address of somebody else, with every kind of access to it. */
async function preparedAccount() {
  const session = await personWithPassword()
  const { secret } = await session.call('api_keys_create', key)
  const keyed = new Someone(session.userId, { authorization: `Bearer ${secret}` })
  const { id: organizationId } = await session.call('organizations_create', { name: 'Trap', country: 'SG' })
  const here = new Someone(session.userId, session.credentials, organizationId)
  const app = await TestApp.registered(server.url)
  const tokens = await app.connected(here, { scope: 'users:read' })
  const connected = new Someone(session.userId, { authorization: `Bearer ${tokens.access_token}` })
  const { challenge } = await session.call('auth_passkey_options', { password })
  const passkey = newAuthenticator()
  await session.call('auth_passkey_add', { name: 'Telephone', response: passkey.register(challenge) })
  const invited = await here.call('users_invitations_post', {
    id: organizationId,
    email: `${newId()}@thief.test`,
    role: 'OWNER',
  })
  await here.call('automations_create', {
    organizationId,
    name: 'Copy',
    blocks: [{ id: 't', kind: 'TRIGGER', ref: 'invoice.created', config: {}, position: {} }],
    edges: [],
  })
  const [automation] = (await here.call('automations_list', { organizationId })).automations
  await here.call('automations_enable', { id: automation?.id ?? '' })
  const { uri } = await session.call('auth_authenticator', { password })
  const code = new TOTP({ secret: new URL(uri).searchParams.get('secret') ?? '' }).generate()
  const confirmed = await post('/api/auth/authenticator/confirm', { code }, session)
  expect(confirmed.status).toBe(200)
  const current = new Someone(session.userId, { cookie: cookieOf(confirmed) }, organizationId)
  return {
    session: current,
    keyed,
    connected,
    tokens,
    app,
    passkey,
    invitation: invited.token ?? '',
    email: emailOf(session),
    organizationId,
  }
}
type Prepared = Awaited<ReturnType<typeof preparedAccount>>

/** The same request to the app on the port, which the tokens of apps are for. */
const tokenStatus = async ({ connected }: Prepared) =>
  (await fetch(`${server.url}/api/users/me`, { headers: { ...(connected.credentials as Record<string, string>) } }))
    .status

async function passkeyStatus({ passkey }: Prepared) {
  const { body } = await post('/api/auth/passkeys/sign-in/options', {})
  const response = passkey.signIn((body as { challenge: string }).challenge)
  return (await post('/api/auth/passkeys/sign-in', { response })).status
}

async function expectAccess(account: Prepared) {
  expect(await statusOf(account.session)).toBe(200)
  expect(await statusOf(account.keyed)).toBe(200)
  expect(await tokenStatus(account)).toBe(200)
  expect(await passkeyStatus(account)).toBe(200)
}

async function expectNoAccess(account: Prepared) {
  expect(await statusOf(account.session)).toBe(401)
  expect(await statusOf(account.keyed)).toBe(401)
  expect(await tokenStatus(account)).toBe(401)
  expect((await account.app.refresh(account.tokens.refresh_token)).status).toBe(400)
  expect(await passkeyStatus(account)).toBe(401)
  expect(await signIn(account.email, password)).toBe(401)
}

const confirm = (token: string, someone?: Someone) => post('/api/auth/email/confirm', { token }, someone)
const reset = (token: string, secret: string) => post('/api/auth/password/reset/confirm', { token, password: secret })

/** The owner of the address chooses a password with a link from their mailbox, and signs in. */
async function takeOver(account: Prepared, secret = 'my own horse') {
  const reply = await reset(await linkFor(account.session, 'RESET_PASSWORD'), secret)
  expect(reply.status).toBe(200)
  return { reply, owner: await signedIn(account.email, secret) }
}

/** Joins a new company by invitation, as the owner of the address. */
async function joinCompany(owner: Someone, email: string) {
  const boss = await member('OWNER')
  const { token = '' } = await boss.call('users_invitations_post', {
    id: boss.organizationId ?? '',
    email,
    role: 'MANAGER',
  })
  await owner.call('users_invitation_accept', { token })
  return boss.organizationId ?? ''
}

const customersWith = (someone: Someone, organizationId: string) =>
  send({
    method: 'GET',
    url: `/api/customers?organizationId=${organizationId}`,
    headers: { ...(someone.credentials as Record<string, string>) },
  })

const endedEverything = {
  everything: true, sessions: 2, apiKeys: 1, connectedApps: 1, passkeys: 1, secondFactor: true, password: true,
  invitations: 1, automations: 1, organizations: 1,
} // biome-ignore format: a list of words

describe('THR-08: an account that an attacker made with the address of a victim', () => {
  test('gives no access any more once the victim confirms the address by mail, and none to the company they join', async () => {
    const account = await preparedAccount()
    await expectAccess(account)
    const confirmed = await confirm(await linkFor(account.session, 'VERIFY_EMAIL'))
    expect(confirmed).toMatchObject({ status: 200, body: { email: account.email, ended: endedEverything } })
    await expectNoAccess(account)
    const { owner } = await takeOver(account) // without a code: the authenticator app of the attacker is gone
    const organizationId = await joinCompany(owner, account.email)
    expect((await customersWith(owner, organizationId)).status).toBe(200)
    expect((await customersWith(account.keyed, organizationId)).status).toBe(401)
    await expectNoAccess(account)
  })

  test('gives no access any more once the victim resets the password instead', async () => {
    const account = await preparedAccount()
    await expectAccess(account)
    const { reply, owner } = await takeOver(account)
    expect(reply.body).toMatchObject({ success: true, ended: { ...endedEverything, password: false } })
    await expectNoAccess(account)
    const organizationId = await joinCompany(owner, account.email)
    expect((await customersWith(account.keyed, organizationId)).status).toBe(401)
  })

  test('whose address a company has invited gives no access to the company', async () => {
    const boss = await member('OWNER')
    const account = await preparedAccount()
    const invited = { id: boss.organizationId ?? '', email: account.email, role: 'MANAGER' } as const
    const { token = '' } = await boss.call('users_invitations_post', invited)
    await expectAccess(account)
    const { owner } = await takeOver(account)
    await owner.call('users_invitation_accept', { token })
    expect((await customersWith(owner, boss.organizationId ?? '')).status).toBe(200)
    await expectNoAccess(account)
  })

  test('leaves no invitation and no automation that the attacker prepared in its name', async () => {
    const account = await preparedAccount()
    const waiting = async () => ({
      invitations: await rows('select 1 from invitations where invited_by = $1', [account.session.userId]),
      automations: await rows<{ status: string }>('select status from automations where owner_user_id = $1', [
        account.session.userId,
      ]),
    })
    expect(await waiting()).toMatchObject({ invitations: [{}], automations: [{ status: 'ENABLED' }] })
    await confirm(await linkFor(account.session, 'VERIFY_EMAIL'))
    expect(await waiting()).toEqual({ invitations: [], automations: [{ status: 'PAUSED_NO_ACCESS' }] })
  })

  test('leaves no right to an automation that the attacker saved in a session, whoever starts it', async () => {
    const attacker = await member('OWNER')
    const account = await member('OWNER')
    const organizationId = account.organizationId ?? ''
    const { token } = await account.call('users_invitations_post', {
      id: organizationId,
      email: emailOf(attacker),
      role: 'MANAGER',
    })
    await attacker.call('users_invitation_accept', { token: token ?? '' })
    const accomplice = new Someone(attacker.userId, attacker.credentials, organizationId)
    const automation = await account.call('automations_create', {
      organizationId,
      name: 'Read the customers',
      blocks: [
        { id: 't', kind: 'TRIGGER', ref: 'invoice.created', config: {}, position: {} },
        { id: 'a', kind: 'ACTION', ref: 'customers_list', config: { input: { organizationId } }, position: {} },
      ],
      edges: [{ id: 'e', fromBlockId: 't', toBlockId: 'a', cond: null, mode: 'ONCE', order: 0 }],
    })
    const tried = () => accomplice.call('automations_test', { id: automation.id })
    expect(await tried()).toMatchObject({ status: 'SUCCEEDED' })
    await rows('update users set email_verified_at = null where id = $1', [account.userId])
    expect((await confirm(await linkFor(account, 'VERIFY_EMAIL'))).status).toBe(200)
    expect(await tried()).toMatchObject({ status: 'FAILED' })
  })

  test('INV-19: everything that was ended has its audit row, with the request that ended it', async () => {
    const account = await preparedAccount()
    const requestId = newId()
    const token = await linkFor(account.session, 'VERIFY_EMAIL')
    const headers = { 'x-request-id': requestId }
    expect((await send({ method: 'POST', url: '/api/auth/email/confirm', body: { token }, headers })).status).toBe(200)
    const audit = await rows<{ operation: string }>(
      'select operation, user_id, source, detail from audit_log where request_id = $1 order by operation',
      [requestId],
    )
    expect(audit.map(({ operation }) => operation)).toEqual([
      'api_keys_revoke',
      'auth.authenticator_removed',
      'auth.email_verified',
      'auth.passkey_removed',
      'automation.paused',
      'users_connected_app_revoke',
      'users_invitation_delete',
    ])
    for (const row of audit) expect(row).toMatchObject({ user_id: account.session.userId, source: 'LINK' })
    const revoked = await rows('select revoked_at from api_keys where user_id = $1 and revoked_at is not null', [
      account.session.userId,
    ])
    expect(revoked).toHaveLength(1)
  })
})

describe('a person who confirms their own address', () => {
  test('in a session of the account keeps everything', async () => {
    const account = await preparedAccount()
    const confirmed = await confirm(await linkFor(account.session, 'VERIFY_EMAIL'), account.session)
    expect(confirmed).toMatchObject({ status: 200, body: { ended: { everything: false, sessions: 0, apiKeys: 0 } } })
    await expectAccess(account)
  })

  test('in a session of another account loses access like without one', async () => {
    const [account, other] = [await preparedAccount(), await personWithPassword()]
    await expectAccess(account)
    const confirmed = await confirm(await linkFor(account.session, 'VERIFY_EMAIL'), other)
    expect(confirmed).toMatchObject({ status: 200, body: { ended: endedEverything } })
    await expectNoAccess(account)
    expect(await statusOf(other)).toBe(200)
  })

  test('keeps keys, apps and passkeys at a later reset, which ends the sessions', async () => {
    const account = await preparedAccount()
    await expectAccess(account)
    await confirm(await linkFor(account.session, 'VERIFY_EMAIL'), account.session)
    const reply = await reset(await linkFor(account.session, 'RESET_PASSWORD'), 'my own horse')
    expect(reply).toMatchObject({ status: 200, body: { ended: { everything: false, sessions: 2, apiKeys: 0 } } })
    expect(await statusOf(account.session)).toBe(401)
    expect(await statusOf(account.keyed)).toBe(200)
    expect(await tokenStatus(account)).toBe(200)
    expect(await passkeyStatus(account)).toBe(200)
  })

  test('with an old link after the address was proven otherwise loses nothing', async () => {
    const account = await preparedAccount()
    const token = await linkFor(account.session, 'VERIFY_EMAIL')
    await rows('update users set email_verified_at = now() where id = $1', [account.session.userId])
    expect(await confirm(token)).toMatchObject({ status: 200, body: { ended: { everything: false } } })
    await expectAccess(account)
  })
})

describe('a change of the address', () => {
  test('THR-08: is not confirmed by somebody who is not signed in to the account; the link stays valid', async () => {
    const account = await preparedAccount()
    const victim = `${newId()}@victim.test`
    const token = await linkFor(account.session, 'CHANGE_EMAIL', victim)
    const [nobody, another] = [await confirm(token), await confirm(token, await personWithPassword())]
    for (const refused of [nobody, another])
      expect(refused).toMatchObject({ status: 403, body: { error: { details: [{ code: 'SESSION_NEEDED' }] } } })
    expect(await rows('select 1 from users where email = $1', [victim])).toEqual([])
    await expectAccess(account)
    expect(await confirm(token, account.session)).toMatchObject({ status: 200, body: { email: victim } })
    await expectAccess(account)
  })
})

describe('INV-21: a request that is being executed while access ends', () => {
  let raw: pg.Pool
  beforeAll(() => {
    raw = theApp().system.raw
  })

  /** Starts a call while the account is locked, does the work under the lock, and returns the answer of the call. */
  async function during(userId: string, call: () => Promise<Reply>, work: (client: pg.PoolClient) => Promise<unknown>) {
    const client = await raw.connect()
    onTestFinished(() => client.release())
    await client.query('begin')
    await client.query('update users set updated_at = now() where id = $1', [userId])
    let answer: Reply | undefined
    const calling = call().then((reply) => {
      answer = reply
      return reply
    })
    // Until the call waits for the lock, or is answered without it.
    await vi.waitFor(async () => {
      const waiting = await queryAsSuperuser(
        theDatabase(),
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      if (waiting.length === 0 && !answer) throw new Error('The call is on its way.')
    }, 5_000)
    await work(client)
    await client.query('commit')
    return calling
  }

  const newPassword = async (client: pg.PoolClient, userId: string) => {
    await client.query(`update users set password_hash = 'another' where id = $1`, [userId])
    await client.query('delete from sessions where user_id = $1', [userId])
  }
  const nothing = async () => {}

  const calls: [string, (amy: Someone) => Promise<() => Promise<Reply>>, number][] = [
    ['a sign-in', async (amy) => () => post('/api/auth/sign-in', { email: emailOf(amy), password }), 200],
    [
      'a change of the password',
      async (amy) => () => post('/api/auth/password', { currentPassword: password, password: 'stolen horse' }, amy),
      200,
    ],
    ['a new API key', async (amy) => () => post('/api/api-keys', key, amy), 201],
    [
      'a change of the address',
      async (amy) => () => post('/api/auth/email', { email: `${newId()}@example.test`, password }, amy),
      200,
    ],
    [
      'a new passkey',
      async (amy) => {
        const { challenge } = await amy.call('auth_passkey_options', { password })
        const response = newAuthenticator().register(challenge)
        return () => post('/api/auth/passkeys', { name: 'Telephone', response }, amy)
      },
      201,
    ],
    ['new recovery codes', async (amy) => () => post('/api/auth/recovery-codes', { password }, amy), 200],
  ]

  test.each(calls)('%s is refused, and succeeds if nothing ends', async (_, prepare, status) => {
    const [amy, bob] = [await personWithPassword(), await personWithPassword()]
    expect((await during(bob.userId, await prepare(bob), nothing)).status).toBe(status)
    const call = await prepare(amy)
    expect((await during(amy.userId, call, (client) => newPassword(client, amy.userId))).status).toBe(401)
    for (const table of ['sessions', 'api_keys', 'passkeys', 'recovery_codes'])
      expect(await rows(`select 1 from ${table} where user_id = $1`, [amy.userId])).toEqual([])
  })

  test('a sign-in with a passkey that is removed meanwhile is refused', async () => {
    const amy = await personWithPassword()
    const { challenge } = await amy.call('auth_passkey_options', { password })
    const passkey = newAuthenticator()
    await amy.call('auth_passkey_add', { name: 'Telephone', response: passkey.register(challenge) })
    const signInWithIt = async () => {
      const { body } = await post('/api/auth/passkeys/sign-in/options', {})
      const response = passkey.signIn((body as { challenge: string }).challenge)
      return post('/api/auth/passkeys/sign-in', { response })
    }
    expect((await during(amy.userId, signInWithIt, nothing)).status).toBe(200)
    const remove = (client: pg.PoolClient) => client.query('delete from passkeys where user_id = $1', [amy.userId])
    expect((await during(amy.userId, signInWithIt, remove)).status).toBe(401)
  })

  test('a consent to an app is refused', async () => {
    const amy = await member('OWNER')
    const app = await TestApp.registered(server.url)
    expect((await app.connected(amy)).status).toBe(200)
    const connecting = () =>
      app.code(amy).then(
        () => ({ status: 200, body: {}, headers: {} }),
        (error) => ({ status: /refused: 401/.test(String(error)) ? 401 : 500, body: {}, headers: {} }),
      )
    expect((await during(amy.userId, connecting, (client) => newPassword(client, amy.userId))).status).toBe(401)
  })

  test('twenty keys requested at the time of a confirmation do not survive it', async () => {
    const amy = await personWithPassword()
    const token = await linkFor(amy, 'VERIFY_EMAIL' satisfies Purpose)
    const keys = Array.from({ length: 20 }, () => post('/api/api-keys', key, amy))
    const [confirmed, ...made] = await Promise.all([confirm(token), ...keys])
    expect(confirmed?.status).toBe(200)
    expect(new Set(made.map(({ status }) => status))).toEqual(
      new Set([401].concat(made.some(({ status }) => status === 201) ? [201] : [])),
    )
    expect(await rows('select 1 from api_keys where user_id = $1 and revoked_at is null', [amy.userId])).toEqual([])
  })
})

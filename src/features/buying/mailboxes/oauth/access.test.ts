import { beforeAll, expect, test } from 'vitest'
import { job } from '../../../../core/define/job.ts'
import { Type } from '../../../../core/define/schema.ts'
import { type MailOAuth, MailOAuthFailure } from '../../../../core/outside/mail-oauth.ts'
import { MailboxFailure } from '../../../../core/outside/mailbox.ts'
import { doJob } from '../../../../test/job.ts'
import { connectMailbox } from '../../../../test/mailboxes/connect-mailbox.ts'
import { listening } from '../../../../test/oauth-client.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { connectionById } from '../connection.ts'
import { accessFor, type OAuthAccess, type OAuthConnection } from './access.ts'

const api = listening()

/** A person with a connected mailbox whose access token ends in this many minutes. */
async function connected(minutes: number) {
  const amy = await member('CONTRIBUTOR')
  await connectMailbox(api.url, amy)
  const { id } = await rowOf(amy)
  const connection: OAuthConnection = { id, organizationId: amy.organizationId ?? '', provider: 'GMAIL' }
  await set(connection, `token_expires_at = now() + interval '${minutes} minutes'`)
  return { amy, connection }
}

const rowOf = ({ organizationId = '' }: Pick<Someone, 'organizationId'>) =>
  theApp().system.use((db) =>
    db.selectFrom('mailConnections').selectAll().where('organizationId', '=', organizationId).executeTakeFirstOrThrow(),
  )

const set = ({ id }: OAuthConnection, columns: string) =>
  theApp().system.raw.query(`update mail_connections set ${columns} where id = '${id}'`)

let simulated: MailOAuth
beforeAll(() => {
  simulated = api.app().providers.mailOAuth
})

/** Counts the refreshes, and may do something in the middle of one. */
function counted(during: () => Promise<unknown> = async () => {}) {
  const calls: string[] = []
  const refresh: MailOAuth['refresh'] = async (provider, given) => {
    calls.push(given.refreshToken.reveal())
    const tokens = await simulated.refresh(provider, given)
    await during()
    return tokens
  }
  return { calls, mailOAuth: { ...simulated, refresh } }
}

/** Asks for access as a job of the organization does. */
async function ask(connection: OAuthConnection, mailOAuth: MailOAuth = simulated): Promise<OAuthAccess> {
  const outcomes: ({ access: OAuthAccess } | { error: unknown })[] = []
  const opening = job('open-mailbox', Type.Object({}), async (context) => {
    const asked = accessFor(context, connection)
    outcomes.push(
      await asked.then(
        (access) => ({ access }),
        (error: unknown) => ({ error }),
      ),
    )
  })
  const providers = { ...theApp().providers, mailOAuth }
  await doJob(opening, {}, { flags: { [`organization:${connection.organizationId}`]: true }, providers })
  const [outcome] = outcomes
  if (!outcome) throw new Error('The job did not run.')
  if ('error' in outcome) throw outcome.error
  return outcome.access
}

test('a token that is good for more than two minutes is used as it is', async () => {
  const { connection } = await connected(3)
  const { calls, mailOAuth } = counted()
  const first = await ask(connection, mailOAuth)
  expect(first).toMatchObject({ host: 'mailbox.simulator.localhost', tls: false, withoutTls: true })
  expect(await ask(connection, mailOAuth)).toEqual(first)
  expect(calls).toEqual([])
})

test('a token that ends within two minutes is refreshed, and the rotated refresh token is used the next time', async () => {
  const { amy, connection } = await connected(1)
  const { calls, mailOAuth } = counted()
  const first = await ask(connection, mailOAuth)
  expect(await ask(connection, mailOAuth)).toEqual(first)
  expect(calls).toHaveLength(1)
  expect(Date.parse(String((await rowOf(amy)).tokenExpiresAt))).toBeGreaterThan(Date.now() + 50 * 60_000)
  await set(connection, "token_expires_at = now() - interval '1 day'")
  const second = await ask(connection, mailOAuth)
  expect(second.login.accessToken).not.toBe(first.login.accessToken)
  expect(new Set(calls).size).toBe(2)
})

test('of several jobs that need a token at once, one refreshes it and the others use what it got', async () => {
  const { connection } = await connected(-5)
  const { calls, mailOAuth } = counted(() => new Promise((resolve) => setTimeout(resolve, 300)))
  const all = await Promise.all(Array.from({ length: 4 }, () => ask(connection, mailOAuth)))
  expect(new Set(all.map(({ login }) => login.accessToken)).size).toBe(1)
  expect(calls).toHaveLength(1)
  await set(connection, "token_expires_at = now() - interval '1 day'")
  expect((await ask(connection, mailOAuth)).login.accessToken).toBeTruthy() // no rotated token was lost
})

test('a job that died while it refreshed holds the others up only until its lease ends', async () => {
  const { connection } = await connected(-5)
  await set(connection, "refreshing_until = now() + interval '1500 milliseconds'")
  const began = performance.now()
  const { calls, mailOAuth } = counted()
  await ask(connection, mailOAuth)
  expect(performance.now() - began).toBeGreaterThan(1_000)
  expect(calls).toHaveLength(1)
})

test('a mailbox whose access was revoked at the provider needs a person', async () => {
  const { connection } = await connected(-5)
  const { calls, mailOAuth } = counted()
  await ask(connection, mailOAuth)
  const { login } = await ask(connection, mailOAuth)
  await fetch(`${api.url}/simulator/mail/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: login.accessToken }),
  })
  await set(connection, "token_expires_at = now() - interval '1 day'")
  const failed = await ask(connection, mailOAuth).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(MailboxFailure)
  expect(failed).toMatchObject({
    trouble: 'LOGIN',
    needsPerson: true,
    message: expect.stringContaining('Connect it again'),
  })
  expect(calls).toHaveLength(2)
})

test('a provider that cannot be reached is tried again later, at once if it can be', async () => {
  const { connection } = await connected(-5)
  const refresh = () => Promise.reject(new MailOAuthFailure('Google cannot be reached now.', { isTransient: true }))
  await expect(ask(connection, { ...simulated, refresh })).rejects.toMatchObject({
    trouble: 'UNAVAILABLE',
    needsPerson: false,
  })
  const began = performance.now()
  expect((await ask(connection)).login.accessToken).toBeTruthy()
  expect(performance.now() - began).toBeLessThan(10_000)
})

test('a mailbox that is connected again during a refresh keeps the new tokens', async () => {
  const { amy, connection } = await connected(-5)
  let after: Awaited<ReturnType<typeof rowOf>> | undefined
  const { calls, mailOAuth } = counted(async () => {
    if (after) return
    await connectMailbox(api.url, amy)
    after = await rowOf(amy)
  })
  await ask(connection, mailOAuth)
  expect(calls).toHaveLength(1)
  expect((await rowOf(amy)).tokens?.equals(after?.tokens ?? Buffer.of())).toBe(true)
})

test('THR-19: tokens are used for the account that they were given for and for no other', async () => {
  const { amy, connection } = await connected(30)
  expect((await ask(connection)).login.accessToken).toBeTruthy()
  const manager = await member('MANAGER', { of: amy })
  const { organizationId } = connection
  await manager.call('integrations_email_settings_put', {
    id: connection.id,
    organizationId,
    username: 'eve@evil.example',
  })
  await expect(ask(connection)).rejects.toMatchObject({ trouble: 'LOGIN' })
  const left = await theApp().system.use((db) => connectionById(db, connection.id).executeTakeFirst())
  expect(left).toMatchObject({ tokenExpiresAt: null })
})

import '../../../../test/own-world.ts'
import { expect, test } from 'vitest'
import { newId } from '../../../../core/values/id.ts'
import { createApp } from '../../../../program/app.ts'
import { doJob } from '../../../../test/job.ts'
import { answerProvider, beginConnect } from '../../../../test/mailboxes/connect-mailbox.ts'
import { Browser, listening } from '../../../../test/oauth-client.ts'
import { member, person, Someone, testConfig, theApp, theDatabase } from '../../../../test/world.ts'
import { prune } from '../../../../worker/prune.ts'
import { startSession } from '../../../company/people/session.ts'

const api = listening()
type Provider = 'gmail' | 'outlook'

const begin = (amy: Someone, provider?: Provider, more?: object) => beginConnect(api.url, amy, provider, more)
const answer = answerProvider

/** Opens an address as a browser that is sent there by the provider. */
async function follow(amy: Someone, url: URL | string, headers: Record<string, string> = {}) {
  const reply = await new Browser(amy).open(url, { headers: { 'sec-fetch-site': 'cross-site', ...headers } })
  return { status: reply.status, text: await reply.text(), headers: reply.headers }
}

const connectionsOf = ({ organizationId = '' }: Someone) =>
  theApp().system.use((db) =>
    db.selectFrom('mailConnections').selectAll().where('organizationId', '=', organizationId).execute(),
  )

/** Everything that was sent to the token endpoint of the simulator, as its answers show. */
async function counting<T>(work: () => Promise<T>): Promise<{ redeemed: number; result: T }> {
  const { mailOAuth } = api.app().providers
  const redeem = mailOAuth.redeem
  let redeemed = 0
  mailOAuth.redeem = (...given) => {
    redeemed += 1
    return redeem(...given)
  }
  try {
    return { result: await work(), redeemed }
  } finally {
    mailOAuth.redeem = redeem
  }
}

test.for(['gmail', 'outlook'] as const)('a person connects %s: they allow access and come back', async (provider) => {
  const amy = await member('CONTRIBUTOR')
  const { authorizeUrl, state } = await begin(amy, provider)
  const asked = new URL(authorizeUrl)
  expect(asked.searchParams.get('state')).toBe(state)
  expect(asked.searchParams.get('redirect_uri')).toBe(`${api.url}/api/expenses/email-connect/${provider}/callback`)
  expect(asked.searchParams.get('code_challenge_method')).toBe('S256')
  const page = await follow(amy, await answer(amy, authorizeUrl))
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('The mailbox is connected') })
  const [connection, ...others] = await connectionsOf(amy)
  expect(others).toEqual([])
  expect(connection).toMatchObject({
    provider: provider.toUpperCase(),
    name: provider === 'gmail' ? 'Gmail' : 'Outlook',
    username: expect.stringContaining('@'),
    enabled: true,
    createdBy: amy.userId,
  })
  expect(page.text).toContain(connection?.username)
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  const left = Date.parse(String(connection?.tokenExpiresAt)) - Date.now()
  expect(left).toBeGreaterThan(50 * 60_000)
  const audit = await theApp().system.use((db) =>
    db
      .selectFrom('auditLog')
      .selectAll()
      .where('operation', '=', 'integrations_email_connected')
      .where('organizationId', '=', amy.organizationId ?? '')
      .execute(),
  )
  expect(audit).toMatchObject([{ userId: amy.userId, source: 'SESSION', objectId: connection?.id }])
})

test('the page is in the language of the browser', async () => {
  const amy = await member('CONTRIBUTOR')
  const back = await answer(amy, (await begin(amy)).authorizeUrl)
  const page = await follow(amy, back, { 'accept-language': 'he' })
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('dir="rtl"') })
  expect(page.text).toContain('תיבת הדואר מחוברת')
})

test('connecting the same mailbox again renews its connection, and it needs no attention any more', async () => {
  const amy = await member('CONTRIBUTOR')
  await follow(amy, await answer(amy, (await begin(amy, 'gmail', { name: 'Receipts' })).authorizeUrl))
  const [before] = await connectionsOf(amy)
  await theApp().system.use((db) =>
    db
      .updateTable('mailConnections')
      .set({ attention: 'Connect it again.', failures: 3, retryAt: '2031-01-01T00:00:00Z' })
      .where('id', '=', before?.id ?? '')
      .execute(),
  )
  const page = await follow(amy, await answer(amy, (await begin(amy)).authorizeUrl))
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Receipts') })
  const [after, ...others] = await connectionsOf(amy)
  expect(others).toEqual([])
  expect(after).toMatchObject({ id: before?.id, name: 'Receipts', attention: null, failures: 0, retryAt: null })
  expect(after?.tokens?.equals(before?.tokens ?? Buffer.of())).toBe(false)
  await follow(amy, await answer(amy, (await begin(amy, 'outlook')).authorizeUrl))
  expect(await connectionsOf(amy)).toHaveLength(2) // the same address at another provider is another mailbox
})

test('a person who denies access gets a page that says so, and nothing is connected', async () => {
  const amy = await member('CONTRIBUTOR')
  const back = await answer(amy, (await begin(amy)).authorizeUrl, 'deny')
  expect(back.searchParams.get('error')).toBe('access_denied')
  const { result, redeemed } = await counting(() => follow(amy, back))
  expect(result).toMatchObject({ status: 400, text: expect.stringContaining('Access was denied at the provider.') })
  expect(redeemed).toBe(0)
  expect(await connectionsOf(amy)).toEqual([])
  expect((await follow(amy, back)).text).toContain('was used before')
})

/** Another session of the same person. */
const otherSession = (amy: Someone) =>
  theApp().system.use(async (db) => {
    const { secret } = await startSession(db, {
      userId: amy.userId,
      remember: false,
      address: '127.0.0.1',
      userAgent: 'test',
    })
    return new Someone(amy.userId, { cookie: `sid=${secret}` }, amy.organizationId)
  })

type Attack = [string, number, (amy: Someone, back: URL) => Promise<{ who: Someone; url: URL }>]

/** The same address with other parameters. */
function changed(url: URL, change: (address: URL) => void) {
  const copy = new URL(url)
  change(copy)
  return copy
}

test.for<Attack>([
  ['another person of the organization', 400, async (amy, url) => ({ who: await member('OWNER', { of: amy }), url })],
  ['a person of another organization', 403, async (_, url) => ({ who: await member('OWNER'), url })],
  ['another session of the same person', 400, async (amy, url) => ({ who: await otherSession(amy), url })],
  ['a person who is not signed in', 401, async (_, url) => ({ who: new Someone('', {}), url })],
  ['another provider', 400, async (amy, url) => ({ who: amy, url: changed(url, (address) => { address.pathname = address.pathname.replace('gmail', 'outlook') }) })],
  ['a signature that was altered', 400, async (amy, url) => ({ who: amy, url: changed(url, ({ searchParams }) => searchParams.set('state', `${searchParams.get('state')?.slice(0, -2)}xx`)) })],
  ['no state', 403, async (amy, url) => ({ who: amy, url: changed(url, ({ searchParams }) => searchParams.delete('state')) })],
  ['two states', 400, async (amy, url) => ({ who: amy, url: changed(url, ({ searchParams }) => searchParams.append('state', 'x')) })],
  ['the issuer of another provider', 400, async (amy, url) => ({ who: amy, url: changed(url, ({ searchParams }) => searchParams.set('iss', 'https://accounts.google.com')) })],
])('THR-21: %s does not connect the mailbox, and no code is redeemed', async ([, status, attack]) => {
  const valid = await member('CONTRIBUTOR')
  expect((await follow(valid, await answer(valid, (await begin(valid)).authorizeUrl))).status).toBe(200)
  const amy = await member('CONTRIBUTOR')
  const back = await answer(amy, (await begin(amy)).authorizeUrl)
  const { who, url } = await attack(amy, back)
  const { result, redeemed } = await counting(() => follow(who, url))
  expect(result).toMatchObject({ status, text: expect.stringContaining('The mailbox was not connected') })
  expect(redeemed).toBe(0)
  expect(await connectionsOf(amy)).toEqual([])
  if (who.organizationId) expect(await connectionsOf(who)).toEqual([])
}) // biome-ignore format: a case a line

test('THR-21: a person whose role became too low while they were away connects nothing', async () => {
  const amy = await member('CONTRIBUTOR')
  const back = await answer(amy, (await begin(amy)).authorizeUrl)
  await theApp().system.use((db) =>
    db.updateTable('memberships').set({ role: 'VIEWER' }).where('userId', '=', amy.userId).execute(),
  )
  const { result, redeemed } = await counting(() => follow(amy, back))
  expect(result).toMatchObject({ status: 403, text: expect.stringContaining('You may not connect mailboxes') })
  expect(redeemed).toBe(0)
})

test('THR-21: an answer of the provider works once', async () => {
  const amy = await member('CONTRIBUTOR')
  const back = await answer(amy, (await begin(amy)).authorizeUrl)
  expect((await follow(amy, back)).status).toBe(200)
  const { result, redeemed } = await counting(() => follow(amy, back))
  expect(result).toMatchObject({ status: 400, text: expect.stringContaining('was used before') })
  expect(redeemed).toBe(0)
  const again = await begin(amy)
  const twice = await answer(amy, again.authorizeUrl)
  const both = await Promise.all([follow(amy, twice), follow(amy, twice)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('THR-21: a request expires after ten minutes, and is pruned then', async () => {
  const amy = await member('CONTRIBUTOR')
  const back = await answer(amy, (await begin(amy)).authorizeUrl)
  const rows = () =>
    theApp().system.raw.query(
      `select expires_at - created_at = interval '10 minutes' as lasts from mail_connects where user_id = '${amy.userId}'`,
    )
  await doJob(prune, {})
  expect((await rows()).rows).toEqual([{ lasts: true }])
  await theApp().system.raw.query(
    `update mail_connects set created_at = created_at - interval '10 minutes', expires_at = expires_at - interval '10 minutes' where user_id = '${amy.userId}'`,
  )
  const { result, redeemed } = await counting(() => follow(amy, back))
  expect(result).toMatchObject({ status: 400, text: expect.stringContaining('has expired') })
  expect(redeemed).toBe(0)
  await doJob(prune, {})
  expect((await rows()).rows).toEqual([])
})

test('THR-21: a code that was stolen and sent with a state of the thief is refused by PKCE', async () => {
  const [amy, eve] = [await member('CONTRIBUTOR'), await member('CONTRIBUTOR')]
  const stolen = (await answer(amy, (await begin(amy)).authorizeUrl)).searchParams.get('code') ?? ''
  const own = await answer(eve, (await begin(eve)).authorizeUrl)
  const { result, redeemed } = await counting(() =>
    follow(
      eve,
      changed(own, ({ searchParams }) => searchParams.set('code', stolen)),
    ),
  )
  expect(result).toMatchObject({ status: 400, text: expect.stringContaining('gave no access to the mailbox') })
  expect(redeemed).toBe(1)
  expect(await connectionsOf(eve)).toEqual([])
})

test('signing out ends the requests of the session', async () => {
  const amy = await member('CONTRIBUTOR')
  await begin(amy)
  const rows = () =>
    theApp().system.use((db) => db.selectFrom('mailConnects').select('name').where('userId', '=', amy.userId).execute())
  expect(await rows()).toEqual([{ name: 'Gmail' }])
  await theApp().system.use((db) => db.deleteFrom('sessions').where('userId', '=', amy.userId).execute())
  expect(await rows()).toEqual([])
})

test('in strict mode the simulator is not served, and a provider that is not set up names its settings', async () => {
  const amy = await member('CONTRIBUTOR')
  expect((await amy.call('integrations_gmail', { organizationId: amy.organizationId ?? '' })).authorizeUrl).toContain(
    '/simulator/mail/',
  )
  const settings = { OUTLOOK_CLIENT_ID: 'ours', OUTLOOK_CLIENT_SECRET: 'secret' }
  const strict = await createApp({ ...testConfig(settings), mode: 'strict' }, theDatabase())
  try {
    const { cookie = '' } = amy.credentials as { cookie?: string }
    const post = (provider: Provider) =>
      strict.server.inject({
        method: 'POST',
        url: `/api/expenses/email-connect/${provider}`,
        headers: { cookie },
        payload: { organizationId: amy.organizationId },
      })
    const outlook = await post('outlook')
    expect(outlook.statusCode).toBe(200)
    expect(outlook.json().authorizeUrl).toMatch(/^https:\/\/login\.microsoftonline\.com\/common\//)
    const gmail = await post('gmail')
    expect(gmail.statusCode).toBe(409)
    expect(gmail.json().error.message).toContain('GMAIL_CLIENT_ID and GMAIL_CLIENT_SECRET')
    const page = new URL((await begin(amy)).authorizeUrl)
    expect((await strict.server.inject({ method: 'GET', url: page.pathname + page.search })).statusCode).toBe(404)
  } finally {
    await strict.close()
  }
})

test('the simulator refuses a request that is not one of this installation', async () => {
  const amy = await member('CONTRIBUTOR')
  const valid = (await begin(amy)).authorizeUrl
  expect((await follow(amy, valid)).status).toBe(200)
  const elsewhere = changed(new URL(valid), ({ searchParams }) =>
    searchParams.set('redirect_uri', 'https://evil.example/'),
  )
  expect(await follow(amy, elsewhere)).toMatchObject({ status: 400, text: expect.stringContaining('redirect_uri') })
})

test('a person of no organization is refused', async () => {
  const eve = await person()
  const reply = await begin(new Someone(eve.userId, eve.credentials, newId()))
  expect(reply.status).toBe(403)
})

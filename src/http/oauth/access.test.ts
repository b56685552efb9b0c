import { expect, test } from 'vitest'
import { Browser, listening, TestApp } from '../../test/apps.ts'
import { member, person, Someone, theApp } from '../../test/world.ts'

/** Which organizations an app can access in a person's name, and what connecting it requires. */

const server = listening()
const account = { accountName: 'Main', bankName: 'DBS' }

/** Connects a new app to some organizations of the person; `agent` calls the API with its token. */
async function byApp(amy: Someone, scope: string, organizationIds: string[]) {
  const app = await TestApp.registered(server.url)
  const { access_token } = await app.connected(amy, { scope, organizationIds })
  return { app, agent: new Someone(amy.userId, { authorization: `Bearer ${access_token}` }) }
}

/** Moves the sign-in of the person's session into the past. */
const signedIn = ({ userId }: Someone, ago: string) =>
  theApp().system.use((_, connection) =>
    connection.query('update sessions set signed_in_at = now() - $2::interval where user_id = $1', [userId, ago]),
  )

/** Tokens are valid for the URL at which the app was connected, so calls go there. */
async function get(agent: Someone, path: string) {
  const answer = await fetch(server.url + path, { headers: { ...agent.credentials } })
  return {
    status: answer.status,
    body: (await answer.json()) as { notifications: { id: string }[]; unreadCount: number },
  }
}
const post = (agent: Someone, path: string, body: object = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { ...agent.credentials, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('INV-18: an app sees the notifications of its organizations and of no others', async () => {
  const amy = await member('OWNER')
  await amy.call('bank_accounts_create', account)
  const other = await amy.call('organizations_create', { name: 'Other', country: 'SG' })
  await amy.call('bank_accounts_create', { organizationId: other.id, ...account })
  const [hidden, shown] = (await amy.call('users_notifications')).notifications.map(({ id }) => id)
  const { agent } = await byApp(amy, 'users:read users:write', [amy.organizationId ?? ''])
  const { body } = await get(agent, '/api/notifications')
  expect(body.notifications.map(({ id }) => id)).toEqual([shown])
  expect(body.unreadCount).toBe(1)
  expect((await get(agent, `/api/notifications?organizationId=${other.id}`)).body).toMatchObject({ notifications: [] })
  expect((await post(agent, `/api/notifications/${hidden}/read`)).status).toBe(404)
  expect(await (await post(agent, '/api/notifications/read-all')).json()).toMatchObject({ readCount: 1 })
  const both = await byApp(amy, 'users:read users:write', [amy.organizationId ?? '', other.id])
  const hers = (await get(both.agent, `/api/notifications?organizationId=${other.id}`)).body
  expect(hers.notifications.map(({ id }) => id)).toEqual([hidden])
  expect((await post(both.agent, `/api/notifications/${hidden}/read`)).status).toBe(200)
})

test('INV-19: the audit log shows the app and the person in whose name it acted', async () => {
  const amy = await member('OWNER')
  const { agent, app } = await byApp(amy, 'customers:write', [amy.organizationId ?? ''])
  expect((await post(agent, '/api/customers', { name: 'Globex', country: 'SG' })).status).toBe(201)
  await amy.call('customers_create', { name: 'Initech', country: 'SG' })
  const { entries } = await amy.call('organizations_audit', { operation: 'customers_create' })
  expect(entries.map(({ source, clientId, userId }) => ({ source, clientId, userId }))).toEqual([
    { source: 'SESSION', clientId: null, userId: amy.userId },
    { source: 'OAUTH', clientId: app.id, userId: amy.userId },
  ])
})

test('WEB-6: connecting an app requires a recent sign-in, as creating an API key does', async () => {
  const amy = await member('OWNER')
  await signedIn(amy, '13 hours')
  await expect(amy.call('api_keys_create', { name: 'Books', scopes: ['*:*'] })).rejects.toMatchObject({ status: 403 })
  const browser = new Browser(amy)
  const consent = await browser.ask((await TestApp.registered(server.url)).request())
  const page = await browser.open(consent)
  expect([page.status, page.headers.get('location')]).toEqual([
    303,
    `/sign-in?next=${encodeURIComponent(consent.pathname)}`,
  ])
  const refused = await browser.answer(consent, { approve: true })
  expect([refused.status, await refused.json()]).toMatchObject([
    403,
    { error: { details: [{ code: 'SIGN_IN_AGAIN' }] } },
  ])
  await signedIn(amy, '11 hours')
  expect((await browser.open(consent)).status).toBe(200)
  expect((await browser.answer(consent, { approve: true })).status).toBe(200)
})

test('the sign-in page leads back to the request in the chosen language', async () => {
  const other = new Browser(await person())
  const consent = await other.ask((await TestApp.registered(server.url)).request())
  const stranger = new Browser(new Someone('', {}))
  const asked = await stranger.ask((await TestApp.registered(server.url)).request())
  const { headers } = await stranger.open(new URL('?lang=he', asked))
  expect(headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(`${asked.pathname}?lang=he`)}&lang=he`)
  expect((await other.open(consent)).status).toBe(200)
  expect((await stranger.open(consent)).status).toBe(400) // started in another browser
})

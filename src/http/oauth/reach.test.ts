import { expect, test } from 'vitest'
import { Browser, listening, TestApp } from '../../test/oauth-client.ts'
import { member, person, Someone, theApp } from '../../test/world.ts'

/** Where an app may go in a person's name, and what it takes to let it in. */

const place = listening()
const account = { accountName: 'Main', bankName: 'DBS' }

/** The person, calling by an app that they let into some of their organizations. */
async function byApp(amy: Someone, scope: string, organizationIds: string[]) {
  const app = await TestApp.registered(place.url)
  const { access_token } = await app.connected(amy, { scope, organizationIds })
  return { app, agent: new Someone(amy.userId, { authorization: `Bearer ${access_token}` }) }
}

/** As if they had signed in that long ago and been busy since. */
const signedIn = ({ userId }: Someone, ago: string) =>
  theApp().system.use((_, connection) =>
    connection.query('update sessions set signed_in_at = now() - $2::interval where user_id = $1', [userId, ago]),
  )

/** The app's tokens are for the address it was connected at, so its calls go there. */
async function get(agent: Someone, path: string) {
  const answer = await fetch(place.url + path, { headers: { ...agent.credentials } })
  return {
    status: answer.status,
    body: (await answer.json()) as { notifications: { id: string }[]; unreadCount: number },
  }
}
const post = (agent: Someone, path: string, body: object = {}) =>
  fetch(place.url + path, {
    method: 'POST',
    headers: { ...agent.credentials, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('INV-18: an app is told of the organizations that it was let into and of no others', async () => {
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
})

test('INV-19: the trail shows which app did something in whose name', async () => {
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

test('WEB-6: letting an app in takes a sign-in of today, as making a key does', async () => {
  const amy = await member('OWNER')
  await signedIn(amy, '13 hours')
  await expect(amy.call('api_keys_create', { name: 'Books', scopes: ['*:*'] })).rejects.toMatchObject({ status: 403 })
  const browser = new Browser(amy)
  const consent = await browser.ask((await TestApp.registered(place.url)).request())
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

test('whoever has to sign in first comes back to the request, in the language they chose', async () => {
  const consent = await new Browser(await person()).ask((await TestApp.registered(place.url)).request())
  const stranger = new Browser(new Someone('', {}))
  const asked = await stranger.ask((await TestApp.registered(place.url)).request())
  const { headers } = await stranger.open(new URL('?lang=he', asked))
  expect(headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(`${asked.pathname}?lang=he`)}&lang=he`)
  expect((await stranger.open(consent)).status).toBe(400) // begun in another browser
})

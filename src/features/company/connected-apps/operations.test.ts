import { expect, test } from 'vitest'
import { listening, TestApp } from '../../../test/oauth-client.ts'
import { member, person } from '../../../test/world.ts'

const place = listening()

const customers = (token: string) =>
  fetch(`${place.url}/api/customers`, { headers: { authorization: `Bearer ${token}` } })

test('the list shows each app with its scopes, organizations and last use', async () => {
  const amy = await member('OWNER')
  const app = await TestApp.registered(place.url, { client_uri: 'https://lens.example/' })
  const { access_token } = await app.connected(amy, { scope: 'customers:read reports:read' })
  const connected = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    clientId: app.id,
    clientName: 'Ledger Lens',
    clientUri: 'https://lens.example/',
    scopes: ['customers:read', 'reports:read'],
    organizations: [{ id: amy.organizationId, name: 'Acme' }],
    createdAt: expect.stringMatching(/Z$/),
  }
  expect(await amy.call('users_connected_apps')).toEqual({ apps: [{ ...connected, lastUsedAt: null }] })
  await customers(access_token)
  const listed = await fetch(`${place.url}/api/users/me/connected-apps`, { headers: { ...amy.credentials } })
  expect(await listed.json()).toEqual({ apps: [{ ...connected, lastUsedAt: expect.stringMatching(/Z$/) }] })
})

test('a person cannot see or disconnect the apps of another', async () => {
  const [amy, eve, app] = [await member('OWNER'), await person(), await TestApp.registered(place.url)]
  const { access_token } = await app.connected(amy)
  const [connected] = (await amy.call('users_connected_apps')).apps
  expect((await eve.call('users_connected_apps')).apps).toEqual([])
  for (const id of [connected?.id ?? '', 'nope', '00000000-0000-0000-0000-000000000000'])
    await expect(eve.call('users_connected_app_revoke', { id })).rejects.toMatchObject({ status: 404 })
  expect((await customers(access_token)).status).toBe(200)
})

test('disconnecting an app is final, and repeating it gives the same answer', async () => {
  const [amy, app] = [await member('OWNER'), await TestApp.registered(place.url)]
  await app.connected(amy)
  const other = await app.connected(amy)
  const { apps } = await amy.call('users_connected_apps')
  expect(apps).toHaveLength(2)
  const id = apps[1]?.id ?? ''
  const first = await amy.call('users_connected_app_revoke', { id })
  expect(await amy.call('users_connected_app_revoke', { id })).toEqual(first)
  // Let in twice, it was disconnected once: the other stays.
  expect((await app.refresh(other.refresh_token)).status).toBe(200)
})

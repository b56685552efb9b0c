import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { Browser, listening } from '../../test/apps.ts'
import { member } from '../../test/world.ts'

/** Standard OAuth libraries complete the flow with the published metadata only. */

const kontor = listening()
const callback = 'http://127.0.0.1:9/callback'
const local = { [oauth.allowInsecureRequests]: true }

test('oauth4webapi discovers, registers, connects, refreshes and revokes (THR-22)', async () => {
  const amy = await member('OWNER')
  const issuer = new URL(kontor.url)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...local }),
  )
  const app = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'Ledger Lens',
        redirect_uris: [callback],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
      local,
    ),
  )
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const authorizationUrl = new URL(server.authorization_endpoint ?? '')
  authorizationUrl.search = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'customers:read customers:write',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }).toString()
  const back = await new Browser(amy).authorize(authorizationUrl)
  const parameters = oauth.validateAuthResponse(server, app, back, state)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    app,
    await oauth.authorizationCodeGrantRequest(server, app, oauth.None(), parameters, callback, verifier, local),
  )
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'customers:read customers:write' })

  const call = (token: string, init: RequestInit = {}) =>
    fetch(`${kontor.url}/api/customers?organizationId=${amy.organizationId}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  const made = await call(tokens.access_token, {
    method: 'POST',
    body: JSON.stringify({ name: 'Globex', country: 'SG' }),
  })
  expect(made.status).toBe(201)
  const listed = (await (await call(tokens.access_token)).json()) as { customers: { name: string }[] }
  expect(listed.customers.map(({ name }) => name)).toEqual(['Globex'])

  const again = await oauth.processRefreshTokenResponse(
    server,
    app,
    await oauth.refreshTokenGrantRequest(server, app, oauth.None(), tokens.refresh_token ?? '', local),
  )
  expect((await call(again.access_token)).status).toBe(200)
  const revoked = await oauth.revocationRequest(server, app, oauth.None(), again.refresh_token ?? '', local)
  await oauth.processRevocationResponse(revoked)
  expect((await call(again.access_token)).status).toBe(401)
  expect((await amy.call('users_connected_apps')).apps).toEqual([])
})

test('openid-client does the same with a client secret', async () => {
  const amy = await member('VIEWER')
  const execute = [client.allowInsecureRequests]
  const app = await client.dynamicClientRegistration(
    new URL(kontor.url),
    { client_name: 'Till', redirect_uris: [callback], grant_types: ['authorization_code', 'refresh_token'] },
    undefined,
    { execute },
  )
  expect(app.clientMetadata().client_secret).toEqual(expect.any(String))
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const authorizationUrl = client.buildAuthorizationUrl(app, {
    redirect_uri: callback,
    scope: 'customers:read offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  })
  const back = await new Browser(amy).authorize(authorizationUrl)
  const tokens = await client.authorizationCodeGrant(app, back, { pkceCodeVerifier: verifier, expectedState: state })
  const address = new URL(`${kontor.url}/api/customers`)
  expect((await client.fetchProtectedResource(app, tokens.access_token, address, 'GET')).status).toBe(200)
  const again = await client.refreshTokenGrant(app, tokens.refresh_token ?? '')
  expect((await client.fetchProtectedResource(app, again.access_token, address, 'GET')).status).toBe(200)
  await client.tokenRevocation(app, again.access_token)
  await expect(client.fetchProtectedResource(app, again.access_token, address, 'GET')).rejects.toMatchObject({
    status: 401,
  })
})

import { expect, test } from 'vitest'
import { integration, largeInvoice, simulatorCredentials, submitted } from '../../../test/clearance.ts'
import { member, operationNamed, type Someone, send, theApp, withKey } from '../../../test/world.ts'

const { refreshToken: _, ...withoutToken } = simulatorCredentials

/** A manager of a company that has entered its client, and no refresh token. */
async function connecting(): Promise<Someone> {
  const olga = await member('OWNER', { country: 'IL' })
  const id = String(olga.organizationId)
  await olga.call('organizations_update', {
    id,
    registrationNumber: '514000009',
    taxNumber: '514000009',
    address: 'Here',
  })
  await olga.call('integrations_tax_authority_post', { ...integration(olga), credentials: withoutToken })
  return olga
}

/** Signs in at the simulator, as a browser does, and answers what it comes back with. */
async function signIn(amy: Someone) {
  const { authorizeUrl, state } = await amy.call('integrations_tax_authority_connect', integration(amy))
  const { headers } = await fetch(authorizeUrl, { redirect: 'manual' })
  const back = new URL(headers.get('location') ?? '')
  expect(back.searchParams.get('state')).toBe(state)
  return { state, code: back.searchParams.get('code') ?? '', back }
}

const authorize = (amy: Someone, { state, code }: { state: string; code: string }) =>
  amy.request(operationNamed('integrations_tax_authority_authorize'), { ...integration(amy), state, code })

test('a person signs in at the authority, and the organization is connected', async () => {
  const amy = await connecting()
  expect(await amy.call('integrations_validate', integration(amy))).toMatchObject({ valid: false })
  const { state, code, back } = await signIn(amy)
  expect(back.pathname).toBe('/connect/tax-authority')
  const page = await send({ method: 'GET', url: back.pathname + back.search, headers: amy.credentials })
  expect(page.status).toBe(200)
  expect(page.body).toContain(
    `action="/api/organizations/${amy.organizationId}/tax-authority/il-ita-invoices/authorize"`,
  )
  expect(page.body).toContain(`name="code" value="${code}"`)
  expect(await authorize(amy, { state, code })).toMatchObject({ status: 200, body: { valid: true, error: null } })
  const { status } = await amy.call('integrations_tax_authority_get', integration(amy))
  expect(status).toMatchObject({ isValidated: true, isActive: true, validationError: null })
  const { id } = await largeInvoice(amy)
  expect(await submitted(amy, id)).toMatchObject({ success: true })
})

test('the page of the sign-in asks who is not signed in to do so, and says if there is no authorization', async () => {
  const away = await send({ method: 'GET', url: '/connect/tax-authority?code=1&state=2' })
  expect([away.status, String(away.headers.location)]).toEqual([302, expect.stringMatching(/^\/sign-in\?next=/)])
  const amy = await member('OWNER', { country: 'IL' })
  const page = await send({ method: 'GET', url: '/connect/tax-authority?error=denied', headers: amy.credentials })
  expect([page.status, String(page.body).includes('<form')]).toEqual([200, false])
})

test('THR-21: a sign-in is ended once, within ten minutes, by the person and session that began it', async () => {
  const amy = await connecting()
  const [first, other] = [await signIn(amy), await member('MANAGER', { of: amy })]
  const outcome = async (someone: Someone, given: typeof first) =>
    ((await authorize(someone, given)).body as { valid?: boolean }).valid
  expect(await outcome(other, first)).toBe(false)
  expect(await outcome(amy, { ...first, state: `${first.state}x` })).toBe(false)
  expect((await authorize(await withKey(amy), first)).status).toBe(403)
  expect(await outcome(amy, first)).toBe(true)
  expect(await outcome(amy, first)).toBe(false)
  const late = await signIn(amy)
  await theApp().system.raw.query("update tax_authority_connections set state_until = now() - interval '1 second'")
  expect(await outcome(amy, late)).toBe(false)
  const wrong = await signIn(amy)
  expect((await authorize(amy, { ...wrong, code: 'another' })).body).toEqual({
    valid: false,
    error: expect.stringContaining('no longer accepts'),
  })
  expect(await outcome(amy, wrong)).toBe(false) // the state was used
})

test('a sign-in needs the client first, and an integration that has one', async () => {
  const amy = await connecting()
  expect((await amy.call('integrations_tax_authority_connect', integration(amy))).authorizeUrl).toContain(
    'response_type=code',
  )
  const refused = (input: object) =>
    amy.request(operationNamed('integrations_tax_authority_connect'), { ...integration(amy), ...input })
  expect((await refused({ integrationId: 'sg-invoicenow' })).status).toBe(409)
  await amy.call('integrations_tax_authority_delete', integration(amy))
  expect(await refused({})).toMatchObject({ status: 409, body: { error: { details: [{ code: 'NOT_CONNECTED' }] } } })
})

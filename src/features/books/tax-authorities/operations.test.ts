import { describe, expect, test } from 'vitest'
import { accessPointCredentials } from '../../../test/access-point.ts'
import { clearingCompany, integration, simulate, simulatorCredentials } from '../../../test/clearance.ts'
import { member, operationNamed, type Someone, theApp, withKey } from '../../../test/world.ts'

const save = (amy: Someone, credentials: Record<string, string>, more: object = {}) =>
  amy.call('integrations_tax_authority_post', { ...integration(amy), credentials, ...more })
const status = async (amy: Someone) => (await amy.call('integrations_tax_authority_get', integration(amy))).status
const validate = (amy: Someone) => amy.call('integrations_validate', integration(amy))

const unproven = { exists: true, isActive: true, isValidated: false, lastValidatedAt: null, validationError: null }

test('every organization lists the integrations of all countries, for viewers too', async () => {
  const amy = await member('VIEWER', { country: 'US' })
  const listed = await amy.call('integrations_tax_authority', { id: String(amy.organizationId) })
  expect(listed.integrations).toEqual([
    {
      integrationId: 'il-ita-invoices',
      name: 'Israel Invoices',
      country: 'IL',
      connected: false,
      lastValidatedAt: null,
    },
    { integrationId: 'sg-invoicenow', name: 'InvoiceNow', country: 'SG', connected: false, lastValidatedAt: null },
  ])
})

test('an integration says what it needs, and that nothing was entered yet', async () => {
  const amy = await member('MANAGER', { country: 'IL' })
  const { requiredFields, ...rest } = await amy.call('integrations_tax_authority_get', integration(amy))
  expect(rest).toMatchObject({ integrationId: 'il-ita-invoices', name: 'Israel Invoices', environment: 'sandbox' })
  expect(rest.status).toEqual({ ...unproven, exists: false, isActive: false })
  expect(requiredFields.filter(({ type }) => type === 'secret').map(({ name }) => name)).toEqual([
    'clientSecret',
    'refreshToken',
  ])
  expect(requiredFields.every(({ label, help }) => label !== '' && help !== '')).toBe(true)
})

test('credentials are stored for an environment, validated with a request to the authority, and removed', async () => {
  const amy = await member('MANAGER', { country: 'IL' })
  expect(await save(amy, simulatorCredentials)).toMatchObject({ success: true, message: expect.any(String) })
  expect(await status(amy)).toEqual(unproven)
  expect(await validate(amy)).toEqual({
    valid: true,
    error: null,
    details: {
      environment: 'sandbox',
      simulator: true,
      simulatorUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    },
  })
  const { isValidated, lastValidatedAt } = await status(amy)
  expect([isValidated, lastValidatedAt]).toEqual([true, expect.any(String)])
  const { integrations } = await amy.call('integrations_tax_authority', { id: String(amy.organizationId) })
  expect(integrations[0]).toMatchObject({ connected: true, lastValidatedAt })
  expect(await amy.call('integrations_tax_authority_delete', integration(amy))).toMatchObject({ success: true })
  expect(await status(amy)).toMatchObject({ exists: false, isValidated: false, lastValidatedAt: null })
  expect(await amy.call('integrations_tax_authority_delete', integration(amy))).toMatchObject({ success: true })
})

test('THR-19: other credentials or another environment reset the validation, and take over no token', async () => {
  const amy = await clearingCompany()
  expect((await validate(amy)).valid).toBe(true)
  await save(amy, { ...simulatorCredentials, refreshToken: 'wrong' })
  expect(await status(amy)).toEqual(unproven)
  expect(await validate(amy)).toMatchObject({ valid: false, error: expect.stringContaining('sign in there again') })
  expect(await status(amy)).toMatchObject({ isActive: false, isValidated: false, validationError: expect.any(String) })
  await save(amy, simulatorCredentials)
  expect((await validate(amy)).valid).toBe(true)
  await save(amy, simulatorCredentials, { environment: 'production' })
  expect(await status(amy)).toEqual(unproven)
  expect((await amy.call('integrations_tax_authority_get', integration(amy))).environment).toBe('production')
})

test('THR-19: the database refuses to change credentials in place', async () => {
  const amy = await clearingCompany()
  const change = (set: string) =>
    theApp().confined.use(async (_, connection) => {
      await connection.query("select set_config('app.organization', $1, false)", [amy.organizationId])
      await connection.query(`update tax_authority_connections set ${set}`)
    })
  await change('is_validated = is_validated')
  for (const set of ["environment = 'production'", 'credentials = credentials', 'id = gen_random_uuid()'])
    await expect(change(set)).rejects.toMatchObject({ code: '42501' })
})

test('INV-20: no answer, audit entry or event shows a credential, and the database has it sealed', async () => {
  const canary = 'canary-of-the-client-secret'
  const amy = await member('OWNER', { country: 'IL' })
  const answers = [
    await save(amy, { ...simulatorCredentials, clientSecret: canary }),
    await validate(amy),
    await amy.call('integrations_tax_authority_get', integration(amy)),
    await amy.call('integrations_tax_authority', { id: String(amy.organizationId) }),
    await amy.call('organizations_audit', { organizationId: String(amy.organizationId) }),
  ]
  expect(JSON.stringify(answers)).not.toContain(canary)
  const stored = await theApp().system.raw.query(
    'select t::text from tax_authority_connections t where organization_id = $1',
    [amy.organizationId],
  )
  expect(stored.rows).toHaveLength(1)
  expect(JSON.stringify(stored.rows)).not.toContain(Buffer.from(canary).toString('hex'))
})

test('validate names the fields that are missing, and any map of texts is stored', async () => {
  const amy = await member('MANAGER', { country: 'IL' })
  expect(await validate(amy)).toMatchObject({ valid: false, error: 'No credentials were entered.' })
  await save(amy, { anything: 'at all' })
  const missing = ['clientId', 'clientSecret', 'softwareNumber', 'userId']
  expect(await validate(amy)).toEqual({
    valid: false,
    error: expect.stringContaining('Client ID'),
    details: { missing },
  })
  for (const wrong of [{ userId: 'Amy' }, { softwareNumber: '1234567890' }, { unionVatNumber: 'none' }]) {
    await save(amy, { ...simulatorCredentials, ...wrong })
    expect(await validate(amy)).toEqual({
      valid: false,
      error: expect.stringContaining('up to nine digits'),
      details: { wrong: Object.keys(wrong) },
    })
  }
  await save(amy, { ...simulatorCredentials, userId: '12345678-2', unionVatNumber: '' })
  expect((await validate(amy)).valid).toBe(true)
  const withoutToken = { ...simulatorCredentials, refreshToken: '' }
  await save(amy, withoutToken)
  expect(await validate(amy)).toMatchObject({ valid: false, error: expect.stringContaining('connect') })
})

test('an authority that cannot be reached says nothing about the credentials', async () => {
  const amy = await clearingCompany()
  expect((await validate(amy)).valid).toBe(true)
  await simulate({ outage: 1 })
  expect(await validate(amy)).toMatchObject({ valid: false, error: expect.stringContaining('not available') })
  expect(await status(amy)).toMatchObject({ isActive: true, isValidated: true, validationError: null })
})

test('InvoiceNow: validate names missing fields, and asks the access point for a token', async () => {
  const amy = await member('MANAGER', { country: 'SG' })
  const invoiceNow = { id: String(amy.organizationId), integrationId: 'sg-invoicenow' }
  await amy.call('integrations_tax_authority_post', { ...invoiceNow, credentials: { uen: '201403121W' } })
  const incomplete = await amy.call('integrations_validate', invoiceNow)
  expect(incomplete.details).toEqual({ missing: ['gstNumber', 'participantId', 'clientId', 'clientSecret'] })
  await amy.call('integrations_tax_authority_post', { ...invoiceNow, credentials: accessPointCredentials })
  expect(await amy.call('integrations_validate', invoiceNow)).toEqual({
    ...{ valid: true, error: null },
    details: { environment: 'sandbox', simulator: true, simulatorUrl: expect.stringContaining('http://127.0.0.1:') },
  })
  await amy.call('integrations_tax_authority_post', {
    ...invoiceNow,
    credentials: { ...accessPointCredentials, clientSecret: 'b' },
  })
  expect(await amy.call('integrations_validate', invoiceNow)).toMatchObject({
    valid: false,
    error: expect.stringContaining('access point'),
  })
  await amy.call('integrations_tax_authority_post', {
    ...invoiceNow,
    credentials: accessPointCredentials,
    environment: 'production',
  })
  expect(await amy.call('integrations_validate', invoiceNow)).toMatchObject({
    valid: false,
    error: expect.stringContaining('no access point'),
  })
})

describe('refused', () => {
  const names = [
    'integrations_tax_authority_get', 'integrations_tax_authority_post', 'integrations_tax_authority_delete', 'integrations_validate',
  ] as const // biome-ignore format: a list of words
  const input = (amy: Someone) => ({ ...integration(amy), credentials: simulatorCredentials })

  test.each(names)('%s is for managers, and an unknown integration is not found', async (name) => {
    const olga = await member('OWNER', { country: 'IL' })
    const [manager, contributor] = [await member('MANAGER', { of: olga }), await member('CONTRIBUTOR', { of: olga })]
    const operation = operationNamed(name)
    const given = name.endsWith('_post') ? input(manager) : integration(manager)
    expect((await manager.request(operation, given)).status).toBe(200)
    expect((await contributor.request(operation, given)).status).toBe(403)
    expect((await manager.request(operation, { ...given, integrationId: 'us-irs' })).status).toBe(404)
    const stranger = await member('OWNER', { country: 'IL' })
    expect((await stranger.request(operation, given)).status).toBeGreaterThanOrEqual(403)
  })

  test('a key needs the scope integrations', async () => {
    const olga = await member('OWNER', { country: 'IL' })
    const operation = operationNamed('integrations_tax_authority_post')
    expect((await (await withKey(olga, ['integrations:write'])).request(operation, input(olga))).status).toBe(200)
    expect((await (await withKey(olga, ['invoices:write'])).request(operation, input(olga))).status).toBe(403)
  })

  test.each([
    ['credentials that are missing', { credentials: undefined }],
    ['credentials that are a text', { credentials: 'secret' }],
    ['a credential that is a number', { credentials: { clientId: 5 } }],
    ['an unknown environment', { environment: 'test' }],
    ['more than 60000 bytes', { credentials: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [String(at), 'x'.repeat(9_000)])) }],
  ])('%s', async (_, wrong) => {
    const amy = await member('MANAGER', { country: 'IL' })
    const operation = operationNamed('integrations_tax_authority_post')
    expect((await amy.request(operation, input(amy))).status).toBe(200)
    expect((await amy.request(operation, { ...input(amy), ...wrong })).status).toBe(400)
  }) // biome-ignore format: a case a line
})

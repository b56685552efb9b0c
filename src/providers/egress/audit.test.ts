import '../../test/own-world.ts'
import { expect, test } from 'vitest'
import { readMetrics } from '../../test/readers/prometheus.ts'
import { member, theApp } from '../../test/world.ts'

test('SSRF-9: a refused target is recorded in the audit of its organization, without addresses', async () => {
  const { organizationId = '' } = await member('OWNER')
  const url = 'http://169.254.169.254/latest/meta-data'
  await expect(theApp().providers.egress.check(url, { organizationId, use: 'webhook' })).rejects.toThrow()
  const { rows } = await theApp().system.raw.query(
    'select user_id, source, operation, detail from audit_log where organization_id = $1 and operation = $2',
    [organizationId, 'egress.refused'],
  )
  expect(rows).toEqual([
    {
      user_id: null,
      source: 'SYSTEM',
      operation: 'egress.refused',
      detail: { use: 'webhook', host: '169.254.169.254', reason: 'address' },
    },
  ])
})

const refusalsWithoutOrganization = async () => {
  const { rows } = await theApp().system.raw.query(
    "select detail from audit_log where organization_id is null and operation = 'egress.refused'",
  )
  return rows.map(({ detail }) => detail)
}

/** The value of the counter for refused targets. */
async function counted(use: string) {
  const metrics = readMetrics(await theApp().meter.page())
  const values = ['address', 'name'].map(
    (reason) => metrics.value('kontor_egress_refusals_total', { use, reason }) ?? 0,
  )
  return values.reduce((sum, value) => sum + value, 0)
}

test('SSRF-9: refused documents of apps, which anybody can request, are counted and leave no row', async () => {
  const authorize = (clientId: string) =>
    theApp().server.inject({
      url: `/oauth/authorize?${new URLSearchParams({ client_id: clientId, response_type: 'code' })}`,
    })
  for (const host of ['169.254.169.254', '10.0.0.1', 'metadata.google.internal']) {
    const before = await counted('client')
    expect((await authorize(`https://${host}/client.json`)).statusCode).toBe(400)
    expect(await counted('client')).toBeGreaterThan(before) // the library looks for the client more than once
  }
  expect(await refusalsWithoutOrganization()).toEqual([])
})

test('SSRF-9: refusals of an organization and of the product itself are counted and recorded', async () => {
  const { egress } = theApp().providers
  const { organizationId = '' } = await member('OWNER')
  const before = await counted('file')
  for (const id of [organizationId, null])
    await expect(
      egress.download('http://10.0.0.1/rates.xml', { organizationId: id, maxBytes: 10, to: 'memory' }),
    ).rejects.toThrow()
  expect(await counted('file')).toBe(before + 2)
  expect(await refusalsWithoutOrganization()).toEqual([{ use: 'file', host: '10.0.0.1', reason: 'address' }])
})

import { expect, test } from 'vitest'
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

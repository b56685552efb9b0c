import { expect, test } from 'vitest'
import { member, type Someone } from '../../../../test/world.ts'

const connected = (amy: Someone, name = 'Receipts') =>
  amy.call('integrations_email_settings_post', { organizationId: String(amy.organizationId), name, provider: 'IMAP' })

test('a cadence is an ordinary automation, which keeps its id; OFF deletes it', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const { id } = await connected(amy)
  const off = { connectionId: id, automationId: null, cadence: 'OFF', automationStatus: null }
  expect(await amy.call('integrations_auto_scan', { organizationId, id })).toEqual(off)
  const daily = await amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'DAILY' })
  expect(daily).toEqual({
    connectionId: id,
    automationId: expect.any(String),
    cadence: 'DAILY',
    automationStatus: 'ENABLED',
  })
  const automation = await amy.call('automations_get', { id: String(daily.automationId) })
  expect(automation.blocks).toMatchObject([
    { kind: 'TRIGGER', ref: 'schedule.daily' },
    { kind: 'ACTION', ref: 'expenses_email_poll', config: { input: { organizationId, connectionId: id } } },
  ])
  expect(await amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'MONTHLY' })).toEqual({
    ...daily,
    cadence: 'MONTHLY',
  })
  await amy.call('automations_disable', { id: String(daily.automationId) })
  expect(await amy.call('integrations_auto_scan', { organizationId, id })).toMatchObject({
    cadence: 'MONTHLY',
    automationStatus: 'DISABLED',
  })
  expect(await amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'WEEKLY' })).toMatchObject({
    automationStatus: 'ENABLED',
  })
  expect(await amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'OFF' })).toEqual(off)
  await expect(amy.call('automations_get', { id: String(daily.automationId) })).rejects.toThrow(/no such automation/)
  const again = await amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'DAILY' })
  await amy.call('automations_delete', { id: String(again.automationId) })
  expect(await amy.call('integrations_auto_scan', { organizationId, id })).toEqual(off)
  expect(await amy.call('integrations_auto_scan_delete', { organizationId, id })).toEqual(off)
})

test('the sixth enabled automation of the free plan is refused, and nothing is left of it', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  for (let n = 1; n <= 5; n++) {
    const { id } = await connected(amy, `Mailbox ${n}`)
    await amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'DAILY' })
  }
  const { id } = await connected(amy, 'Mailbox 6')
  await expect(amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'DAILY' })).rejects.toMatchObject(
    { status: 409 },
  )
  expect(await amy.call('integrations_auto_scan', { organizationId, id })).toMatchObject({
    cadence: 'OFF',
    automationId: null,
  })
  expect((await amy.call('automations_list', { organizationId })).pagination.total).toBe(5)
})

test('deleting the connection deletes its automation', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const { id } = await connected(amy)
  await amy.call('integrations_auto_scan_post', { organizationId, id, cadence: 'DAILY' })
  await amy.call('integrations_email_settings_delete', { organizationId, id })
  expect((await amy.call('automations_list', { organizationId })).pagination.total).toBe(0)
})

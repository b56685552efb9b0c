import { expect, test } from 'vitest'
import { member, type Someone, theApp } from '../../../test/world.ts'

const settings = {
  name: 'Receipts', provider: 'IMAP', host: 'imap.example.com', username: 'receipts@example.com', password: 'correct horse',
} as const // biome-ignore format: a list of words

const connected = (amy: Someone, more: object = {}) =>
  amy.call('integrations_email_settings_post', { organizationId: String(amy.organizationId), ...settings, ...more })

test('a connection has the fields of the contract, and its password is never returned', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const created = await connected(amy)
  expect(created).toEqual({
    id: expect.any(String),
    organizationId,
    name: 'Receipts',
    provider: 'IMAP',
    enabled: true,
    tokenExpiresAt: null,
    host: 'imap.example.com',
    port: null,
    useTls: true,
    username: 'receipts@example.com',
    hasPassword: true,
    folderOrLabel: null,
    subjectFilter: null,
    senderWhitelist: [],
    autoPollEnabled: false,
    pollIntervalDays: 1,
    lastPolledAt: null,
    attention: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await amy.call('integrations_email_settings', { organizationId, id: created.id })).toEqual(created)
  expect(await amy.call('integrations_email_settings', { organizationId })).toEqual({ connections: [created] })
  expect(await amy.call('integrations_email_settings', { organizationId, id: 'unknown' })).toBeNull()
  const { rows } = await theApp().system.raw.query('select * from mail_connections where id = $1', [created.id])
  expect(JSON.stringify(rows)).not.toContain('correct horse')
})

test('PUT gives fields that are left out what a plain create gives them; name, account, server and password are kept', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const account = { port: 1993, useTls: false }
  const filters = { folderOrLabel: 'Bills', subjectFilter: 'invoice', senderWhitelist: ['example.org'] }
  const polls = { enabled: false, autoPollEnabled: true, pollIntervalDays: 7 }
  const plain = await connected(amy)
  const { id } = await connected(amy, { ...account, ...filters, ...polls })
  const changed = await amy.call('integrations_email_settings_put', { id, organizationId, name: 'Bills' })
  const own = { id, name: 'Bills', createdAt: changed.createdAt, updatedAt: changed.updatedAt }
  expect(changed).toEqual({ ...plain, ...account, ...own, hasPassword: true })
})

test('a change of the server or account drops the password (THR-19)', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const put = (id: string, changes: object) =>
    amy.call('integrations_email_settings_put', { id, organizationId, ...changes })
  const { id } = await connected(amy, { senderWhitelist: [' Billing@Example.com '] })
  expect(await put(id, { name: 'Bills', folderOrLabel: 'Bills', senderWhitelist: ['example.org'] })).toMatchObject({
    name: 'Bills',
    host: 'imap.example.com',
    folderOrLabel: 'Bills',
    senderWhitelist: ['example.org'],
    hasPassword: true,
  })
  for (const change of [
    { host: 'evil.example.com' },
    { port: 1993 },
    { useTls: false },
    { username: 'else@example.com' },
    { provider: 'POP3' },
  ]) {
    expect(await put(id, { password: 'again' })).toMatchObject({ hasPassword: true })
    expect(await put(id, change)).toMatchObject({ ...change, hasPassword: false })
  }
  expect(await put(id, { host: 'other.example.com', password: 'new' })).toMatchObject({ hasPassword: true })
  expect(await put(id, { password: null })).toMatchObject({ hasPassword: false })
})

test('a deleted connection is gone, with its password; its logs stay', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const { id } = await connected(amy)
  const { runId, status } = await amy.call('expenses_email_poll', { organizationId, connectionId: id })
  expect(status).toBe('PENDING')
  expect(await amy.call('integrations_email_settings_delete', { id, organizationId })).toEqual({ success: true })
  expect(await amy.call('integrations_email_settings', { organizationId, id })).toBeNull()
  const { rows } = await theApp().system.raw.query('select password, tokens from mail_connections where id = $1', [id])
  expect(rows).toEqual([{ password: null, tokens: null }])
  const { runs } = await amy.call('integrations_fetch_logs', { organizationId, connectionId: id })
  expect(runs).toMatchObject([{ id: runId, status: 'MANUAL_STOP', messages: [] }])
  await expect(amy.call('expenses_email_poll', { organizationId, connectionId: id })).rejects.toThrow(
    /no such mail connection/,
  )
})

test('a poll without dates begins 30 days ago or at the last poll; dates are checked', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const { id } = await connected(amy)
  const polled = async (dates: object) => {
    const { runId } = await amy.call('expenses_email_poll', { organizationId, connectionId: id, ...dates })
    return amy.call('integrations_fetch_log_get', { id: runId })
  }
  const first = await polled({})
  expect(Date.parse(first.dateTo) - Date.parse(first.dateFrom)).toBe(30 * 24 * 3600 * 1000)
  await theApp().system.raw.query("update mail_connections set last_polled_at = '2026-11-01T10:00:00Z' where id = $1", [
    id,
  ])
  expect(await polled({})).toMatchObject({ dateFrom: '2026-11-01T10:00:00.000Z' })
  const dates = { dateFrom: '2026-01-01T00:00:00.000Z', dateTo: '2026-02-01T00:00:00.000Z' }
  expect(await polled(dates)).toMatchObject(dates)
  await expect(polled({ dateFrom: '2026-03-01T00:00:00Z', dateTo: '2026-02-01T00:00:00Z' })).rejects.toThrow(
    /dateFrom must not be after dateTo/,
  )
})

test('a run can be stopped, once', async () => {
  const amy = await member('MANAGER')
  const organizationId = String(amy.organizationId)
  const { id: connectionId } = await connected(amy)
  const { runId: id } = await amy.call('expenses_email_poll', { organizationId, connectionId })
  expect(await amy.call('integrations_stop', { id })).toEqual({ success: true })
  expect(await amy.call('integrations_stop', { id })).toEqual({ success: true })
  expect(await amy.call('integrations_fetch_log_get', { id })).toMatchObject({
    status: 'MANUAL_STOP',
    completedAt: expect.any(String),
  })
})

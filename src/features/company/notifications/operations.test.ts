import { expect, test } from 'vitest'
import { withTransaction } from '../../../core/run/transaction-context.ts'
import { member, person, type Someone, theApp, withKey } from '../../../test/world.ts'
import { textOf } from './notification.ts'
import { notify } from './notify.ts'

const at = ({ organizationId = '' }: Someone) => ({ id: organizationId })
const account = { accountName: 'Main', bankName: 'DBS', iban: 'SG00 1234 5678' }
const texts = async (who: Someone) => (await who.call('users_notifications')).notifications.map(({ text }) => text)

test('THR-25: managers are notified of every change of a bank account, including the one who made it', async () => {
  const amy = await member('OWNER')
  const [mia, cyd] = [await member('MANAGER', { of: amy }), await member('CONTRIBUTOR', { of: amy })]
  await member('OWNER') // elsewhere
  const { id } = await cyd.call('bank_accounts_create', account)
  await mia.call('bank_accounts_update', { id, iban: 'SG00 8765 4321' })
  await cyd.call('bank_accounts_delete', { id })
  const told = [
    'CONTRIBUTOR deleted the bank account Main of Acme. Make sure that this is right.',
    'MANAGER changed the bank account Main of Acme. Make sure that this is right.',
    'CONTRIBUTOR added the bank account Main of Acme. Make sure that this is right.',
  ]
  expect([await texts(amy), await texts(mia), await texts(cyd)]).toEqual([told, told, []])
  const all = await theApp().system.use((db) => db.selectFrom('notifications').selectAll().execute())
  expect(all.filter(({ organizationId }) => organizationId === amy.organizationId)).toHaveLength(6)
})

test('THR-25: the audit trail keeps the old values, and only the last digits of numbers', async () => {
  const amy = await member('OWNER')
  const { id } = await amy.call('bank_accounts_create', account)
  await amy.call('bank_accounts_update', { id, iban: 'SG00 8765 4321', bankName: 'OCBC' })
  await amy.call('bank_accounts_update', { id, bankName: 'OCBC' })
  await amy.call('bank_accounts_delete', { id })
  const { entries } = await amy.call('organizations_audit', { objectId: id })
  expect(entries.map(({ operation, detail }) => [operation, detail])).toMatchObject([
    [
      'bank_accounts_delete',
      { changed: { iban: { from: '…4321', to: null }, accountName: { from: 'Main', to: null } } },
    ],
    ['bank_accounts_update', null],
    [
      'bank_accounts_update',
      { changed: { iban: { from: '…5678', to: '…4321' }, bankName: { from: 'DBS', to: 'OCBC' } } },
    ],
    ['bank_accounts_create', { changed: { iban: { from: null, to: '…5678' } } }],
  ])
  expect(JSON.stringify(entries)).not.toContain('8765')
  expect(await texts(amy)).toHaveLength(3)
})

test('a person is notified of their new role', async () => {
  const amy = await member('OWNER')
  const bob = await member('VIEWER', { of: amy })
  await amy.call('users_member_update', { ...at(amy), userId: bob.userId, role: 'MANAGER' })
  const { notifications, unreadCount, pagination } = await bob.call('users_notifications')
  expect({ notifications, unreadCount, pagination }).toEqual({
    notifications: [
      {
        id: expect.any(String),
        organizationId: amy.organizationId,
        kind: 'ROLE_CHANGED',
        text: 'Founder made you a manager of Acme; you were a viewer.',
        data: { from: 'VIEWER', to: 'MANAGER', by: 'Founder', organization: 'Acme' },
        readAt: null,
        createdAt: expect.any(String),
      },
    ],
    unreadCount: 1,
    pagination: { page: 1, limit: 25, total: 1, totalPages: 1 },
  })
  await bob.call('users_me_update', { locale: 'he' })
  expect(await texts(bob)).toEqual(['התפקיד שלך ב־Acme הוא מעכשיו מנהל במקום צופה, לפי Founder.'])
})

test('a notification is marked as read once and no longer counted', async () => {
  const amy = await member('OWNER')
  for (const accountName of ['One', 'Two', 'Three']) await amy.call('bank_accounts_create', { ...account, accountName })
  const { notifications } = await amy.call('users_notifications')
  const id = notifications[1]?.id ?? ''
  const read = await amy.call('users_notification_read', { id })
  expect(await amy.call('users_notification_read', { id })).toEqual(read)
  expect(read.readAt).toMatch(/Z$/)
  const left = await amy.call('users_notifications', { unread: true, limit: 1 })
  expect(left).toMatchObject({ unreadCount: 2, pagination: { total: 2, totalPages: 2 } })
  expect(await amy.call('users_notifications')).toMatchObject({ unreadCount: 2, pagination: { total: 3 } })
  expect(await amy.call('users_notifications_read_all')).toEqual({ success: true, readCount: 2 })
  expect(await amy.call('users_notifications')).toMatchObject({ unreadCount: 0, pagination: { total: 3 } })
})

test('notifications can be filtered by organization, and those of a foreign organization are refused', async () => {
  const founder = await person('Amy')
  const settled = async () => {
    const { id } = await founder.call('organizations_create', { name: 'Acme', country: 'SG' })
    await founder.call('bank_accounts_create', { organizationId: id, ...account })
    return id
  }
  const [first, second] = [await settled(), await settled()]
  expect(await founder.call('users_notifications_read_all', { organizationId: first })).toMatchObject({ readCount: 1 })
  expect(await founder.call('users_notifications', { organizationId: first })).toMatchObject({ unreadCount: 0 })
  expect(await founder.call('users_notifications', { organizationId: second })).toMatchObject({ unreadCount: 1 })
  const { organizationId = '' } = await member('OWNER')
  for (const foreign of [organizationId, 'nope']) {
    const refused = { status: 403, details: [{ code: 'ORGANIZATION' }] }
    await expect(founder.call('users_notifications', { organizationId: foreign })).rejects.toMatchObject(refused)
    await expect(founder.call('users_notifications_read_all', { organizationId: foreign })).rejects.toMatchObject(
      refused,
    )
  }
})

test('INV-18: a key shows only notifications of the organizations that it reaches', async () => {
  const amy = await member('OWNER')
  await amy.call('bank_accounts_create', account)
  const other = await amy.call('organizations_create', { name: 'Other', country: 'SG' })
  await amy.call('bank_accounts_create', { organizationId: other.id, ...account })
  const all = (await amy.call('users_notifications')).notifications
  const [hidden, shown] = all.map(({ id }) => id)
  const narrow = await withKey(amy, ['users:*'], { organizationIds: [amy.organizationId ?? ''] })
  expect((await narrow.call('users_notifications')).notifications.map(({ id }) => id)).toEqual([shown])
  await expect(narrow.call('users_notification_read', { id: hidden ?? '' })).rejects.toMatchObject({ status: 404 })
  expect(await narrow.call('users_notifications_read_all')).toMatchObject({ readCount: 1 })
  expect((await (await withKey(amy)).call('users_notifications')).notifications).toHaveLength(2)
})

test('INV-21: a former member gets no notifications, and the old ones are deleted', async () => {
  const amy = await member('OWNER')
  const bob = await member('MANAGER', { of: amy })
  await amy.call('bank_accounts_create', account)
  expect(await texts(bob)).toHaveLength(1)
  await amy.call('users_member_delete', { ...at(amy), userId: bob.userId })
  await amy.call('bank_accounts_create', account)
  expect(await texts(bob)).toEqual([])
  expect((await texts(amy))[1]).toBe('MANAGER no longer belongs to Acme.')
})

test('notifications do not cross organizations, and a request cannot change their content', async () => {
  const [amy, eve] = [await member('OWNER'), await member('OWNER')]
  await withTransaction(theApp().confined, { organizationId: amy.organizationId }, ({ db }) =>
    notify(db, { kind: 'MEMBER_LEFT', to: [eve.userId, amy.userId], data: { name: 'Bob' } }),
  )
  expect([await texts(eve), await texts(amy)]).toEqual([[], ['Bob no longer belongs to Acme.']])
  const forge = (text: string) => theApp().confined.use((_, connection) => connection.query(text))
  await expect(forge("update notifications set data = '{}'")).rejects.toThrow(/permission denied/)
  await expect(forge('delete from notifications')).rejects.toThrow(/permission denied/)
  const insert = `insert into notifications (id, user_id, organization_id, kind, data)
    values (gen_random_uuid(), '${eve.userId}', '${eve.organizationId}', 'X', '{}')`
  await expect(forge(insert)).rejects.toThrow(/row-level security/)
})

test('a notification of an unknown kind shows its name, and property names of objects are not kinds', () => {
  expect(textOf('en', { kind: 'OLD_NEWS', data: {} })).toBe('OLD_NEWS')
  expect(textOf('he', { kind: 'constructor', data: {} })).toBe('constructor')
})

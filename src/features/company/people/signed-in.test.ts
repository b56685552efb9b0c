import { expect, test } from 'vitest'
import { member, type Someone, send, theApp } from '../../../test/world.ts'

type Session = { user: Record<string, unknown>; organizations: Record<string, unknown>[] }

const sessionOf = async ({ credentials }: Someone) =>
  (await send({ method: 'GET', url: '/api/auth/session', headers: { ...credentials } })).body as Session

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

test('the session tells the language and preferences of the person', async () => {
  const amy = await member('OWNER')
  const { user } = await sessionOf(amy)
  expect(user).toMatchObject({ language: 'en', unreadCount: 0, preferences: { theme: 'SYSTEM', language: 'en' } })
  await amy.call('preferences_update', { theme: 'DARK', language: 'he', other: { sidebar: 'closed' } })
  expect((await sessionOf(amy)).user).toMatchObject({
    language: 'he',
    preferences: { theme: 'DARK', language: 'he', other: { sidebar: 'closed' } },
  })
})

test('the session tells what the app shows around everything else in an organization', async () => {
  const amy = await member('OWNER', { country: 'IL' })
  const id = String(amy.organizationId)
  const base = { id, name: 'Acme', country: 'IL', currency: 'ILS', role: 'OWNER' }
  expect((await sessionOf(amy)).organizations).toEqual([
    {
      ...base,
      ...{ timezone: 'Asia/Jerusalem', language: 'he', logoUrl: null, unreadCount: 0 },
      tax: { name: 'VAT', rate: null, registered: false },
      today: new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Jerusalem' }).format(new Date()),
    },
  ])
  const { id: logoFileId } = await amy.call('organizations_file_upload', { file: { fileName: 'a.png', base64: pixel } })
  await amy.call('organizations_update', { id, taxNumber: '514324995' })
  await amy.call('settings_update', { id, logoFileId, language: 'en' })
  await amy.call('preferences_update', { language: 'he' })
  await theApp().system.raw.query(
    `insert into notifications (id, user_id, organization_id, kind, data) select new_id(), $1, $2, 'TEST', '{}' from generate_series(1, 3)`,
    [amy.userId, id],
  )
  const { user, organizations } = await sessionOf(amy)
  expect(organizations).toMatchObject([
    {
      ...base,
      ...{ language: 'en', unreadCount: 3, logoUrl: `/api/organizations/${id}/logo?v=${logoFileId}` },
      tax: { name: 'מע"מ', rate: 18, registered: true },
    },
  ])
  expect(user).toMatchObject({ unreadCount: 3 })
  await amy.call('settings_update', { id, defaultTaxRate: 0 })
  expect((await sessionOf(amy)).organizations).toMatchObject([{ tax: { rate: 0 } }])
})

import { expect, test } from 'vitest'
import { member, person, theApp, withKey } from '../../../test/world.ts'

test('a person reads their own name and settings, and no password hash', async () => {
  const amy = await person('Amy')
  expect(await amy.call('users_me')).toEqual({
    id: amy.userId,
    name: 'Amy',
    email: `${amy.userId}@example.test`,
    emailVerifiedAt: null,
    locale: 'en',
    digest: 'NONE',
    createdAt: expect.stringMatching(/Z$/),
  })
})

test('a person changes their own name, language and digest', async () => {
  const amy = await member('EMPLOYEE')
  const changed = await amy.call('users_me_update', { name: 'Amy Cohen', locale: 'he', digest: 'WEEKLY' })
  expect(changed).toMatchObject({ name: 'Amy Cohen', locale: 'he', digest: 'WEEKLY' })
  expect(await amy.call('users_me_update', {})).toEqual(changed)
  expect(await (await withKey(amy, ['users:read'])).call('users_me')).toEqual(changed)
})

test('THR-05: an update changes neither the address, nor its confirmation, nor another person', async () => {
  const [amy, bob] = [await person('Amy'), await person('Bob')]
  const before = await amy.call('users_me')
  const forged = { id: bob.userId, email: 'eve@example.test', emailVerifiedAt: '2020-01-01T00:00:00.000Z' }
  expect(await amy.call('users_me_update', { ...before, ...forged })).toEqual(before)
  for (const unknown of [{ passwordHash: 'x' }, { disabledAt: null }])
    await expect(amy.call('users_me_update', unknown as never)).rejects.toMatchObject({ status: 400 })
  expect((await bob.call('users_me')).name).toBe('Bob')
})

test('the database lets a request change no other column of a person', async () => {
  const amy = await person('Amy')
  const change = (set: string) =>
    theApp().confined.use((_, connection) => connection.query(`update users set ${set} where id = '${amy.userId}'`))
  await expect(change("name = 'Amy Cohen'")).resolves.toBeDefined()
  for (const forbidden of ["email = 'x'", 'email_verified_at = now()', 'password_hash = null', 'disabled_at = null']) {
    await expect(change(forbidden)).rejects.toThrow(/permission denied/)
  }
})

test.each([{ name: '' }, { name: ' ' }, { locale: 'fr' }, { digest: 'HOURLY' }])(
  'a change to %j is refused',
  async (wrong) => {
    const amy = await person('Amy')
    await expect(amy.call('users_me_update', wrong as never)).rejects.toMatchObject({ status: 400 })
  },
)

import { expect, test } from 'vitest'
import { member, operationNamed, withKey } from '../../../test/world.ts'

const update = operationNamed('preferences_update')

test('a person who has chosen nothing has the defaults', async () => {
  const amy = await member('VIEWER')
  expect(await amy.call('preferences_get', {})).toEqual({
    ...{ language: 'en', theme: 'SYSTEM', keyboardLetters: true, dismissedHints: [] },
    ...{ columnWidths: {}, firstSteps: {}, other: {} },
  })
})

test('given preferences change, maps entry by entry, and the others stay', async () => {
  const amy = await member('VIEWER')
  const firstSteps = { [String(amy.organizationId)]: { dismissed: false, done: ['logo'] } }
  await amy.call('preferences_update', { theme: 'DARK', columnWidths: { documents: { number: 90 } }, firstSteps })
  await amy.call('preferences_update', {
    columnWidths: { customers: { name: 200 } },
    other: { sidebar: 'closed', a: 1 },
  })
  const changed = await amy.call('preferences_update', {
    ...{ keyboardLetters: false, language: 'he', dismissedHints: ['palette'] },
    ...{ columnWidths: { documents: null }, other: { a: null } },
  })
  expect(changed).toEqual({
    ...{ language: 'he', theme: 'DARK', keyboardLetters: false, dismissedHints: ['palette'] },
    ...{ columnWidths: { customers: { name: 200 } }, firstSteps, other: { sidebar: 'closed' } },
  })
  expect(await amy.call('preferences_get', {})).toEqual(changed)
  expect(await amy.call('users_me', {})).toMatchObject({ locale: 'he' })
})

test('preferences are of one person, whichever credential they use', async () => {
  const amy = await member('MANAGER')
  const ben = await member('MANAGER', { of: amy })
  await amy.call('preferences_update', { theme: 'DARK' })
  expect(await (await withKey(amy)).call('preferences_get', {})).toMatchObject({ theme: 'DARK' })
  expect(await ben.call('preferences_get', {})).toMatchObject({ theme: 'SYSTEM' })
})

test('two tabs that change different entries at the same time both keep theirs', async () => {
  const amy = await member('VIEWER')
  const names = Array.from({ length: 8 }, (_, index) => `tab${index}`)
  await Promise.all(names.map((name) => amy.call('preferences_update', { other: { [name]: true } })))
  const { other } = await amy.call('preferences_get', {})
  expect(Object.keys(other).sort()).toEqual(names)
})

test('a map has a largest number of entries, and all of it a largest size', async () => {
  const amy = await member('VIEWER')
  const entries = (count: number, of: (index: number) => unknown, prefix = 'k') =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, of(index)]))
  const full = { other: entries(100, () => 1) }
  expect(await amy.request(update, full)).toMatchObject({ status: 200 })
  const refused = await amy.request(update, { other: { more: 1 } })
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'other', code: 'TOO_MANY_ENTRIES' }] } },
  })
  expect(await amy.request(update, { other: entries(101, () => 1) })).toMatchObject({ status: 400 })
  expect(await amy.request(update, { other: { ['x'.repeat(101)]: 1 } })).toMatchObject({ status: 400 })
  const columns = entries(60, () => 100, 'a-column-with-a-long-name-')
  const large = await amy.request(update, { columnWidths: entries(60, () => columns) })
  expect(large).toMatchObject({
    body: { error: { details: [{ code: 'PREFERENCES_WITHIN_64_KIB' }] } },
  })
  expect(await amy.call('preferences_get', {})).toMatchObject({ columnWidths: {} })
})

import { expect, test } from 'vitest'
import { member } from '../../test/world.ts'

const account = (more = {}) => ({ accountName: 'Main', bankName: 'DBS', ...more })

test('an account gets the documented defaults and reads back as created', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('bank_accounts_create', account())
  expect(created).toMatchObject({ currencies: ['USD'], isDefault: false, iban: null })
  expect(await amy.call('bank_accounts_get', { id: created.id })).toEqual(created)
})

test('the account made default last is the only default', async () => {
  const amy = await member('CONTRIBUTOR')
  const first = await amy.call('bank_accounts_create', account({ isDefault: true }))
  const second = await amy.call('bank_accounts_create', account())
  await amy.call('bank_accounts_update', { id: second.id, isDefault: true })
  const { bankAccounts } = await amy.call('bank_accounts_list')
  expect(bankAccounts.map((a) => [a.id, a.isDefault])).toEqual([
    [second.id, true],
    [first.id, false],
  ])
})

test('a patch changes what it names, and what the server owns cannot be forged', async () => {
  const amy = await member('CONTRIBUTOR')
  const before = await amy.call('bank_accounts_create', account({ currencies: ['SGD'], isDefault: true }))
  const after = await amy.call('bank_accounts_update', { id: before.id, notes: 'payroll' })
  expect(after).toEqual({ ...before, notes: 'payroll', updatedAt: after.updatedAt })
  const forged = await amy.call('bank_accounts_update', { id: before.id, createdAt: '2001-01-01T00:00:00Z' })
  expect(forged.createdAt).toBe(before.createdAt)
  await expect(amy.call('bank_accounts_update', { id: before.id, colour: 'red' })).rejects.toMatchObject({
    status: 400,
  })
})

test('making an account default leaves other organizations alone', async () => {
  const amy = await member('CONTRIBUTOR')
  const eve = await member('CONTRIBUTOR')
  const hers = await amy.call('bank_accounts_create', account({ isDefault: true }))
  await eve.call('bank_accounts_create', account({ isDefault: true }))
  expect(await amy.call('bank_accounts_get', { id: hers.id })).toEqual(hers)
})

test.each([{ accountName: '' }, { currencies: 'USD' }, { isDefault: 'yes' }])('%j is refused', async (wrong) => {
  const amy = await member('CONTRIBUTOR')
  await expect(amy.call('bank_accounts_create', account(wrong))).rejects.toMatchObject({ status: 400 })
})

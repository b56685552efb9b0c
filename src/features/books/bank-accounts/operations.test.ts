import { expect, test } from 'vitest'
import { member, theApp } from '../../../test/world.ts'

const account = (more = {}) => ({ accountName: 'Main', bankName: 'DBS', ...more })

test('an account gets the documented defaults and reads back as created', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('bank_accounts_create', account())
  expect(created).toMatchObject({ currencies: ['USD'], isDefault: false, iban: null })
  expect(await amy.call('bank_accounts_get', { id: created.id })).toEqual(created)
})

test('known currencies are stored in upper case, others unchanged', async () => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('bank_accounts_create', account({ currencies: ['sgd', 'btc'] }))
  expect(created.currencies).toEqual(['SGD', 'btc'])
  const changed = await amy.call('bank_accounts_update', { id: created.id, currencies: ['eur'] })
  expect(changed.currencies).toEqual(['EUR'])
})

test.each(['accountName', 'bankName'])('a %s of spaces counts as empty', async (field) => {
  const amy = await member('CONTRIBUTOR')
  await expect(amy.call('bank_accounts_create', account({ [field]: ' ' }))).rejects.toMatchObject({
    status: 400,
    details: [{ path: field, message: `${field} must not be empty.` }],
  })
})

test('the account that was made default last is the only default', async () => {
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

test('a patch changes only the given fields, and fields of the server cannot be set', async () => {
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

test('making an account default does not affect other organizations', async () => {
  const amy = await member('CONTRIBUTOR')
  const eve = await member('CONTRIBUTOR')
  const hers = await amy.call('bank_accounts_create', account({ isDefault: true }))
  await eve.call('bank_accounts_create', account({ isDefault: true }))
  expect(await amy.call('bank_accounts_get', { id: hers.id })).toEqual(hers)
})

test.each([{ accountName: '' }, { currencies: 'USD' }, { isDefault: 'yes' }])('%j is refused', async (wrong) => {
  const amy = await member('CONTRIBUTOR')
  await amy.call('bank_accounts_create', account())
  await expect(amy.call('bank_accounts_create', account(wrong))).rejects.toMatchObject({ status: 400 })
})

test('every documented field is stored, and fields not given are null', async () => {
  const amy = await member('CONTRIBUTOR')
  const given = account({
    accountNumber: '017-903521-8',
    currencies: ['SGD', 'USD'],
    branchCode: '017',
    localBankCode: '7171',
    swiftCode: 'DBSSSGSG',
    iban: 'IL620108000000099999999',
    routingNumber: '021000021',
    bankAddress: '12 Marina Boulevard',
    bankCountry: 'SG',
    isDefault: true,
    notes: 'payroll',
  })
  const created = await amy.call('bank_accounts_create', given)
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organizationId: amy.organizationId,
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
    ...given,
    warnings: [{ code: 'IBAN', path: 'iban', message: 'Singapore has no IBANs; please give the account number instead.' }],
  })
  const bare = await amy.call('bank_accounts_create', account())
  const details = ['accountNumber', 'branchCode', 'localBankCode', 'swiftCode', 'iban', 'routingNumber', 'bankAddress', 'bankCountry', 'notes'] as const
  for (const field of details) expect(bare[field]).toBeNull()
  const emptied = Object.fromEntries(details.map((field) => [field, null]))
  expect(await amy.call('bank_accounts_update', { id: created.id, ...emptied })).toMatchObject(emptied)
}) // biome-ignore format: a list of words

test.each([
  ['create', 20],
  ['update', 20],
])('if twenty accounts are made the default at once by %s, one is the default', async (way, count) => {
  const amy = await member('CONTRIBUTOR')
  const accounts = await Promise.all(
    Array.from({ length: way === 'update' ? count : 0 }, () => amy.call('bank_accounts_create', account())),
  )
  const answers = await Promise.allSettled(
    Array.from({ length: count }, (_, at) => {
      const id = accounts[at]?.id
      return id
        ? amy.call('bank_accounts_update', { id, isDefault: true })
        : amy.call('bank_accounts_create', account({ isDefault: true }))
    }),
  )
  for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 409 })
  expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
  const { bankAccounts } = await amy.call('bank_accounts_list')
  expect(bankAccounts.filter(({ isDefault }) => isDefault)).toHaveLength(1)
})

test('the database allows one default account per organization', async () => {
  const amy = await member('CONTRIBUTOR')
  await amy.call('bank_accounts_create', account({ isDefault: true }))
  await amy.call('bank_accounts_create', account())
  const all = theApp().system.use((db) =>
    db
      .updateTable('bankAccounts')
      .set({ isDefault: true })
      .where('organizationId', '=', amy.organizationId ?? '')
      .execute(),
  )
  await expect(all).rejects.toMatchObject({ constraint: 'one_default_bank_account' })
})

test('an organization may have no default account, and the default may be deleted', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('bank_accounts_create', account({ isDefault: true }))
  expect((await amy.call('bank_accounts_update', { id, isDefault: false })).isDefault).toBe(false)
  await amy.call('bank_accounts_update', { id, isDefault: true })
  expect(await amy.call('bank_accounts_delete', { id })).toEqual({ success: true })
  expect(await amy.call('bank_accounts_list')).toEqual({ bankAccounts: [] })
})

test.each([
  [{ iban: 'IL620108000000099999999' }, []],
  [{ iban: 'IL62 0108 0000 0009 9999 999' }, []],
  [{ iban: 'IL620108000000099999998' }, ['IBAN']],
  [{ swiftCode: 'DBSSSGSG' }, []],
  [{ swiftCode: 'DBSSSGSGXXX' }, []],
  [{ swiftCode: 'DBS' }, ['SWIFT_CODE']],
  [{ routingNumber: '021000021' }, []],
  [{ routingNumber: '021000022' }, ['ROUTING_NUMBER']],
  [{ iban: 'x', swiftCode: 'x', routingNumber: 'x' }, ['IBAN', 'SWIFT_CODE', 'ROUTING_NUMBER']],
  [{ iban: '', swiftCode: null }, []],
])('%j is accepted with the warnings %j', async (numbers, codes) => {
  const amy = await member('CONTRIBUTOR')
  const created = await amy.call('bank_accounts_create', account(numbers))
  const read = await amy.call('bank_accounts_get', { id: created.id })
  const { id } = await amy.call('bank_accounts_create', account())
  const changed = await amy.call('bank_accounts_update', { id, ...numbers })
  for (const { warnings = [] } of [created, read, changed]) {
    expect(warnings.map(({ code }) => code)).toEqual(codes)
    for (const { message, path } of warnings) {
      expect(message).toMatch(/^[A-Z].*\.$/)
      expect(Object.keys(numbers)).toContain(path)
    }
  }
})

test.each([
  ['IL', { localBankCode: '12', branchCode: '600', accountNumber: '123456', iban: 'IL390126000000000123456' }, []],
  ['IL', { localBankCode: '012', branchCode: '6001', accountNumber: '1234567890' }, ['LOCAL_BANK_CODE', 'BRANCH_CODE', 'ACCOUNT_NUMBER']],
  ['IL', { localBankCode: '12', branchCode: '601', iban: 'IL390126000000000123456' }, ['IBAN_DIFFERS']],
  ['SG', { localBankCode: '7171', branchCode: '001', bankCountry: 'Singapore' }, []],
  ['SG', { localBankCode: '717' }, ['LOCAL_BANK_CODE']],
  ['SG', { iban: 'DE89370400440532013000' }, []],
  ['SG', { iban: 'DE89370400440532013000', bankCountry: 'SG' }, ['IBAN']],
  ['SG', { swiftCode: 'LUMIILIT', bankCountry: 'Singapore' }, ['SWIFT_CODE']],
  ['US', { accountNumber: '123' }, ['ROUTING_NUMBER_MISSING']],
  ['US', { accountNumber: '123', routingNumber: '021000021' }, []],
] as const)('in an organization of %s %j is accepted with the warnings %j', async (country, numbers, codes) => {
  const amy = await member('CONTRIBUTOR', { country })
  const created = await amy.call('bank_accounts_create', account(numbers))
  const read = await amy.call('bank_accounts_get', { id: created.id })
  expect((created.warnings ?? []).map(({ code }) => code)).toEqual(codes)
  expect(read).toEqual(created)
}) // biome-ignore format: a table

test('an account number may be empty on creation, but not on change', async () => {
  const amy = await member('CONTRIBUTOR')
  const { id } = await amy.call('bank_accounts_create', account({ accountNumber: '' }))
  await expect(amy.call('bank_accounts_update', { id, accountNumber: '' })).rejects.toMatchObject({
    status: 400,
    details: [expect.objectContaining({ path: 'accountNumber' })],
  })
  expect((await amy.call('bank_accounts_update', { id, accountNumber: null })).accountNumber).toBeNull()
})

test.each([{ accountName: '' }, { bankName: '' }, { accountName: null }, { currencies: null }, { isDefault: null }])(
  'a change to %j is refused',
  async (wrong) => {
    const amy = await member('CONTRIBUTOR')
    const { id } = await amy.call('bank_accounts_create', account())
    await expect(amy.call('bank_accounts_update', { id, ...wrong } as never)).rejects.toMatchObject({ status: 400 })
  },
)

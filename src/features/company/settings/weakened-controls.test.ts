import { expect, test } from 'vitest'
import { sell } from '../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../test/world.ts'

const home = ({ organizationId }: Someone) => String(organizationId)
const change = (someone: Someone, changes: object) => someone.call('settings_update', { id: home(someone), ...changes })
const needsOwner = { status: 403, details: [{ code: 'ROLE' }] }
const company = async () => {
  const olga = await member('OWNER')
  return { olga, other: await member('OWNER', { of: olga }), mia: await member('MANAGER', { of: olga }) }
}
const told = async (someone: Someone) =>
  (await someone.call('users_notifications', {})).notifications
    .filter(({ kind }) => kind === 'CONTROL_WEAKENED')
    .map(({ text, data }) => ({ text, control: data.control }))

test('a manager makes the rule for approvals stricter, and an owner alone weaker', async () => {
  const { olga, other, mia } = await company()
  await change(mia, { requireApproval: true, expenseApprovalAbove: 500 })
  await change(mia, { expenseApprovalAbove: 100 })
  await change(mia, { expenseApprovalAbove: null })
  for (const weaker of [
    { requireApproval: false },
    { expenseApprovalAbove: 1 },
    { requireApproval: false, expenseApprovalAbove: 5 },
  ])
    await expect(change(mia, weaker)).rejects.toMatchObject(needsOwner)
  expect(await told(other)).toEqual([])
  await change(olga, { expenseApprovalAbove: 1_000 })
  await change(olga, { requireApproval: false })
  expect(await told(other)).toMatchObject([
    { control: 'APPROVAL' },
    { control: 'APPROVAL_LIMIT', text: expect.stringContaining('to 1000') },
  ])
  expect(await told(olga)).toEqual([])
  await change(mia, { expenseApprovalAbove: 5 }) // the rule is off, so its amount binds nobody
})

test('a manager does not approve an own expense by switching the rule off and on again', async () => {
  const { olga, mia } = await company()
  await change(olga, { requireApproval: true })
  const spent = { organizationId: home(mia), amount: 90_000, currency: 'SGD', date: '2026-01-31', description: 'Car' }
  const { id } = await mia.call('expenses_create', spent as never)
  await expect(change(mia, { requireApproval: false })).rejects.toMatchObject(needsOwner)
  await expect(mia.call('expenses_status', { id, status: 'APPROVED' })).rejects.toMatchObject({
    status: 403,
    details: [{ code: 'OWN_EXPENSE' }],
  })
})

test('the lock of a period is moved back by an owner, and the other owners are told', async () => {
  const { olga, other, mia } = await company()
  await change(mia, { lockedUntil: '2026-03-31' })
  await expect(change(mia, { lockedUntil: '2026-02-28' })).rejects.toMatchObject(needsOwner)
  await change(olga, { lockedUntil: '2026-02-28' })
  await change(olga, { lockedUntil: null })
  expect((await told(other)).map(({ text }) => text)).toEqual([
    expect.stringContaining('locked until 2026-02-28'),
    expect.stringContaining('they are locked until 2026-02-28'),
  ])
})

test('a manager sets the numbering up, and an owner changes it once a document was issued with it', async () => {
  const { olga, other, mia } = await company()
  const prefix = (text: string) => ({ numbering: [{ documentType: 'INVOICE', prefix: text }] })
  await change(mia, prefix('A-'))
  await sell(mia, { status: 'SENT' })
  await expect(change(mia, prefix('B-'))).rejects.toMatchObject(needsOwner)
  await change(mia, { ...prefix('A-'), digest: true }) // what was read is written back
  await change(mia, { numbering: [{ documentType: 'PAYMENT_REQUEST', prefix: 'P-' }] })
  await change(olga, prefix('B-'))
  expect(await told(other)).toMatchObject([{ control: 'NUMBERING', text: expect.stringContaining('from A-2 to B-2') }])
})

test('a manager does not change the numbers of issued documents through the type whose format they take', async () => {
  const mia = await member('OWNER', { country: 'IL' })
  const ann = await member('MANAGER', { of: mia })
  await sell(mia, { status: 'SENT' })
  const format = [{ documentType: 'PAYMENT_REQUEST' as const, prefix: 'Z-', padding: 6 }]
  await expect(change(ann, { numbering: format })).rejects.toMatchObject(needsOwner)
  await change(mia, { numbering: format })
})

test('a manager chooses the main currency of empty books, and an owner that of books with entries', async () => {
  const { olga, other, mia } = await company()
  const currency = (someone: Someone, code: string) =>
    someone.call('organizations_update', { id: home(someone), currency: code })
  await currency(mia, 'EUR')
  await currency(mia, 'SGD')
  await change(olga, { requireApproval: true, expenseApprovalAbove: 500 }) // an amount in the main currency
  await expect(currency(mia, 'KWD')).rejects.toMatchObject(needsOwner)
  await change(olga, { requireApproval: false })
  const { id } = await mia.call('invoices_payments_create', { amount: 5, currency: 'SGD', paidAt: '2026-01-31' })
  await expect(currency(mia, 'USD')).rejects.toMatchObject(needsOwner)
  await mia.call('invoices_payments_void', { id })
  await expect(currency(mia, 'USD')).rejects.toMatchObject(needsOwner)
  await mia.call('organizations_update', { id: home(mia), currency: 'SGD', name: 'Same' })
  await currency(olga, 'USD')
  expect((await told(other))[0]).toMatchObject({
    control: 'CURRENCY',
    text: expect.stringContaining('from SGD to USD of Same'),
  })
})

test('the database refuses all of it to a manager by itself', async () => {
  const { olga, mia } = await company()
  await change(olga, { requireApproval: true })
  await sell(olga, { status: 'SENT' })
  const as = ({ userId }: Someone, text: string) =>
    theApp().system.use(async (_, connection) => {
      await connection.query('begin')
      await connection.query("select set_config('app.person', $1, true)", [userId])
      return connection.query(text, [home(olga)]).finally(() => connection.query('rollback'))
    })
  for (const [text, constraint] of [
    ['update organization_settings set require_approval = false where organization_id = $1', 'owner_weakens_approval'],
    [
      `update document_numbering set prefix = 'Z-' where organization_id = $1 and document_type = 'INVOICE'`,
      'owner_changes_numbering',
    ],
    [`update organizations set currency = 'USD' where id = $1`, 'owner_changes_currency'],
  ] as const) {
    await expect(as(olga, text)).resolves.toMatchObject({ affected: 1 })
    await expect(as(mia, text)).rejects.toMatchObject({ constraint })
  }
})

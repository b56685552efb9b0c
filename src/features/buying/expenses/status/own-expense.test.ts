import { beforeAll, expect, test } from 'vitest'
import { emailOf } from '../../../../test/accounts.ts'
import { action, automate, graphOf, settle, trigger } from '../../../../test/automations/automations.ts'
import { billOf } from '../../../../test/einvoices/bill.ts'
import { friday, storeTestRates } from '../../../../test/exchange-rates.ts'
import { hire } from '../../../../test/payroll/company.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'

beforeAll(() => storeTestRates())

const home = ({ organizationId }: Someone) => String(organizationId)
const company = async (settings: object = { requireApproval: true }, country: 'SG' | 'IL' = 'SG') => {
  const mia = await member('OWNER', { country })
  const ann = await member('MANAGER', { of: mia })
  const carl = await member('CONTRIBUTOR', { of: mia })
  await mia.call('settings_update', { id: home(mia), ...settings })
  return { mia, ann, carl }
}
const car = { amount: 90_000, currency: 'SGD', date: '2026-01-31', title: 'Car' }
const enter = async (someone: Someone, more: object = {}): Promise<string> =>
  (await someone.call('expenses_create', { organizationId: home(someone), ...car, ...more } as never)).id
const change = (someone: Someone, id: string, changes: object) =>
  someone.call('expenses_update_patch_2', { id, ...changes } as never)
const approve = (someone: Someone, id: string) => someone.call('expenses_status', { id, status: 'APPROVED' })
const own = { status: 403, details: [{ code: 'OWN_EXPENSE' }] }
const ownClaim = { status: 403, details: [{ code: 'OWN_CLAIM' }] }

/** An automation of the owner that somebody else gives another action, and then causes to run. */
async function letOwnerDo(owner: Someone, someone: Someone, name: string, input: object) {
  const customer = trigger('customer.created')
  const id = await automate(owner, graphOf([customer, action('read', 'expenses_list')], 'start>read'))
  await someone.call('automations_update', {
    id,
    ...graphOf([customer, action('act', name, input as never)], 'start>act'),
  } as never)
  await someone.call('customers_create', { organizationId: home(owner), name: 'Globex', country: 'SG' })
  await settle(owner)
}

test('what a manager lets an automation of the owner enter is theirs too, and that of its owner', async () => {
  const { mia, ann } = await company()
  await letOwnerDo(mia, ann, 'expenses_create', { organizationId: home(mia), ...car })
  const { expenses } = (await ann.call('expenses_list', {})) as { expenses: { id: string }[] }
  expect(expenses).toHaveLength(1)
  const id = String(expenses[0]?.id)
  await expect(approve(ann, id)).rejects.toMatchObject(own)
  await expect(approve(mia, id)).rejects.toMatchObject(own)
  expect(await approve(await member('MANAGER', { of: mia }), id)).toMatchObject({ status: 'APPROVED' })
})

test('what a manager lets an automation of the owner raise is theirs too', async () => {
  const { mia, ann, carl } = await company()
  const id = await enter(carl, { amount: 50 })
  await letOwnerDo(mia, ann, 'expenses_update_patch_2', { id, amount: 90_000 })
  expect(await ann.call('expenses_get', { id })).toMatchObject({ amount: 90_000 })
  await expect(approve(ann, id)).rejects.toMatchObject(own)
})

test('who has set the amount does not approve it, also after somebody else corrected something', async () => {
  const { mia, ann, carl } = await company()
  const id = await enter(carl, { amount: 50 })
  await change(ann, id, { amount: 90_000 })
  await change(carl, id, { vendor: 'Comfort' })
  await expect(approve(ann, id)).rejects.toMatchObject(own)
  await change(mia, id, { amount: 60 })
  expect(await approve(ann, id)).toMatchObject({ status: 'APPROVED', amount: 60 })
})

test('what a scan reads in the file of a manager is theirs, whoever entered the expense and asks for the scan', async () => {
  const { ann, carl } = await company()
  const upload = (someone: Someone, more: object) =>
    someone.call('expenses_upload', { organizationId: home(carl), ...more } as never)
  for (const asking of [ann, carl]) {
    const file = { fileName: 'r.txt', base64: Buffer.from('x').toString('base64') }
    const { expenseId } = (await upload(carl, { file })) as { expenseId: string }
    const bill = await upload(ann, { expenseId, file: billOf({ net: 90_000, number: asking.userId }) })
    await asking.call('expenses_scan', { attachmentId: bill.id })
    expect((await ann.call('expenses_get', { id: expenseId })).amount).toBeGreaterThan(90_000)
    await expect(approve(ann, expenseId)).rejects.toMatchObject(own)
  }
})

test('nobody but an owner takes the address or account that makes them a claimant from a record of their own', async () => {
  const { mia, ann } = await company({})
  const refused = { status: 403, details: [{ code: 'ROLE' }] }
  const { id } = await hire(mia, { residencyStatus: 'CITIZEN', userId: ann.userId, email: emailOf(ann) })
  for (const changes of [{ userId: null }, { email: null }, { email: 'else@example.test' }])
    await expect(ann.call('payroll_employees_update', { id, ...changes } as never)).rejects.toMatchObject(refused)
  const named = { organizationId: home(mia), name: 'Ann', country: 'SG', kind: 'INDIVIDUAL' as const }
  const person = await mia.call('customers_create', { ...named, email: emailOf(ann) })
  await expect(ann.call('customers_update_patch', { id: person.id, email: 'else@example.test' })).rejects.toMatchObject(
    refused,
  )
  for (const claimantId of [id, person.id])
    await expect(approve(ann, await enter(ann, { claimantId }))).rejects.toMatchObject(ownClaim)
  await mia.call('payroll_employees_update', { id, email: 'dana@example.test', userId: null } as never)
})

test('a claimant is known by the addresses that their account had before', async () => {
  const { mia, ann } = await company({})
  const named = { organizationId: home(mia), name: 'Ann', country: 'SG', kind: 'INDIVIDUAL' as const }
  const { id: claimantId } = await mia.call('customers_create', { ...named, email: emailOf(ann) })
  await theApp().system.raw.query('update users set email = $2 where id = $1', [ann.userId, `new-${emailOf(ann)}`])
  await expect(approve(ann, await enter(ann, { claimantId }))).rejects.toMatchObject(ownClaim)
})

test('a claim of a claimant without an address is approved by another person than who entered it, or by an owner', async () => {
  const { mia, ann, carl } = await company({})
  const named = { organizationId: home(mia), name: 'Nobody', country: 'SG', kind: 'INDIVIDUAL' as const }
  const { id: claimantId } = await ann.call('customers_create', named)
  await expect(approve(ann, await enter(ann, { claimantId }))).rejects.toMatchObject(ownClaim)
  expect(await approve(ann, await enter(carl, { claimantId }))).toMatchObject({ status: 'APPROVED' })
  expect(await approve(mia, await enter(mia, { claimantId }))).toMatchObject({ status: 'APPROVED' })
})

test('the amount above which somebody else approves counts the given rate or the published one, whichever makes more', async () => {
  const { ann } = await company({ requireApproval: true, expenseApprovalAbove: 500 }, 'IL')
  const dollars = (amount: number, exchangeRate?: number) =>
    enter(ann, { amount, currency: 'USD', date: friday, ...(exchangeRate && { exchangeRate }) })
  await expect(approve(ann, await dollars(100, 1_000))).rejects.toMatchObject(own)
  await expect(approve(ann, await dollars(1_000, 0.01))).rejects.toMatchObject(own)
  expect(await approve(ann, await dollars(100))).toMatchObject({ status: 'APPROVED' })
})

test('an automation that approves small amounts sees what the books would have', async () => {
  const { mia, carl } = await company({}, 'IL')
  const submitted = trigger('expense.submitted')
  const approving = action('approve', 'expenses_status', {
    ...{ id: '{{trigger.id}}', status: 'APPROVED', expectedRevision: '{{trigger.revision}}' },
  })
  const small = { left: '{{trigger.homeAmount}}', op: 'lte', right: 100 }
  await automate(mia, graphOf([submitted, approving], ['start>approve', small] as never))
  const statusOf = async (exchangeRate: number) => {
    const id = await enter(carl, { amount: 20, currency: 'USD', date: friday, exchangeRate })
    await carl.call('expenses_status', { id, status: 'PENDING_REVIEW' })
    await settle(mia)
    return (await mia.call('expenses_get', { id })).status
  }
  expect(await statusOf(1_000_000)).toBe('PENDING_REVIEW')
  expect(await statusOf(3.6)).toBe('APPROVED')
})

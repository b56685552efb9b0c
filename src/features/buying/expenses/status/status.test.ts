import { beforeAll, describe, expect, test } from 'vitest'
import { emailOf } from '../../../../test/accounts.ts'
import { storeTestRates } from '../../../../test/exchange-rates.ts'
import { expenseEvents, spend, spendApproved } from '../../../../test/expenses.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { type ExpenseStatus, expenseKind } from '../kind.ts'

const roles = ['VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER'] as const
type Role = (typeof roles)[number]

/** The status of the answer for VIEWER, CONTRIBUTOR, MANAGER and OWNER. */
const answers: Record<`${ExpenseStatus} ${ExpenseStatus}`, string> = {
  'DRAFT DRAFT': '403 200 200 200',
  'DRAFT PENDING_REVIEW': '403 200 200 200',
  'DRAFT APPROVED': '403 403 200 200',
  'DRAFT REJECTED': '403 403 200 200',
  'PENDING_REVIEW DRAFT': '403 200 200 200',
  'PENDING_REVIEW PENDING_REVIEW': '403 200 200 200',
  'PENDING_REVIEW APPROVED': '403 403 200 200',
  'PENDING_REVIEW REJECTED': '403 403 200 200',
  'APPROVED DRAFT': '403 403 409 409',
  'APPROVED PENDING_REVIEW': '403 403 200 200',
  'APPROVED APPROVED': '403 200 200 200',
  'APPROVED REJECTED': '403 403 409 409',
  'REJECTED DRAFT': '403 200 200 200',
  'REJECTED PENDING_REVIEW': '403 409 409 409',
  'REJECTED APPROVED': '403 403 409 409',
  'REJECTED REJECTED': '403 200 200 200',
}

const events: Partial<Record<ExpenseStatus, string>> = {
  PENDING_REVIEW: 'expense.submitted',
  APPROVED: 'expense.approved',
  REJECTED: 'expense.rejected',
}

let owner: Someone
const colleagues = {} as Record<Role, Someone>
beforeAll(async () => {
  owner = await member('OWNER')
  for (const role of roles) colleagues[role] = await member(role, { of: owner })
})

/** An expense in a status. */
async function expenseIn(status: ExpenseStatus): Promise<string> {
  const { id } = await spend(owner)
  if (status !== 'DRAFT') await owner.call('expenses_status', { id, status, reason: 'before' })
  return id
}

const cases = expenseKind.statuses.flatMap((from) =>
  expenseKind.statuses.flatMap((to) =>
    roles.map((role, at) => ({ from, to, role, answer: Number(answers[`${from} ${to}`].split(' ')[at]) })),
  ),
)

test.each(cases)('$role moves an expense from $from to $to: $answer', async ({ from, to, role, answer }) => {
  const id = await expenseIn(from)
  const before = { ...(await owner.call('expenses_get', { id })), events: await expenseEvents(id) }
  const moving = colleagues[role].call('expenses_status', { id, status: to, reason: 'because' })
  if (answer === 200) await expect(moving).resolves.toMatchObject({ status: to })
  else await expect(moving).rejects.toMatchObject({ status: answer })
  const after = { ...(await owner.call('expenses_get', { id })), events: await expenseEvents(id) }
  if (answer !== 200 || from === to) return expect(after).toEqual(before)
  expect(after).toMatchObject({ status: to, statusReason: 'because' })
  expect(after.events).toEqual([...before.events, ...(events[to] ? [events[to]] : [])])
  if (to === 'APPROVED' || to === 'REJECTED') expect(after.reviewedBy?.id).toBe(colleagues[role].userId)
})

test('the table of transitions has every pair of statuses for each role', () => expect(cases).toHaveLength(64))

test('an expense from a scan or a mail is submitted when it is created', async () => {
  for (const source of ['SCAN', 'EMAIL']) {
    const { id, status } = await spend(owner, { source })
    expect(status).toBe('PENDING_REVIEW')
    expect(await expenseEvents(id)).toEqual(['expense.created', 'expense.submitted'])
  }
})

test('an unknown status and a missing one are refused', async () => {
  const id = await expenseIn('DRAFT')
  for (const status of ['PAID', '', null, undefined])
    await expect(owner.call('expenses_status', { id, status: status as never })).rejects.toMatchObject({ status: 400 })
})

describe('nobody approves a claim of their own', () => {
  test('the claimant is known by the e-mail address, in any case', async () => {
    const { MANAGER: manager, OWNER: other } = colleagues
    const claimant = (email: string) =>
      owner.call('customers_create', { name: 'Manny', country: 'SG', kind: 'INDIVIDUAL', email })
    const own = await claimant(`${manager.userId}@EXAMPLE.test`)
    const others = await claimant('dana@example.test')
    const claim = async (claimantId: string) => (await spend(owner, { claimantId })).id
    const allowed = { id: await claim(others.id), status: 'APPROVED' as const }
    expect(await manager.call('expenses_status', allowed)).toMatchObject({ status: 'APPROVED' })
    const id = await claim(own.id)
    const refused = manager.call('expenses_status', { id, status: 'APPROVED' })
    await expect(refused).rejects.toMatchObject({ status: 403, details: [{ code: 'OWN_CLAIM' }] })
    expect(await manager.call('expenses_status', { id, status: 'PENDING_REVIEW' })).toBeDefined()
    expect(await other.call('expenses_status', { id, status: 'APPROVED' })).toMatchObject({ status: 'APPROVED' })
  })

  describe('a claim stays one', () => {
    const approve = (someone: Someone, id: string) => someone.call('expenses_status', { id, status: 'APPROVED' })
    const person = (email: string) =>
      owner.call('customers_create', { name: 'Manny', country: 'SG', kind: 'INDIVIDUAL', email })
    const claimOf = async (someone: Someone) => {
      const { id: claimantId } = await person(emailOf(someone))
      return { claimantId, ...(await spend(owner, { claimantId })) }
    }
    const refuses = (approving: Promise<unknown>) =>
      expect(approving).rejects.toMatchObject({ status: 403, details: [{ code: 'OWN_CLAIM' }] })

    test('when the e-mail address of the claimant changes, before or after', async () => {
      const { MANAGER: manager, OWNER: other } = colleagues
      const { id, claimantId } = await claimOf(manager)
      await owner.call('customers_update_patch', { id: claimantId, email: 'nobody@example.test' })
      await refuses(approve(manager, id))
      const later = await spend(owner, { claimantId: (await person('nobody@example.test')).id })
      const { claimantId: puppet } = await owner.call('expenses_get', { id: later.id })
      await owner.call('customers_update_patch', { id: String(puppet), email: emailOf(manager) })
      await refuses(approve(manager, later.id))
      expect(await approve(other, id)).toMatchObject({ status: 'APPROVED' })
    })

    test.each(['nobody', 'somebody else'])('when %s is its claimant', async (whom) => {
      const { MANAGER: manager, OWNER: other } = colleagues
      const { id } = await claimOf(manager)
      const claimantId = whom === 'nobody' ? null : (await person('dana@example.test')).id
      await manager.call('expenses_update_patch_2', { id, claimantId })
      await refuses(approve(manager, id))
      expect(await approve(other, id)).toMatchObject({ status: 'APPROVED' })
    })

    test('also for the database', async () => {
      const { MANAGER: manager } = colleagues
      const { id } = await claimOf(manager)
      await approve(colleagues.OWNER, id)
      const { raw } = theApp().system
      await raw.query("update expenses set claimed_by = '{}' where id = $1", [id])
      const { rows } = await raw.query('select claimed_by from expenses where id = $1', [id])
      expect(rows).toEqual([{ claimed_by: [manager.userId] }])
      const stored = raw.query('update expenses set reviewed_by = $2 where id = $1', [id, manager.userId])
      await expect(stored).rejects.toMatchObject({ constraint: 'own_claim' })
    })
  })
})

describe('the approval rule of the organization', () => {
  const approve = (someone: Someone, id: string) => someone.call('expenses_status', { id, status: 'APPROVED' })
  const rule = (someone: Someone, settings: object) =>
    someone.call('settings_update', { id: String(someone.organizationId), ...settings })

  test('without an amount, nobody approves an expense that they entered', async () => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    expect(await approve(amy, (await spend(amy)).id)).toMatchObject({ status: 'APPROVED' }) // off by default
    await rule(amy, { requireApproval: true })
    const { id } = await spend(amy)
    await expect(approve(amy, id)).rejects.toMatchObject({ status: 403, details: [{ code: 'OWN_EXPENSE' }] })
    expect(await approve(bob, id)).toMatchObject({ status: 'APPROVED' })
  })

  test.each([
    { amount: 90 },
    { currency: 'USD' },
    { date: '2026-01-30' },
    { vendor: 'Rail' },
    { taxAmount: 9 },
    { splits: [{ categoryId: null, amount: 60 }, { categoryId: null, amount: 40 }] },
  ])('nobody approves an expense that they changed last: %j', async (change) => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    const cleo = await member('MANAGER', { of: amy })
    await rule(amy, { requireApproval: true })
    const { id } = await spend(amy)
    await bob.call('expenses_update_patch_2', { id, ...change })
    for (const someone of [amy, bob])
      await expect(approve(someone, id)).rejects.toMatchObject({ status: 403, details: [{ code: 'OWN_EXPENSE' }] })
    await cleo.call('expenses_update_patch_2', { id, ...change, title: 'Same amounts' })
    expect(await approve(cleo, id)).toMatchObject({ status: 'APPROVED' })
  }) // biome-ignore format: a list of changes

  test('an amount above which the rule holds also holds for whoever changed the expense', async () => {
    const amy = await member('OWNER')
    const bob = await member('MANAGER', { of: amy })
    await rule(amy, { requireApproval: true, expenseApprovalAbove: 100 })
    const changed = async (amount: number) => {
      const { id } = await spend(amy)
      await bob.call('expenses_update_patch_2', { id, amount })
      return id
    }
    expect(await approve(bob, await changed(99))).toMatchObject({ status: 'APPROVED' })
    await expect(approve(bob, await changed(101))).rejects.toMatchObject({ status: 403 })
  })

  test('with an amount, the rule holds above it, in the currency of the organization', async () => {
    await storeTestRates()
    const amy = await member('OWNER', { country: 'IL' })
    await rule(amy, { requireApproval: true, expenseApprovalAbove: 371 })
    const on = '2023-12-08' // a dollar is 3.70993783057 shekels
    const spent = async (amount: number, currency: string) => (await spend(amy, { amount, currency, date: on })).id
    expect(await approve(amy, await spent(371, 'ILS'))).toMatchObject({ status: 'APPROVED' })
    expect(await approve(amy, await spent(100, 'USD'))).toMatchObject({ status: 'APPROVED' })
    for (const [amount, currency] of [
      [371.01, 'ILS'],
      [100.01, 'USD'],
    ] as const)
      await expect(approve(amy, await spent(amount, currency))).rejects.toMatchObject({ status: 403 })
    await expect(approve(amy, await spent(1, 'KPW'))).rejects.toMatchObject({ status: 403 }) // no rate is known
  })
})

test('an expense that was changed since it was reviewed keeps its status', async () => {
  const { id } = await spend(owner)
  const { revision } = await owner.call('expenses_get', { id })
  const { splits, ...changes } = {
    ...{ amount: 90, currency: 'USD', date: '2026-01-30', vendor: 'Rail', title: 'Train', notes: 'x', dueDate: '2026-03-01' },
    splits: [{ categoryId: null, amount: 40 }, { categoryId: null, amount: 50 }],
  } // biome-ignore format: a list of changes
  let last = revision
  for (const change of [...Object.entries(changes), ['splits', splits]]) {
    const after = await owner.call('expenses_update_patch_2', { id, ...Object.fromEntries([change]) })
    expect(after.revision).toBeGreaterThan(last)
    last = after.revision
  }
  const approve = (expectedRevision: number) =>
    owner.call('expenses_status', { id, status: 'APPROVED', expectedRevision })
  await expect(approve(revision)).rejects.toMatchObject({ status: 409, details: [{ code: 'EXPENSE_CHANGED' }] })
  expect(await approve(last)).toMatchObject({ status: 'APPROVED' })
})

describe('payments', () => {
  const paidAt = '2026-02-01'
  const paid = async (status: ExpenseStatus) => {
    const id = await expenseIn(status)
    const { payments } = await owner.call('expenses_payments', { id, amount: 40, paidAt })
    return { id, paymentId: payments[0]?.id ?? '' }
  }

  test.each(['DRAFT', 'PENDING_REVIEW'] as const)('a %s expense with live payments is not rejected', async (from) => {
    const { id, paymentId } = await paid(from)
    const reject = () => owner.call('expenses_status', { id, status: 'REJECTED' })
    await expect(reject()).rejects.toMatchObject({ status: 409, details: [{ code: 'HAS_PAYMENTS' }] })
    await owner.call('expenses_payments_void', { id: paymentId })
    expect(await reject()).toMatchObject({ status: 'REJECTED' })
    await expect(owner.call('expenses_payments', { id, amount: 1, paidAt })).rejects.toMatchObject({ status: 409 })
  })

  test('the approval of a paid expense is not taken back', async () => {
    const { id, paymentId } = await paid('APPROVED')
    const reopen = () => owner.call('expenses_status', { id, status: 'PENDING_REVIEW' })
    await expect(reopen()).rejects.toMatchObject({ status: 409, details: [{ code: 'HAS_PAYMENTS' }] })
    await owner.call('expenses_payments_void', { id: paymentId })
    expect(await reopen()).toMatchObject({ status: 'PENDING_REVIEW' })
  })

  test('a payment that settles an expense is reported once, whatever its status', async () => {
    const { id } = await spend(owner)
    await owner.call('expenses_payments', { id, amount: 40, paidAt })
    expect(await expenseEvents(id)).not.toContain('expense.paid')
    await owner.call('expenses_payments', { id, amount: 60, paidAt })
    await owner.call('expenses_payments', { id, amount: 5, paidAt, allowUnallocated: true })
    expect((await expenseEvents(id)).filter((type) => type === 'expense.paid')).toHaveLength(1)
  })
})

describe('an approved expense', () => {
  const changing = (id: string, change: object) => owner.call('expenses_update_patch_2', { id, ...change })

  test('keeps its approval when the title, the notes, the category or the payment method changes', async () => {
    const { categories } = await owner.call('expense_categories_list')
    const { id } = await spendApproved(owner)
    await owner.call('expenses_payments', { id, amount: 40, paidAt: '2026-02-01' })
    const changes = [
      { title: 'x' },
      { notes: 'y' },
      { categoryId: categories[0]?.id },
      { paymentMethod: 'CARD' },
      { dueDate: '2026-03-01' },
    ]
    for (const change of changes) expect(await changing(id, change)).toMatchObject({ ...change, status: 'APPROVED' })
    expect(await owner.call('expenses_update_put', { id })).toMatchObject({ title: null, status: 'APPROVED' })
  })

  test.each([
    { amount: 90 },
    { currency: 'USD' },
    { date: '2026-01-30' },
    { taxAmount: 9 },
    { vendor: 'Rail' },
    { documentNumber: '7' },
  ])('goes back to review with %j while nothing is paid, and is left alone once it is', async (change) => {
    const { id } = await spendApproved(owner)
    expect(await changing(id, change)).toMatchObject({ ...change, status: 'PENDING_REVIEW' })
    expect((await expenseEvents(id)).at(-1)).toBe('expense.submitted')
    const paid = await spendApproved(owner)
    await owner.call('expenses_payments', { id: paid.id, amount: 1, paidAt: '2026-02-01' })
    const before = await owner.call('expenses_get', { id: paid.id })
    await expect(changing(paid.id, change)).rejects.toMatchObject({ status: 409 })
    expect(await owner.call('expenses_get', { id: paid.id })).toEqual(before)
  })
})

describe('DELETE', () => {
  const remove = (someone: Someone, id: string) => someone.call('expenses_delete_delete', { id })

  test.each(expenseKind.statuses)('an expense that is %s and has no payments is deleted', async (status) => {
    const id = await expenseIn(status)
    if (status === 'APPROVED') await expect(remove(colleagues.CONTRIBUTOR, id)).rejects.toMatchObject({ status: 403 })
    expect(await remove(status === 'APPROVED' ? colleagues.MANAGER : colleagues.CONTRIBUTOR, id)).toEqual({
      success: true,
    })
    await expect(owner.call('expenses_get', { id })).rejects.toMatchObject({ status: 404 })
    await expect(remove(owner, id)).rejects.toMatchObject({ status: 404 })
  })

  test('an expense with payments, live or voided, stays', async () => {
    const { id } = await spend(owner)
    const { payments } = await owner.call('expenses_payments', { id, amount: 40, paidAt: '2026-02-01' })
    await expect(remove(owner, id)).rejects.toMatchObject({ status: 409 })
    await owner.call('expenses_payments_void', { id: payments[0]?.id ?? '' })
    await expect(remove(owner, id)).rejects.toMatchObject({ status: 409 })
    expect(await owner.call('expenses_status', { id, status: 'REJECTED' })).toMatchObject({ paidAmount: 0 })
  })
})

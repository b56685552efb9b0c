import { expect, test } from 'vitest'
import { type Payroll, payrollOf, payslipIdOf, rowOf } from '../payroll/company.ts'
import { expectSoundBooks } from '../violations.ts'

const month = '2026-03'
const clients = Array.from({ length: 8 }, (_, n) => n)
const consent = { affirmed: true, at: '2026-03-20' }

/** Sends a request from eight clients at once. A refusal is a conflict or says what is wrong; no request fails. */
async function atOnce<T>(send: (client: number) => Promise<T>): Promise<{ done: T[]; refused: unknown[] }> {
  const answers = await Promise.allSettled(clients.map(send))
  const refused = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const error of refused) expect([400, 409]).toContain((error as { status?: number }).status)
  return { done: answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])), refused }
}

async function companyOf(people: number) {
  const sg = await payrollOf('SG')
  const staff = []
  for (let n = 0; n < people; n++) staff.push(await sg.hire({ name: `Person ${n}`, monthlyWage: 3_000 + n }))
  return { sg, ids: staff.map(({ id }) => id) }
}

const payslips = (sg: Payroll, ids: readonly string[]) => Promise.all(ids.map((id) => payslipIdOf(sg, month, id)))

test('INV-08: eight clients generate, approve and pay one month at once, and everybody has one payslip and one payment of each kind', async () => {
  const { sg, ids } = await companyOf(5)
  const generated = await atOnce(() => sg.generate(month))
  expect(generated.done.reduce((sum, { generated }) => sum + generated, 0)).toBe(5)
  const slips = await payslips(sg, ids)
  const approved = await atOnce((n) => sg.approve(month, n % 2 ? { payslipIds: slips } : {}))
  expect(approved.done.reduce((sum, { approved }) => sum + approved, 0)).toBe(5)
  const work = clients.flatMap((n) =>
    slips.flatMap((id, at) =>
      ((n + at) % 2 ? (['NET', 'STATUTORY'] as const) : (['STATUTORY', 'NET'] as const)).map((kind) => ({ id, kind })),
    ),
  )
  const paid = await Promise.allSettled(work.map(({ id, kind }) => sg.pay(id, kind)))
  for (const each of paid) if (each.status === 'rejected') expect(each.reason).toMatchObject({ status: 409 })
  expect(paid.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  const { payments } = await sg.payments(month)
  const seen = payments.map(({ source, payslipIds }) => `${source} ${payslipIds.join()}`)
  expect(seen.sort()).toEqual(slips.flatMap((id) => [`NET ${id}`, `STATUTORY ${id}`]).sort())
  for (const id of ids) expect(await rowOf(sg, month, id)).toMatchObject({ status: 'PAID', openCredit: 0 })
  await expectSoundBooks()
})

test('INV-08: eight clients set one advance off at once, and no more than it is taken from the net pay', async () => {
  const { sg, ids } = await companyOf(1)
  const [dana = ''] = ids
  await sg.generate(month)
  const [id = ''] = await payslips(sg, ids)
  await sg.advance(dana, 900)
  const { done } = await atOnce(() => sg.apply(id, { consent }))
  expect(done.reduce((sum, { applied }) => sum + applied, 0)).toBe(900)
  const { net, netOutstanding, openCredit } = await rowOf(sg, month, dana)
  expect([net - netOutstanding, openCredit]).toEqual([900, 0])
  const taken = await atOnce(() => sg.unapply(id))
  expect(taken.done.reduce((sum, { unapplied }) => sum + unapplied, 0)).toBe(900)
  expect(await rowOf(sg, month, dana)).toMatchObject({ netOutstanding: net, openCredit: 900 })
  await expectSoundBooks()
})

test('INV-08: one advance is set off against payslips of two months at once, and only once', async () => {
  const { sg, ids } = await companyOf(1)
  const [dana = ''] = ids
  for (const each of ['2026-02', month]) await sg.generate(each)
  const both = await Promise.all(['2026-02', month].map((each) => payslipIdOf(sg, each, dana)))
  await sg.advance(dana, 900)
  const { done } = await atOnce((n) => sg.apply(both[n % 2] ?? '', { consent }))
  expect(done.reduce((sum, { applied }) => sum + applied, 0)).toBe(900)
  await expectSoundBooks()
})

test('INV-08: a payslip is voided while others pay it, and all money is either on it or open', async () => {
  const { sg, ids } = await companyOf(3)
  await sg.generate(month)
  await sg.approve(month)
  const slips = await payslips(sg, ids)
  await Promise.all(
    slips.map((id) =>
      atOnce<unknown>((n) => (n % 4 === 3 ? sg.voidPayslip(id) : sg.pay(id, n % 2 ? 'NET' : 'STATUTORY'))),
    ),
  )
  for (const id of ids) expect(await rowOf(sg, month, id)).toMatchObject({ status: 'DRAFT', gross: 0 })
  const { payments } = await sg.payments(month)
  for (const payment of payments) expect(payment.openRemainder).toBe(payment.amount)
  expect(payments.length).toBeLessThanOrEqual(6)
  await expectSoundBooks()
})

test('INV-08: drafts are computed again, approved, set off and deleted at once, and every payslip stays whole', async () => {
  const { sg, ids } = await companyOf(4)
  await sg.generate(month)
  const slips = await payslips(sg, ids)
  for (const id of ids) await sg.advance(id, 100)
  const runInputs = { additionalWage: 1_000 }
  const work = [
    (id: string): Promise<unknown> => sg.regenerate(id, { runInputs }),
    () => sg.approve(month),
    (id: string) => sg.apply(id, { consent }),
    (id: string) => sg.unapply(id),
    (id: string) => sg.remove(id),
  ]
  await Promise.all(
    slips.map(async (id) => {
      const answers = await Promise.allSettled([...work, ...work].map((each) => each(id)))
      for (const each of answers) if (each.status === 'rejected') expect([400, 404, 409]).toContain(each.reason.status)
    }),
  )
  await expectSoundBooks()
})

test('INV-08: eight clients settle the same claims for leave at once, and they are settled once', async () => {
  const { sg, ids } = await companyOf(3)
  const adjustments = [{ description: 'GPCL 1 day', amount: 200, kind: 'LEAVE_PAY' }]
  await sg.generate(month, { runInputs: { adjustments } })
  await sg.approve(month)
  const [claimed] = (await sg.summary(month)).gplOutstanding
  const { organizationId } = sg
  const lineIds = claimed?.lineIds ?? []
  const settle = (n: number) =>
    sg.amy.call('payroll_gpl_settle', {
      ...{ organizationId, authorityOrgId: String(claimed?.authorityOrgId), paidAt: '2026-04-15' },
      ...{ lineIds: n % 2 ? lineIds : lineIds.toReversed(), amount: 100 },
    })
  const { done } = await atOnce(settle)
  expect(done).toHaveLength(6)
  expect((await sg.summary(month)).gplOutstanding).toEqual([])
  expect(ids).toHaveLength(3)
  await expectSoundBooks()
})

test('INV-08: payments are voided while they are made and set off, and what is open adds up', async () => {
  const { sg, ids } = await companyOf(2)
  await sg.generate(month)
  await sg.approve(month)
  const slips = await payslips(sg, ids)
  const advances = []
  for (const id of ids) advances.push((await sg.advance(id, 300)).paymentId)
  const nets = await Promise.all(slips.map((id) => sg.pay(id, 'STATUTORY')))
  const voided = [...advances, ...nets.map(({ paymentId }) => paymentId)]
  await atOnce<unknown>(async (n) => {
    const id = slips[n % 2] ?? ''
    if (n < 4) return sg.amy.call('payroll_payments_void', { id: voided[n] ?? '' })
    return n < 6 ? sg.apply(id, { consent }) : sg.pay(id, 'NET')
  })
  for (const id of ids) {
    const { net, netOutstanding, statutoryOutstanding } = await rowOf(sg, month, id)
    expect(netOutstanding).toBeLessThanOrEqual(net)
    expect(statutoryOutstanding).toBeGreaterThan(0)
  }
  await expectSoundBooks()
})

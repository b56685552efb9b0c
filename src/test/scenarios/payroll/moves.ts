import { expect } from 'vitest'
import type { Random } from '../bank/random.ts'
import { expectSummary, type ShownPaymentRow, type Summary, toCents } from './compare.ts'
import {
  type Books, type Employee, isEmployed, lastDay, openOfClaim, openOfLine, openOfPayment, openPayments, 
  type Payslip, paidFrom,payslipOf, periodEnd, setOffLimit, setStatus, sumOf, takeBack, useOpen, wageOn,
} from './model.ts' // biome-ignore format: a list of words

/** A request, whether the model expects it to succeed, and how the model follows the answer, which it compares. */
export type Move = {
  name: string
  method: 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: Record<string, unknown>
  isAllowed: boolean
  /** The code of a refusal that the model cannot foresee: whether pay can be computed is for the calculator to say. */
  orCode?: string
  apply(answer: never): Promise<void> | void
}
export type Context = { books: Books; random: Random; organizationId: string; summary(month: string): Promise<Summary> }

export const months = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']

export function nextMove(context: Context): Move {
  const makers = [
    hire, raise, raise, leave, generate, generate, generate, generate, regenerate, regenerate, approve, approve, approve, advance, advance,
    apply, apply, apply, unapply, pay, pay, pay, pay, pay, pay, voidPayslip, voidPayslip, remove, claim, approveClaim, settle, settle, voidPayment,
  ] // biome-ignore format: a list of words
  if (context.books.employees.size === 0) return hire(context)
  for (let tries = 0; tries < 50; tries++) {
    const move = context.random.pick(makers)?.(context)
    if (move) return move
  }
  return hire(context)
}

const post = (path: string, { organizationId }: Context, body: object) => ({
  method: 'POST' as const,
  path: `/api/payroll/${path}`,
  body: { organizationId, ...body },
})

const someMonth = ({ random }: Context) => random.pick(months) ?? ''
const someDay = (context: Context) => `${someMonth(context)}-${String(context.random.between(1, 28)).padStart(2, '0')}`
const someEmployee = ({ books, random }: Context) => random.pick([...books.employees.values()])
const somePayslip = ({ books, random }: Context, isWanted: (payslip: Payslip) => boolean = () => true) =>
  random.pick([...books.payslips.values()].filter((each) => isWanted(each) || random.chance(0.05)))
const someWage = ({ random }: Context) => (random.chance(0.05) ? 0 : random.between(100_000, 2_500_000))

function hire(context: Context): Move {
  const { books, random, organizationId } = context
  const isFull = books.employees.size >= 7
  const name = `Person ${books.employees.size}`
  const [startDate, wage] = [random.chance(0.6) ? '2025-01-01' : someDay(context), someWage(context)]
  const facts = { SG: { raceFund: 'CDAC' }, IL: {}, US: { filingStatus: 'SINGLE', state: 'TX' } }[books.country]
  if (isFull) return raise(context) ?? hire(context)
  return {
    name: 'hire',
    method: 'POST',
    path: '/api/hr/employees',
    body: { organizationId, name, startDate, monthlyWage: wage / 100, birthDate: '1990-05-17', ...facts },
    isAllowed: true,
    apply: ({ id }: { id: string }) =>
      void books.employees.set(id, { id, name, startDate, endDate: null, terms: new Map([[startDate, wage]]) }),
  }
}

/** A raise or a lower wage, also from a day of months that are paid. */
function raise(context: Context): Move | undefined {
  const employee = someEmployee(context)
  if (!employee) return undefined
  const [since, wage] = [someDay(context), someWage(context)]
  return {
    name: 'raise',
    method: 'PATCH',
    path: `/api/hr/employees/${employee.id}`,
    body: { monthlyWage: wage / 100, effectiveFrom: since },
    isAllowed: since >= employee.startDate || wage === wageOn(employee, since),
    apply() {
      if (wageOn(employee, since) !== wage) employee.terms.set(since, wage)
    },
  }
}

function leave(context: Context): Move | undefined {
  const employee = someEmployee(context)
  if (!employee) return undefined
  const endDate = employee.endDate === null || context.random.chance(0.3) ? someDay(context) : null
  return {
    name: 'leave',
    method: 'PATCH',
    path: `/api/hr/employees/${employee.id}`,
    body: { endDate },
    isAllowed: endDate === null || endDate >= employee.startDate,
    apply() {
      employee.endDate = endDate
    },
  }
}

const leaveSchemes = ['GPCL', 'GPML', 'NSMUP']

/** Bonuses, reimbursements, and in Singapore leave that an authority pays. */
function someInputs({ random, books }: Context, withLeave: boolean) {
  const adjustments: { description: string; amount: number; kind: string }[] = []
  const add = (kind: string, description: string) =>
    adjustments.push({ kind, description, amount: random.between(1, 90_000) / 100 })
  if (random.chance(0.3)) add('REIMBURSEMENT', 'Travel')
  if (random.chance(0.3)) add('OTHER', 'Overtime')
  if (withLeave && books.country === 'SG')
    for (const scheme of leaveSchemes) if (random.chance(0.4)) add('LEAVE_PAY', `${scheme} 1 day`)
  return { ...(random.chance(0.3) && { additionalWage: random.between(1, 300_000) / 100 }), adjustments }
}
type Inputs = ReturnType<typeof someInputs>

function generate(context: Context): Move | undefined {
  const { books, random } = context
  const month = someMonth(context)
  const one = random.chance(0.6) ? someEmployee(context) : undefined
  const inputs = random.chance(0.6) ? someInputs(context, one !== undefined) : undefined
  const asked = one ? [one] : [...books.employees.values()].filter((each) => isEmployed(each, month))
  const wanted = asked.filter(({ id }) => !payslipOf(books, id, month))
  const given = { month, ...(one && { employeeIds: [one.id] }), ...(inputs && { runInputs: inputs }) }
  return {
    name: one ? 'generate one' : 'generate all',
    ...post('generate', context, given),
    isAllowed: true,
    async apply({ generated, errors }: { generated: number; errors: { counterpartyId: string }[] }) {
      // Others in errors have a draft that is outdated, or a payslip beyond their last day.
      const failed = new Set(
        errors.map((each) => each.counterpartyId).filter((id) => wanted.some((each) => each.id === id)),
      )
      const made = wanted.filter(({ id }) => !failed.has(id))
      expect(generated).toBe(made.length)
      expect(failed.size + made.length).toBe(wanted.length)
      for (const employee of wanted) if (!isEmployed(employee, month)) expect(failed).toContain(employee.id)
      const shown = await context.summary(month)
      for (const employee of made) enterPayslip(books, employee, { month, inputs, shown })
      expectSummary(books, shown)
    },
  }
}

type Shown = { month: string; inputs: Inputs | undefined; shown: Summary; before?: Payslip }

/** Enters a payslip that was computed: the amounts of pay are those that the summary shows. */
function enterPayslip(books: Books, employee: Employee, { month, inputs, shown, before }: Shown) {
  const row = shown.employees.find(({ counterpartyId }) => counterpartyId === employee.id)
  if (!row?.payslipId) throw new Error('The summary has no such payslip.')
  const ofKind = (kind: string) => (inputs?.adjustments ?? []).filter((each) => each.kind === kind)
  const end = periodEnd(employee, month)
  const schemes = Object.entries(row.schemeAmounts).map(([code, amount]): [string, number] => [code, toCents(amount)])
  books.payslips.set(row.payslipId, {
    ...{ id: row.payslipId, employeeId: employee.id, month, status: 'DRAFT', gross: toCents(row.gross) },
    isFinal: employee.endDate !== null && employee.endDate <= lastDay(month),
    wage: wageOn(employee, end),
    reimbursements: sumOf(ofKind('REIMBURSEMENT').map(({ amount }) => toCents(amount))),
    owed: new Map([['NET', toCents(row.net)], ...schemes]),
  })
  if (before) for (const [id, each] of books.leaves) if (each.payslipId === before.id) books.leaves.delete(id)
  for (const { description, amount } of ofKind('LEAVE_PAY')) {
    const scheme = description.split(' ')[0] ?? ''
    const group = shown.gplOutstanding.find((each) => each.scheme === scheme)
    const id = group?.lineIds.find((each) => !books.leaves.has(each))
    if (!group?.authorityOrgId || !id) throw new Error(`The summary has no claim of ${scheme}.`)
    books.leaves.set(id, {
      ...{ id, payslipId: row.payslipId, scheme, authorityId: group.authorityOrgId, amount: toCents(amount) },
      ...{ settled: 0, isVoid: false, coversUntil: end },
    })
  }
}

const leavesOf = ({ leaves }: Books, payslipId: string) =>
  [...leaves.values()].filter((each) => each.payslipId === payslipId)
const isSettled = (books: Books, { id }: Payslip) => leavesOf(books, id).some(({ settled }) => settled > 0)

function regenerate(context: Context): Move | undefined {
  const { books } = context
  const payslip = somePayslip(context, ({ status }) => status === 'DRAFT')
  const employee = payslip && books.employees.get(payslip.employeeId)
  if (!payslip || !employee) return undefined
  const inputs = someInputs(context, true)
  return {
    name: 'regenerate',
    ...post('regenerate', context, { payslipId: payslip.id, runInputs: inputs }),
    isAllowed: payslip.status === 'DRAFT' && !isSettled(books, payslip) && isEmployed(employee, payslip.month),
    orCode: payslip.status === 'DRAFT' && !isSettled(books, payslip) ? 'CANNOT_COMPUTE ADVANCES_EXCEED_NET' : '',
    async apply({ documentId, total }: { documentId: string; total: number }) {
      expect(documentId).toBe(payslip.id)
      const shown = await context.summary(payslip.month)
      enterPayslip(books, employee, { month: payslip.month, inputs, shown, before: payslip })
      const again = books.payslips.get(payslip.id)
      expect(toCents(total)).toBe(again?.owed.get('NET'))
      expectSummary(books, shown)
    },
  }
}

function approve(context: Context): Move | undefined {
  const { books, random } = context
  const month = someMonth(context)
  const all = [...books.payslips.values()].filter((each) => each.month === month)
  const some = random.chance(0.5) ? all.filter(() => random.chance(0.4)) : undefined
  if (some?.length === 0) return undefined
  const other = some && random.chance(0.05) ? somePayslip(context, (each) => each.month !== month) : undefined
  const chosen = some && [...some, ...(other ? [other] : [])]
  const drafts = (chosen ?? all).filter(({ status }) => status === 'DRAFT')
  return {
    name: chosen ? 'approve some' : 'approve all',
    ...post('approve', context, { month, ...(chosen && { payslipIds: chosen.map(({ id }) => id) }) }),
    isAllowed: !chosen?.some((each) => each.status === 'VOID' || each.month !== month),
    orCode: 'DRAFT_OUTDATED',
    apply({ approved }: { approved: number }) {
      expect(approved).toBe(drafts.length)
      for (const payslip of drafts) {
        payslip.status = 'APPROVED'
        setStatus(books, payslip)
      }
    },
  }
}

function advance(context: Context): Move | undefined {
  const { books, random } = context
  const employee = someEmployee(context)
  if (!employee) return undefined
  const [amount, paidAt] = [random.between(1, 1_500_000), someDay(context)]
  return {
    name: 'advance',
    ...post('advance', context, { counterpartyId: employee.id, amount: amount / 100, paidAt }),
    isAllowed: true,
    apply: ({ paymentId: id }: { paymentId: string }) =>
      void books.payments.set(id, {
        id,
        source: 'ADVANCE',
        employeeId: employee.id,
        amount,
        paidAt,
        isVoided: false,
      }),
  }
}

function apply(context: Context): Move | undefined {
  const { books, random } = context
  const payslip = somePayslip(
    context,
    ({ status, employeeId }) =>
      ['DRAFT', 'APPROVED'].includes(status) && openPayments(books, 'ADVANCE', employeeId).length > 0,
  )
  if (!payslip) return undefined
  const [hasConsent, isAuthorized] = [random.chance(0.4), random.chance(0.3)]
  const more = {
    ...(hasConsent && { consent: { affirmed: true, at: '2026-01-05' } }),
    ...(isAuthorized && { authorizeFinalPaySetoff: true }),
  }
  return {
    name: 'apply',
    ...post('apply', context, { payslipId: payslip.id, ...more }),
    isAllowed: payslip.status === 'DRAFT' || payslip.status === 'APPROVED',
    apply({ applied, status, residualAdvanceDebt }: { applied: number; status: string; residualAdvanceDebt: number }) {
      const advances = openPayments(books, 'ADVANCE', payslip.employeeId)
      const limit = setOffLimit(books, payslip, { hasConsent, isAuthorized })
      useOpen(books, payslip, ['NET'], advances, limit)
      const left = sumOf(advances.map((each) => openOfPayment(books, each)))
      expect([toCents(applied), status, toCents(residualAdvanceDebt)]).toEqual([limit, setStatus(books, payslip), left])
    },
  }
}

function unapply(context: Context): Move | undefined {
  const { books } = context
  const payslip = somePayslip(context, ({ id }) => paidFrom(books, id, ['ADVANCE']) > 0)
  if (!payslip) return undefined
  return {
    name: 'unapply',
    ...post('unapply', context, { payslipId: payslip.id }),
    isAllowed: payslip.status !== 'VOID',
    apply(answer: { unapplied: number; status: string; attachedPaymentCount: number }) {
      const taken = takeBack(
        books,
        ({ documentId, paymentId }) => documentId === payslip.id && books.payments.get(paymentId)?.source === 'ADVANCE',
      )
      const left = new Set(
        books.shares
          .filter(({ documentId, isLive }) => isLive && documentId === payslip.id)
          .map((each) => each.paymentId),
      )
      expect({ ...answer, unapplied: toCents(answer.unapplied) }).toEqual({
        ...{ unapplied: taken, status: payslip.status, attachedPaymentCount: left.size },
      })
    },
  }
}

function pay(context: Context): Move | undefined {
  const { books, random } = context
  const payslip = somePayslip(
    context,
    ({ status }) => status === 'APPROVED' || (status === 'PAID' && random.chance(0.2)),
  )
  if (!payslip) return undefined
  const kind = random.chance(0.5) ? 'NET' : 'STATUTORY'
  const claims = random.chance(0.4)
    ? [...books.claims.values()].filter(
        (each) => (each.employeeId === payslip.employeeId && random.chance(0.6)) || random.chance(0.02),
      )
    : []
  const paidAt = someDay(context)
  const lines = [...payslip.owed.keys()].filter(
    (line) => (line === 'NET') === (kind === 'NET') && openOfLine(books, payslip, line) > 0,
  )
  const arePayable = claims.every(
    (each) =>
      kind === 'NET' && each.employeeId === payslip.employeeId && each.isApproved && openOfClaim(books, each) > 0,
  )
  const given = {
    payslipId: payslip.id,
    kind,
    paidAt,
    ...(claims.length > 0 && { claimDocumentIds: claims.map(({ id }) => id) }),
  }
  return {
    name: `pay ${kind}${claims.length > 0 ? ' with claims' : ''}`,
    ...post('pay', context, given),
    isAllowed: ['APPROVED', 'PAID'].includes(payslip.status) && arePayable && lines.length + claims.length > 0,
    apply(answer: { paymentId: string; allocated: number; status: string }) {
      const due = sumOf([
        ...lines.map((line) => openOfLine(books, payslip, line)),
        ...claims.map((each) => openOfClaim(books, each)),
      ])
      const { last } = useOpen(books, payslip, lines, openPayments(books, kind, payslip.employeeId))
      const shares = [
        ...lines.map((line) => ({ documentId: payslip.id, line, amount: openOfLine(books, payslip, line) })),
        ...claims.map((each) => ({ documentId: each.id, line: null, amount: openOfClaim(books, each) })),
      ].filter(({ amount }) => amount > 0)
      const { paymentId: id } = answer
      if (shares.length > 0) {
        expect(books.payments.has(id)).toBe(false)
        books.payments.set(id, {
          id,
          source: kind,
          employeeId: kind === 'NET' ? payslip.employeeId : null,
          amount: sumOf(shares.map(({ amount }) => amount)),
          paidAt,
          isVoided: false,
        })
        books.shares.push(...shares.map((share) => ({ ...share, paymentId: id, isLive: true })))
      } else expect(id).toBe(last)
      expect([toCents(answer.allocated), answer.status]).toEqual([due, setStatus(books, payslip)])
    },
  }
}

function voidPayslip(context: Context): Move | undefined {
  const { books } = context
  const payslip = somePayslip(context, ({ status }) => status === 'APPROVED' || status === 'PAID')
  if (!payslip) return undefined
  return {
    name: 'void payslip',
    ...post('void', context, { payslipId: payslip.id }),
    isAllowed: payslip.status === 'APPROVED' || payslip.status === 'PAID',
    apply({ status }: { status: string }) {
      expect(status).toBe('VOID')
      takeBack(books, ({ documentId }) => documentId === payslip.id)
      payslip.status = 'VOID'
      for (const claimed of leavesOf(books, payslip.id)) claimed.isVoid = true
    },
  }
}

function remove(context: Context): Move | undefined {
  const { books, organizationId } = context
  const payslip = somePayslip(context, ({ status }) => status === 'DRAFT')
  if (!payslip) return undefined
  return {
    name: 'remove',
    method: 'DELETE',
    path: `/api/payroll/payslip?organizationId=${organizationId}&payslipId=${payslip.id}`,
    isAllowed: payslip.status === 'DRAFT' && !isSettled(books, payslip),
    apply({ deleted }: { deleted: boolean }) {
      expect(deleted).toBe(true)
      books.shares = books.shares.filter(({ documentId }) => documentId !== payslip.id)
      for (const { id } of leavesOf(books, payslip.id)) books.leaves.delete(id)
      books.payslips.delete(payslip.id)
    },
  }
}

const currencies = { SG: 'SGD', IL: 'ILS', US: 'USD' }

function claim(context: Context): Move | undefined {
  const { books, random, organizationId } = context
  const employee = someEmployee(context)
  if (!employee) return undefined
  const amount = random.between(1, 50_000)
  const currency = currencies[books.country]
  return {
    name: 'claim',
    method: 'POST',
    path: '/api/expenses',
    body: {
      ...{ organizationId, amount: amount / 100, currency, date: someDay(context), description: 'Taxi' },
      claimantId: employee.id,
    },
    isAllowed: true,
    apply: ({ id }: { id: string }) =>
      void books.claims.set(id, { id, employeeId: employee.id, amount, isApproved: false }),
  }
}

function approveClaim({ books, random }: Context): Move | undefined {
  const claimed = random.pick([...books.claims.values()].filter(({ isApproved }) => !isApproved))
  if (!claimed) return undefined
  return {
    name: 'approve claim',
    method: 'PATCH',
    path: `/api/expenses/${claimed.id}/status`,
    body: { status: 'APPROVED' },
    isAllowed: true,
    apply() {
      claimed.isApproved = true
    },
  }
}

/** Settles claims for leave in whole or in part, sometimes with too much. */
function settle(context: Context): Move | undefined {
  const { books, random } = context
  const first = random.pick([...books.leaves.values()].filter((each) => !each.isVoid || random.chance(0.05)))
  if (!first) return undefined
  const others = [...books.leaves.values()].filter(
    (each) => each !== first && each.authorityId === first.authorityId && !each.isVoid && random.chance(0.3),
  )
  const chosen = [first, ...others].sort(
    (a, b) => a.coversUntil.localeCompare(b.coversUntil) || a.id.localeCompare(b.id),
  )
  const open = sumOf(chosen.map(({ amount, settled }) => amount - settled))
  const asked = random.chance(0.5) ? random.between(1, open + (random.chance(0.1) ? 100 : 0)) : undefined
  const given = { authorityOrgId: first.authorityId, lineIds: chosen.map(({ id }) => id), paidAt: someDay(context) }
  return {
    name: 'settle',
    ...post('gpl-settle', context, { ...given, ...(asked !== undefined && { amount: asked / 100 }) }),
    isAllowed: !first.isVoid && open > 0 && (asked ?? 0) <= open,
    apply({ allocated, outstanding }: { allocated: number; outstanding: number }) {
      let left = asked ?? open
      expect([toCents(allocated), toCents(outstanding)]).toEqual([left, open - left])
      for (const each of chosen) {
        const share = Math.min(left, each.amount - each.settled)
        each.settled += share
        left -= share
      }
    },
  }
}

function voidPayment({ books, random }: Context): Move | undefined {
  const payment = random.pick([...books.payments.values()].filter(({ isVoided }) => !isVoided || random.chance(0.02)))
  if (!payment) return undefined
  return {
    name: `void ${payment.source}`,
    method: 'POST',
    path: `/api/payroll/payments/${payment.id}/void`,
    body: {},
    isAllowed: true, // a second time it changes nothing, like every payment
    apply(row: ShownPaymentRow) {
      takeBack(books, ({ paymentId }) => paymentId === payment.id)
      payment.isVoided = true
      expect(row).toMatchObject({ id: payment.id, source: payment.source, allocatedTotal: 0, openRemainder: 0 })
      expect(toCents(row.amount)).toBe(payment.amount)
    },
  }
}

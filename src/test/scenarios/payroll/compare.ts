import { expect } from 'vitest'
import {
  type Books, isEmployed, lastDay, openOfClaim, openOfLine, openOfPayment, openPayments, paidFrom, payslipOf, sumOf,
} from './model.ts' // biome-ignore format: a list of words

export type Summary = {
  month: string
  employees: {
    counterpartyId: string
    payslipId?: string
    gross: number
    net: number
    schemeAmounts: Record<string, number>
  }[]
  totals: { gross: number; net: number; employerCost: number; openCredits: number }
  gplOutstanding: { scheme: string; authorityOrgId: string | null; lineIds: string[] }[]
  reimbOutstanding: unknown[]
}
export type ShownPaymentRow = {
  id: string
  source: string
  amount: number
  allocatedTotal: number
  openRemainder: number
}

export const toCents = (amount: number) => Math.round(amount * 100)
const toMajor = (cents: number) => cents / 100

/** The summary of a month shows what the model has. */
export function expectSummary(books: Books, shown: Summary) {
  const rows = [...books.employees.values()]
    .filter((each) => isEmployed(each, shown.month) || payslipOf(books, each.id, shown.month))
    .map((each) => employeeRow(books, each.id, shown.month))
  expect(byText(shown.employees, 'counterpartyId')).toEqual(byText(rows, 'counterpartyId'))
  const total = (of: (row: (typeof rows)[number]) => number) => toMajor(sumOf(rows.map((row) => toCents(of(row)))))
  expect(shown.totals).toEqual({
    gross: total(({ gross }) => gross),
    net: total(({ net }) => net),
    // What somebody costs is what they get and what the authorities get for them.
    employerCost: total(({ net, schemeAmounts }) => toMajor(toCents(net) + sumOf(Object.values(schemeAmounts).map(toCents)))),
    openCredits: total(({ openCredit }) => openCredit),
  })
  expect(byText(shown.gplOutstanding, 'scheme')).toEqual(byText(leaveRows(books), 'scheme'))
  expect(byText(shown.reimbOutstanding as { counterpartyId: string }[], 'counterpartyId')).toMatchObject(byText(claimRows(books), 'counterpartyId'))
} // biome-ignore format: a rule a line

function employeeRow(books: Books, employeeId: string, month: string) {
  const employee = books.employees.get(employeeId)
  const payslip = payslipOf(books, employeeId, month)
  const leaves = employee?.endDate?.startsWith(month) ?? false
  const credits = [...openPayments(books, 'ADVANCE', employeeId), ...openPayments(books, 'NET', employeeId)]
  const schemes = payslip ? [...payslip.owed].filter(([line]) => line !== 'NET') : []
  return {
    counterpartyId: employeeId,
    name: employee?.name,
    ...(payslip && { payslipId: payslip.id }),
    status: payslip?.status ?? 'DRAFT',
    gross: toMajor(payslip?.gross ?? 0),
    net: toMajor(payslip?.owed.get('NET') ?? 0),
    schemeAmounts: Object.fromEntries(schemes.map(([line, amount]) => [line, toMajor(amount)])),
    openCredit: toMajor(sumOf(credits.map((each) => openOfPayment(books, each)))),
    netOutstanding: toMajor(payslip ? openOfLine(books, payslip, 'NET') : 0),
    statutoryOutstanding: toMajor(payslip ? sumOf(schemes.map(([line]) => openOfLine(books, payslip, line))) : 0),
    hasAppliedAdvances: payslip !== undefined && paidFrom(books, payslip.id, ['ADVANCE']) > 0,
    hasPayments: payslip !== undefined && paidFrom(books, payslip.id, ['NET', 'STATUTORY']) > 0,
    isFinalPayslip: payslip?.isFinal ?? leaves,
  }
}

function leaveRows({ leaves }: Books) {
  const all = [...leaves.values()].filter(({ isVoid }) => !isVoid)
  return [...new Set(all.map(({ scheme }) => scheme))].flatMap((scheme) => {
    const group = all
      .filter((each) => each.scheme === scheme)
      .sort((a, b) => a.coversUntil.localeCompare(b.coversUntil) || a.id.localeCompare(b.id))
    const unsettled = group.filter(({ amount, settled }) => settled < amount)
    const [claimed, settled] = [sumOf(group.map(({ amount }) => amount)), sumOf(group.map((each) => each.settled))]
    if (unsettled.length === 0) return []
    return {
      ...{ scheme, authorityOrgId: group[0]?.authorityId, authorityName: expect.any(String), ageDays: expect.any(Number) },
      ...{ claimed: toMajor(claimed), settled: toMajor(settled), outstanding: toMajor(claimed - settled) },
      oldestUnsettledCovers: unsettled[0]?.coversUntil,
      lineIds: unsettled.map(({ id }) => id),
    }
  })
} // biome-ignore format: a rule a line

function claimRows(books: Books) {
  return [...books.employees.keys()].flatMap((counterpartyId) => {
    const open = [...books.claims.values()].filter(
      (each) => each.employeeId === counterpartyId && each.isApproved && openOfClaim(books, each) > 0,
    )
    const amount = toMajor(sumOf(open.map((each) => openOfClaim(books, each))))
    return open.length > 0 ? [{ counterpartyId, amount, documentIds: open.map(({ id }) => id).sort() }] : []
  })
}

/** The payments of a month: made in it, or made for one of its payslips. */
export function expectPayments(books: Books, month: string, shown: readonly ShownPaymentRow[]) {
  const isOfMonth = (paymentId: string) =>
    books.shares.some((share) => share.paymentId === paymentId && books.payslips.get(share.documentId)?.month === month)
  const expected = [...books.payments.values()]
    .filter(({ id, isVoided, paidAt }) => !isVoided && ((paidAt >= `${month}-01` && paidAt <= lastDay(month)) || isOfMonth(id)))
    .map((payment) => {
      const open = openOfPayment(books, payment)
      const paid = books.shares.filter(({ paymentId, isLive, line }) => paymentId === payment.id && isLive && line !== null)
      return {
        ...{ id: payment.id, paidAt: payment.paidAt, counterpartyId: payment.employeeId, source: payment.source },
        ...{ amount: toMajor(payment.amount), allocatedTotal: toMajor(payment.amount - open), openRemainder: toMajor(open) },
        payslipIds: [...new Set(paid.map(({ documentId }) => documentId))].sort(),
      }
    })
  expect(byText(shown, 'id')).toMatchObject(byText(expected, 'id'))
} // biome-ignore format: a rule a line

const byText = <K extends string, T extends Record<K, unknown>>(rows: readonly T[], key: K) =>
  rows.toSorted((a, b) => String(a[key]).localeCompare(String(b[key])))

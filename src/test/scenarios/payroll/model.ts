/** The payroll of a company, kept in memory beside the database: what was paid and set off, and what is open. Money is in cents. */

export type Country = 'IL' | 'SG' | 'US'
export type Status = 'DRAFT' | 'APPROVED' | 'PAID' | 'VOID'
export type Employee = {
  id: string
  name: string
  startDate: string
  endDate: string | null
  terms: Map<string, number>
}
export type Payslip = {
  id: string
  employeeId: string
  month: string
  status: Status
  isFinal: boolean
  /** The monthly wage at its end, for the limits of advances. */
  wage: number
  gross: number
  reimbursements: number
  /** What is owed by line: NET, and each scheme. */
  owed: Map<string, number>
}
export type Source = 'ADVANCE' | 'NET' | 'STATUTORY'
export type Payment = {
  id: string
  source: Source
  employeeId: string | null
  amount: number
  paidAt: string
  isVoided: boolean
}
/** A part of a payment that went to a line of a payslip, or to a claim of an employee. */
export type Share = { paymentId: string; documentId: string; line: string | null; amount: number; isLive: boolean }
export type Claim = { id: string; employeeId: string; amount: number; isApproved: boolean }
/** A claim against an authority. */
export type Leave = {
  id: string
  payslipId: string
  scheme: string
  authorityId: string
  amount: number
  settled: number
  isVoid: boolean
  coversUntil: string
}
export type Books = {
  country: Country
  employees: Map<string, Employee>
  payslips: Map<string, Payslip>
  payments: Map<string, Payment>
  shares: Share[]
  claims: Map<string, Claim>
  leaves: Map<string, Leave>
}

export const emptyBooks = (country: Country): Books => ({
  country,
  employees: new Map(),
  payslips: new Map(),
  payments: new Map(),
  shares: [],
  claims: new Map(),
  leaves: new Map(),
})

export const sumOf = (amounts: Iterable<number>) => [...amounts].reduce((sum, amount) => sum + amount, 0)

export const lastDay = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}

export const isEmployed = ({ startDate, endDate }: Employee, month: string) =>
  startDate <= lastDay(month) && (endDate === null || endDate >= `${month}-01`)

/** The last day of a month on which somebody is employed. */
export const periodEnd = ({ endDate }: Employee, month: string) =>
  endDate !== null && endDate < lastDay(month) ? endDate : lastDay(month)

export function wageOn({ terms }: Employee, day: string): number {
  const days = [...terms.keys()].sort()
  return terms.get(days.filter((since) => since <= day).at(-1) ?? days[0] ?? '') ?? 0
}

/** The payslip of somebody for a month that is not void. */
export const payslipOf = ({ payslips }: Books, employeeId: string, month: string) =>
  [...payslips.values()].find(
    (each) => each.employeeId === employeeId && each.month === month && each.status !== 'VOID',
  )

const live = ({ shares }: Books, isWanted: (share: Share) => boolean) =>
  sumOf(shares.filter((share) => share.isLive && isWanted(share)).map(({ amount }) => amount))

export const openOfLine = (books: Books, { id, owed }: Payslip, line: string) =>
  (owed.get(line) ?? 0) - live(books, (share) => share.documentId === id && share.line === line)

export const openOfPayment = (books: Books, { id, amount, isVoided }: Payment) =>
  isVoided ? 0 : amount - live(books, ({ paymentId }) => paymentId === id)

export const openOfClaim = (books: Books, { id, amount }: Claim) =>
  amount - live(books, ({ documentId }) => documentId === id)

/** What was set off against a payslip, or paid with payments of other sources. */
export const paidFrom = (books: Books, payslipId: string, sources: readonly Source[]) =>
  live(
    books,
    ({ documentId, paymentId }) =>
      documentId === payslipId && sources.includes(books.payments.get(paymentId)?.source ?? 'NET'),
  )

/** Payments with something left, the oldest first. */
export function openPayments(books: Books, source: Source, employeeId: string): Payment[] {
  const found = [...books.payments.values()].filter(
    (payment) => payment.source === source && openOfPayment(books, payment) > 0,
  )
  if (source !== 'STATUTORY')
    return found
      .filter((payment) => payment.employeeId === employeeId)
      .sort((a, b) => a.paidAt.localeCompare(b.paidAt) || a.id.localeCompare(b.id))
  // An authority gets money that it once got for the same employee.
  const paid = new Set(
    books.shares
      .filter(({ documentId }) => books.payslips.get(documentId)?.employeeId === employeeId)
      .map(({ paymentId }) => paymentId),
  )
  return found.filter(({ id }) => paid.has(id)).sort((a, b) => a.id.localeCompare(b.id))
}

/** Pays lines with what is left of payments. Returns the payments that were used and the sum. */
export function useOpen(
  books: Books,
  payslip: Payslip,
  lines: readonly string[],
  payments: readonly Payment[],
  most = Infinity,
) {
  let left = most
  const used: string[] = []
  for (const payment of payments)
    for (const line of lines) {
      const amount = Math.min(left, openOfPayment(books, payment), openOfLine(books, payslip, line))
      if (amount <= 0) continue
      left -= amount
      used.push(payment.id)
      books.shares.push({ paymentId: payment.id, documentId: payslip.id, line, amount, isLive: true })
    }
  return { last: used.at(-1), sum: most === Infinity ? 0 : most - left }
}

/** An approved payslip is PAID while nothing of it is open. */
export function setStatus(books: Books, payslip: Payslip): Status {
  if (payslip.status === 'APPROVED' || payslip.status === 'PAID') {
    const isOpen = [...payslip.owed.keys()].some((line) => openOfLine(books, payslip, line) > 0)
    payslip.status = isOpen ? 'APPROVED' : 'PAID'
  }
  return payslip.status
}

/** Takes shares back, and reopens what they paid. */
export function takeBack(books: Books, isTaken: (share: Share) => boolean): number {
  const taken = books.shares.filter((share) => share.isLive && isTaken(share))
  for (const share of taken) share.isLive = false
  for (const { documentId } of taken) {
    const payslip = books.payslips.get(documentId)
    if (payslip) setStatus(books, payslip)
  }
  return sumOf(taken.map(({ amount }) => amount))
}

type Asked = { hasConsent: boolean; isAuthorized: boolean }

/** How much of advances may be set off against a payslip now. */
export function setOffLimit(books: Books, payslip: Payslip, { hasConsent, isAuthorized }: Asked): number {
  const before = paidFrom(books, payslip.id, ['ADVANCE'])
  const netOpen = openOfLine(books, payslip, 'NET')
  const advances = sumOf(openPayments(books, 'ADVANCE', payslip.employeeId).map((each) => openOfPayment(books, each)))
  const quarter = Math.max(0, Math.floor((payslip.gross - payslip.reimbursements) / 4))
  const net = netOpen + before
  const limits = {
    SG: hasConsent ? net : quarter,
    IL: hasConsent || (payslip.isFinal && isAuthorized) || advances + before <= 3 * payslip.wage ? net : quarter,
    US: payslip.isFinal && !hasConsent && !isAuthorized ? 0 : net,
  }
  return Math.min(advances, Math.max(0, Math.min(limits[books.country] - before, netOpen)))
}

import { addDays, addMonths, firstDay, monthOf } from '../../core/values/day.ts'
import type { Company } from '../company.ts'
import { type Random, randomFor } from '../random.ts'
import { hundredths, major } from '../sale.ts'
import { type Expense, keyOf, shareOf, type Transfer, taxIn } from './expense.ts'
import type { Claim, Employee, SpecialExpense, Supplier } from './spending.ts'

/** The expenses of a company, in the order of their dates, and the payments that pay several of them. */
export type Spent = { expenses: Expense[]; transfers: Transfer[] }

const months = 24

/** How many of the latest receipts have a picture; more would make the first start slow. */
const receiptsMax = 30

/** The expenses of the last two years. The result depends on the company and the day only. */
export function spentBy(company: Company, today: string): Spent {
  const { suppliers, employees, specialExpenses } = company.spending
  const regular = [
    ...suppliers.flatMap((supplier) => byMonth(company, supplier, today, suppliedIn)),
    ...employees.flatMap((employee) => byMonth(company, employee, today, claimedIn)),
  ]
  const special = specialExpenses.map((each, at) => specialExpense(company, each, { today, at }))
  const all = [...regular, ...special].toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  const expenses = withoutEqualKeys(all)
  const withReceipt = expenses.filter(({ hasReceipt }) => hasReceipt).slice(-receiptsMax)
  return {
    expenses: expenses.map((expense) => ({ ...expense, hasReceipt: withReceipt.includes(expense) })),
    transfers: transfersOf(company, { expenses, today }),
  }
}

const withoutEqualKeys = (expenses: readonly Expense[]) => [
  ...new Map(expenses.map((each) => [each.key, each])).values(),
]

type Month = { month: string; random: Random; today: string }
type Payee = Supplier | Employee

/** The expenses for a supplier or employee, by month. Each month has its own seed, so the past hardly changes from day to day. */
function byMonth<T extends Payee>(
  company: Company,
  payee: T,
  today: string,
  expensesIn: (company: Company, payee: T, month: Month) => Expense[],
): Expense[] {
  const since = addMonths(today, -months)
  return Array.from({ length: months + 1 }, (_, at) => monthOf(addMonths(firstDay(monthOf(since)), at)))
    .flatMap((month) => {
      const random = randomFor(`${company.organization.name}, expenses of ${payee.name}, ${month}`)
      return expensesIn(company, payee, { month, random, today })
    })
    .filter(({ date }) => date > since && date <= today)
}

const timesIn = (perMonth: number, random: Random) =>
  Array.from({ length: Math.floor(perMonth) + (random.next() < perMonth % 1 ? 1 : 0) }, (_, at) => at)

function suppliedIn(company: Company, supplier: Supplier, { month, random, today }: Month): Expense[] {
  const { supplies } = supplier
  return timesIn(supplies.perMonth, random).map((nth) => {
    const date = addDays(firstDay(month), random.integer(0, 27))
    const amount = amountIn(supplies.amount, random)
    const paidAt = addDays(date, random.integer(...supplies.paysAfterDays))
    const paid = paidAt <= today && !supplies.billsPerTransfer && { payment: { amount, paidAt, isAdvance: false } }
    return {
      ...supplied(company, supplier, { date, amount, number: `${month.replace('-', '')}-${nth + 1}` }),
      source: supplies.receipts && random.next() < 0.4 ? 'SCAN' : random.next() < 0.2 ? 'EMAIL' : 'MANUAL',
      status: 'APPROVED',
      hasReceipt: supplies.receipts === true,
      ...paid,
    }
  })
}

function claimedIn(company: Company, employee: Employee, { month, random }: Month): Expense[] {
  return timesIn(employee.perMonth, random).flatMap((nth) => {
    const [claim] = random.sample(employee.claims, 1)
    if (!claim) return []
    const date = addDays(firstDay(month), random.integer(0, 27))
    const number = `${month.replace('-', '')}${random.integer(100, 999)}${nth}`
    return [
      {
        ...claimed(company, employee, claim, { date, amount: amountIn(claim.amount, random), number }),
        source: 'SCAN' as const,
        status: 'APPROVED' as const,
        hasReceipt: true,
      },
    ]
  })
}

const amountIn = ([from, to]: readonly [number, number], random: Random) =>
  from === to ? from : Math.round(100 * (from + (to - from) * random.next())) / 100

type Facts = { date: string; amount: number; number: string }

/** What an expense of a supplier always has. */
function supplied(company: Company, { name, supplies, ...supplier }: Supplier, { date, amount, number }: Facts) {
  const { title, category, currency = company.currency, dueDays, method, taxFree, deductibleShare } = supplies
  return {
    key: keyOf({ vendor: name, date, amount }),
    ...{ title, vendor: name, supplier: name, category, amount, currency, date, documentNumber: number },
    ...(dueDays > 0 && { dueDate: addDays(date, dueDays) }),
    ...taxIn(amount, taxFree ? 0 : company.taxOn(date), deductibleShare),
    ...(supplier.registrationNumber !== undefined && { vendorTaxNumber: supplier.registrationNumber }),
    ...(supplier.address !== undefined && { vendorAddress: supplier.address }),
    paymentMethod: method,
  }
}

/** What a claim always has. It is owed to the employee; the vendor is where they paid. */
function claimed(company: Company, { name }: Employee, claim: Claim, { date, amount, number }: Facts) {
  const { vendor, title, category, currency = company.currency, taxFree, deductibleShare } = claim
  return {
    key: keyOf({ vendor, date, amount }),
    ...{ title, vendor, claimant: name, category, amount, currency, date, documentNumber: number },
    ...taxIn(amount, taxFree ? 0 : company.taxOn(date), deductibleShare),
    paymentMethod: 'CREDIT_CARD',
  }
}

function specialExpense(
  company: Company,
  special: SpecialExpense,
  { today, at }: { today: string; at: number },
): Expense {
  const { of, daysAgo, status, source = 'MANUAL', amount, paid, credited, split, title, ...more } = special
  const facts = { date: addDays(today, -daysAgo), amount, number: `S-${String(at + 1).padStart(4, '0')}` }
  const base = basicExpense(company, of, facts)
  const { notes, reason, customer } = more
  return {
    ...base,
    ...{ source, status, hasReceipt: true },
    ...(title !== undefined && { title }),
    ...(notes !== undefined && { notes }),
    ...(reason !== undefined && { reason }),
    ...(customer !== undefined && { customer }),
    ...(split && { splits: splitsOf(base, split) }),
    ...(paid && {
      payment: {
        amount: shareOf(amount, paid.share),
        paidAt: addDays(today, -paid.daysAgo),
        isAdvance: status !== 'APPROVED',
      },
    }),
    ...(credited && {
      credit: {
        amount: shareOf(amount, credited.share),
        date: addDays(today, -credited.daysAgo),
        reason: credited.reason,
      },
    }),
  }
}

function basicExpense(company: Company, of: string, facts: Facts) {
  const supplier = company.spending.suppliers.find(({ name }) => name === of)
  if (supplier) return supplied(company, supplier, facts)
  const employee = company.spending.employees.find(({ name }) => name === of)
  const [claim] = employee?.claims ?? []
  if (!employee || !claim)
    throw new Error(`A special expense names ${of}, who is no supplier or employee of the company.`)
  return claimed(company, employee, claim, facts)
}

function splitsOf(
  { amount, category, title }: Pick<Expense, 'amount' | 'category' | 'title'>,
  split: { category: string; share: number; title: string },
) {
  const part = shareOf(amount, split.share)
  return [
    { category, amount: major(hundredths(amount) - hundredths(part)), description: title },
    { category: split.category, amount: part, description: split.title },
  ]
}

/** Pays the bills of a supplier and the claims of an employee in groups, oldest first. Later ones stay open. */
function transfersOf(
  company: Company,
  { expenses, today }: { expenses: readonly Expense[]; today: string },
): Transfer[] {
  const { suppliers, employees } = company.spending
  const payees = [
    ...suppliers.map(({ name, supplies }) => ({
      ...{ name, size: supplies.billsPerTransfer ?? 0, after: supplies.paysAfterDays, method: supplies.method },
    })),
    ...employees.map(({ name }) => ({ name, size: 3, after: [5, 12] as const, method: 'BANK_TRANSFER' })),
  ]
  return payees.flatMap(({ name, size, after, method }) => {
    if (size === 0) return []
    const random = randomFor(`${company.organization.name}, transfers to ${name}`)
    const own = expenses.filter(
      (each) => (each.claimant ?? each.supplier) === name && each.currency === company.currency && isOpen(each),
    )
    return Array.from({ length: Math.floor(own.length / size) }, (_, at) =>
      own.slice(at * size, (at + 1) * size),
    ).flatMap((group): Transfer[] => {
      const paidAt = addDays(group.at(-1)?.date ?? today, random.integer(...after))
      if (paidAt > today) return []
      const amount = major(group.reduce((sum, each) => sum + hundredths(each.amount), 0n))
      const keys = group.map(({ key }) => key)
      return [{ payee: name, currency: company.currency, amount, paidAt, method, keys }]
    })
  })
}

/** A regular expense that nothing was paid for yet. Special ones are numbered on their own. */
const isOpen = ({ status, payment, credit, documentNumber }: Expense) =>
  status === 'APPROVED' && !payment && !credit && !documentNumber.startsWith('S-')

import { labelOf } from './labels.ts'
import type { Words } from './preview-types.ts'
import type { Reader, Row } from './reader.ts'
import { refund, voidPayment } from './received.ts'
import { readRecord } from './records.ts'
import { nameIn, sum, type Tell } from './told.ts'
import { both, change, line, money, quoted } from './values.ts'

/** Expenses and the money paid for them. */

const expense = (reader: Reader, id: unknown): Promise<Row> => reader.read('expenses_get', { id })

/** Who is paid: the supplier, the person who claims it, or the name on the bill. */
const payeeOf = (row: Row): string => nameIn(row.supplier) || nameIn(row.claimant) || quoted(row.vendor)

const payExpense: Tell = async (reader, input, common) => {
  const row = await expense(reader, input.id)
  const [amount, payee] = [money(input.amount, row.currency), payeeOf(row)]
  const left = sum(row.currency, row.openBalance, -Number(input.amount))
  return {
    title: payee
      ? both(`Record that ${amount} was paid to ${payee}`, `רישום תשלום של ${amount} אל ${payee}`)
      : both(`Record a payment of ${amount}`, `רישום תשלום של ${amount}`),
    lines: [
      ...line(labelOf('recipient'), payee),
      ...common.lines,
      ...line(labelOf('open'), money(Math.max(left, 0), row.currency)),
    ],
    warnings: left < 0 ? [`Only ${money(row.openBalance, row.currency)} is open of the expense.`] : [],
  }
}

const createPayment: Tell = async (reader, input) => {
  const amount = money(input.amount, input.currency)
  const id = typeof input.supplierId === 'string' ? input.supplierId : undefined
  const payee = id ? quoted((await readRecord(reader, 'suppliers', id, input)).displayName) : ''
  return {
    title: payee
      ? both(`Record that ${amount} was paid to ${payee}`, `רישום תשלום של ${amount} אל ${payee}`)
      : both(`Record a payment of ${amount}`, `רישום תשלום של ${amount}`),
  }
}

const statusTitles: Record<string, Words> = {
  APPROVED: both('Approve the expense', 'אישור ההוצאה'),
  REJECTED: both('Reject the expense', 'דחיית ההוצאה'),
  PENDING_REVIEW: both('Submit the expense for review', 'העברת ההוצאה לבדיקה'),
  DRAFT: both('Make the expense a draft again', 'החזרת ההוצאה לטיוטה'),
}

const statusDone: Record<string, Words> = {
  APPROVED: both('The expense is approved', 'ההוצאה אושרה'),
  REJECTED: both('The expense is rejected', 'ההוצאה נדחתה'),
  PENDING_REVIEW: both('The expense waits for review', 'ההוצאה ממתינה לבדיקה'),
}

const doneWith = ({ en, he }: Words = both('', ''), said: string): Words => both(`${en}: ${said}`, `${he}: ${said}`)

const changeStatus: Tell = async (reader, input) => {
  const row = await expense(reader, input.id)
  const { en, he } = statusTitles[String(input.status)] ?? both('Change the expense', 'שינוי ההוצאה')
  const [amount, payee] = [money(row.amount, row.currency), payeeOf(row)]
  const what = [quoted(row.title) || quoted(row.description), payee].filter(Boolean).join(', ')
  const said = [amount, what].filter(Boolean).join(', ')
  return {
    title: both(`${en}: ${said}`, `${he}: ${said}`),
    ...(statusDone[String(input.status)] && { done: doneWith(statusDone[String(input.status)], said) }),
    lines: [
      ...line(labelOf('amount'), amount),
      ...line(labelOf('recipient'), payee),
      ...line(labelOf('date'), row.date),
      ...line(labelOf('categoryId'), nameIn(row.category)),
      ...line(labelOf('status'), change(row.status, input.status)),
      ...line(labelOf('reason'), input.reason),
    ],
  }
}

export const spent: Record<string, Tell> = {
  expenses_payments: payExpense,
  expenses_payments_create: createPayment,
  expenses_payments_void: voidPayment('paymentsOfExpenses'),
  expenses_payments_refund: refund('paymentsOfExpenses'),
  expenses_status: changeStatus,
}

import type { Talk } from '../talk.ts'
import { statusWord } from '../words/statuses.ts'
import type { Data, Row } from './rows.ts'

/** The rows of lists, by the kind of record. */

export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
export const part = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {})

export const statusText = ({ language }: Talk, value: unknown) =>
  text(value) === '' ? '' : statusWord(language, text(value))

export function documentRow(data: Data, talk: Talk): Row {
  const [total, open] = [number(data.total), number(data.openBalance)]
  const due = text(data.dueDate).slice(0, 10)
  const isOpen = text(data.status) !== 'DRAFT' && open !== 0
  const type = text(data.documentType)
  const title = documentName(talk, type, text(data.invoiceNumber))
  const day = text(data.invoiceDate) || text(data.issueDate)
  return {
    kind: 'document',
    id: text(data.id),
    name: [title, text(part(data.customer).name)].filter(Boolean).join(', '),
    amount: isOpen ? open : total,
    currency: text(data.currency),
    date: day.slice(0, 10),
    open: isOpen ? open : 0,
    dueDate: due,
    more: [
      isOpen && open !== total
        ? talk.in(
            `open of ${talk.money(total, text(data.currency))}`,
            `יתרה פתוחה מתוך ${talk.money(total, text(data.currency))}`,
          )
        : '',
      isOpen && due ? dueWords(talk, due) : talk.day(day),
      statusWord(talk.language, data.cancelledAt ? 'CANCELLED' : text(data.status), 'f'),
      data.inDispute ? talk.in('in dispute', 'במחלוקת') : '',
    ],
  }
}

/** A number of digits alone is told with the type of the document. */
function documentName(talk: Talk, type: string, number: string): string {
  const word = statusWord(talk.language, type)
  if (number === '') return talk.in(`draft ${word}`, `טיוטת ${word}`)
  return /^\d+$/.test(number) ? `${word} ${number}` : number
}

const dueWords = (talk: Talk, due: string) =>
  due < talk.turn.today
    ? talk.in(`overdue since ${talk.day(due)}`, `באיחור מאז ${talk.day(due)}`)
    : talk.in(`due ${talk.day(due)}`, `לתשלום עד ${talk.day(due)}`)

const [asksEmail, asksPhone] = [/e-?mail|מייל|דוא.?ל/i, /phone|call\b|mobile|טלפון|נייד/i]

/** What was asked for and is not known is said. */
const missing = (talk: Talk, asks: RegExp, en: string, he: string) => (asks.test(talk.turn.text) ? talk.in(en, he) : '')

export const partyRow =
  (kind: 'customer' | 'supplier') =>
  (data: Data, talk: Talk): Row => ({
    kind,
    id: text(data.id),
    name: text(data.displayName) || text(data.name),
    date: text(data.createdAt).slice(0, 10),
    more: [
      talk.data(text(data.email)) || missing(talk, asksEmail, 'no e-mail address', 'ללא כתובת דוא״ל'),
      talk.data(text(data.phone)) || missing(talk, asksPhone, 'no phone number', 'ללא מספר טלפון'),
      text(data.status) === 'ACTIVE' ? '' : statusText(talk, data.status),
    ],
  })

export const paymentRow = (data: Data, talk: Talk): Row => ({
  kind: 'payment',
  id: text(data.id),
  name: paymentName(data, talk),
  amount: number(data.amount),
  currency: text(data.currency),
  date: text(data.paidAt).slice(0, 10),
  more: [
    talk.day(text(data.paidAt)),
    number(data.openRemainder) > 0
      ? talk.in(
          `${talk.money(number(data.openRemainder), text(data.currency))} not allocated`,
          `${talk.money(number(data.openRemainder), text(data.currency))} לא משויך`,
        )
      : '',
    data.voidedAt ? statusText(talk, 'VOID') : '',
  ],
})

function paymentName(data: Data, talk: Talk): string {
  const allocations = Array.isArray(data.allocations) ? (data.allocations as Data[]) : []
  const numbers = allocations.map(({ invoiceNumber }) => text(invoiceNumber)).filter(Boolean)
  const said = numbers.map((number) => (/^\d+$/.test(number) ? talk.in(`no. ${number}`, `מס׳ ${number}`) : number))
  return (
    text(data.reference) ||
    (said.length > 0 ? talk.in(`for ${said.join(', ')}`, `עבור ${said.join(', ')}`) : '') ||
    text(data.method) ||
    talk.in('payment', 'תשלום')
  )
}

/** Only an approved expense is one of the company. */
const notSpent = new Set(['DRAFT', 'PENDING_REVIEW', 'REJECTED'])

export const expenseRow = (data: Data, talk: Talk): Row => ({
  kind: 'expense',
  id: text(data.id),
  name: text(data.vendor) || text(data.description) || text(data.title) || talk.in('expense', 'הוצאה'),
  amount: number(data.amount),
  currency: text(data.currency),
  date: text(data.date).slice(0, 10),
  ...(typeof data.openBalance === 'number' && { open: data.openBalance }),
  ...(notSpent.has(text(data.status)) && { uncounted: text(data.status) }),
  people: [part(data.claimant), part(data.createdBy)].map(({ name }) => text(name)).filter(Boolean),
  more: [
    talk.day(text(data.date)),
    talk.data(text(part(data.category).name)),
    statusWord(talk.language, text(data.status), 'f'),
  ],
})

export const itemRow = (data: Data, talk: Talk): Row => ({
  kind: 'item',
  id: text(data.id),
  name: text(data.name),
  ...(typeof data.salePrice === 'number' && { amount: data.salePrice, currency: text(data.saleCurrency) }),
  date: text(data.createdAt),
  more: [
    typeof data.stockLevel === 'number'
      ? talk.in(`${talk.number(data.stockLevel)} in stock`, `${talk.number(data.stockLevel)} במלאי`)
      : '',
    data.isLow ? talk.in('low', 'מלאי נמוך') : '',
  ],
})

export const levelRow = (data: Data, talk: Talk): Row => ({
  kind: 'item',
  id: text(data.itemId),
  name: text(data.name),
  amount: number(data.quantity),
  more: [
    talk.data(text(data.unit)),
    data.isLow
      ? talk.in(
          `low, the limit is ${talk.number(number(data.lowStockThreshold))}`,
          `נמוך, הסף הוא ${talk.number(number(data.lowStockThreshold))}`,
        )
      : '',
    number(data.onOrder) > 0
      ? talk.in(`${talk.number(number(data.onOrder))} on order`, `${talk.number(number(data.onOrder))} בהזמנה`)
      : '',
    talk.in(
      `worth ${talk.money(number(data.value), text(data.currency))}`,
      `בשווי ${talk.money(number(data.value), text(data.currency))}`,
    ),
  ],
})

export const movementRow = (data: Data, talk: Talk): Row => ({
  name: text(data.itemName),
  amount: number(data.quantity),
  date: text(data.date),
  more: [statusText(talk, data.kind), talk.day(text(data.date)), talk.data(text(data.reason))],
})

/** Goods of a sales order are delivered, those of a purchase order received. */
function orderStatus(talk: Talk, { status, kind }: Data): string {
  const code = text(kind) === 'SALES' ? text(status).replace('RECEIVED', 'DELIVERED') : text(status)
  return statusWord(talk.language, code, 'f')
}

export const orderRow = (data: Data, talk: Talk): Row => ({
  kind: 'order',
  id: text(data.id),
  name: [
    text(data.orderNumber) || talk.in('draft order', 'טיוטת הזמנה'),
    text(part(data.customer).name) || text(part(data.supplier).name),
  ]
    .filter(Boolean)
    .join(', '),
  amount: number(data.total),
  currency: text(data.currency),
  date: text(data.orderDate),
  dueDate: text(data.expectedDate),
  more: [talk.day(text(data.orderDate)), orderStatus(talk, data)],
})

export const employeeRow = (data: Data, talk: Talk): Row => ({
  kind: 'employee',
  id: text(data.id),
  name: text(data.name),
  amount: number(data.monthlyWage),
  currency: text(data.currency),
  date: text(data.startDate),
  more: [
    talk.in('a month', 'לחודש'),
    talk.data(text(data.jobTitle)),
    talk.in(`since ${talk.day(text(data.startDate))}`, `מאז ${talk.day(text(data.startDate))}`),
    data.endDate ? talk.in(`until ${talk.day(text(data.endDate))}`, `עד ${talk.day(text(data.endDate))}`) : '',
  ],
})

export const payslipRow = (data: Data, talk: Talk): Row => ({
  kind: 'payslip',
  id: text(data.id),
  name: [text(data.employeeName), talk.month(text(data.month) || text(data.periodStart).slice(0, 7))]
    .filter(Boolean)
    .join(', '),
  amount: data.net === undefined ? number(data.total) : number(data.net),
  currency: text(data.currency),
  date: text(data.month) === '' ? text(data.periodStart) : `${text(data.month)}-01`,
  more: [
    data.gross === undefined
      ? ''
      : talk.in(
          `net of ${talk.money(number(data.gross), text(data.currency))}`,
          `נטו מתוך ${talk.money(number(data.gross), text(data.currency))}`,
        ),
    statusText(talk, data.status),
  ],
})

export const automationRow = (data: Data, talk: Talk): Row => ({
  kind: 'automation',
  id: text(data.id),
  name: text(data.name),
  date: text(data.updatedAt),
  more: [statusWord(talk.language, text(data.status), 'f')],
})

export const runRow = (data: Data, talk: Talk): Row => ({
  kind: 'run',
  id: text(data.id),
  name: talk.instant(text(data.startedAt)),
  date: text(data.startedAt),
  more: [statusWord(talk.language, text(data.status), 'f'), talk.data(text(data.error), 160)],
})

export const plainFields =
  (name: string, ...more: string[]) =>
  (data: Data, talk: Talk): Row => ({
    name: text(data[name]),
    date: text(data.createdAt),
    more: more.map((field) => shownField(talk, data[field])),
  })

/** A value of any field: days and instants are written as such, code words as words. */
export function shownField(talk: Talk, value: unknown): string {
  if (typeof value === 'number') return talk.number(value)
  if (typeof value !== 'string' || value === '') return ''
  if (/^\d{4}-\d\d-\d\dT.*Z$/.test(value)) return talk.instant(value)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return talk.day(value)
  return /^[A-Z][A-Z0-9_]{3,}$/.test(value) ? statusWord(talk.language, value) : talk.data(value)
}

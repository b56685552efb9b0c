import { sql } from 'kysely'
import { hasScope } from '../../../core/define/access.ts'
import type { Database, Inside, Member } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import { Id, nullable, type Static, Text, Type, Warnings } from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { exact, round, toMajor } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { type LineRow, type OrderRow, orderById } from './read.ts'

const Difference = Type.Object({
  code: Type.String({ description: 'NOT_RECEIVED, OVER_RECEIVED, NOT_BILLED, OVERBILLED, OTHER_CURRENCY.' }),
  message: Text,
  lineId: nullable(Text),
  expenseId: nullable(Id),
  amount: nullable(Type.Number({ description: 'In the currency of the order, without tax.' })),
})
type Difference = Static<typeof Difference>

export const Match = Type.Object({
  orderId: Id,
  currency: Text,
  matched: Type.Boolean({ description: 'What was ordered, received and billed agrees.' }),
  ordered: Type.Number({ description: 'Without tax.' }),
  received: Type.Number({ description: 'What was received or delivered, at the prices of the order, without tax.' }),
  billed: nullable(
    Type.Number({
      description:
        'Net of approved bills or issued invoices in the currency of the order; null if the credential may not read them.',
    }),
  ),
  unbooked: Type.Array(
    Type.Object({
      expenseId: Id,
      number: nullable(Text),
      status: Text,
      currency: Text,
      net: Type.Number({ description: 'Without tax.' }),
    }),
    { description: 'Bills of the order that are not approved, such as drafts. They are not in billed.' },
  ),
  lines: Type.Array(
    Type.Object({
      lineId: Text,
      description: Text,
      ordered: Type.Number(),
      received: Type.Number(),
      invoiced: Type.Number(),
    }),
  ),
  differences: Type.Array(Difference),
  warnings: Type.Optional(Warnings),
})

type Context = Pick<Inside, 'db'> & { who: Promise<Pick<Member, 'scopes'>> }

/** What was ordered, received or delivered, and billed, and each difference. */
export async function threeWayMatch({ db, who }: Context, id: string): Promise<Static<typeof Match>> {
  const { order, found, member } = await pipeline({
    order: one(orderById(db, id), 'order'),
    found: billsOf(db, id),
    member: who,
  })
  const { currency, kind } = order
  const scope = kind === 'SALES' ? 'invoices:read' : 'expenses:read'
  const isReadable = hasScope(member.scopes, scope)
  const bills = isReadable ? found.filter(({ isBooked }) => isBooked) : []
  const unbooked = isReadable ? found.filter(({ isBooked }) => !isBooked) : []
  const major = (minor: bigint) => toMajor(minor, currency)
  const received = order.lines.reduce((sum, line) => sum + receivedMinor(line), 0n)
  const billed = bills.reduce((sum, bill) => (bill.currency === currency ? sum + BigInt(bill.netMinor) : sum), 0n)
  const differences = [
    ...order.lines.flatMap((line) => quantityDifferences(order, line)),
    ...bills.flatMap((bill) => currencyDifferences(order, bill)),
    ...(isReadable ? amountDifferences({ kind, received, billed, currency }) : []),
  ]
  const report = {
    orderId: id,
    currency,
    matched: differences.length === 0,
    ordered: major(BigInt(order.subtotalMinor)),
    received: major(received),
    billed: isReadable ? major(billed) : null,
    unbooked: unbooked.map((bill) => ({
      ...{ expenseId: bill.id, number: bill.number, status: bill.status, currency: bill.currency },
      net: toMajor(BigInt(bill.netMinor), bill.currency),
    })),
    lines: order.lines.map(({ id: lineId, description, quantity, fulfilled, invoiced }) => ({
      lineId,
      description,
      ordered: Number(quantity),
      received: Number(fulfilled),
      invoiced: Number(invoiced),
    })),
    differences,
  }
  const message = `What was billed is left out, because the credential does not have ${scope}.`
  return withWarnings(report, isReadable ? [] : [{ code: 'SCOPE', path: 'billed', message }])
}

/** The value of what was received of a line, at the price of the order. */
const receivedMinor = ({ amountMinor, fulfilled, quantity }: LineRow): bigint =>
  round(exact(String(amountMinor)).times(exact(fulfilled)).div(exact(quantity)), 'half-up')

const words = {
  PURCHASE: { came: 'received', billed: 'billed' },
  SALES: { came: 'delivered', billed: 'invoiced' },
} as const

function quantityDifferences({ kind, currency }: OrderRow, line: LineRow): Difference[] {
  const { came } = words[kind]
  const difference = exact(line.fulfilled).minus(exact(line.quantity))
  if (difference.isZero()) return []
  const price = exact(String(line.amountMinor)).div(exact(line.quantity))
  const amount = toMajor(round(price.times(difference.abs()), 'half-up'), currency)
  const [ordered, got] = [Number(line.quantity), Number(line.fulfilled)]
  return [
    {
      code: difference.isNegative() ? 'NOT_RECEIVED' : 'OVER_RECEIVED',
      message: `Of ${line.description}, ${ordered} was ordered and ${got} ${came}.`,
      lineId: line.id,
      expenseId: null,
      amount,
    },
  ]
}

type Bill = {
  id: string
  isExpense: boolean
  isBooked: boolean
  status: string
  currency: string
  netMinor: number
  number: string | null
}

const currencyDifferences = ({ currency }: OrderRow, bill: Bill): Difference[] =>
  bill.currency === currency
    ? []
    : [
        {
          code: 'OTHER_CURRENCY',
          message: `${bill.number ? `Bill ${bill.number}` : 'A bill'} is in ${bill.currency}, the order in ${currency}; it is not compared.`,
          lineId: null,
          expenseId: bill.isExpense ? bill.id : null,
          amount: null,
        },
      ]

type Sums = { kind: OrderRow['kind']; received: bigint; billed: bigint; currency: string }

function amountDifferences({ kind, received, billed, currency }: Sums): Difference[] {
  if (received === billed) return []
  const [came, bill] = [words[kind].came, words[kind].billed]
  const isOver = billed > received
  const amount = toMajor(isOver ? billed - received : received - billed, currency)
  const message = isOver
    ? `${amount} ${currency} more was ${bill} than was ${came} at the prices of the order.`
    : `${amount} ${currency} of what was ${came} is not ${bill} yet.`
  return [{ code: isOver ? 'OVERBILLED' : 'NOT_BILLED', message, lineId: null, expenseId: null, amount }]
}

/** The bills of a supplier for an order, less their credits, or the issued invoices over it, less their memos; net amounts. */
const billsOf = async (db: Database, id: string): Promise<Bill[]> =>
  (
    await sql<Bill>`
    select d.id, true as is_expense, d.issued_at is not null as is_booked, d.status, d.currency, e.document_number as number,
      d.total_minor - coalesce(e.charged_tax_minor, 0) - coalesce((select sum(m.subtotal_minor) from documents m
        where m.organization_id = d.organization_id and m.source_document_id = d.id and m.cancelled_at is null), 0)::bigint as net_minor
    from expenses e join documents d on d.organization_id = e.organization_id and d.id = e.id
    where e.order_id = ${id} and d.status <> 'REJECTED'
    union all
    select d.id, false, true, d.status, d.currency, d.number, case d.document_type when 'CREDIT_MEMO' then -d.subtotal_minor else d.subtotal_minor end
    from documents d where d.issued_at is not null and d.cancelled_at is null
      and d.id in (select x.document_id from order_invoice_lines x where x.order_id = ${id})
    order by 1`.execute(db)
  ).rows

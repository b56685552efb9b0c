import { sql } from 'kysely'
import { hasScope, type Scope } from '../../../core/define/access.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { one } from '../../../core/define/query.ts'
import {
  Id,
  Instant,
  nullable,
  OneOf,
  type Static,
  Text,
  Type,
  type Warning,
  Warnings,
} from '../../../core/define/schema.ts'
import { withWarnings } from '../../../core/define/warning.ts'
import { toMajor } from '../../../core/values/money.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { Order } from './order.ts'
import { orderById, toOrder } from './read.ts'

const types = ['ORDER', 'DELIVERY', 'STOCK_MOVEMENT', 'DOCUMENT', 'EXPENSE', 'PAYMENT'] as const

const Entry = Type.Object({
  type: OneOf(...types),
  id: Id,
  date: Type.String({ description: 'The day that it is dated.' }),
  createdAt: Instant,
  what: Type.String({ description: 'Such as OPENED, RECEIVED, IN, INVOICE, PAID.' }),
  number: nullable(Text),
  status: nullable(Text),
  quantity: nullable(Type.Number()),
  amount: nullable(Type.Number()),
  currency: nullable(Text),
})
type Entry = Static<typeof Entry>

export const chain = operation({
  name: 'orders_chain',
  http: 'GET /api/orders/{id}/chain',
  does: 'Lists what belongs to an order in the order of time: deliveries, stock movements, documents, expenses and payments.',
  scope: 'orders:read',
  within: 'orders',
  input: Type.Object({ id: Id }),
  output: Type.Object({ order: Order, entries: Type.Array(Entry), warnings: Type.Optional(Warnings) }),
  async run({ db, who }, { id }) {
    const { row, entries, member } = await pipeline({
      row: one(orderById(db, id), 'order'),
      entries: readEntries(db, id),
      member: who,
    })
    const isReadable = ({ type }: Entry) => needed[type].every((scope) => hasScope(member.scopes, scope))
    const shown = entries.map(toEntry)
    return withWarnings(
      { order: toOrder(row), entries: shown.filter(isReadable) },
      hidden(shown.filter((entry) => !isReadable(entry))),
    )
  },
})

/** The scopes that the entries of a type need beside orders:read. */
const needed = {
  ORDER: [],
  DELIVERY: [],
  STOCK_MOVEMENT: ['logistics:read'],
  DOCUMENT: ['invoices:read'],
  EXPENSE: ['expenses:read'],
  PAYMENT: ['invoices:read', 'expenses:read'],
} as const satisfies Record<Entry['type'], readonly Scope[]>

function hidden(entries: readonly Entry[]): Warning[] {
  const scopes = [...new Set(entries.flatMap(({ type }) => needed[type]))].toSorted()
  if (scopes.length === 0) return []
  const message = `${entries.length} ${entries.length === 1 ? 'entry is' : 'entries are'} left out, because the credential does not have ${scopes.join(' and ')}.`
  return [{ code: 'SCOPE', path: 'entries', message }]
}

type EntryRow = Omit<Entry, 'amount' | 'quantity'> & { minor: number | null; quantity: string | null }

const toEntry = ({ minor, quantity, ...row }: EntryRow): Entry => ({
  ...row,
  quantity: quantity === null ? null : Number(quantity),
  amount: minor === null || row.currency === null ? null : toMajor(BigInt(minor), row.currency),
})

/** Documents are those that invoice lines of the order, and memos and receipts of these. */
const readEntries = async (db: Database, id: string): Promise<EntryRow[]> =>
  (
    await sql<EntryRow>`
    with invoices as (select distinct x.document_id as id from order_invoice_lines x where x.order_id = ${id}),
    papers as (select d.* from documents d where d.id in (select i.id from invoices i) or d.source_document_id in (select i.id from invoices i)),
    bills as (select d.*, e.vendor from expenses e join documents d on d.organization_id = e.organization_id and d.id = e.id where e.order_id = ${id}),
    owed as (select id from papers union all select id from bills),
    entries as (
      select 'ORDER' as type, o.id, o.order_date as date, o.created_at, 'CREATED' as what, o.order_number as number, null as status, null::numeric as quantity,
        o.total_minor as minor, o.currency from orders o where o.id = ${id}
      union all
      select 'ORDER', o.id, o.order_date, o.opened_at, 'OPENED', o.order_number, null, null, o.total_minor, o.currency from orders o where o.id = ${id} and o.opened_at is not null
      union all
      select 'ORDER', o.id, (o.ended_at at time zone g.timezone)::date, o.ended_at, o.status, o.order_number, null, null, o.total_minor, o.currency
        from orders o join organizations g on g.id = o.organization_id where o.id = ${id} and o.ended_at is not null
      union all
      select 'DELIVERY', f.delivery_id, f.date, min(f.created_at), case o.kind when 'SALES' then 'DELIVERED' else 'RECEIVED' end, o.order_number, null, sum(f.quantity), null, null
        from order_fulfilments f join orders o on o.organization_id = f.organization_id and o.id = f.order_id where f.order_id = ${id} group by f.delivery_id, f.date, o.kind, o.order_number
      union all
      select 'STOCK_MOVEMENT', m.id, m.date, m.created_at, m.kind, m.reference, null, m.quantity, m.value_minor, m.home_currency from stock_movements m where m.order_id = ${id}
      union all
      select 'DOCUMENT', d.id, d.issue_date, d.created_at, d.document_type, d.number, d.status, null, d.total_minor, d.currency from papers d
      union all
      select 'EXPENSE', d.id, d.issue_date, d.created_at, coalesce(d.vendor, 'EXPENSE'), null, d.status, null, d.total_minor, d.currency from bills d
      union all
      select 'PAYMENT', p.id, p.paid_at, p.created_at, case when a.voided_at is null then 'PAID' else 'PAYMENT_TAKEN_BACK' end, p.reference, p.method, null, a.amount_minor, p.currency
        from allocations a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
        where a.document_id in (select id from owed) and p.source <> 'CREDIT_MEMO'
    )
    select * from entries order by date, created_at, type, id`.execute(db)
  ).rows

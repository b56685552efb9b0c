import { sql } from 'kysely'
import { toMajor } from '../../../core/values/money.ts'
import { isOwed, todayOf } from '../../../ledger/receivables.ts'

export const ofCustomer = sql`d.organization_id = customers.organization_id and d.counterparty_id = customers.id`

/** The day of the last document that was issued to the customer. */
export const lastDocument = sql<
  string | null
>`(select d.issue_date from documents d where ${ofCustomer} and d.kind = 'SALES' and d.issued_at is not null
    order by d.issue_date desc, d.id desc limit 1)`

/** Today where the customer's organization is; a list may cover several. */
export const today = (now: Date) => todayOf(now, sql`customers.organization_id`)

type Owed = { currency: string; minor: number; lateMinor: number }

/** What the customer owes by currency, in minor units, and the day of the last document. */
export const balanceColumns = (now: Date) =>
  [
    sql<
      Owed[]
    >`(select coalesce(json_agg(json_build_object('currency', o.currency, 'minor', o.minor, 'lateMinor', o.late) order by o.currency), '[]')
      from (select d.currency, sum(open_minor(d)) as minor, coalesce(sum(open_minor(d)) filter (where d.due_date < ${today(now)}), 0) as late
        from documents d where ${ofCustomer} and ${isOwed('d')} group by 1) o)`.as('owed'),
    lastDocument.as('lastDocumentDate'),
  ] as const

/** Adds the same in major units to a row that was just read with these columns. */
export const addBalances = <Row extends { owed?: Owed[] }>(row: Row): Row & { openBalances?: OpenBalance[] } =>
  row.owed ? Object.assign(row, { openBalances: row.owed.map(toMajorUnits) }) : row

type OpenBalance = { currency: string; amount: number; lateAmount: number }

const toMajorUnits = ({ currency, minor, lateMinor }: Owed): OpenBalance => ({
  currency,
  amount: toMajor(BigInt(minor), currency),
  lateAmount: toMajor(BigInt(lateMinor), currency),
})

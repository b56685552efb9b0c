import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { Country } from '../../../../countries/country.ts'
import { advancesMax, type TaxAdvance } from './tax.ts'

type AdvanceRow = {
  paymentId: string
  documentId: string | null
  documentType: string | null
  number: string | null
  date: string
  counterparty: string | null
  currency: string
  amountMinor: number
  /** Of the payment request; null for money on account, whose tax is not known yet. */
  taxMinor: number | null
}

type Asked = { from: string; to: string; rules: Country }

/**
 * Money that customers paid in a period and for which no tax invoice was issued yet: what is open of a payment, and what went to
 * a payment request that was not converted. The tax on it may be due with the money; a tax invoice over it clears the entry.
 */
export async function readAdvances(db: Database, { from, to, rules }: Asked): Promise<TaxAdvance[]> {
  if (!rules.taxesAdvances) return []
  const issuer = db.selectFrom('organizations').select(['name', 'address', 'taxNumber', 'registrationNumber'])
  if (!rules.documents.isRegistered(await issuer.executeTakeFirstOrThrow())) return []
  const { rows } = await sql<AdvanceRow>`
    with received as (select p.* from payments p where p.organization_id = (select current_organization()) and p.kind = 'SALES'
      and p.direction = 'OUTGOING' and p.paid_at between ${from} and ${to} and p.voided_at is null and p.source not in ('CREDIT_MEMO', 'REFUND'))
    select x.payment_id, x.document_id, x.document_type, x.number, x.date, coalesce(c.name, c.email) as counterparty, x.currency,
      x.amount_minor::float8 as amount_minor, x.tax_minor::float8 as tax_minor
    from (
      select p.id as payment_id, r.id as document_id, r.document_type, r.number, p.paid_at as date, p.counterparty_id, p.currency,
        p.amount_minor - p.allocated_minor - p.refunded_minor as amount_minor, null::numeric as tax_minor
      from received p left join documents r on r.organization_id = p.organization_id and r.payment_id = p.id
        and r.document_type = 'RECEIPT' and r.cancelled_at is null
      where p.amount_minor > p.allocated_minor + p.refunded_minor
      union all
      select p.id, d.id, d.document_type, d.number, p.paid_at, p.counterparty_id, p.currency, sum(a.amount_minor),
        round(d.tax_minor * sum(a.amount_minor) / nullif(d.total_minor, 0))
      from received p
      join allocations a on a.organization_id = p.organization_id and a.payment_id = p.id and a.voided_at is null
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where d.document_type = 'PAYMENT_REQUEST' and d.converted_to_id is null and d.cancelled_at is null
      group by p.id, p.organization_id, p.paid_at, p.counterparty_id, p.currency, d.organization_id, d.id
    ) x left join customers c on c.organization_id = (select current_organization()) and c.id = x.counterparty_id
    order by x.date, x.payment_id, x.document_id limit ${advancesMax + 1}`.execute(db)
  return rows.slice(0, advancesMax).map(({ amountMinor, taxMinor, ...row }) => {
    const tax = taxMinor ?? includedTax(amountMinor, rules.documents.taxRateOn(row.date) ?? 0)
    const major = (minor: number) => toMajor(BigInt(minor), row.currency)
    return { ...row, amount: major(amountMinor), base: major(amountMinor - tax), tax: major(tax) }
  })
}

/** The tax at the usual rate that an amount includes. */
const includedTax = (amountMinor: number, rate: number) => Math.round((amountMinor * rate) / (100 + rate))

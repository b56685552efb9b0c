import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import { countries } from '../../../../countries/countries.ts'
import type { SalesTaxRates } from '../../../../countries/country.ts'
import type { OrganizationContext } from '../../../../ledger/organization-context.ts'
import { countryView } from '../country-view.ts'
import { salesKind } from '../kind.ts'
import type { DocumentRow } from '../reading/read.ts'

/** What writing a document needs to know about its organization. */
export type IssuingContext = OrganizationContext & {
  /** The last issue date after today of each document type that has one. */
  futureNumbers: Record<string, string> | null
  /** The turnover of recent years in minor units of the country's currency, where the country limits it for the organization. */
  turnover: Record<string, string> | null
  /** The tax authorities that the organization has entered credentials for. */
  connections: string[]
  /** The organization's own table of rates, where the country compares documents with it. */
  ownRates: SalesTaxRates | null
}

const limitedCountries = Object.values(countries)
  .filter(({ documents }) => documents.turnoverWarnings)
  .map(({ code }) => code)

const ratedCountries = Object.values(countries)
  .filter(({ documents }) => documents.ownRateWarnings)
  .map(({ code }) => code)

const sign = sql`case s.sort when 'CREDIT' then -1 else 1 end`
/** The sums of sales that are not PAID are less their credits already. */
const isIncome = sql`s.status <> 'DRAFT' and (s.sort = 'SALE' or s.status = 'PAID')`

/** One statement, in the first flush. The turnover is summed up only for organizations without a tax number, where it counts. */
export async function issuingContext(db: Database, now: Date): Promise<IssuingContext> {
  const { rows } = await sql<IssuingContext>`
    select o.currency, o.timezone, o.country,
      (select json_object_agg(f.document_type, f.day) from (
        select d.document_type, max(d.issue_date) as day from documents d
        where d.kind = ${sql.lit(salesKind.name)} and d.issue_date > t.today and d.sequence is not null group by 1) f) as future_numbers,
      case when o.country = any (${limitedCountries}::text[]) and coalesce(o.tax_number, '') = '' then
        (select json_object_agg(y.year, y.minor::text) from (
          select extract(year from s.day)::integer as year, sum(${sign} * case
            when s.currency = c.currency then s.total_minor
            when s.rate_currency = c.currency then convert_minor(s.total_minor, s.currency, c.currency, 1, s.fixed_rate)
            else 0 end) as minor
          from sales_by_day s, lateral (select country_currency(o.country) as currency) c
          where s.day >= make_date(extract(year from t.today)::integer - 1, 1, 1) and ${isIncome} group by 1) y)
      end as turnover,
      (select coalesce(array_agg(c.integration_id), '{}') from tax_authority_connections c) as connections,
      case when o.country = any (${ratedCountries}::text[]) then
        (select s.sales_tax_rates from organization_settings s where s.organization_id = o.id) end as own_rates
    from organizations o, lateral (select (${now.toISOString()}::timestamptz at time zone o.timezone)::date as today) t`.execute(
    db,
  )
  const [context] = rows
  if (!context) throw new Error('A document needs an organization.')
  return context
}

/** Warnings about the turnover of the year of a document that has just been issued. */
export function turnoverWarnings(row: DocumentRow, { turnover }: IssuingContext): Warning[] {
  const isIncomeDocument = row.documentType !== 'PAYMENT_REQUEST' || row.status === 'PAID'
  if (turnover === null || row.status === 'DRAFT' || !isIncomeDocument) return []
  const view = countryView(row)
  const earlier = BigInt(turnover[row.issueDate.slice(0, 4)] ?? 0)
  return view?.country.documents.turnoverWarnings?.(view.sale, earlier) ?? []
}

/** Warnings about rates of a document that differ from the organization's own table. */
export function ownRateWarnings(row: DocumentRow, { ownRates }: IssuingContext): Warning[] {
  if (ownRates === null || ownRates.length === 0) return []
  const view = countryView(row)
  return view?.country.documents.ownRateWarnings?.(view.sale, ownRates) ?? []
}

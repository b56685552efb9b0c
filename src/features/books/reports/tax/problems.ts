import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import type { Warning } from '../../../../core/define/schema.ts'
import type { Country } from '../../../../countries/country.ts'
import { documentWarnings } from '../../../../countries/warnings.ts'
import { countryView } from '../../../selling/documents/country-view.ts'
import { selectForCountry } from '../../../selling/documents/reading/read.ts'
import { problemsMax, type TaxProblem } from './tax.ts'

type Period = { from: string; to: string }
type Found = { problems: TaxProblem[]; isWhole: boolean }

/** Documents per statement, and in total. */
const [rowsPerPart, rowsMax] = [1_000, 5_000]
/** How long documents are checked. */
const withinMs = 2_500

/** What the rules of the country miss on the issued sales documents of a period, by their date. */
export async function salesProblems(db: Database, { from, to }: Period): Promise<Found> {
  const until = performance.now() + withinMs
  const problems: TaxProblem[] = []
  let after = { day: from, id: '00000000-0000-0000-0000-000000000000' }
  const isFull = () => problems.length > problemsMax
  for (let read = 0; read < rowsMax && !isFull() && performance.now() < until; read += rowsPerPart) {
    const rows = await selectForCountry(db)
      .where('issuedAt', 'is not', null)
      .where('issueDate', '<=', to)
      .where(sql<boolean>`(issue_date, id) > (${after.day}::date, ${after.id}::uuid)`)
      .orderBy('issueDate')
      .orderBy('id')
      .limit(rowsPerPart)
      .execute()
    for (const row of rows) {
      const view = countryView(row)
      const found = view ? documentWarnings(view.country, view.sale) : []
      if (found.length === 0) continue
      const { id, documentType, invoiceNumber, issueDate, counterpartyName } = row
      problems.push({
        ...{ documentId: id, documentType, number: invoiceNumber, date: issueDate },
        ...{ counterparty: counterpartyName || null, problems: found },
      })
    }
    const last = rows.at(-1)
    if (!last || rows.length < rowsPerPart) return { problems: problems.slice(0, problemsMax), isWhole: !isFull() }
    after = { day: last.issueDate, id: last.id }
  }
  return { problems: problems.slice(0, problemsMax), isWhole: false }
}

type BillRow = {
  id: string
  documentType: string
  date: string
  number: string | null
  vendor: string | null
  taxNumber: string | null
  allocationNumber: string | null
  netMinor: number
  taxMinor: number
  rateKnown: boolean
}

/** What is missing on the approved expenses of a period whose tax is deducted. */
export async function purchaseProblems(db: Database, { from, to }: Period, country: Country): Promise<Found> {
  const own = (minor: string) => sql`home_minor(${sql.raw(minor)}, d.currency, ${country.currency}, d.country_rate)`
  const { rows } = await sql<BillRow>`
    select d.id, d.document_type as document_type, d.issue_date as date, x.document_number as number, coalesce(c.name, x.vendor) as vendor,
      coalesce(x.vendor_tax_number, s.tax_number, s.gst_number, c.registration_number) as tax_number, x.allocation_number as allocation_number,
      ${own('d.total_minor - coalesce(x.charged_tax_minor, 0)')}::float8 as net_minor, ${own('d.tax_minor')}::float8 as tax_minor,
      d.country_rate is not null or d.currency = ${country.currency} as rate_known
    from documents d join expenses x on x.id = d.id
    left join customers c on c.id = x.supplier_id
    left join suppliers s on s.id = x.supplier_id
    where d.kind = 'EXPENSE' and d.document_type = 'EXPENSE' and d.issued_at is not null and d.tax_minor > 0
      and d.issue_date between ${from} and ${to}
      and (coalesce(x.vendor_tax_number, s.tax_number, s.gst_number, c.registration_number) is null or x.document_number is null
        or x.allocation_number is null or d.country_rate is null)
    order by d.issue_date, d.id limit ${rowsMax + 1}`.execute(db)
  const problems = rows.map(toProblem(country)).filter(({ problems: found }) => found.length > 0)
  return { problems: problems.slice(0, problemsMax), isWhole: rows.length <= rowsMax }
}

const toProblem =
  (country: Country) =>
  (row: BillRow): TaxProblem => ({
    ...{
      documentId: row.id,
      documentType: row.documentType,
      number: row.number,
      date: row.date,
      counterparty: row.vendor,
    },
    problems: [
      ...(row.taxNumber === null ? [missing.taxNumber] : []),
      ...(row.number === null ? [missing.number] : []),
      ...(row.rateKnown ? [] : [missing.rate]),
      ...country.purchaseWarnings({
        date: row.date,
        netMinor: BigInt(row.netMinor),
        deductedMinor: BigInt(row.taxMinor),
        allocationNumber: row.allocationNumber,
      }),
    ],
  })

const missing = {
  taxNumber: {
    code: 'SUPPLIER_TAX_NUMBER_MISSING',
    path: 'vendorTaxNumber',
    message: 'Input tax is deducted, and the tax number of the supplier is missing (vendorTaxNumber).',
  },
  number: {
    code: 'DOCUMENT_NUMBER_MISSING',
    path: 'documentNumber',
    message: "Input tax is deducted, and the number of the supplier's invoice is missing (documentNumber).",
  },
  rate: {
    code: 'EXCHANGE_RATE_MISSING',
    path: 'currency',
    message: "The exchange rate to the country's currency is not known; the face value counts.",
  },
} satisfies Record<string, Warning>

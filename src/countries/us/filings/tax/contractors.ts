import { sql } from 'kysely'
import type { Database } from '../../../../core/define/operation.ts'
import { Count, Id, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import { type FileProblem, FileProblems, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import { isSsnText, masked, personProblem } from '../../documents/numbers.ts'
import { contractorThreshold, contractorThresholdIndexedFrom } from '../../reporting.ts'

const Contractor = Type.Object({
  supplierId: Id,
  name: nullable(Text),
  taxNumber: nullable(Type.String({ description: 'The last four digits. The file has all of them.' })),
  address: nullable(Text),
  country: nullable(Text),
  paid: Type.Number({ description: 'Box 1: what was paid in the year, refunds deducted, without payments by card.' }),
  paidByCard: Type.Number({ description: 'Payments by card, which the company that settles them reports.' }),
  withheld: Type.Number({ description: 'Box 4: tax withheld from the payments.' }),
  payments: Count,
  isReported: Type.Boolean({ description: 'Whether the amount reaches the threshold.' }),
})
export type Contractor = Static<typeof Contractor>

export const ContractorReport = Type.Object({
  year: Type.Integer(),
  currency: Text,
  threshold: Type.Number(),
  contractors: Type.Array(Contractor),
  totals: Type.Object(
    { reported: Count, paid: Type.Number(), withheld: Type.Number() },
    { description: 'Of those that are reported.' },
  ),
  problems: FileProblems,
  problemsIncomplete: Type.Boolean(),
})

export type ContractorRow = {
  id: string
  name: string | null
  taxNumber: string | null
  address: string | null
  country: string | null
  isFlagged: boolean
  isPerson: boolean
  paidMinor: number
  cardMinor: number
  withheldMinor: number
  payments: number
  /** Payments through PayPal and the like. */
  networkPayments: number
  /** Payments whose amount in dollars is not known. */
  unknownPayments: number
}

/** The methods that are cards, and those of networks that may report payments themselves. Methods are text that people write. */
const [cards, networks] = [
  '\\m(card|visa|mastercard|amex|american.?express|discover)',
  '\\m(paypal|venmo|stripe|square|cash.?app|zelle)',
]

/**
 * What was paid in a year to the suppliers that are flagged, and to individuals who are not, by the day of the payment. Voided payments do
 * not count. A refund is deducted on its own day, from what the method of the payment that it gives back counts for.
 */
export async function readContractors(db: Database, year: number): Promise<ContractorRow[]> {
  const { rows } = await sql<ContractorRow>`
    with paid as (
      select p.counterparty_id, case when p.refund_of is null then 1 else -1 end as sign, p.withheld_minor, p.amount_minor,
        o.method ~* ${cards} or replace(coalesce(o.method, ''), '_', ' ') ~* ${cards} or o.details ? 'card' as is_card,
        replace(coalesce(o.method, ''), '_', ' ') ~* ${networks} as is_network, p.currency, p.rate_currency, p.exchange_rate
      from payments p join payments o on o.id = coalesce(p.refund_of, p.id)
      where p.kind = 'EXPENSE' and p.source <> 'CREDIT_MEMO' and o.source <> 'CREDIT_MEMO' and p.voided_at is null
        and p.paid_at between ${`${year}-01-01`} and ${`${year}-12-31`}
    ), counted as (
      select p.*, case when p.currency = 'USD' then p.amount_minor when p.rate_currency = 'USD' and p.exchange_rate is not null
        then home_minor(p.amount_minor, p.currency, 'USD', p.exchange_rate) end as minor,
        case when p.currency = 'USD' then p.withheld_minor when p.rate_currency = 'USD' and p.exchange_rate is not null
        then home_minor(p.withheld_minor, p.currency, 'USD', p.exchange_rate) end as withheld
      from paid p
    )
    select c.id, c.name, coalesce(s.tax_number, c.registration_number) as tax_number, c.address, c.country, s.is1099 as is_flagged, c.kind = 'INDIVIDUAL' as is_person,
      coalesce(sum(p.sign * p.minor) filter (where p.is_card is not true), 0)::float8 as paid_minor,
      coalesce(sum(p.sign * p.minor) filter (where p.is_card), 0)::float8 as card_minor,
      coalesce(sum(p.sign * p.withheld) filter (where p.is_card is not true), 0)::float8 as withheld_minor,
      count(*)::integer as payments, count(*) filter (where p.is_network and p.is_card is not true)::integer as network_payments,
      count(*) filter (where p.minor is null)::integer as unknown_payments
    from counted p join suppliers s on s.id = p.counterparty_id join customers c on c.id = s.id
    where s.is1099 or c.kind = 'INDIVIDUAL'
    group by c.id, c.name, s.tax_number, c.registration_number, c.address, c.country, s.is1099, c.kind
    order by c.name, c.id`.execute(db)
  return rows
}

export const isReported = ({ isFlagged, paidMinor }: ContractorRow, year: number): boolean =>
  isFlagged && BigInt(paidMinor) >= contractorThreshold(year)

const dollars = (minor: number | bigint) => toMajor(BigInt(minor), 'USD')

export const toContractor = (row: ContractorRow, year: number): Contractor => ({
  supplierId: row.id,
  name: row.name,
  taxNumber: row.taxNumber && masked(row.taxNumber),
  address: row.address,
  country: row.country,
  paid: dollars(row.paidMinor),
  paidByCard: dollars(row.cardMinor),
  withheld: dollars(row.withheldMinor),
  payments: row.payments,
  isReported: isReported(row, year),
})

/** What the IRS would reject of a contractor, or what somebody has to look at. */
export function contractorProblems(row: ContractorRow, year: number): FileProblem[] {
  const of = { supplierId: row.id }
  if (!row.isFlagged) {
    const message =
      'The supplier is a person who was paid as much as is reported, and is not marked for form 1099-NEC (is1099).'
    return BigInt(row.paidMinor) >= contractorThreshold(year) ? [toCheck('NOT_MARKED', message, of)] : []
  }
  const unknown = rejected(
    'EXCHANGE_RATE_MISSING',
    `${row.unknownPayments} payments have no rate to dollars and do not count.`,
    of,
  )
  const inDoubt = row.unknownPayments > 0 ? [unknown] : []
  if (!isReported(row, year)) return inDoubt
  const number = row.taxNumber && personProblem(row.taxNumber)
  const withoutNumber =
    'The taxpayer number is missing (taxNumber): ask for form W-9, and withhold 24 % until it is there.'
  return [
    ...inDoubt,
    ...(row.taxNumber ? [] : [rejected('TAX_NUMBER_MISSING', withoutNumber, of)]),
    ...(number ? [rejected('TAX_NUMBER', number, of)] : []),
    ...(row.address ? [] : [rejected('ADDRESS_MISSING', 'The address is missing.', of)]),
    ...(row.name ? [] : [rejected('NAME_MISSING', 'The name is missing.', of)]),
    ...(row.country === null || row.country === 'US'
      ? []
      : [
          toCheck(
            'FOREIGN',
            'The supplier is not in the United States: form W-8BEN and form 1042-S may apply instead.',
            of,
          ),
        ]),
    ...(row.networkPayments === 0
      ? []
      : [
          toCheck(
            'PAYMENT_NETWORK',
            `${row.networkPayments} payments were made through a network that may report them itself (form 1099-K).`,
            of,
          ),
        ]),
  ]
}

export type Payer = {
  name: string
  taxNumber: string | null
  address: string | null
  country: string
  currency: string
}

export const readPayer = (db: Database): Promise<Payer> =>
  db
    .selectFrom('organizations')
    .select(['name', 'taxNumber', 'address', 'country', 'currency'])
    .executeTakeFirstOrThrow()

export function payerProblems({ taxNumber, address, country }: Payer, year: number): FileProblem[] {
  if (country !== 'US') return [rejected('COUNTRY', 'The organization is not in the United States.')]
  const number = taxNumber && personProblem(taxNumber)
  return [
    ...(taxNumber ? [] : [rejected('PAYER_TAX_NUMBER_MISSING', 'The organization has no EIN (taxNumber).')]),
    ...(number ? [rejected('PAYER_TAX_NUMBER', number)] : []),
    ...(address ? [] : [rejected('PAYER_ADDRESS_MISSING', 'The organization has no address.')]),
    ...(year < contractorThresholdIndexedFrom
      ? []
      : [
          toCheck(
            'THRESHOLD',
            `The threshold of ${year} follows inflation; the one of 2026 is used. Compare it with the IRS.`,
          ),
        ]),
  ]
}

export const contractorColumns: readonly ReportColumn[] = [
  { key: 'year', title: 'Year', titleHe: 'שנה', type: 'number' },
  { key: 'payerName', title: 'Payer', titleHe: 'משלם', type: 'text' },
  { key: 'payerTin', title: 'Payer TIN', titleHe: 'מספר משלם', type: 'text' },
  { key: 'payerAddress', title: 'Payer address', titleHe: 'כתובת משלם', type: 'text' },
  { key: 'recipientName', title: 'Recipient', titleHe: 'מקבל', type: 'text' },
  { key: 'recipientTin', title: 'Recipient TIN', titleHe: 'מספר מקבל', type: 'text' },
  { key: 'recipientTinType', title: 'TIN type', titleHe: 'סוג מספר', type: 'text' },
  { key: 'recipientAddress', title: 'Recipient address', titleHe: 'כתובת מקבל', type: 'text' },
  { key: 'recipientCountry', title: 'Country', titleHe: 'מדינה', type: 'text' },
  { key: 'nonemployeeCompensation', title: 'Box 1: nonemployee compensation', titleHe: 'תשלומים', type: 'money' },
  { key: 'federalIncomeTaxWithheld', title: 'Box 4: federal income tax withheld', titleHe: 'מס שנוכה', type: 'money' },
]

/** The columns of a contractor in the file. */
export const toCells = (row: ContractorRow, payer: Payer, year: number) => [
  ...[year, payer.name, payer.taxNumber, payer.address, row.name, row.taxNumber, row.taxNumber && tinType(row)],
  ...[row.address, row.country, dollars(row.paidMinor), dollars(row.withheldMinor)],
]

/** How a number is written says whose it is; of nine digits alone the kind of the supplier does. */
function tinType({ taxNumber, isPerson }: ContractorRow): 'SSN' | 'EIN' {
  const text = taxNumber?.trim() ?? ''
  if (/^\d{2}-\d{7}$/.test(text)) return 'EIN'
  return isSsnText(text) || isPerson ? 'SSN' : 'EIN'
}

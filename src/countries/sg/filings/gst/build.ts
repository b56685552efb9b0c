import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import type { Static } from '../../../../core/define/schema.ts'
import { addDays, addMonths, today } from '../../../../core/values/day.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { productVersion } from '../../../../core/values/product-version.ts'
import type { ReportContext } from '../../../../features/books/reports/report-context.ts'
import { fileRowsMax, type ReportTable } from '../../../../features/books/reports/report-file.ts'
import { storeSums } from '../../../../features/books/reports/statements/sums.ts'
import { ratesIn } from '../../../../features/books/reports/tax/read-tax.ts'
import { readTaxedDocuments } from '../../../../features/books/reports/tax/read-taxed-documents.ts'
import { advanceProblems } from '../../../../features/books/statutory/advance-problems.ts'
import { fileProblemsMax, listed, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import type { Period } from '../../../../features/books/statutory/period.ts'
import { type AuditFile, type AuditFileReport, version } from './audit-file.ts'
import { boxColumns, boxesByHand, type GstF5, sumsOf, toBoxes } from './gst-f5.ts'
import { readLedger } from './ledger-section.ts'
import { listingOf, listingProblems } from './listings.ts'
import { codeProblems, companyProblems, documentProblems, readCompany } from './problems.ts'

type Asked = { db: Database; organization: ReportContext; period: Period; now: Date }

/** The boxes of GST F5 as a table; `report` also looks for problems. */
export async function buildGstF5({ db, organization, period }: Omit<Asked, 'now'>) {
  const documents = await documentsOf(db, period, organization)
  const { currency } = organization.rules
  const sums = sumsOf(documents)
  const boxes = toBoxes(sums, currency)
  const rows = boxes.map(({ box, name, amount, declared, count }) => [box, name, amount, declared, count])
  const table: ReportTable = { name: `gst-f5-${period.from}-${period.to}`, columns: boxColumns, rows }

  async function report(): Promise<Static<typeof GstF5>> {
    const company = await readCompany(db)
    const found = await documentProblems(db, period, organization)
    const problems = [
      ...companyProblems(company, organization),
      ...(isQuarter(period) ? [] : [notAQuarter]),
      ...codeProblems(documents),
      ...found.problems,
      ...(await advanceProblems(db, period, organization.rules)),
      byHand,
    ]
    const major = (minor: number) => toMajor(BigInt(minor), currency)
    return {
      ...period,
      currency,
      gstNumber: company.taxNumber,
      boxes,
      notInAnyBox: { supplies: major(sums.outside.OUTPUT), purchases: major(sums.outside.INPUT) },
      problems: listed(problems),
      problemsIncomplete: !found.isWhole || problems.length > fileProblemsMax,
    }
  }

  return { table, report }
}

/** The sections of the audit file, with its totals and problems. */
export async function buildAuditFile({ db, organization, period, now }: Asked) {
  const { currency: home, rules, timezone } = organization
  const { currency } = rules
  const until = performance.now() + wholeMs
  const documents = await documentsOf(db, period, organization, documentsMs)
  await storeSums(db, { within: sumsMs, events: sumsEvents })
  const left = until - performance.now()
  const ledger = left > 0 ? await readLedger(db, { ...period, home }, left) : undefined
  if (!ledger) throw tooLong()
  const company = await readCompany(db)
  const [purchases, supplies] = [listingOf(documents, 'INPUT', currency), listingOf(documents, 'OUTPUT', currency)]
  const { name, registrationNumber, taxNumber } = company
  const made = [today(now, timezone), `Kontor ${productVersion}`, version]
  const record = [name, registrationNumber ?? '', taxNumber ?? '', period.from, period.to, ...made]
  const file: AuditFile = { company: { records: [record], totals: [] }, purchases, supplies, ledger }

  const report = (): AuditFileReport => {
    const problems = [
      ...companyProblems(company, organization),
      ...codeProblems(documents),
      ...listingProblems(documents),
      ...ledger.problems,
    ]
    const major = (minor: bigint | number, of: string) => toMajor(BigInt(minor), of)
    const listing = ({ records, total, tax }: typeof purchases) => ({
      count: records.length,
      total: major(total, currency),
      tax: major(tax, currency),
    })
    return {
      ...period,
      currency,
      company: { name, uen: registrationNumber, gstNumber: taxNumber },
      purchases: listing(purchases),
      supplies: listing(supplies),
      ledger: {
        currency: home,
        count: ledger.records.length,
        totalDebit: major(ledger.debitMinor, home),
        totalCredit: major(ledger.creditMinor, home),
      },
      problems: listed(problems),
      problemsIncomplete: problems.length > fileProblemsMax,
    }
  }

  return { file, name: `iaf-${period.from}-${period.to}`, report }
}

/** How long the audit file reads in all, its documents, and sums that are not stored yet; a request has eleven seconds of the database. */
const [wholeMs, documentsMs, sumsMs] = [7_500, 4_000, 1_000]
/** Events per statement that adds sums up. */
const sumsEvents = 2_000

const tooLong = () => invalid('to', 'The period is too long to be read in one request. Give a shorter one.')

/** What the documents of a period have booked, in the currency of the country. */
async function documentsOf(
  db: Database,
  { from, to }: { from: string; to: string },
  organization: ReportContext,
  withinMs?: number,
) {
  const { rules, currency: home } = organization
  const asked = { from, to, home, currency: rules.currency, rates: ratesIn(rules, from, to) }
  const documents = await readTaxedDocuments(db, asked, { most: fileRowsMax, ...(withinMs && { withinMs }) })
  if (!documents) throw tooLong()
  return documents
}

const isQuarter = ({ from, to }: { from: string; to: string }) =>
  from.endsWith('-01') && addDays(addMonths(from, 3), -1) === to

const notAQuarter = toCheck('PERIOD', 'GST F5 is for three months, unless IRAS has agreed on another period.')

const byHand = toCheck(
  'BOXES_BY_HAND',
  `The books have nothing about boxes ${boxesByHand.join(', ')}: schemes for imports, refunds to tourists, bad-debt relief and pre-registration claims. Reverse charge and customer accounting on purchases are not booked either; add them to boxes 1, 5, 6, 7 and 14.`,
)

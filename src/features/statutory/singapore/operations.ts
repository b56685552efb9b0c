import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { defaulted, Id, OneOf, Type } from '../../../core/define/schema.ts'
import { inFormat, orFile } from '../../../core/files/file.ts'
import { addDays, addMonths, today } from '../../../core/values/day.ts'
import { toMajor } from '../../../core/values/money.ts'
import { productVersion } from '../../../core/values/product-version.ts'
import { type ReportContext, reportContext } from '../../reports/report-context.ts'
import { fileRowsMax, reportFile, reportFormat, reportOutput } from '../../reports/report-file.ts'
import { storeSums } from '../../reports/statements/sums.ts'
import { ratesIn } from '../../reports/tax/read-tax.ts'
import { readTaxedDocuments } from '../../reports/tax/read-taxed-documents.ts'
import { fileProblemsMax, listed, toCheck } from '../file-problem.ts'
import { periodFields, periodOf } from '../quarter.ts'
import { AuditFileReport, auditFileAnswer, version } from './audit-file.ts'
import { boxColumns, boxesByHand, GstF5, sumsOf, toBoxes } from './gst-f5.ts'
import { readLedger } from './ledger-section.ts'
import { listingOf, listingProblems } from './listings.ts'
import { codeProblems, companyProblems, documentProblems, readCompany } from './problems.ts'

export const gstF5 = operation({
  name: 'reports_gst_f5',
  http: 'GET /api/reports/gst-f5',
  does: 'Shows the boxes of the GST F5 return of Singapore for a period, and what IRAS would reject.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, ...periodFields, ...reportFormat }),
  output: reportOutput(GstF5),
  async run({ db, now }, { format, ...days }) {
    const organization = await reportContext(db)
    const period = periodOf(days, organization, now)
    const documents = await documentsOf(db, period, organization)
    const { currency } = organization.rules
    const sums = sumsOf(documents)
    const boxes = toBoxes(sums, currency)
    if (format !== 'json') {
      const rows = boxes.map(({ box, name, amount, declared, count }) => [box, name, amount, declared, count])
      const table = { name: `gst-f5-${period.from}-${period.to}`, columns: boxColumns, rows }
      return reportFile(table, { format, organizationId: organization.id, language: organization.language })
    }
    const company = await readCompany(db)
    const found = await documentProblems(db, period, organization)
    const problems = [
      ...companyProblems(company, organization),
      ...(isQuarter(period) ? [] : [notAQuarter]),
      ...codeProblems(documents),
      ...found.problems,
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
  },
})

export const irasAuditFile = operation({
  name: 'reports_iras_audit_file',
  http: 'GET /api/reports/iras-audit-file',
  does: 'Writes the IRAS audit file of Singapore for a period: company, purchases, supplies and general ledger; as JSON its totals and what IRAS would reject.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    ...periodFields,
    format: defaulted(
      Type.Unsafe<'json' | 'txt' | 'xml'>({
        ...OneOf('json', 'txt', 'xml'),
        description: 'txt and xml answer the file: fields that a bar ends, or elements.',
      }),
      'json',
    ),
  }),
  output: orFile(AuditFileReport, 'text/plain', 'application/xml'),
  async run({ db, now }, { format, ...days }) {
    const organization = await reportContext(db)
    const { currency: home, rules, timezone } = organization
    const { currency } = rules
    const period = periodOf(days, organization, now)
    const until = performance.now() + wholeMs
    const documents = await documentsOf(db, period, organization, documentsMs)
    await storeSums(db, { within: sumsMs, events: sumsEvents })
    const left = until - performance.now()
    const ledger = left > 0 ? await readLedger(db, { ...period, home }, left) : undefined
    if (!ledger) throw tooLong()
    const company = await readCompany(db)
    const [purchases, supplies] = [listingOf(documents, 'INPUT', currency), listingOf(documents, 'OUTPUT', currency)]
    if (format !== 'json') {
      const { name, registrationNumber, taxNumber } = company
      const made = [today(now, timezone), `Kontor ${productVersion}`, version]
      const record = [name, registrationNumber ?? '', taxNumber ?? '', period.from, period.to, ...made]
      const file = { company: { records: [record], totals: [] }, purchases, supplies, ledger }
      return inFormat(auditFileAnswer(file, { name: `iaf-${period.from}-${period.to}`, format }))
    }
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
      company: { name: company.name, uen: company.registrationNumber, gstNumber: company.taxNumber },
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
  },
})

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

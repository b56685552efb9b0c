import { invalid } from '../../../core/define/failure.ts'
import { type Database, operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { addDays, addMonths } from '../../../core/values/day.ts'
import { toMajor } from '../../../core/values/money.ts'
import { type ReportContext, reportContext } from '../../reports/report-context.ts'
import { fileRowsMax, reportFile, reportFormat, reportOutput } from '../../reports/report-file.ts'
import { ratesIn } from '../../reports/tax/read-tax.ts'
import { readTaxedDocuments } from '../../reports/tax/read-taxed-documents.ts'
import { fileProblemsMax, listed, toCheck } from '../file-problem.ts'
import { periodFields, periodOf } from '../period.ts'
import { boxColumns, boxesByHand, GstF5, sumsOf, toBoxes } from './gst-f5.ts'
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
  async run({ db }, { format, ...days }) {
    const organization = await reportContext(db)
    const period = periodOf(days, organization)
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

/** What the documents of a period have booked, in the currency of the country. */
async function documentsOf(db: Database, { from, to }: { from: string; to: string }, organization: ReportContext) {
  const { rules, currency: home } = organization
  const asked = { from, to, home, currency: rules.currency, rates: ratesIn(rules, from, to) }
  const documents = await readTaxedDocuments(db, asked, fileRowsMax)
  if (!documents) throw invalid('to', 'The period is too long to be read in one request. Give a shorter one.')
  return documents
}

const isQuarter = ({ from, to }: { from: string; to: string }) =>
  from.endsWith('-01') && addDays(addMonths(from, 3), -1) === to

const notAQuarter = toCheck('PERIOD', 'GST F5 is for three months, unless IRAS has agreed on another period.')

const byHand = toCheck(
  'BOXES_BY_HAND',
  `The books have nothing about boxes ${boxesByHand.join(', ')}: schemes for imports, refunds to tourists, bad-debt relief and pre-registration claims. Reverse charge and customer accounting on purchases are not booked either; add them to boxes 1, 5, 6, 7 and 14.`,
)

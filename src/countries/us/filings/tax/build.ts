import { invalid } from '../../../../core/define/failure.ts'
import type { Database } from '../../../../core/define/operation.ts'
import type { Static } from '../../../../core/define/schema.ts'
import { toMajor } from '../../../../core/values/money.ts'
import type { ReportContext } from '../../../../features/books/reports/report-context.ts'
import { fileRowsMax, type ReportTable } from '../../../../features/books/reports/report-file.ts'
import { salesProblems } from '../../../../features/books/reports/tax/problems.ts'
import { ratesIn } from '../../../../features/books/reports/tax/read-tax.ts'
import { readTaxedDocuments } from '../../../../features/books/reports/tax/read-taxed-documents.ts'
import { fileProblemsMax, listed, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import type { Period } from '../../../../features/books/statutory/period.ts'
import { contractorThreshold } from '../../reporting.ts'
import {
  type ContractorReport,
  contractorColumns,
  contractorProblems,
  isReported,
  payerProblems,
  readContractors,
  readPayer,
  toCells,
  toContractor,
} from './contractors.ts'
import {
  nexusProblems,
  readOwnRates,
  type SalesTaxReport,
  salesTaxColumns,
  salesTaxOf,
  salesTaxProblems,
} from './sales-tax.ts'

/** What was paid to contractors in a year: a row for each one that is reported. */
export async function buildContractors(db: Database, year: number) {
  const payer = await readPayer(db)
  const rows = await readContractors(db, year)
  const reported = rows.filter((row) => isReported(row, year))
  const cells = reported.map((row) => toCells(row, payer, year))
  const table: ReportTable = { name: `1099-nec-${year}`, columns: contractorColumns, rows: cells }

  function report(): Static<typeof ContractorReport> {
    const dollars = (minor: number | bigint) => toMajor(BigInt(minor), 'USD')
    const problems = [...payerProblems(payer, year), ...rows.flatMap((row) => contractorProblems(row, year))]
    return {
      year,
      currency: 'USD',
      threshold: dollars(contractorThreshold(year)),
      contractors: rows.filter(({ isFlagged }) => isFlagged).map((row) => toContractor(row, year)),
      totals: {
        reported: reported.length,
        paid: dollars(reported.reduce((all, { paidMinor }) => all + paidMinor, 0)),
        withheld: dollars(reported.reduce((all, { withheldMinor }) => all + withheldMinor, 0)),
      },
      problems: listed(problems),
      problemsIncomplete: problems.length > fileProblemsMax,
    }
  }

  return { table, report }
}

type Asked = { db: Database; organization: ReportContext; period: Period }

/** Sales and sales tax by state and rate; `report` also looks for problems. */
export async function buildSalesTax({ db, organization, period }: Asked) {
  const { rules, currency: home } = organization
  const { currency } = rules
  const asked = { ...period, home, currency, rates: ratesIn(rules, period.from, period.to) }
  const documents = await readTaxedDocuments(db, asked, { most: fileRowsMax })
  if (!documents) throw invalid('to', 'The period is too long to be read in one request. Give a shorter one.')
  const sums = salesTaxOf(documents, currency)
  const rows = sums.rows.map(({ state, rate, sales, taxable, exempt, tax, creditedTax, count }) => [
    ...[state, rate, currency, sales, taxable, exempt, tax, creditedTax, count],
  ])
  const table: ReportTable = { name: `sales-tax-${period.from}-${period.to}`, columns: salesTaxColumns, rows }

  const report = async (): Promise<Static<typeof SalesTaxReport>> => {
    const found = await salesProblems(db, period)
    const rates = await readOwnRates(db)
    const problems = [
      ...(rules.code === 'US' ? [] : [rejected('COUNTRY', 'The organization is not in the United States.')]),
      ...salesTaxProblems(documents, rates),
      ...found.problems.flatMap(({ documentId, problems: each }) =>
        each.map(({ code, message }) => toCheck(code, message, { documentId })),
      ),
      ...nexusProblems(sums.states, rates, period.to),
    ]
    return {
      ...period,
      currency,
      ...sums,
      problems: listed(problems),
      problemsIncomplete: !found.isWhole || problems.length > fileProblemsMax,
    }
  }

  return { table, report }
}

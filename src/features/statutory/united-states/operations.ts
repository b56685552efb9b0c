import { invalid } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { toMajor } from '../../../core/values/money.ts'
import { contractorThreshold } from '../../../countries/us/reporting.ts'
import { reportContext } from '../../reports/report-context.ts'
import { fileRowsMax, reportFile, reportFormat, reportOutput } from '../../reports/report-file.ts'
import { salesProblems } from '../../reports/tax/problems.ts'
import { ratesIn } from '../../reports/tax/read-tax.ts'
import { readTaxedDocuments } from '../../reports/tax/read-taxed-documents.ts'
import { fileProblemsMax, listed, rejected, toCheck } from '../file-problem.ts'
import { periodFields, periodOf } from '../quarter.ts'
import {
  ContractorReport, contractorColumns, contractorProblems, isReported, payerProblems, readContractors, readPayer, toCells, toContractor,
} from './contractors.ts' // biome-ignore format: a list of words
import {
  nexusProblems,
  readOwnRates,
  SalesTaxReport,
  salesTaxColumns,
  salesTaxOf,
  salesTaxProblems,
} from './sales-tax.ts'

export const form1099Nec = operation({
  name: 'reports_1099_nec',
  http: 'GET /api/reports/1099-nec',
  does: 'Shows what was paid to each contractor of the United States in a calendar year, for form 1099-NEC, and what the IRS would reject.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({
    organizationId: Id,
    year: Type.Integer({ minimum: 1954, maximum: 2200, description: 'A calendar year.', examples: [2026] }),
    ...reportFormat,
  }),
  output: reportOutput(ContractorReport),
  async run({ db }, { year, format }) {
    const organization = await reportContext(db)
    const payer = await readPayer(db)
    const rows = await readContractors(db, year)
    const reported = rows.filter((row) => isReported(row, year))
    if (format !== 'json') {
      const cells = reported.map((row) => toCells(row, payer, year))
      const table = { name: `1099-nec-${year}`, columns: contractorColumns, rows: cells }
      return reportFile(table, {
        format,
        organizationId: organization.id,
        language: organization.language,
        shortenBy: 'year',
      })
    }
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
  },
})

export const salesTax = operation({
  name: 'reports_sales_tax',
  http: 'GET /api/reports/sales-tax',
  does: 'Shows sales and sales tax of the United States by state and rate for a period, what would be rejected, and states in which tax may have to be collected.',
  scope: 'reports:read',
  within: 'organizationId',
  rate: 'heavyReads',
  heavy: true,
  input: Type.Object({ organizationId: Id, ...periodFields, ...reportFormat }),
  output: reportOutput(SalesTaxReport),
  async run({ db, now }, { format, ...days }) {
    const organization = await reportContext(db)
    const { id, language, rules, currency: home } = organization
    const { currency } = rules
    const period = periodOf(days, organization, now)
    const asked = { ...period, home, currency, rates: ratesIn(rules, period.from, period.to) }
    const documents = await readTaxedDocuments(db, asked, { most: fileRowsMax })
    if (!documents) throw invalid('to', 'The period is too long to be read in one request. Give a shorter one.')
    const sums = salesTaxOf(documents, currency)
    if (format !== 'json') {
      const rows = sums.rows.map(({ state, rate, sales, taxable, exempt, tax, creditedTax, count }) => [
        ...[state, rate, currency, sales, taxable, exempt, tax, creditedTax, count],
      ])
      const table = { name: `sales-tax-${period.from}-${period.to}`, columns: salesTaxColumns, rows }
      return reportFile(table, { format, organizationId: id, language })
    }
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
  },
})

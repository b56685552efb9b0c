import { operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { toMajor } from '../../../core/values/money.ts'
import { contractorThreshold } from '../../../countries/us/reporting.ts'
import { reportContext } from '../../reports/report-context.ts'
import { reportFile, reportFormat, reportOutput } from '../../reports/report-file.ts'
import { fileProblemsMax, listed } from '../file-problem.ts'
import {
  ContractorReport, contractorColumns, contractorProblems, isReported, payerProblems, readContractors, readPayer, toCells, toContractor,
} from './contractors.ts' // biome-ignore format: a list of words

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

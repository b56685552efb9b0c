import { operation } from '../../../../core/define/operation.ts'
import { Id, Type } from '../../../../core/define/schema.ts'
import { reportContext } from '../../../../features/books/reports/report-context.ts'
import { reportFile, reportFormat, reportOutput } from '../../../../features/books/reports/report-file.ts'
import { periodFields, periodOf } from '../../../../features/books/statutory/period.ts'
import { buildContractors, buildSalesTax } from './build.ts'
import { ContractorReport } from './contractors.ts'
import { SalesTaxReport } from './sales-tax.ts'

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
    const { id: organizationId, language } = await reportContext(db)
    const { table, report } = await buildContractors(db, year)
    return format === 'json' ? report() : reportFile(table, { format, organizationId, language, shortenBy: 'year' })
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
    const { id: organizationId, language } = organization
    const period = periodOf(days, organization, now)
    const { table, report } = await buildSalesTax({ db, organization, period })
    return format === 'json' ? report() : reportFile(table, { format, organizationId, language })
  },
})

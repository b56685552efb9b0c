import { operation } from '../../../../core/define/operation.ts'
import { defaulted, Id, OneOf, Type } from '../../../../core/define/schema.ts'
import { inFormat, orFile } from '../../../../core/files/file.ts'
import { reportContext } from '../../../../features/books/reports/report-context.ts'
import { reportFile, reportFormat, reportOutput } from '../../../../features/books/reports/report-file.ts'
import { periodFields, periodOf } from '../../../../features/books/statutory/period.ts'
import { AuditFileReport, auditFileAnswer } from './audit-file.ts'
import { buildAuditFile, buildGstF5 } from './build.ts'
import { GstF5 } from './gst-f5.ts'

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
    const { table, report } = await buildGstF5({ db, organization, period })
    if (format === 'json') return report()
    return reportFile(table, { format, organizationId: organization.id, language: organization.language })
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
    const period = periodOf(days, organization, now)
    const { file, name, report } = await buildAuditFile({ db, organization, period, now })
    return format === 'json' ? report() : inFormat(auditFileAnswer(file, { name, format }))
  },
})

import { csvFile } from '../../../features/books/reports/report-file.ts'
import type { StatutoryFile } from '../../../features/books/statutory/statutory-file.ts'
import { auditFileAnswer } from './gst/audit-file.ts'
import { buildAuditFile, buildGstF5 } from './gst/build.ts'

export const gstF5File: StatutoryFile = {
  id: 'sg-gst-f5',
  name: { en: 'GST F5', he: 'דוח GST F5' },
  does: 'The boxes of the GST F5 return, which is for three months unless IRAS has agreed on another period.',
  fileType: 'text/csv',
  period: 'any',
  report: 'reports_gst_f5',
  async build({ db, organization, from, to }) {
    const { table, report } = await buildGstF5({ db, organization, period: { from, to } })
    const { boxes, problems, problemsIncomplete } = await report()
    const totals = boxes.map(({ box, name, declared, count }) => ({
      ...{ code: String(box), name, count, amount: declared },
    }))
    return { file: csvFile(table), problems, totals, isWhole: !problemsIncomplete }
  },
}

export const auditFile: StatutoryFile = {
  id: 'sg-iras-audit-file',
  name: { en: 'IRAS audit file', he: 'קובץ ביקורת של IRAS' },
  does: 'Company, purchases, supplies and general ledger of a period, which IRAS asks for in an audit.',
  fileType: 'text/plain',
  period: 'any',
  report: 'reports_iras_audit_file',
  async build({ db, organization, from, to, now }) {
    const { file, name, report } = await buildAuditFile({ db, organization, period: { from, to }, now })
    const { purchases, supplies, ledger, problems, problemsIncomplete } = report()
    return {
      file: auditFileAnswer(file, { name, format: 'txt' }),
      problems,
      totals: [
        { code: 'PURCHASES', name: 'Purchases before GST', count: purchases.count, amount: purchases.total },
        { code: 'PURCHASES_GST', name: 'GST on purchases', count: null, amount: purchases.tax },
        { code: 'SUPPLIES', name: 'Supplies before GST', count: supplies.count, amount: supplies.total },
        { code: 'SUPPLIES_GST', name: 'GST on supplies', count: null, amount: supplies.tax },
        { code: 'DEBIT', name: 'Debits of the general ledger', count: ledger.count, amount: ledger.totalDebit },
        { code: 'CREDIT', name: 'Credits of the general ledger', count: ledger.count, amount: ledger.totalCredit },
      ],
      isWhole: !problemsIncomplete,
    }
  },
}

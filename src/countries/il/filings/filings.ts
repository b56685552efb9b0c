import type { Filings } from '../../filings.ts'
import { masav } from './bank-files/masav.ts'
import { clearance } from './clearance.ts'
import { form102, form106, form126 } from './forms/operations.ts'
import { uniformFile } from './uniform/uniform-file.ts'
import { pcn874 } from './vat/pcn874.ts'
import { withholdingSummary } from './withholding/withholding-summary.ts'

/** What the Israel Tax Authority, National Insurance and the banks ask for. */
export const israel = {
  reports: [],
  forms: [
    { name: 'Form 102', operation: form102 },
    { name: 'Form 106', operation: form106 },
    { name: 'Form 126', operation: form126 },
  ],
  statutoryFiles: [uniformFile, pcn874, withholdingSummary],
  bankFormats: [masav],
  clearance,
} satisfies Filings

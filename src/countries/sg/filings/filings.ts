import type { Filings } from '../../filings.ts'
import { dbsUff, giro } from './bank-files.ts'
import { clearance } from './clearance.ts'
import { cpf, ir8a } from './forms/operations.ts'
import { gstF5, irasAuditFile } from './gst/operations.ts'
import { auditFile, gstF5File } from './statutory-files.ts'

/** What IRAS, the CPF Board and the banks ask for. */
export const singapore = {
  reports: [gstF5, irasAuditFile],
  forms: [
    { name: 'The CPF submission', operation: cpf },
    { name: 'Form IR8A', operation: ir8a },
  ],
  statutoryFiles: [gstF5File, auditFile],
  bankFormats: [giro, dbsUff],
  clearance,
} satisfies Filings

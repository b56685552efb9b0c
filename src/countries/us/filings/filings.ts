import type { Filings } from '../../filings.ts'
import { form940, form941, formW2, formW3 } from './forms/operations.ts'
import { nacha } from './nacha.ts'
import { form1099NecFile, salesTaxFile } from './statutory-files.ts'
import { form1099Nec, salesTax } from './tax/operations.ts'

/** What the states, the IRS and the banks ask for. */
export const unitedStates = {
  reports: [form1099Nec, salesTax],
  forms: [
    { name: 'Form 940', operation: form940 },
    { name: 'Form 941', operation: form941 },
    { name: 'Form W-2', operation: formW2 },
    { name: 'Form W-3', operation: formW3 },
  ],
  statutoryFiles: [salesTaxFile, form1099NecFile],
  bankFormats: [nacha],
  clearance: null,
} satisfies Filings

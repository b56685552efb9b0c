import { readFileSync } from 'node:fs'

/** The e-invoices of this folder, of invented companies. */
export type Sample =
  | 'cii-minimum'
  | 'cii-basic'
  | 'cii-en16931'
  | 'cii-extended'
  | 'zugferd-1'
  | 'ubl-invoice'
  | 'ubl-credit-note'
  | 'peppol-sg'

export const sample = (name: Sample): Buffer => readFileSync(new URL(`./${name}.xml`, import.meta.url))

import type { Filings } from '../../countries/filings.ts'

/** A country in which nothing is filed. */
export const filings: Filings = {
  reports: [],
  forms: [],
  statutoryFiles: [],
  bankFormats: [],
  clearance: null,
}

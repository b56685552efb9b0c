// Each row is valid from its day on. Add new rows at the top, with their source.

/** GST in percent, by the day of supply. */
export const gstRates = [
  { since: '2024-01-01', percent: 9 }, // IRAS, current GST rates; no change announced up to November 2026
  { since: '2023-01-01', percent: 8 }, // IRAS, current GST rates
  { since: '2007-07-01', percent: 7 }, // IRAS, current GST rates
  { since: '2004-01-01', percent: 5 }, // this and the earlier rows: generally known, for old documents alone
  { since: '2003-01-01', percent: 4 },
  { since: '1994-04-01', percent: 3 },
] as const

/** Up to this total with GST, in cents, a simplified tax invoice is enough, which need not name the customer. */
export const simplifiedLimits = [
  { since: '1994-04-01', totalMinor: 100_000n }, // IRAS, invoicing customers; no other figure known
] as const

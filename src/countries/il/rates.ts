// Each row is valid from its day on. Add new rows at the top, with their source.

/** VAT in percent. */
export const vatRates = [
  { since: '2025-01-01', percent: 18 }, // Knesset notice on the rate for 2025; unchanged for 2026
  { since: '2015-10-01', percent: 17 }, // Israel's regime in GOBL; the day is generally known, not confirmed twice
  { since: '2013-06-02', percent: 18 }, // this and the earlier rows: generally known, for old documents alone
  { since: '2012-09-01', percent: 17 },
  { since: '2010-01-01', percent: 16 },
  { since: '2009-07-01', percent: 16.5 },
] as const

/**
 * A tax invoice over more than this before VAT, in agorot, needs an allocation number, without which the customer deducts
 * nothing (VAT law, sections 38 and 47).
 */
export const allocationThresholds = [
  { since: '2026-06-01', aboveMinor: 500_000n }, // VAT Implementation Order 01/2025, which replaced the plan up to 2028
  { since: '2026-01-01', aboveMinor: 1_000_000n }, // the same order
  { since: '2025-01-01', aboveMinor: 2_000_000n }, // second step of the original plan
  { since: '2024-05-05', aboveMinor: 2_500_000n }, // first step, postponed to this day
] as const

/**
 * A business may take cash for a deal over more than this, in agorot, only up to the smaller of this sum and a tenth of the
 * price. Deals between private persons, with their own limit (15,000 ILS), are not in the books of a business.
 */
export const cashLimits = [
  { since: '2022-08-01', dealMinor: 600_000n }, // law to reduce the use of cash, as amended in 2021 (report in Hamodia)
] as const

/** The turnover limit of an exempt dealer per calendar year, in agorot. */
export const exemptCeilings = [
  { since: '2026-01-01', turnoverMinor: 12_283_300n }, // the authority's figure for 2026
  { since: '2024-01-01', turnoverMinor: 12_000_000n }, // 2024 and 2025
] as const

/**
 * How many days back a tax invoice (305, 320) or a credit (330) may be dated: it must be issued within 14 days of the tax
 * point (VAT law, section 46), and systems accept a date up to about 14 days back (accountbook.co.il).
 */
export const backdatingLimits = [
  { since: '1976-07-01', days: 14 }, // the VAT law took effect; no other figure known
] as const

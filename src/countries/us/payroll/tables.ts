import { rowOn } from '../../dated.ts'

// The row of the pay day counts, not that of the days worked. Amounts are cents, written as dollars_cents: 19_900_00n is
// $19,900.00. Add new rows at the top, with their source; old rows stay, because old payslips use them.

/** From an annual wage of `over` on, the tax of a year is `base` and `percent` of what is above `over`. */
export type Bracket = readonly [over: bigint, base: bigint, percent: bigint]
export type Column = 'single' | 'jointly' | 'head'
export type Schedules = Readonly<Record<Column, readonly Bracket[]>>

export type WithholdingTables = {
  since: string
  publication: string
  /** The schedules for Form W-4 without a mark in step 2, and for all forms of 2019 and earlier. */
  standard: Schedules
  /** The schedules for Form W-4 with the box of step 2 checked. */
  stepTwo: Schedules
  /** Line 1g of Worksheet 1A: subtracted from the annual wage unless the box of step 2 is checked. */
  adjustment: Readonly<Record<Column, bigint>>
  /** Line 1k: for each allowance of a form of 2019 or earlier. */
  allowance: bigint
  /** Added to the annual wage of a nonresident alien, by the form; the tables have it for each pay period. */
  alien: { later: bigint; earlier: bigint }
}

/** Publication 15-T, percentage method tables for automated payroll systems, and the amounts of Worksheet 1A. */
export const withholdingTables: readonly WithholdingTables[] = [
  {
    // Pub. 15-T for 2026, a transcription; the figures follow from the brackets and the standard deduction of 2026 (16,100,
    // 32,200, 24,150), which payroll.test.ts rebuilds.
    since: '2026-01-01',
    publication: 'Publication 15-T (2026)',
    standard: {
      single: [
        [0n, 0n, 0n],
        [7_500_00n, 0n, 10n],
        [19_900_00n, 1_240_00n, 12n],
        [57_900_00n, 5_800_00n, 22n],
        [113_200_00n, 17_966_00n, 24n],
        [209_275_00n, 41_024_00n, 32n],
        [263_725_00n, 58_448_00n, 35n],
        [648_100_00n, 192_979_25n, 37n],
      ],
      jointly: [
        [0n, 0n, 0n],
        [19_300_00n, 0n, 10n],
        [44_100_00n, 2_480_00n, 12n],
        [120_100_00n, 11_600_00n, 22n],
        [230_700_00n, 35_932_00n, 24n],
        [422_850_00n, 82_048_00n, 32n],
        [531_750_00n, 116_896_00n, 35n],
        [788_000_00n, 206_583_50n, 37n],
      ],
      head: [
        [0n, 0n, 0n],
        [15_550_00n, 0n, 10n],
        [33_250_00n, 1_770_00n, 12n],
        [83_000_00n, 7_740_00n, 22n],
        [121_250_00n, 16_155_00n, 24n],
        [217_300_00n, 39_207_00n, 32n],
        [271_750_00n, 56_631_00n, 35n],
        [656_150_00n, 191_171_00n, 37n],
      ],
    },
    stepTwo: {
      single: [
        [0n, 0n, 0n],
        [8_050_00n, 0n, 10n],
        [14_250_00n, 620_00n, 12n],
        [33_250_00n, 2_900_00n, 22n],
        [60_900_00n, 8_983_00n, 24n],
        [108_938_00n, 20_512_00n, 32n],
        [136_163_00n, 29_224_00n, 35n],
        [328_350_00n, 96_489_63n, 37n],
      ],
      jointly: [
        [0n, 0n, 0n],
        [16_100_00n, 0n, 10n],
        [28_500_00n, 1_240_00n, 12n],
        [66_500_00n, 5_800_00n, 22n],
        [121_800_00n, 17_966_00n, 24n],
        [217_875_00n, 41_024_00n, 32n],
        [272_325_00n, 58_448_00n, 35n],
        [400_450_00n, 103_291_75n, 37n],
      ],
      head: [
        [0n, 0n, 0n],
        [12_075_00n, 0n, 10n],
        [20_925_00n, 885_00n, 12n],
        [45_800_00n, 3_870_00n, 22n],
        [64_925_00n, 8_077_50n, 24n],
        [112_950_00n, 19_603_50n, 32n],
        [140_175_00n, 28_315_50n, 35n],
        [332_375_00n, 95_585_50n, 37n],
      ],
    },
    adjustment: { single: 8_600_00n, jointly: 12_900_00n, head: 8_600_00n },
    allowance: 4_300_00n,
    // The standard deduction, and that less one allowance, as in 2025 and all years from 2020 on. The printed tables 1 and 2
    // of 2026 were not available to confirm them.
    alien: { later: 16_100_00n, earlier: 11_800_00n },
  },
  {
    // Pub. 15-T for 2025, a transcription; the figures follow from the brackets and the standard deduction (15,000, 30,000,
    // 22,500). The act of 4 July 2025 raised the deduction of 2025 for returns, but the withholding tables were not reissued.
    since: '2025-01-01',
    publication: 'Publication 15-T (2025)',
    standard: {
      single: [
        [0n, 0n, 0n],
        [6_400_00n, 0n, 10n],
        [18_325_00n, 1_192_50n, 12n],
        [54_875_00n, 5_578_50n, 22n],
        [109_750_00n, 17_651_00n, 24n],
        [203_700_00n, 40_199_00n, 32n],
        [256_925_00n, 57_231_00n, 35n],
        [632_750_00n, 188_769_75n, 37n],
      ],
      jointly: [
        [0n, 0n, 0n],
        [17_100_00n, 0n, 10n],
        [40_950_00n, 2_385_00n, 12n],
        [114_050_00n, 11_157_00n, 22n],
        [223_800_00n, 35_302_00n, 24n],
        [411_700_00n, 80_398_00n, 32n],
        [518_150_00n, 114_462_00n, 35n],
        [768_700_00n, 202_154_50n, 37n],
      ],
      head: [
        [0n, 0n, 0n],
        [13_900_00n, 0n, 10n],
        [30_900_00n, 1_700_00n, 12n],
        [78_750_00n, 7_442_00n, 22n],
        [117_250_00n, 15_912_00n, 24n],
        [211_200_00n, 38_460_00n, 32n],
        [264_400_00n, 55_484_00n, 35n],
        [640_250_00n, 187_031_50n, 37n],
      ],
    },
    stepTwo: {
      single: [
        [0n, 0n, 0n],
        [7_500_00n, 0n, 10n],
        [13_463_00n, 596_25n, 12n],
        [31_738_00n, 2_789_25n, 22n],
        [59_175_00n, 8_825_50n, 24n],
        [106_150_00n, 20_099_50n, 32n],
        [132_763_00n, 28_615_50n, 35n],
        [320_675_00n, 94_384_88n, 37n],
      ],
      jointly: [
        [0n, 0n, 0n],
        [15_000_00n, 0n, 10n],
        [26_925_00n, 1_192_50n, 12n],
        [63_475_00n, 5_578_50n, 22n],
        [118_350_00n, 17_651_00n, 24n],
        [212_300_00n, 40_199_00n, 32n],
        [265_525_00n, 57_231_00n, 35n],
        [390_800_00n, 101_077_25n, 37n],
      ],
      head: [
        [0n, 0n, 0n],
        [11_250_00n, 0n, 10n],
        [19_750_00n, 850_00n, 12n],
        [43_675_00n, 3_721_00n, 22n],
        [62_925_00n, 7_956_00n, 24n],
        [109_900_00n, 19_230_00n, 32n],
        [136_500_00n, 27_742_00n, 35n],
        [324_425_00n, 93_515_75n, 37n],
      ],
    },
    adjustment: { single: 8_600_00n, jointly: 12_900_00n, head: 8_600_00n },
    allowance: 4_300_00n,
    alien: { later: 15_000_00n, earlier: 10_700_00n }, // Pub. 15-T for 2025, tables 2 and 1; generally known
  },
]

/** Supplemental wages, such as a bonus: a flat rate, and the highest rate above a million in the calendar year. */
const supplementalRates = [
  // Internal Revenue Code, section 3402, and the act of 2017; made permanent by the act of 4 July 2025; Publication 15
  { since: '2018-01-01', percent: '22', highPercent: '37', high: 1_000_000_00n },
] as const

/** Social Security: the rate of each side, and the wages of a year that it is levied on. */
const socialSecurity = [
  // The base of 2027 was announced in October 2026; its row is to be added.
  { since: '2026-01-01', percent: '6.2', wageBase: 184_500_00n }, // Social Security Administration, fact sheet for 2026
  { since: '2025-01-01', percent: '6.2', wageBase: 176_100_00n }, // the same for 2025
] as const

/** Medicare: the rate of each side, and the additional tax of employees above the threshold of the employer. */
const medicare = [
  // Internal Revenue Code, sections 3101(b) and 3102(f): the threshold is the same for every filing status
  { since: '2013-01-01', percent: '1.45', additionalPercent: '0.9', additionalOver: 200_000_00n },
] as const

/** Federal unemployment tax: the rate after the whole credit for state unemployment tax (6.0 % less 5.4 %). */
const federalUnemployment = [
  { since: '2011-07-01', percent: '0.6', wageBase: 7_000_00n }, // Internal Revenue Code, sections 3301, 3302 and 3306(b)
] as const

/**
 * States whose loans were not repaid by 10 November: the credit of their employers is smaller by this rate for the whole
 * calendar year (Form 940, Schedule A). The year 2026 is published after 10 November 2026; its row is to be added.
 */
export const creditReductions: readonly CreditReduction[] = [
  // Department of Labor, final credit reductions for 2025, 10 November 2025. Connecticut and New York repaid.
  { year: 2025, published: '2025-11-10', percent: { CA: '1.2', VI: '4.5' } },
]
export type CreditReduction = { year: number; published: string; percent: Readonly<Record<string, string>> }

/** The federal minimum wage for an hour; most states have a higher one. */
export const minimumWages = [
  { since: '2009-07-24', hourMinor: 7_25n }, // Fair Labor Standards Act, section 6(a)(1)
] as const

/** States without an income tax on wages: in New Hampshire and Washington other income alone is or was taxed. */
export const statesWithoutIncomeTax: ReadonlySet<string> = new Set('AK FL NV NH SD TN TX WA WY'.split(' '))

/** States that forbid setting an advance off against the last pay in one sum, whatever was agreed. */
export const statesWithoutFinalSetOff: ReadonlySet<string> = new Set(['CA']) // Barnhill v. Robert Saunders & Co. (1981)

/** All tables that are used for a pay day; undefined before the first ones. */
export function tablesOn(payDay: string) {
  const withholding = rowOn(withholdingTables, payDay)
  const supplemental = rowOn(supplementalRates, payDay)
  const security = rowOn(socialSecurity, payDay)
  const health = rowOn(medicare, payDay)
  const unemployment = rowOn(federalUnemployment, payDay)
  if (!withholding || !supplemental || !security || !health || !unemployment) return undefined
  return { withholding, supplemental, security, health, unemployment }
}
export type Tables = NonNullable<ReturnType<typeof tablesOn>>

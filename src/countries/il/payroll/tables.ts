import type { insuranceCategories } from '../../payroll/facts.ts'

// Amounts are agorot for one month, rates are percent. Each row is valid from its day on; one with `published` is known from
// that day only. Add new rows at the top, with their source. Old rows stay, because payslips were computed with them.

/** `upTo` is the top of a bracket; the last bracket has none. */
export type Bracket = { upTo: bigint | null; rate: number }

const bracketsTo2025: readonly Bracket[] = [
  { upTo: 701_000n, rate: 10 },
  { upTo: 1_006_000n, rate: 14 },
  { upTo: 1_615_000n, rate: 20 },
  { upTo: 2_244_000n, rate: 31 },
  { upTo: 4_669_000n, rate: 35 },
  { upTo: 6_013_000n, rate: 47 },
  { upTo: null, rate: 50 }, // 47 % and the surtax of 3 % (section 121B)
]

const widenedBrackets: readonly Bracket[] = [
  { upTo: 701_000n, rate: 10 },
  { upTo: 1_006_000n, rate: 14 },
  { upTo: 1_900_000n, rate: 20 },
  { upTo: 2_510_000n, rate: 31 },
  { upTo: 4_669_000n, rate: 35 },
  { upTo: 6_013_000n, rate: 47 },
  { upTo: null, rate: 50 },
]

/** Income tax on employment: section 121 of the Income Tax Ordinance, and the credits. */
export const incomeTaxTables = [
  // Amendment 288, published on 31 March 2026 and retroactive to January: booklet of the Tax Authority of April 2026.
  { since: '2026-01-01', published: '2026-03-31', brackets: widenedBrackets, creditPointMinor: 24_200n, creditWageMinor: 970_000n }, // biome-ignore format: a row of a table
  // The brackets of 2024 were frozen, and payslips used them until Amendment 288. The ceiling of section 45A for 2025 is that
  // of 2026 (published for both); for 2024 it is generally known, not confirmed twice.
  { since: '2026-01-01', published: '2026-01-01', brackets: bracketsTo2025, creditPointMinor: 24_200n, creditWageMinor: 970_000n }, // biome-ignore format: a row of a table
  { since: '2025-01-01', published: '2025-01-01', brackets: bracketsTo2025, creditPointMinor: 24_200n, creditWageMinor: 970_000n }, // biome-ignore format: a row of a table
  // Brackets and credit point of 2024, as the Tax Authority and several payroll guides print them.
  { since: '2024-01-01', published: '2024-01-01', brackets: bracketsTo2025, creditPointMinor: 24_200n, creditWageMinor: 970_000n }, // biome-ignore format: a row of a table
] as const
export type IncomeTaxTable = (typeof incomeTaxTables)[number]

/** What is withheld without form 101: the highest rate of section 121 (Withholding from Wages Regulations, 1993). */
export const noFormRate = 47
/** Credit points of a resident who gave no other number. */
export const usualCreditPoints = 2.25
/** Section 45A: the credit, and the part of the insured wage up to which deposits count. */
export const pensionCreditRate = 35
export const pensionCreditDepositRate = 7

/** On the part of the wage up to the end of the reduced band, and from there up to the ceiling. */
export type Banded = { reduced: number; full: number }
/** The employee's National Insurance and health, and the employer's National Insurance. */
type InsuranceRates = {
  employee: Banded
  health: Banded
  employer: Banded
  /** A rate of the row that the published tables at hand do not show; the comment says where it is from. */
  unconfirmed?: boolean
}
type Insured = Exclude<(typeof insuranceCategories)[number], 'NOT_INSURED'>
export type InsuranceTable = {
  since: string
  /** The end of the reduced band, and the ceiling. */
  bandMinor: bigint
  ceilingMinor: bigint
  rates: Record<Insured, InsuranceRates>
}

const nothing: Banded = { reduced: 0, full: 0 }

/** The rates since February 2025; only the full rate of health was another one in January. */
function ratesSince2025(health: Banded): Record<Insured, InsuranceRates> {
  const workInjuryOnly = { reduced: 0.61, full: 2.12 }
  return {
    REGULAR: { employee: { reduced: 1.04, full: 7 }, health, employer: { reduced: 4.51, full: 7.6 } },
    UNDER_18: { employee: nothing, health: nothing, employer: workInjuryOnly },
    // Health is taken from the pension itself.
    OLD_AGE_PENSION: { employee: nothing, health: nothing, employer: workInjuryOnly },
    CONTROLLING_SHAREHOLDER: { employee: { reduced: 1.02, full: 6.79 }, health, employer: { reduced: 4.46, full: 7.38 } }, // biome-ignore format: a row of a table
    DISABILITY_PENSION: { employee: nothing, health, employer: workInjuryOnly },
    // The employer's reduced rate is that of 2024 raised like the one of column 1 (3.55 to 4.51); the full rate did not change.
    RESIDENT_AFTER_62: { employee: { reduced: 0.37, full: 2.28 }, health, employer: { reduced: 1.04, full: 2.95 }, unconfirmed: true }, // biome-ignore format: a row of a table
    // The employer's rates are those of column 1, which is the most it can be.
    AGE_67_TO_70: { employee: { reduced: 0.7, full: 4.86 }, health, employer: { reduced: 4.51, full: 7.6 }, unconfirmed: true }, // biome-ignore format: a row of a table
  }
}

/**
 * National Insurance Law, schedule 10, and National Health Insurance Law, section 14. The pages of the National Insurance
 * Institute give the sum of National Insurance and health for each column of form 102; health is the same in all of them.
 */
export const insuranceTables: readonly InsuranceTable[] = [
  // Amounts of 2026; the rates of 2025 stayed (circular 9.2026 of Brit Pikuach, britcpa.co.il).
  { since: '2026-01-01', bandMinor: 770_300n, ceilingMinor: 5_191_000n, rates: ratesSince2025({ reduced: 3.23, full: 5.17 }) }, // biome-ignore format: a row of a table
  // Rates for salaried workers as of February 1, 2025 (btl.gov.il).
  { since: '2025-02-01', bandMinor: 752_200n, ceilingMinor: 5_069_500n, rates: ratesSince2025({ reduced: 3.23, full: 5.17 }) }, // biome-ignore format: a row of a table
  // Rates for salaried workers as of January 1, 2025 (btl.gov.il).
  { since: '2025-01-01', bandMinor: 752_200n, ceilingMinor: 5_069_500n, rates: ratesSince2025({ reduced: 3.23, full: 5.16 }) }, // biome-ignore format: a row of a table
  // Rates for salaried workers as of January 1, 2024 (btl.gov.il).
  {
    since: '2024-01-01',
    bandMinor: 752_200n,
    ceilingMinor: 4_903_000n,
    rates: {
      REGULAR: { employee: { reduced: 0.4, full: 7 }, health: { reduced: 3.1, full: 5 }, employer: { reduced: 3.55, full: 7.6 } }, // biome-ignore format: a row of a table
      UNDER_18: { employee: nothing, health: nothing, employer: { reduced: 0.48, full: 2.12 } },
      OLD_AGE_PENSION: { employee: nothing, health: nothing, employer: { reduced: 0.48, full: 2.12 } },
      CONTROLLING_SHAREHOLDER: { employee: { reduced: 0.39, full: 6.79 }, health: { reduced: 3.1, full: 5 }, employer: { reduced: 3.51, full: 7.38 } }, // biome-ignore format: a row of a table
      DISABILITY_PENSION: { employee: nothing, health: { reduced: 3.1, full: 5 }, employer: { reduced: 0.48, full: 2.12 } }, // biome-ignore format: a row of a table
      RESIDENT_AFTER_62: { employee: { reduced: 0.14, full: 2.28 }, health: { reduced: 3.1, full: 5 }, employer: { reduced: 0.82, full: 2.95 } }, // biome-ignore format: a row of a table
      // The employee's reduced rate is that of 2025 before it was raised like the one of column 1 (0.40 to 1.04); the
      // employer's rates are those of column 1.
      AGE_67_TO_70: { employee: { reduced: 0.27, full: 4.86 }, health: { reduced: 3.1, full: 5 }, employer: { reduced: 3.55, full: 7.6 }, unconfirmed: true }, // biome-ignore format: a row of a table
    },
  },
]

/**
 * Up to where deposits of the employer are free of tax: the part of the wage up to 2.5 average wages (section 3(e3)), the
 * monthly twelfth of the yearly deposits for severance (the same section), and the yearly wage for study funds (section 3(e)).
 */
export const depositCeilings = [
  // Average wage 13,769; the ceilings of 34,423 and 3,800 as insurers print them for 2026.
  { since: '2026-01-01', pensionWageMinor: 3_442_300n, severanceMinor: 380_000n, studyWageYearMinor: 18_854_400n },
  // Average wages 13,316 and 12,536, times 2.5. Severance: 32,000 a year in 2017 (average wage 9,673), raised with the average wage and
  // rounded to 100, which gives the published 34,000 of 2019, 34,900 of 2020 and 45,600 of 2026: 44,100 and 41,500.
  { since: '2025-01-01', pensionWageMinor: 3_329_000n, severanceMinor: 367_500n, studyWageYearMinor: 18_854_400n },
  { since: '2024-01-01', pensionWageMinor: 3_134_000n, severanceMinor: 345_833n, studyWageYearMinor: 18_854_400n },
] as const
export type DepositCeilings = (typeof depositCeilings)[number]

/** Deposits above these rates are taxed in any case (sections 3(e) and 3(e3)). */
export const taxFreePensionRate = 7.5
export const taxFreeStudyRate = 7.5

/** Extension order on pensions in the economy: the rates since January 2017. */
export const usualRates = { employee: 6, employer: 6.5, severance: 6 }

/** Minimum Wage Law: the full monthly wage of an adult. */
export const minimumWages = [
  { since: '2026-04-01', monthlyMinor: 644_385n }, // notice of the Histadrut for April 2026
  { since: '2025-04-01', monthlyMinor: 624_767n }, // notice for April 2025 (Davar)
  { since: '2024-04-01', monthlyMinor: 588_002n }, // notice for April 2024 (ANI)
  { since: '2023-04-01', monthlyMinor: 557_175n }, // generally known, for old payslips alone
] as const

/** Minimum Wage (Working Youth) Regulations, 1987: percent of the minimum wage below an age. Generally known. */
export const youthWages = [
  { below: 16, percent: 70 },
  { below: 17, percent: 75 },
  { below: 18, percent: 83 },
] as const

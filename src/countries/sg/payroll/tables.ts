// Each row is valid from its day on. Add new rows at the top, with their source. Amounts are cents, rates are percent.

/** The employer's and the employee's rate. */
export type RatePair = readonly [employer: number, employee: number]
/** One pair for each age band: up to 55, above 55 to 60, above 60 to 65, above 65 to 70, above 70. */
export type RatesByAge = readonly [RatePair, RatePair, RatePair, RatePair, RatePair]

/** The band above an age begins on the first day of the month after that birthday. */
export const ageLimits = [55, 60, 65, 70] as const

/** Wages above 750 a month of citizens, and of permanent residents from the third year. */
export const fullRates: readonly { since: string; rates: RatesByAge }[] = [
  { since: '2027-01-01', rates: [[17, 20], [16.5, 19], [13, 13], [9, 7.5], [7.5, 5]] }, // announced in February 2026, Committee of Supply
  { since: '2026-01-01', rates: [[17, 20], [16, 18], [12.5, 12.5], [9, 7.5], [7.5, 5]] }, // CPF Board, contribution rates from 1 January 2026, table 1
  { since: '2025-01-01', rates: [[17, 20], [15.5, 17], [12, 11.5], [9, 7.5], [7.5, 5]] }, // CPF Board, contribution rates from 1 January 2025, table 1
  { since: '2024-01-01', rates: [[17, 20], [15, 16], [11.5, 10.5], [9, 7.5], [7.5, 5]] }, // CPF Board, contribution rates from 1 January 2024, table 1
  { since: '2023-01-01', rates: [[17, 20], [14.5, 15], [11, 9.5], [8.5, 7], [7.5, 5]] }, // CPF Board, contribution rates from 1 January 2023, table 1
] // biome-ignore format: a table

/** Permanent residents in the first and the second year, if both pay graduated rates. */
export const graduatedRates: readonly { since: string; first: RatesByAge; second: RatesByAge }[] = [
  {
    since: '2016-01-01', // CPF Board, tables 2 and 3; the steps of 2022 to 2027 left them as they were
    first: [[4, 5], [4, 5], [3.5, 5], [3.5, 5], [3.5, 5]],
    second: [[9, 15], [6, 12.5], [3.5, 7.5], [3.5, 5], [3.5, 5]],
  },
] // biome-ignore format: a table

/** Total wages of a month up to which there is no contribution, none of the employee, and a reduced one of the employee. */
export const wageBands = [
  { since: '2016-01-01', noneMinor: 5_000n, employerMinor: 50_000n, reducedMinor: 75_000n }, // CPF Board, tables 1 to 5
] as const

/** Ordinary wages of a month that are subject to CPF. */
export const ordinaryCeilings = [
  { since: '2026-01-01', ceilingMinor: 800_000n }, // Budget 2023; CPF Board, ordinary wage ceiling. No change announced for 2027
  { since: '2025-01-01', ceilingMinor: 740_000n }, // the same
  { since: '2024-01-01', ceilingMinor: 680_000n }, // the same
  { since: '2023-09-01', ceilingMinor: 630_000n }, // the same
  { since: '2016-01-01', ceilingMinor: 600_000n }, // CPF Board, ordinary wage ceiling until August 2023
] as const

/** Ordinary and additional wages of a calendar year that are subject to CPF. */
export const annualCeilings = [
  { since: '2016-01-01', ceilingMinor: 10_200_000n }, // CPF Board, additional wage ceiling: 17 months of 6,000; kept by Budget 2023
] as const

/** Skills Development Levy of an employee for a month. */
export const skillsLevies = [
  { since: '2008-10-01', rate: 25n, per: 10_000n, minimumMinor: 200n, maximumMinor: 1_125n }, // SkillsFuture Singapore, Skills Development Levy
] as const

/** A contribution for total wages of a month up to `upToMinor`; null for all above. */
type FundRow = readonly [upToMinor: bigint | null, amountMinor: bigint]
type FundTable = { since: string; rows: readonly FundRow[] }

/** Self-help group funds: CPF Board, contributions to self-help groups. */
export const funds: Readonly<Record<'CDAC' | 'ECF' | 'MBMF' | 'SINDA', readonly FundTable[]>> = {
  CDAC: [
    {
      since: '2015-01-01', // CPF Board; Chinese Development Assistance Council
      rows: [[200_000n, 50n], [350_000n, 100n], [500_000n, 150n], [750_000n, 200n], [null, 300n]],
    },
  ],
  ECF: [
    {
      since: '2015-01-01', // CPF Board; Eurasian Association
      rows: [
        [100_000n, 200n], [150_000n, 400n], [250_000n, 600n], [400_000n, 900n], [700_000n, 1_200n], [1_000_000n, 1_600n], [null, 2_000n],
      ],
    },
  ],
  MBMF: [
    {
      since: '2016-06-01', // CPF Board; Majlis Ugama Islam Singapura
      rows: [
        [100_000n, 300n], [200_000n, 450n], [300_000n, 650n], [400_000n, 1_500n], [600_000n, 1_950n], [800_000n, 2_200n],
        [1_000_000n, 2_400n], [null, 2_600n],
      ],
    },
  ],
  SINDA: [
    {
      since: '2015-01-01', // CPF Board; Singapore Indian Development Association
      rows: [
        [100_000n, 100n], [150_000n, 300n], [250_000n, 500n], [450_000n, 700n], [750_000n, 900n], [1_000_000n, 1_200n],
        [1_500_000n, 1_800n], [null, 3_000n],
      ],
    },
  ],
} // biome-ignore format: tables

/** The levy for an S Pass; until August 2025 that of the first tier. The levy for a work permit depends on sector, skill and quota. */
export const sPassLevies = [
  { since: '2025-09-01', monthlyMinor: 65_000n }, // Ministry of Manpower, S Pass quota and levy requirements
  { since: '2023-09-01', monthlyMinor: 55_000n }, // Budget 2022, steps of the first tier
  { since: '2022-09-01', monthlyMinor: 45_000n }, // the same
] as const

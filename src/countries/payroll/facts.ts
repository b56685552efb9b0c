/**
 * What is known about an employee for computing pay. Every field is optional, and each country reads its own; the defaults
 * are those of the country. Rates are in percent; amounts are minor units of the country's currency for one month unless
 * said otherwise.
 */
export type PayFacts = Readonly<
  Partial<{
    birthDate: string
    /** In percent of a full position. */
    positionPercent: number
    /** How many days a week are worked: 5 unless given. */
    workDaysPerWeek: number

    // Israel
    /** Points of tax credit, from form 101: 2.25 unless given. */
    creditPoints: number
    /** False: no form 101, so the highest rate is withheld. */
    hasTaxForm: boolean
    /** The rate of a tax-coordination certificate, which replaces the brackets. */
    fixedTaxRate: number
    insuranceCategory: (typeof insuranceCategories)[number]
    /** The employee's and the employer's part; 6 and 6.5 unless given, 0 for no pension. */
    pensionRate: number
    pensionEmployerRate: number
    severanceRate: number
    studyFundRate: number
    studyFundEmployerRate: number
    /** Whether deposits to a study fund are free of tax up to the ceiling of the year, or of each month; the year's unless given. */
    studyFundCeiling: (typeof studyFundCeilings)[number]
    /** The wage that pension is paid on, where it is not the whole wage. */
    insuredWageMinor: bigint
    /** Benefits in kind, such as a company car: taxed, not paid. */
    benefitsInKindMinor: bigint

    // Singapore
    residencyStatus: (typeof residencyStatuses)[number]
    /** The day on which somebody became a permanent resident. */
    residencySince: string
    cpfRates: (typeof cpfRateChoices)[number]
    raceFund: (typeof raceFunds)[number]
    /** Another amount than the table's, by the form of the fund; 0 for somebody who opted out. */
    raceFundMinor: bigint
    /** Muslims contribute to MBMF, also beside the fund of their race. */
    mosqueFund: boolean
    mosqueFundMinor: bigint
    workPass: (typeof workPasses)[number]
    /** The foreign worker levy for a month; of an S Pass the table's unless given. */
    levyMinor: bigint

    // United States
    filingStatus: (typeof filingStatuses)[number]
    /** Form W-4: the box of step 2, the amounts of steps 3, 4(a), 4(b) for a year and 4(c) for a pay period. */
    multipleJobs: boolean
    dependentsCreditMinor: bigint
    otherIncomeMinor: bigint
    deductionsMinor: bigint
    extraWithholdingMinor: bigint
    /** Allowances of a W-4 of 2019 or earlier; absent for a later form. */
    allowances: number
    taxExempt: boolean
    nonresidentAlien: boolean
    /** The state of work, two letters. */
    state: string
    /** State income tax in percent of the wages, or an amount for a pay period. */
    stateRate: number
    stateTaxMinor: bigint
    localRate: number
    /** State unemployment insurance of the employer, and the wages of a year that it is levied on. */
    unemploymentRate: number
    unemploymentWageBaseMinor: bigint
    /** For a pay period: benefits before all taxes (section 125), and deferrals before income tax (section 401(k)). */
    pretaxBenefitsMinor: bigint
    retirementDeferralMinor: bigint
  }>
>

export const insuranceCategories = [
  'REGULAR', 'UNDER_18', 'OLD_AGE_PENSION', 'CONTROLLING_SHAREHOLDER', 'DISABILITY_PENSION', 'RESIDENT_AFTER_62', 'AGE_67_TO_70', 'NOT_INSURED',
] as const // biome-ignore format: a list of words
export const studyFundCeilings = ['YEARLY', 'MONTHLY'] as const
export const residencyStatuses = ['CITIZEN', 'PERMANENT_RESIDENT', 'FOREIGNER'] as const
/** Rates of a permanent resident in the first two years: graduated for both, full for the employer, full for both. */
export const cpfRateChoices = ['GRADUATED', 'FULL_EMPLOYER', 'FULL'] as const
export const raceFunds = ['CDAC', 'ECF', 'SINDA', 'MBMF', 'NONE'] as const
export const workPasses = ['EMPLOYMENT_PASS', 'S_PASS', 'WORK_PERMIT'] as const
export const filingStatuses = ['SINGLE', 'MARRIED_JOINTLY', 'MARRIED_SEPARATELY', 'HEAD_OF_HOUSEHOLD'] as const

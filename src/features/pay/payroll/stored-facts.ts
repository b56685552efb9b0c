import { OneOf, type Static, Type } from '../../../core/define/schema.ts'
import { toMajor } from '../../../core/values/money.ts'
import {
  cpfRateChoices,
  filingStatuses,
  insuranceCategories,
  type PayFacts,
  raceFunds,
  residencyStatuses,
  studyFundCeilings,
  workPasses,
} from '../../../countries/payroll/facts.ts'

/** The facts as they are stored: amounts are numbers of minor units. */
export type StoredFacts = { [K in keyof PayFacts]: PayFacts[K] extends bigint | undefined ? number : PayFacts[K] }

const Day = (description: string) => Type.String({ maxLength: 40, description, examples: ['1990-05-17'] })
const Percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })
const Amount = (description: string) => Type.Number({ minimum: 0, maximum: 1e9, description })

/** The facts as the API takes and shows them: amounts in major units, under their names without "Minor". */
export const factFields = {
  birthDate: Day('The day of birth; rates by age go by it.'),
  positionPercent: Type.Number({ exclusiveMinimum: 0, maximum: 200, description: 'Percent of a full position; 100 unless given.' }),
  workDaysPerWeek: Type.Number({ minimum: 0.5, maximum: 7, description: 'Working days of a week; 5 unless given.' }),
  creditPoints: Type.Number({ minimum: 0, maximum: 100, description: 'Israel: points of tax credit by form 101; 2.25 unless given.' }),
  hasTaxForm: Type.Boolean({ description: 'Israel: whether form 101 was handed in; true unless given. Without it the highest rate is withheld.' }),
  fixedTaxRate: Percent('Israel: the rate of a tax-coordination certificate, instead of the brackets.'),
  insuranceCategory: { ...OneOf(...insuranceCategories), description: 'Israel: the category at National Insurance.' },
  pensionRate: Percent("Israel: the employee's part of the pension; 6 unless given, 0 for no pension."),
  pensionEmployerRate: Percent("Israel: the employer's part of the pension; 6.5 unless given."),
  severanceRate: Percent('Israel: the severance deposit; 6 unless given.'),
  studyFundRate: Percent("Israel: the employee's part of the study fund; none unless given."),
  studyFundEmployerRate: Percent("Israel: the employer's part of the study fund; none unless given."),
  studyFundCeiling: { ...OneOf(...studyFundCeilings), description: 'Israel: how the tax-free ceiling of the study fund is counted; YEARLY unless given.' },
  insuredWage: Amount('Israel: the monthly wage that pension is paid on, if it is not the whole wage.'),
  benefitsInKind: Amount('Israel: taxable benefits of a month that are not paid, such as a company car.'),
  residencyStatus: { ...OneOf(...residencyStatuses), description: 'Singapore; CITIZEN unless given.' },
  residencySince: Day('Singapore: the day of becoming a permanent resident.'),
  cpfRates: { ...OneOf(...cpfRateChoices), description: 'Singapore: the CPF rates of a permanent resident in the first two years.' },
  raceFund: { ...OneOf(...raceFunds), description: 'Singapore: the self-help fund; NONE unless given.' },
  raceFundAmount: Amount('Singapore: another monthly contribution to that fund than the one of the table; 0 after opting out.'),
  mosqueFund: Type.Boolean({ description: 'Singapore: whether MBMF is due beside another fund.' }),
  mosqueFundAmount: Amount('Singapore: another monthly contribution to MBMF than the one of the table.'),
  workPass: { ...OneOf(...workPasses), description: 'Singapore: the pass of a foreigner.' },
  levy: Amount('Singapore: the foreign worker levy of a month.'),
  filingStatus: { ...OneOf(...filingStatuses), description: 'United States: form W-4; SINGLE unless given.' },
  multipleJobs: Type.Boolean({ description: 'United States: the box of step 2 of form W-4.' }),
  dependentsCredit: Amount('United States: step 3 of form W-4, for a year.'),
  otherIncome: Amount('United States: step 4(a) of form W-4, for a year.'),
  deductions: Amount('United States: step 4(b) of form W-4, for a year.'),
  extraWithholding: Amount('United States: step 4(c) of form W-4, for a pay period.'),
  allowances: Type.Integer({ minimum: 0, maximum: 99, description: 'United States: allowances of a form W-4 of 2019 or earlier.' }),
  taxExempt: Type.Boolean({ description: 'United States: exempt from withholding by form W-4.' }),
  nonresidentAlien: Type.Boolean({ description: 'United States.' }),
  state: Type.String({ pattern: '^[A-Z]{2}$', description: 'United States: the state of work.', examples: ['NY'] }),
  stateRate: Percent('United States: state income tax in percent of the wages.'),
  stateTaxAmount: Amount('United States: state income tax as an amount for a pay period.'),
  localRate: Percent('United States: local income tax in percent of the wages.'),
  unemploymentRate: Percent("United States: the employer's rate of state unemployment insurance."),
  unemploymentWageBase: Amount('United States: the wages of a year that state unemployment insurance is levied on.'),
  pretaxBenefits: Amount('United States: benefits before all taxes (section 125), for a pay period.'),
  retirementDeferral: Amount('United States: deferrals before income tax (section 401(k)), for a pay period.'),
} as const // biome-ignore format: one fact a line

const FactInput = Type.Partial(Type.Object(factFields))
export type FactInput = Static<typeof FactInput>
type FactField = keyof typeof factFields

/** Facts that are amounts: the field of the API and the name in the calculators. */
const amountFacts = {
  insuredWage: 'insuredWageMinor',
  benefitsInKind: 'benefitsInKindMinor',
  raceFundAmount: 'raceFundMinor',
  mosqueFundAmount: 'mosqueFundMinor',
  levy: 'levyMinor',
  dependentsCredit: 'dependentsCreditMinor',
  otherIncome: 'otherIncomeMinor',
  deductions: 'deductionsMinor',
  extraWithholding: 'extraWithholdingMinor',
  stateTaxAmount: 'stateTaxMinor',
  unemploymentWageBase: 'unemploymentWageBaseMinor',
  pretaxBenefits: 'pretaxBenefitsMinor',
  retirementDeferral: 'retirementDeferralMinor',
} as const satisfies Partial<Record<FactField, keyof PayFacts>>

const fieldOf = new Map<string, string>(Object.entries(amountFacts).map(([field, name]) => [name, field]))
export const isAmountFact = (field: string): field is keyof typeof amountFacts => field in amountFacts
export const storedName = (field: FactField): keyof PayFacts => (isAmountFact(field) ? amountFacts[field] : field)
export const factNames = Object.keys(factFields) as FactField[]

/** The facts as the API shows them. */
export const toShownFacts = (stored: StoredFacts, currency: string): FactInput =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => {
      const field = fieldOf.get(name)
      return field === undefined ? [name, value] : [field, toMajor(BigInt(value as number), currency)]
    }),
  )

/** The facts as the calculators take them. */
export const toPayFacts = (stored: StoredFacts): PayFacts =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [name, name.endsWith('Minor') ? BigInt(value as number) : value]),
  )

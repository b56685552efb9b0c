import { Count, Id, nullable, type Static, Text, Type } from '../../../../core/define/schema.ts'
import { compact } from '../../../../core/values/compact.ts'
import { add } from '../../../../core/values/money.ts'
import type { ReportColumn } from '../../../../features/books/reports/report-file.ts'
import {
  type FormProblem,
  formProblems,
  rejected,
  toCheck,
} from '../../../../features/pay/payroll-forms/form-problem.ts'
import { amountOf, baseOf, openingOf, type PaidEmployee } from '../../../../features/pay/payroll-forms/paid-payslips.ts'
import { masked } from '../../documents/numbers.ts'
import { statesWithoutIncomeTax } from '../../payroll/tables.ts'
import { dollars, type Employer } from './employer.ts'

const State = Type.Object({
  state: nullable(Type.String({ description: 'Box 15; null if the employee has none.' })),
  stateWages: Type.Number({ description: 'Box 16.' }),
  stateIncomeTax: Type.Number({ description: 'Box 17.' }),
})

const boxes = {
  wages: Type.Number({ description: 'Box 1: wages, tips, other compensation.' }),
  federalIncomeTax: Type.Number({ description: 'Box 2.' }),
  socialSecurityWages: Type.Number({ description: 'Box 3.' }),
  socialSecurityTax: Type.Number({ description: 'Box 4.' }),
  medicareWages: Type.Number({ description: 'Box 5.' }),
  medicareTax: Type.Number({ description: 'Box 6, additional Medicare tax included.' }),
  deferrals: Type.Number({ description: 'Box 12, code D: deferrals to a section 401(k) plan.' }),
  localWages: Type.Number({ description: 'Box 18.' }),
  localIncomeTax: Type.Number({ description: 'Box 19.' }),
}

const FormW2 = Type.Object({
  employeeId: Id,
  name: Text,
  address: nullable(Text),
  socialSecurityNumber: nullable(Type.String({ description: 'The last four digits. Files have all of them.' })),
  controlNumber: nullable(Type.String({ description: 'Box d: the number of the employee.' })),
  ...boxes,
  retirementPlan: Type.Boolean({ description: 'Box 13.' }),
  states: Type.Array(State),
  hasOpeningBalances: Type.Boolean({ description: 'What was paid before the first payslip here is included.' }),
})

export const FormsW2 = Type.Object({
  year: Type.Integer(),
  currency: Text,
  employerName: Text,
  employerNumber: nullable(Type.String({ description: 'Box b: the EIN.' })),
  forms: Type.Array(FormW2),
  ...formProblems,
})

export const FormW3 = Type.Object({
  year: Type.Integer(),
  currency: Text,
  forms: { ...Count, description: 'Box c: how many forms W-2 there are.' },
  ...boxes,
  state: nullable(Type.String({ description: 'Box 15: the state, or X if there are several.' })),
  stateWages: Type.Number({ description: 'Box 16.' }),
  stateIncomeTax: Type.Number({ description: 'Box 17.' }),
  ...formProblems,
})

type Box = keyof typeof boxes
type StateRow = { state: string | null; wagesMinor: bigint; taxMinor: bigint }

/** The boxes of one employee, in minor units. */
export type W2 = { employee: PaidEmployee; boxes: Record<Box, bigint>; states: StateRow[]; withoutState: boolean }

export function toW2(employee: PaidEmployee): W2 {
  const { payslips } = employee
  const base = (name: string) => baseOf(payslips, name) + openingOf(employee, 'bases', name)
  const withheld = (...codes: string[]) =>
    amountOf(payslips, 'DEDUCTION', ...codes) + add(codes.map((code) => openingOf(employee, 'amounts', code)))
  return {
    employee,
    boxes: {
      wages: base('FIT_WAGES'),
      federalIncomeTax: withheld('FIT'),
      socialSecurityWages: base('SS_WAGES'),
      socialSecurityTax: withheld('SS_EE'),
      medicareWages: base('MED_WAGES'),
      medicareTax: withheld('MED_EE', 'MED_ADDL'),
      deferrals: withheld('RETIREMENT'),
      localWages: base('LOCAL_WAGES'),
      localIncomeTax: withheld('LOCAL'),
    },
    ...statesOf(employee, base, withheld('SIT')),
  }
}

/** Whether there is anything to report. */
export const isReported = ({ boxes: own, employee }: W2): boolean =>
  employee.payslips.length > 0 || Object.values(own).some((minor) => minor !== 0n)

/**
 * Wages and tax by state. What was withheld and belongs to no state by the bases is in the last one, so that the boxes have what the
 * payslips have. States without income tax are left out.
 */
function statesOf({ payslips, opening }: PaidEmployee, base: (name: string) => bigint, withheldMinor: bigint) {
  const bases = [...payslips.map((payslip) => payslip.bases), opening?.bases ?? {}]
  const found = new Set(
    bases.flatMap((each) => Object.keys(each)).flatMap((name) => /^STATE_WAGES_(.+)$/.exec(name)?.[1] ?? []),
  )
  const last = payslips.at(-1)?.facts.state
  const names = [...[...found].filter((state) => state !== last).sort(), ...(last && found.has(last) ? [last] : [])]
  const rows: StateRow[] = names.map((state) => ({
    ...{ state, wagesMinor: base(`STATE_WAGES_${state}`), taxMinor: base(`STATE_TAX_${state}`) },
  }))
  const restMinor = withheldMinor - add(rows.map(({ taxMinor }) => taxMinor))
  const restWages = base('STATE_WAGES') - add(rows.map(({ wagesMinor }) => wagesMinor))
  const taxed = rows.filter(isTaxed)
  const target = taxed.at(-1)
  if (target) target.taxMinor += restMinor
  else if (restMinor !== 0n) taxed.push({ state: null, wagesMinor: restWages, taxMinor: restMinor })
  return { states: taxed, withoutState: restWages !== 0n }
}

const isTaxed = ({ state, taxMinor }: StateRow) => taxMinor !== 0n || !statesWithoutIncomeTax.has(state ?? '')

const inDollars = (own: Record<Box, bigint>) =>
  Object.fromEntries(Object.entries(own).map(([box, minor]) => [box, dollars(minor)])) as Record<Box, number>

export const toFormW2 = ({ employee, boxes: own, states }: W2): Static<typeof FormW2> => ({
  employeeId: employee.id,
  name: employee.name,
  address: employee.address,
  socialSecurityNumber: employee.idNumber && masked(employee.idNumber),
  controlNumber: employee.employeeNumber,
  ...inDollars(own),
  retirementPlan: own.deferrals > 0n,
  states: states.map(({ state, wagesMinor, taxMinor }) => ({
    ...{ state, stateWages: dollars(wagesMinor), stateIncomeTax: dollars(taxMinor) },
  })),
  hasOpeningBalances: employee.opening !== null,
})

/** The totals of all forms W-2. */
export function toW3(forms: readonly W2[]) {
  const total = (box: Box) => add(forms.map((form) => form.boxes[box]))
  const sums = Object.fromEntries(Object.keys(boxes).map((box) => [box, total(box as Box)])) as Record<Box, bigint>
  const states = forms.flatMap((form) => form.states)
  const names = [...new Set(states.flatMap(({ state }) => state ?? []))]
  return {
    forms: forms.length,
    ...inDollars(sums),
    state: names.length > 1 ? 'X' : (names[0] ?? null),
    stateWages: dollars(add(states.map(({ wagesMinor }) => wagesMinor))),
    stateIncomeTax: dollars(add(states.map(({ taxMinor }) => taxMinor))),
  }
}

export const w2Problems = (forms: readonly W2[]): FormProblem[] => forms.flatMap(problemsOf)

function problemsOf({ employee, boxes: own, states, withoutState }: W2): FormProblem[] {
  const { id, idNumber, name, address, opening, payslips } = employee
  const negative = [...Object.values(own), ...states.flatMap((each) => [each.wagesMinor, each.taxMinor])].some(
    (minor) => minor < 0n,
  )
  return [
    ...(idNumber ? [] : [rejected('SSN_MISSING', 'The social security number is missing (idNumber).', id)]),
    ...(idNumber && !isSsn(idNumber)
      ? [
          rejected(
            'SSN',
            'This is no social security number; compare it with the card. A taxpayer number (ITIN) is not accepted on Form W-2.',
            id,
          ),
        ]
      : []),
    ...(name ? [] : [rejected('NAME_MISSING', 'The name is missing.', id)]),
    ...(address ? [] : [toCheck('ADDRESS_MISSING', 'The address is missing.', id)]),
    ...(negative
      ? [rejected('NEGATIVE_AMOUNT', 'Corrections make a box negative: file Form W-2c for the earlier year.', id)]
      : []),
    ...(withoutState
      ? [
          toCheck(
            'STATE_MISSING',
            'Wages belong to no state: the employee had no state (state) when they were paid.',
            id,
          ),
        ]
      : []),
    ...(own.localIncomeTax > 0n
      ? [toCheck('LOCALITY', 'Box 20, the name of the locality, is to be filled in by hand.', id)]
      : []),
    ...(opening
      ? [
          toCheck(
            'OPENING_BALANCES',
            `The opening balances of ${opening.year} are included${missingOpening(opening.bases ?? {})}.`,
            id,
          ),
        ]
      : []),
    ...(payslips.some(({ hasCorrections, month }) => hasCorrections && month.endsWith('-01-01'))
      ? [
          toCheck(
            'CORRECTIONS',
            'The payslip of January has differences of the year before. They count in the year in which they were paid.',
            id,
          ),
        ]
      : []),
  ]
}

const isSsn = (text: string) => /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(compact(text))

function missingOpening(bases: Record<string, number>): string {
  const missing = ['FIT_WAGES', 'SS_WAGES', 'MED_WAGES'].filter((name) => bases[name] === undefined)
  return missing.length === 0 ? '' : `, but they lack ${missing.join(', ')}, so boxes 1, 3 and 5 may be too small`
}

export const w2Columns: readonly ReportColumn[] = [
  { key: 'year', title: 'Year', titleHe: 'שנה', type: 'number' },
  { key: 'socialSecurityNumber', title: 'a SSN', titleHe: 'מספר SSN', type: 'text' },
  { key: 'employerNumber', title: 'b EIN', titleHe: 'מספר EIN', type: 'text' },
  { key: 'employerName', title: 'c Employer', titleHe: 'מעסיק', type: 'text' },
  { key: 'employerAddress', title: 'c Address', titleHe: 'כתובת המעסיק', type: 'text' },
  { key: 'controlNumber', title: 'd Control number', titleHe: 'מספר עובד', type: 'text' },
  { key: 'name', title: 'e Employee', titleHe: 'עובד', type: 'text' },
  { key: 'address', title: 'f Address', titleHe: 'כתובת', type: 'text' },
  { key: 'wages', title: '1 Wages', titleHe: '1 שכר', type: 'money' },
  { key: 'federalIncomeTax', title: '2 Federal income tax', titleHe: '2 מס פדרלי', type: 'money' },
  { key: 'socialSecurityWages', title: '3 Social security wages', titleHe: '3 שכר לביטוח סוציאלי', type: 'money' },
  { key: 'socialSecurityTax', title: '4 Social security tax', titleHe: '4 ביטוח סוציאלי', type: 'money' },
  { key: 'medicareWages', title: '5 Medicare wages', titleHe: '5 שכר למדיקר', type: 'money' },
  { key: 'medicareTax', title: '6 Medicare tax', titleHe: '6 מדיקר', type: 'money' },
  { key: 'deferrals', title: '12 D', titleHe: '12 D', type: 'money' },
  { key: 'state', title: '15 State', titleHe: '15 מדינה', type: 'text' },
  { key: 'stateWages', title: '16 State wages', titleHe: '16 שכר למדינה', type: 'money' },
  { key: 'stateIncomeTax', title: '17 State income tax', titleHe: '17 מס מדינתי', type: 'money' },
  { key: 'localWages', title: '18 Local wages', titleHe: '18 שכר מקומי', type: 'money' },
  { key: 'localIncomeTax', title: '19 Local income tax', titleHe: '19 מס מקומי', type: 'money' },
]

/** The rows of a form in the file: one, and one more for each further state, whose other boxes are empty. */
export function w2Cells({ employee, boxes: own, states }: W2, { name, taxNumber, address }: Employer, year: number) {
  const { idNumber, employeeNumber } = employee
  const start = [year, idNumber, taxNumber, name, address, employeeNumber, employee.name, employee.address]
  const { localWages, localIncomeTax, ...federal } = inDollars(own)
  const cells = federalBoxes.map((box) => federal[box])
  const [first, ...others] = states.map(({ state, wagesMinor, taxMinor }) => [
    state,
    dollars(wagesMinor),
    dollars(taxMinor),
  ])
  return [
    [...start, ...cells, ...(first ?? [null, null, null]), localWages, localIncomeTax],
    ...others.map((state) => [...start, ...cells.map(() => null), ...state, null, null]),
  ]
}

const federalBoxes = [
  'wages', 'federalIncomeTax', 'socialSecurityWages', 'socialSecurityTax', 'medicareWages', 'medicareTax', 'deferrals',
] as const // biome-ignore format: a list of words

/** The totals as lines of a file. */
export const w3Cells = (totals: ReturnType<typeof toW3>) => [
  ['c', 'Total number of Forms W-2', null, totals.forms],
  ['1', 'Wages, tips, other compensation', null, totals.wages],
  ['2', 'Federal income tax withheld', null, totals.federalIncomeTax],
  ['3', 'Social security wages', null, totals.socialSecurityWages],
  ['4', 'Social security tax withheld', null, totals.socialSecurityTax],
  ['5', 'Medicare wages and tips', null, totals.medicareWages],
  ['6', 'Medicare tax withheld', null, totals.medicareTax],
  ['12a', 'Deferred compensation', null, totals.deferrals],
  ['16', 'State wages, tips, etc.', null, totals.stateWages],
  ['17', 'State income tax', null, totals.stateIncomeTax],
  ['18', 'Local wages, tips, etc.', null, totals.localWages],
  ['19', 'Local income tax', null, totals.localIncomeTax],
]

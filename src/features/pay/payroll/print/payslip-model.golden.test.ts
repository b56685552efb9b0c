import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { countries } from '../../../../countries/countries.ts'
import type { Country } from '../../../../countries/country.ts'
import { openTypesetter } from '../../../../providers/typeset/typeset.ts'
import { casesOfEngines } from '../../../../test/documents/typeset-engines.ts'
import { differenceTo, pictureOf } from '../../../../test/readers/picture.ts'
import type { PayslipPrintData } from './print-data.ts'
import { toPayslipModel } from './to-payslip-model.ts'

// Compares each payslip with a reviewed picture. `npm run goldens` draws the pictures again: review every one that changed.

const folder = new URL('./goldens/', import.meta.url)
const pictures = new URL('../../../../../docs/pictures/', import.meta.url)
vi.setConfig({ testTimeout: 120_000 }) // the first document of a thread compiles Typst

type Row = PayslipPrintData['row']
type Sample = {
  code: Country['code']
  row?: Partial<Row>
  lines: readonly [Row['lines'][number]['kind'], string, number, string?][]
}

const rates: Record<string, [base: number, rate: string]> = {
  PENSION_EE: [20_900_00, '6 %'],
  STUDY_EE: [20_900_00, '2.5 %'],
  PENSION_ER: [20_900_00, '6.5 %'],
  SEVERANCE: [20_900_00, '6 %'],
  SS_EE: [8_000_00, '6.2 %'],
  MED_EE: [8_000_00, '1.45 %'],
}

/** A payslip of May 2026 whose year has twice the amounts of the month. */
function printData({ code, row, lines }: Sample): PayslipPrintData {
  const sum = (...kinds: string[]) =>
    lines.filter(([kind]) => kinds.includes(kind)).reduce((total, [, , minor]) => total + minor, 0)
  const [gross, deductions, contributions] = [sum('EARNING', 'REIMBURSEMENT'), sum('DEDUCTION'), sum('CONTRIBUTION')]
  const step = (line: string, amountMinor: number) => {
    const [baseMinor = null, rate = null] = rates[line] ?? []
    return { description: '', baseMinor, rate, amountMinor, rule: '' }
  }
  return {
    country: countries[code],
    logo: undefined,
    issuer: {
      ...{ name: 'Acme', country: code, registrationNumber: null, taxNumber: null, phone: null },
      ...{ address: '1 Harbour Road\nOld Town', email: 'pay@acme.test' },
    },
    employee: {
      ...{ userId: null, address: '12 Main Street', email: null, idNumber: '123456782', bankName: 'First Bank' },
      ...{ bankCode: '12', branchCode: '600', accountNumber: '123456', iban: null, routingNumber: null },
    },
    row: {
      ...{ id: 'p', organizationId: 'o', employeeId: 'e', employeeName: 'Noa Levi', status: 'PAID', isFinal: false },
      ...{ month: '2026-05-01', periodStart: '2026-05-01', periodEnd: '2026-05-31', issueDate: '2026-05-31' },
      ...{ grossMinor: gross, deductionsMinor: deductions, netMinor: gross - deductions },
      ...{ contributionsMinor: contributions, reimbursementsMinor: sum('REIMBURSEMENT'), wageMinor: 20_000_00 },
      ...{ currency: countries[code].currency, tables: `${code} 2026-01-01`, facts: {}, corrections: {}, warnings: [] },
      bases: {
        TAXABLE: 20_900_00,
        INSURABLE: 20_900_00,
        PENSIONABLE: 20_900_00,
        OW: 6_210_00,
        AW: 2_000_00,
        FIT_WAGES: 7_700_00,
        SS_WAGES: 8_000_00,
      },
      work: {
        workedDays: 20,
        workedHours: 168.5,
        overtimeHours: 6,
        vacationAccrued: 1,
        vacationUsed: 2.5,
        sickAccrued: 1.5,
      },
      ...{ createdAt: '2026-05-31T10:00:00Z', updatedAt: '2026-05-31T10:00:00Z', computedAt: '2026-05-31T10:00:00Z' },
      ...{ issuedAt: '2026-06-01T10:00:00Z', voidedAt: null, employeeNumber: '17', jobTitle: 'Developer' },
      ...{ startDate: '2024-11-01', endDate: null, payslipLanguage: null, opening: null, consents: [], attached: [] },
      leaveBefore: { vacationAccrued: 9, vacationUsed: 3, sickAccrued: 12.5, sickUsed: 0 },
      owed: [{ code: 'NET', amountMinor: gross - deductions, paidMinor: gross - deductions }],
      paid: [
        { paymentId: 'a', source: 'ADVANCE', paidAt: '2026-05-10', method: null, amountMinor: 1_500_00 },
        {
          paymentId: 'n',
          source: 'NET',
          paidAt: '2026-06-08',
          method: 'BANK_TRANSFER',
          amountMinor: gross - deductions - 1_500_00,
        },
      ],
      lines: lines.map(([kind, line, amountMinor, description = '']) => ({
        ...{ kind, code: line, description, amountMinor, corrects: null, steps: [step(line, amountMinor)] },
      })),
      summed: lines.map(([kind, line, minor, description = '']) => ({
        kind,
        code: line,
        description,
        minor: 2 * minor,
      })),
      ...row,
    },
  }
}

const israel: Sample = {
  code: 'IL',
  lines: [
    ['EARNING', 'WAGE', 20_000_00],
    ['EARNING', 'ADJUSTMENT', 900_00, 'שעות נוספות 125%'],
    ['REIMBURSEMENT', 'REIMBURSEMENT', 226_00, 'החזר נסיעות'],
    ['DEDUCTION', 'INCOME_TAX', 2_722_85],
    ['DEDUCTION', 'NI_EE', 1_003_90],
    ['DEDUCTION', 'HEALTH', 931_09],
    ['DEDUCTION', 'PENSION_EE', 1_254_00],
    ['DEDUCTION', 'STUDY_EE', 522_50],
    ['CONTRIBUTION', 'NI_ER', 1_350_38],
    ['CONTRIBUTION', 'PENSION_ER', 1_358_50],
    ['CONTRIBUTION', 'SEVERANCE', 1_254_00],
  ],
}
const singapore: Sample = {
  code: 'SG',
  row: { status: 'DRAFT', paid: [], owed: [{ code: 'NET', amountMinor: 1, paidMinor: 0 }] },
  lines: [
    ['EARNING', 'WAGE', 6_000_00],
    ['EARNING', 'ADDITIONAL_WAGE', 2_000_00],
    ['DEDUCTION', 'CPF_EE', 1_642_00],
    ['DEDUCTION', 'CDAC', 3_00],
    ['CONTRIBUTION', 'CPF_ER', 1_396_00],
    ['CONTRIBUTION', 'SDL', 11_25],
  ],
}
const america: Sample = {
  code: 'US',
  row: { isFinal: true, endDate: '2026-05-31' },
  lines: [
    ['EARNING', 'WAGE', 8_000_00],
    ['DEDUCTION', 'RETIREMENT', 300_00],
    ['DEDUCTION', 'FIT', 958_17],
    ['DEDUCTION', 'SS_EE', 496_00],
    ['DEDUCTION', 'MED_EE', 116_00],
    ['CONTRIBUTION', 'SS_ER', 496_00],
    ['CONTRIBUTION', 'MED_ER', 116_00],
  ],
}

const cases = [
  { name: 'payslip-israel-he', sample: israel, languages: ['he'] },
  { name: 'payslip-israel-he-en', sample: israel, languages: ['he', 'en'] },
  { name: 'payslip-singapore-draft', sample: singapore, languages: ['en'] },
  { name: 'payslip-america-final', sample: america, languages: ['en'] },
  { name: 'payslip-void-en-he', sample: { ...singapore, row: { status: 'VOID' } }, languages: ['en', 'he'] },
] as const

const isUpdating = process.env.KONTOR_GOLDENS === '1'

describe.each(casesOfEngines(cases, isUpdating))('with the $engine engine', ({ engine, drawn: its }) => {
  const typesetter = openTypesetter({ engine })
  afterAll(() => typesetter.close())

  test.each(its)('$name looks like its picture', async ({ name, sample, languages }) => {
    const data = toPayslipModel(printData(sample as Sample), { languages, logo: null })
    const pdf = await typesetter.typeset({ template: 'payslip', data, organizationId: 'acme', rows: 10 })
    const file = new URL(`${name}.png`, folder)
    if (isUpdating) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, await pictureOf(pdf, { dpi: 60 }))
      if (name === 'payslip-israel-he-en' || name === 'payslip-america-final')
        writeFileSync(new URL(`${name}.png`, pictures), await pictureOf(pdf, { dpi: 110, colour: true }))
      return
    }
    expect(await differenceTo(readFileSync(file), pdf, { dpi: 60 })).toBeLessThan(0.002)
  })
})

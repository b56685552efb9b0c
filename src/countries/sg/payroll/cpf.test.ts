import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cents, computed, cpf, figures, type PayOfMonth, payOf, young } from '../../../test/payroll/singapore.ts'
import type { PayFacts } from '../../payroll/facts.ts'
import { smaller } from './compare.ts'
import { payroll } from './payroll.ts'

/** Born on 15 March, so that the band changes after March. */
const aged = (age: number, month = '2026-06') => ({ birthDate: `${Number(month.slice(0, 4)) - age}-03-15` })
const ages = [40, 57, 62, 67, 72]

// The highest total and employee's share on ordinary wages, for each age band.
test.each<[string, number, [total: number, employee: number][]]>([
  ['2023-08', 6000, [[2220, 1200], [1770, 900], [1230, 570], [930, 420], [750, 300]]],
  ['2023-09', 6300, [[2331, 1260], [1859, 945], [1292, 598], [977, 441], [788, 315]]],
  ['2024-12', 6800, [[2516, 1360], [2108, 1088], [1496, 714], [1122, 510], [850, 340]]],
  ['2025-12', 7400, [[2738, 1480], [2405, 1258], [1739, 851], [1221, 555], [925, 370]]],
  ['2026-12', 8000, [[2960, 1600], [2720, 1440], [2000, 1000], [1320, 600], [1000, 400]]],
  ['2027-12', 8000, [[2960, 1600], [2840, 1520], [2080, 1040], [1320, 600], [1000, 400]]],
])('the highest contributions of %s, from %d', (month, ceiling, expected) => {
  const highest = (wage: number) =>
    ages.map((age) => {
      const [employee, employer] = cpf(month, { wage, facts: aged(age, month) })
      return [employee + employer, employee]
    })
  expect(highest(ceiling)).toEqual(expected)
  expect(highest(ceiling + 0.01)).toEqual(expected)
  expect(highest(100_000)).toEqual(expected)
  expect(highest(ceiling - 10)).not.toEqual(expected)
}) // biome-ignore format: a table

// Employee and employer of the bands in 2026: total wages choose the band, also if a part is additional.
test.each<[number, [number, number][]]>([
  [0.01, [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]],
  [49.99, [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]],
  [50, [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]],
  [50.01, [[0, 9], [0, 8], [0, 6], [0, 5], [0, 4]]], // 8.50, 8.00, 6.25, 4.50, 3.75
  [499.99, [[0, 85], [0, 80], [0, 62], [0, 45], [0, 37]]], // 62.49875 and 37.49925
  [500, [[0, 85], [0, 80], [0, 63], [0, 45], [0, 38]]], // 62.50 and 37.50
  [500.01, [[0, 85], [0, 80], [0, 63], [0, 45], [0, 38]]],
  [600, [[60, 102], [54, 96], [37, 76], [22, 55], [15, 45]]], // 112.50 is 113; 76.50 is 77; 22.50 is 22
  [749.99, [[149, 128], [134, 121], [93, 94], [56, 68], [37, 57]]], // 277.4923, 254.9930, 187.4950, 123.7469, 93.7478
  [750, [[150, 128], [135, 120], [93, 95], [56, 68], [37, 57]]], // 277.50, 255, 187.50, 123.75, 93.75
  [750.01, [[150, 128], [135, 120], [93, 95], [56, 68], [37, 57]]],
  [7999.99, [[1599, 1361], [1439, 1281], [999, 1001], [599, 721], [399, 601]]],
  [8000, [[1600, 1360], [1440, 1280], [1000, 1000], [600, 720], [400, 600]]],
  [8000.01, [[1600, 1360], [1440, 1280], [1000, 1000], [600, 720], [400, 600]]],
])('total wages of %d', (wage, expected) => {
  expect(ages.map((age) => cpf('2026-06', { wage, facts: aged(age) }))).toEqual(expected)
  if (wage <= 750.01) expect(ages.map((age) => cpf('2026-06', { wage: 0, bonus: wage, facts: aged(age) }))).toEqual(expected)
}) // biome-ignore format: a table

// The month of the birthday has the rates of the band before, also if it is on the first day.
test.each<[string, string, [number, number], string, [number, number]]>([
  ['1971-02-15', '2026-02', [600, 510], '2026-03', [540, 480]],
  ['1971-02-01', '2026-02', [600, 510], '2026-03', [540, 480]],
  ['1971-02-28', '2026-02', [600, 510], '2026-03', [540, 480]],
  ['1972-02-29', '2027-02', [600, 510], '2027-03', [570, 495]],
  ['1970-12-31', '2025-12', [600, 510], '2026-01', [540, 480]],
  ['1966-05-31', '2026-05', [540, 480], '2026-06', [375, 375]],
  ['1961-05-31', '2026-05', [375, 375], '2026-06', [225, 270]],
  ['1956-05-31', '2026-05', [225, 270], '2026-06', [150, 225]],
])('born on %s: %s has %j, and %s has %j', (birthDate, month, before, next, after) => {
  expect(cpf(month, { wage: 3000, facts: { birthDate } })).toEqual(before)
  expect(cpf(next, { wage: 3000, facts: { birthDate } })).toEqual(after)
})

const resident = (facts: PayFacts): PayFacts => ({ ...young, residencyStatus: 'PERMANENT_RESIDENT', ...facts })

// Each year ends with the month of the anniversary.
test.each<[string, string, [number, number]]>([
  ['2024-06-15', '2024-07', [150, 120]],
  ['2024-06-15', '2025-06', [150, 120]],
  ['2024-06-15', '2025-07', [450, 270]],
  ['2024-06-15', '2026-06', [450, 270]],
  ['2024-06-15', '2026-07', [600, 510]],
  ['2024-06-01', '2024-06', [150, 120]],
  ['2024-06-01', '2025-06', [150, 120]],
  ['2024-06-01', '2025-07', [450, 270]],
  ['2024-06-30', '2026-06', [450, 270]],
  ['2024-06-30', '2026-07', [600, 510]],
  ['2024-02-29', '2025-02', [150, 120]],
  ['2024-02-29', '2025-03', [450, 270]],
])('a permanent resident since %s in %s: %j', (residencySince, month, expected) => {
  expect(cpf(month, { wage: 3000, facts: resident({ residencySince }) })).toEqual(expected)
  expect(cpf(month, { wage: 3000, facts: resident({ residencySince, cpfRates: 'GRADUATED' }) })).toEqual(expected)
  expect(cpf(month, { wage: 3000, facts: resident({ residencySince, cpfRates: 'FULL' }) })).toEqual([600, 510])
})

// Employee and employer on 1,000 in 2026, in five age bands.
test.each<[string, PayFacts, [number, number][]]>([
  ['first year, graduated', { residencySince: '2026-01-02' }, [[50, 40], [50, 40], [50, 35], [50, 35], [50, 35]]],
  ['second year, graduated', { residencySince: '2025-01-02' }, [[150, 90], [125, 60], [75, 35], [50, 35], [50, 35]]],
  ['first year, full for the employer', { residencySince: '2026-01-02', cpfRates: 'FULL_EMPLOYER' }, [[50, 170], [50, 160], [50, 125], [50, 90], [50, 75]]],
  ['second year, full for the employer', { residencySince: '2025-01-02', cpfRates: 'FULL_EMPLOYER' }, [[150, 170], [125, 160], [75, 125], [50, 90], [50, 75]]],
  ['second year, full for both', { residencySince: '2025-01-02', cpfRates: 'FULL' }, [[200, 170], [180, 160], [125, 125], [75, 90], [50, 75]]],
  ['third year', { residencySince: '2024-01-02', cpfRates: 'GRADUATED' }, [[200, 170], [180, 160], [125, 125], [75, 90], [50, 75]]],
])('permanent residents: %s', (_, facts, expected) => {
  const of = (wage: number) => ages.map((age) => cpf('2026-06', { wage, facts: resident({ ...facts, ...aged(age) }) }))
  expect(of(1000)).toEqual(expected)
  // At 700 the employee pays three times the rate on what is above 500, and the employer the rate on all.
  const rates = expected.map(([employee, employer]) => [employee / 10, employer / 10] as const)
  const low = rates.map(([employee, employer]) => {
    const ofEmployee = Math.floor(6 * employee + 1e-9)
    return [ofEmployee, Math.floor(7 * employer + 6 * employee + 0.5 + 1e-9) - ofEmployee]
  })
  expect(of(700)).toEqual(low)
}) // biome-ignore format: a table

test('the month of becoming a permanent resident has CPF on the wages from that day', () => {
  // 20 September 2024 is a Friday: 7 of 21 working days, so 666.67 of 2,000: 3 × 5 % of 166.67 and 4 % of 666.67.
  const facts = resident({ residencySince: '2024-09-20' })
  const { lines, bases } = computed(payOf('2024-09', { wage: 2000, facts }))
  expect(bases).toMatchObject({ OW: 200_000n, CPF_OW: 66_667n })
  expect(figures({ lines, bases, warnings: [], tables: '' })).toMatchObject({ employee: 25, employer: 27, sdl: 5 })
  expect(cpf('2024-09', { wage: 30_000, facts })).toEqual([340, 272]) // 10,000 is above the ceiling of 6,800
  expect(cpf('2024-09', { wage: 2000, facts: resident({ residencySince: '2024-09-01' }) })).toEqual([100, 80])
  expect(cpf('2024-09', { wage: 2000, facts: resident({ residencySince: '2024-09-02' }) })).toEqual([100, 80])
  expect(cpf('2024-08', { wage: 2000, facts })).toEqual([0, 0])
})

test('in that month additional wages count if they are paid from that day', () => {
  const facts = resident({ residencySince: '2024-09-20' })
  const before = computed(payOf('2024-09', { wage: 2100, bonus: 1000, facts, payDay: '2024-09-19' }))
  expect(before.bases).toMatchObject({ CPF_OW: 70_000n, CPF_AW: 0n, AW: 100_000n, AW_EXEMPT: 100_000n })
  const after = computed(payOf('2024-09', { wage: 2100, bonus: 1000, facts, payDay: '2024-09-20' }))
  expect(after.bases).toMatchObject({ CPF_OW: 70_000n, CPF_AW: 100_000n, AW: 100_000n, CPF_EE: 8_500n, CPF_ER: 6_800n })
  expect(after.bases).not.toHaveProperty('AW_EXEMPT')
})

test('who joined in that month is a resident for a part of the days of employment', () => {
  const facts = resident({ residencySince: '2024-09-20' })
  const employment = { startDate: '2024-09-16', endDate: null } // 11 days, of which 7 as a resident
  expect(computed(payOf('2024-09', { wage: 1100, facts, employment })).bases).toMatchObject({ CPF_OW: 70_000n })
  const later = { startDate: '2024-09-23', endDate: null }
  expect(computed(payOf('2024-09', { wage: 1100, facts, employment: later })).bases).toMatchObject({ CPF_OW: 110_000n })
})

test('foreigners have no CPF, and a work pass makes a foreigner', () => {
  expect(cpf('2026-06', { wage: 3000, facts: young })).toEqual([600, 510])
  expect(cpf('2026-06', { wage: 3000, facts: { ...young, residencyStatus: 'FOREIGNER' } })).toEqual([0, 0])
  expect(cpf('2026-06', { wage: 3000, facts: { ...young, workPass: 'EMPLOYMENT_PASS' } })).toEqual([0, 0])
})

// Additional wages: what is subject in a month, after the earlier months of the year.
const stays = { startDate: '2015-01-01', endDate: null }
const subject = (month: string, pay: PayOfMonth) => computed(payOf(month, pay)).bases.CPF_AW

test.each<[string, string, PayOfMonth, number]>([
  ['wages above the ceiling all year', '2026-03', { wage: 9000, bonus: 100_000, earlier: { CPF_OW: 1_600_000n } }, 6000],
  ['wages below it', '2026-01', { wage: 4500, bonus: 100_000 }, 48_000],
  ['the ceiling of 2023, which rose in September', '2023-01', { wage: 7000, bonus: 100_000 }, 28_800],
  ['wages below both ceilings of 2023', '2023-01', { wage: 6000, bonus: 100_000 }, 30_000],
  ['wages between them', '2023-01', { wage: 6100, bonus: 100_000 }, 102_000 - 8 * 6000 - 4 * 6100],
  ['exactly up to the ceiling', '2026-03', { wage: 8000, bonus: 6000, earlier: { CPF_OW: 1_600_000n } }, 6000],
  ['a cent less', '2026-03', { wage: 8000, bonus: 5999.99, earlier: { CPF_OW: 1_600_000n } }, 5999.99],
  ['a cent more', '2026-03', { wage: 8000, bonus: 6000.01, earlier: { CPF_OW: 1_600_000n } }, 6000],
  ['after a bonus that left a part', '2026-04', { wage: 8000, bonus: 6000, earlier: { CPF_OW: 2_400_000n, CPF_AW: 500_000n, AW: 500_000n } }, 1000],
  ['after a bonus that left nothing', '2026-04', { wage: 8000, bonus: 6000, earlier: { CPF_OW: 2_400_000n, CPF_AW: 600_000n, AW: 900_000n } }, 0],
  ['after a raise: no refund before December', '2026-06', { wage: 8000, bonus: 100, earlier: { CPF_OW: 2_500_000n, CPF_AW: 4_200_000n, AW: 4_200_000n } }, 0],
  ['a joiner in July', '2026-07', { wage: 8000, bonus: 100_000, employment: { startDate: '2026-07-01', endDate: null } }, 54_000],
  // 17 August 2026 is a Monday: 11 of 21 days, so 4,190.48 and 4 whole months of 8,000.
  ['a joiner within August', '2026-08', { wage: 4190.48, bonus: 100_000, employment: { startDate: '2026-08-17', endDate: null } }, 65_809.52],
  // 15 May 2026 is a Friday: 11 of 21 days.
  ['somebody who will leave in May', '2026-04', { wage: 2100, bonus: 200_000, earlier: { CPF_OW: 630_000n }, employment: { startDate: '2015-01-01', endDate: '2026-05-15' } }, 102_000 - 8400 - 1100],
  ['absence, which is not expected again', '2026-11', { wage: 8000, bonus: 100_000, earlier: { CPF_OW: 8_000_000n }, adjustments: [{ description: 'Absence', amountMinor: -400_000n, kind: 'OTHER' }] }, 10_000],
])('additional wages: %s', (_, month, pay, expected) => {
  expect(subject(month, { employment: stays, ...pay })).toBe(cents(expected))
}) // biome-ignore format: a table

test('in the last month of employment earlier additional wages become subject after all', () => {
  // 10,000 a month in 2025, age 56; additional wages of 13,400, 15,000, 5,000 and 9,000; leaves in July.
  const facts = { birthDate: '1969-01-21' }
  const earlier = { CPF_OW: 4_440_000n, CPF_AW: 1_320_000n, AW: 3_340_000n }
  const leaves = { startDate: '2015-01-01', endDate: '2025-07-31' }
  const last = computed(payOf('2025-07', { wage: 10_000, bonus: 9000, facts, earlier, employment: leaves }))
  expect(figures(last)).toMatchObject({ employee: 2788 + 34 + 2550 + 850, employer: 2542 + 31 + 2325 + 775 })
  expect(last.bases).toMatchObject({ CPF_OW: 740_000n, CPF_AW: 2_920_000n })
  const goesOn = computed(payOf('2025-07', { wage: 10_000, bonus: 9000, facts, earlier }))
  expect(figures(goesOn)).toMatchObject({ employee: 1258, employer: 1147 })
})

test('in December earlier additional wages become subject after all, at full rates also in a month of low wages', () => {
  // 8,000 a month was expected, but 80,400 was earned. So 21,600 is left for the year, and all of 20,000 is subject.
  const earlier = { CPF_OW: 8_000_000n, CPF_AW: 600_000n, AW: 2_000_000n }
  const adjustments = [{ description: 'Flight', amountMinor: 500_000n, kind: 'REIMBURSEMENT' }] as const
  const { bases } = computed(payOf('2026-12', { wage: 400, earlier, adjustments }))
  expect(bases).toMatchObject({ CPF_OW: 40_000n, CPF_AW: 1_400_000n, CPF_EE: 280_000n, CPF_ER: 6_800n + 238_000n })
})

test('net pay that the made-up CPF exceeds cannot be computed', () => {
  const earlier = { CPF_OW: 8_000_000n, CPF_AW: 600_000n, AW: 2_000_000n }
  expect(payroll.compute(payOf('2026-12', { wage: 4000, earlier }))).toHaveProperty('lines')
  expect(payroll.compute(payOf('2026-12', { wage: 0, earlier }))).toHaveProperty('problem')
})

test('bonuses from before somebody became a resident never become subject', () => {
  const facts = resident({ residencySince: '2026-06-01' })
  const earlier = { CPF_OW: 1_800_000n, CPF_AW: 0n, AW: 2_000_000n, AW_EXEMPT: 2_000_000n }
  expect(subject('2026-12', { wage: 3000, facts, earlier })).toBe(0n)
  expect(subject('2026-12', { wage: 3000, facts, earlier: { ...earlier, AW_EXEMPT: 1_500_000n } })).toBe(500_000n)
})

test('too much CPF on additional wages reduces the last month, and the rest is a warning', () => {
  // 5,000 was expected all year when 42,000 was subject; a raise to 8,000 in April leaves 15,000.
  const earlier = { CPF_OW: 1_500_000n + 8n * 800_000n, CPF_AW: 4_200_000n, AW: 4_200_000n }
  const { lines, bases, warnings } = computed(payOf('2026-12', { wage: 8000, earlier }))
  expect(lines.map(({ code }) => code)).toEqual(['WAGE', 'SDL'])
  expect(bases).toMatchObject({ CPF_OW: 800_000n, CPF_AW: -800_000n })
  expect(warnings).toEqual([
    {
      code: 'CPF_OVERPAID',
      path: 'additionalWage',
      message:
        "CPF was paid on 27,000.00 more of additional wages than the year's ceiling of 15,000.00 allows; this month's CPF is reduced for 8,000.00 of it. Ask the CPF Board to refund the CPF on the other 19,000.00.",
    },
  ])
  const low = computed(payOf('2026-12', { wage: 600, earlier }))
  expect(low.bases).toMatchObject({ CPF_AW: 0n, CPF_EE: 6_000n, CPF_ER: 10_200n })
  expect(low.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('refund the CPF on the other 19,600.00'),
  ])
  const little = computed(payOf('2026-12', { wage: 8000, earlier: { ...earlier, CPF_AW: 1_600_000n, AW: 1_600_000n } }))
  expect(little.bases).toMatchObject({ CPF_AW: -100_000n, CPF_EE: 140_000n, CPF_ER: 119_000n })
  expect(little.warnings.map(({ message }) => message)).toEqual([expect.not.stringContaining('refund')])
})

test('earlier months that are not known are a warning beside additional wages', () => {
  const codes = (month: string, pay: PayOfMonth) => computed(payOf(month, pay)).warnings.map(({ code }) => code)
  expect(codes('2026-06', { wage: 3000, bonus: 1 })).toEqual(['EARLIER_WAGES_MISSING'])
  expect(codes('2026-06', { wage: 3000 })).toEqual([])
  expect(codes('2026-01', { wage: 3000, bonus: 1 })).toEqual([])
  expect(codes('2026-06', { wage: 3000, bonus: 1, earlier: { CPF_OW: 1n } })).toEqual([])
  expect(codes('2026-06', { wage: 3000, bonus: 1, employment: { startDate: '2026-06-01', endDate: null } })).toEqual([])
})

test('whenever a bonus is paid, the year has the same wages subject to CPF', () => {
  const wage = fc.bigInt(0n, 1_000_000n)
  const months = fc.array(fc.record({ wage, bonus: fc.oneof(fc.constant(0n), fc.bigInt(0n, 6_000_000n)) }), {
    minLength: 12,
    maxLength: 12,
  })
  const year = (amounts: { wage: bigint; bonus: bigint }[], last: number) => {
    let earlier: Record<string, bigint> = {}
    const employment = { startDate: '2015-01-01', endDate: `2026-${String(last).padStart(2, '0')}-28` }
    for (const [at, { wage: amountMinor, bonus }] of amounts.slice(0, last).entries()) {
      const wages = [{ description: 'Wage', amountMinor, steps: [] }]
      const month = `2026-${String(at + 1).padStart(2, '0')}`
      const result = payroll.compute(payOf(month, { wages, additionalWageMinor: bonus, earlier, employment }))
      if ('problem' in result) return undefined
      const names = [...new Set([...Object.keys(earlier), ...Object.keys(result.bases)])]
      earlier = Object.fromEntries(names.map((name) => [name, (earlier[name] ?? 0n) + (result.bases[name] ?? 0n)]))
      if (result.warnings.some(({ message }) => message.includes('refund'))) return undefined
    }
    return earlier
  }
  fc.assert(
    fc.property(months, fc.integer({ min: 1, max: 12 }), (amounts, last) => {
      const sums = year(amounts, last)
      if (!sums) return
      const { CPF_OW = 0n, CPF_AW = 0n, AW = 0n } = sums
      const room = 10_200_000n - CPF_OW
      expect(CPF_AW).toBe(smaller(AW, room))
    }),
    { numRuns: 60 },
  )
})

import { expect, test } from 'vitest'
import { cents, computed, type PayOfMonth, payOf } from '../../../test/payroll/singapore.ts'
import { payroll } from './payroll.ts'

test.each([
  ['GPML weeks 9 to 12', 'GPML'],
  ['gpml', 'GPML'],
  ['Leave (GPPL)', 'GPPL'],
  ['SPL, 2 weeks', 'SPL'],
  ['GPAL', 'GPAL'],
  ['AL 4 weeks', 'GPAL'],
  ['GPCL-3 days', 'GPCL'],
  ['gpecl 2 days', 'GPECL'],
  ['NSMUP March', 'NSMUP'],
  ['NS 10 days', 'NSMUP'],
  ['Maternity leave', 'GPML'],
  ['paternity leave', 'GPPL'],
  ['Shared parental leave', 'SPL'],
  ['Adoption leave', 'GPAL'],
  ['Childcare leave', 'GPCL'],
  ['Child care leave', 'GPCL'],
  ['Extended childcare leave', 'GPECL'],
  ['Reservist training', 'NSMUP'],
  ['National service', 'NSMUP'],
  ['GPCL after maternity', 'GPCL'],
  ['SPL, not GPPL', 'SPL'],
  ['Annual leave', 'GPL'],
  ['GPMLX', 'GPL'],
  ['Transport', 'GPL'],
  ['', 'GPL'],
])('%s is %s', (description, code) => {
  expect(payroll.leaveScheme?.(description).code).toBe(code)
})

test('the armed forces pay for national service, and the ministry for all other leave', () => {
  const authorities = ['GPML', 'GPPL', 'SPL', 'GPAL', 'GPCL', 'GPECL', 'other'].map((word) => payroll.leaveScheme?.(word).authority)
  expect(new Set(authorities.map((authority) => authority?.id)).size).toBe(1)
  expect(authorities[0]?.name).toBe('Ministry of Social and Family Development')
  const forces = payroll.leaveScheme?.('NS').authority
  expect(forces?.name).toBe('MINDEF/MHA')
  for (const authority of [forces, ...authorities])
    expect(authority?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(forces?.id).not.toBe(authorities[0]?.id)
}) // biome-ignore format: one line for each

// The pay is the wage of the month and the leave, less the same for absence. The employer's CPF on 6,000 is 1,020.
const withLeave = (description: string, amount: number, wage = 6000, more: PayOfMonth = {}) =>
  computed(
    payOf('2026-06', {
      wage,
      adjustments: [
        { description: 'Leave', amountMinor: -cents(amount), kind: 'OTHER' },
        { description, amountMinor: cents(amount), kind: 'LEAVE_PAY' },
      ],
      ...more,
    }),
  )

test.each<[string, number, number]>([
  ['GPCL 3 days', 972, 6000],
  ['GPCL 3 working days', 1500, 10_000], // 524.31 for a day
  ['GPECL 2 days', 648, 6000],
  ['GPPL 1 week', 1620, 6000],
  ['GPPL 4 weeks', 6480, 6000],
  ['GPPL 4 weeks', 10_000, 12_000], // 3,083.08 for a week
  ['GPML 28 calendar days', 6462.25, 6000],
  ['GPML 28 calendar days', 10_000, 12_000], // 12,298.52
  ['SPL 5 days', 1620, 6000],
  ['SPL 5 days', 2500, 12_000],
  ['GPML', 10_714.29, 12_000], // 30 days of 2,500 a week
  ['GPPL', 10_000, 12_000],
  ['GPCL', 1500, 12_000],
  ['GPECL', 1000, 12_000],
])('%s is paid back up to %d, of a wage of %d', (description, limit, wage) => {
  expect(withLeave(description, limit, wage).warnings).toEqual([])
  expect(withLeave(description, limit + 0.01, wage).warnings).toEqual([
    { code: 'LEAVE_CLAIM_ABOVE_LIMIT', path: 'adjustments.1.amount', message: expect.stringContaining('at most') },
  ])
})

test('leave without a limit has no warning', () => {
  expect(withLeave('NS 10 days', 5999, 6000).warnings).toEqual([])
  expect(withLeave('Other', 5999, 6000).warnings).toEqual([])
})

test('the limit of a year counts the earlier months, and the days of a week count', () => {
  expect(withLeave('GPCL', 972).bases).toMatchObject({ CLAIM_GPCL: 97_200n })
  const second = (amount: number) => withLeave('GPCL', amount, 12_000, { earlier: { CLAIM_GPCL: 100_000n } })
  expect(second(500).warnings).toEqual([])
  expect(second(500.01).warnings.map(({ code }) => code)).toEqual(['LEAVE_CLAIM_ABOVE_LIMIT'])
  const six = { facts: { birthDate: '1996-01-10', workDaysPerWeek: 6 } }
  expect(withLeave('SPL 6 days', 2500, 12_000, six).warnings).toEqual([])
  expect(withLeave('SPL 6 days', 2500.01, 12_000, six).warnings).toHaveLength(1)
  expect(withLeave('GPCL 1 day', 270, 6000, six).warnings).toEqual([])
  expect(withLeave('GPCL 1 day', 270.01, 6000, six).warnings).toHaveLength(1)
})

test('a number that is no length of a leave is not read as one', () => {
  expect(withLeave(`GPCL ${'9'.repeat(400)} days`, 1500, 12_000).warnings).toEqual([])
  expect(withLeave('GPCL 2026 days', 1500, 12_000).warnings).toEqual([])
})

test('leave pay is ordinary wages', () => {
  const { lines, bases } = withLeave('GPPL 1 week', 1620)
  expect(lines.map(({ code }) => code)).toEqual(['WAGE', 'ADJUSTMENT', 'LEAVE_PAY', 'CPF_EE', 'CPF_ER', 'SDL'])
  expect(bases).toMatchObject({ OW: 600_000n, CPF_OW: 600_000n, CPF_ER: 102_000n })
})

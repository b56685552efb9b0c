import type { Scheme } from '../../payroll/payroll.ts'

const board = 'CPF Board'
const scheme = (code: string, payer: Scheme['payer'], authority: string, label: string, labelHe: string): Scheme => ({
  code,
  label,
  labelHe,
  payer,
  authority,
})

/** All but the foreign worker levy are paid through the CPF Board. */
export const schemes: readonly Scheme[] = [
  scheme('CPF_EE', 'EMPLOYEE', board, 'CPF, employee', 'קרן CPF, חלק העובד'),
  scheme('CPF_ER', 'EMPLOYER', board, 'CPF, employer', 'קרן CPF, חלק המעסיק'),
  scheme('SDL', 'EMPLOYER', 'SkillsFuture Singapore (through the CPF Board)', 'Skills Development Levy', 'היטל לפיתוח מיומנויות (SDL)'),
  scheme('CDAC', 'EMPLOYEE', 'Chinese Development Assistance Council (through the CPF Board)', 'CDAC', 'CDAC, קרן הקהילה הסינית'),
  scheme('ECF', 'EMPLOYEE', 'Eurasian Community Fund (through the CPF Board)', 'ECF', 'ECF, קרן הקהילה האירואסייתית'),
  scheme('MBMF', 'EMPLOYEE', 'Mosque Building and Mendaki Fund (through the CPF Board)', 'MBMF', 'MBMF, קרן המסגדים ומנדאקי'),
  scheme('SINDA', 'EMPLOYEE', 'Singapore Indian Development Association (through the CPF Board)', 'SINDA', 'SINDA, קרן הקהילה ההודית'),
  scheme('FWL', 'EMPLOYER', 'Ministry of Manpower', 'Foreign Worker Levy', 'היטל עובדים זרים (FWL)'),
] // biome-ignore format: a table

import type { PayrollRules } from './payroll.ts'

/** Whether payslips of a country have a base of this name. */
export const isBase = ({ bases }: Pick<PayrollRules, 'bases'>, name: string): boolean =>
  bases.includes(name) || bases.includes(name.replace(/_[A-Z]{2}$/, '_<state>'))

import type { Scheme } from '../../payroll/payroll.ts'

const authorities = {
  federal: 'Internal Revenue Service',
  state: 'State tax agency',
  local: 'Local tax agency',
  unemployment: 'State unemployment agency',
  benefits: 'Benefit plan',
  retirement: 'Retirement plan',
} as const

const scheme = (
  code: string,
  payer: Scheme['payer'],
  authority: keyof typeof authorities,
  [label, labelHe]: readonly [string, string],
): Scheme => ({ code, label, labelHe, payer, authority: authorities[authority] })

export const schemes: readonly Scheme[] = [
  scheme('BENEFITS', 'EMPLOYEE', 'benefits', ['Pre-tax benefits', 'הטבות לפני מס']),
  scheme('RETIREMENT', 'EMPLOYEE', 'retirement', ['Retirement plan, 401(k)', 'תוכנית פרישה 401(k)']),
  scheme('FIT', 'EMPLOYEE', 'federal', ['Federal income tax', 'מס הכנסה פדרלי']),
  scheme('SS_EE', 'EMPLOYEE', 'federal', ['Social Security', 'ביטוח סוציאלי']),
  scheme('MED_EE', 'EMPLOYEE', 'federal', ['Medicare', 'מדיקר']),
  scheme('MED_ADDL', 'EMPLOYEE', 'federal', ['Additional Medicare', 'מדיקר נוסף']),
  scheme('SIT', 'EMPLOYEE', 'state', ['State income tax', 'מס הכנסה מדינתי']),
  scheme('LOCAL', 'EMPLOYEE', 'local', ['Local income tax', 'מס הכנסה מקומי']),
  scheme('SS_ER', 'EMPLOYER', 'federal', ['Social Security (employer)', 'ביטוח סוציאלי (מעסיק)']),
  scheme('MED_ER', 'EMPLOYER', 'federal', ['Medicare (employer)', 'מדיקר (מעסיק)']),
  scheme('FUTA', 'EMPLOYER', 'federal', ['Federal unemployment tax', 'מס אבטלה פדרלי']),
  scheme('SUI', 'EMPLOYER', 'unemployment', ['State unemployment insurance', 'ביטוח אבטלה מדינתי']),
]

const labels = new Map(schemes.map(({ code, label }) => [code, label]))
export const labelOf = (code: string): string => labels.get(code) ?? code

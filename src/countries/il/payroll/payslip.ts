import type { PayslipWords } from '../../payslip.ts'

export const payslip: PayslipWords = {
  heading: { en: 'Payslip', he: 'תלוש שכר' },
  firstLanguage: 'he',
  idNumber: { en: 'ID no.', he: 'ת"ז' },
  isMasked: false,
  bases: [
    ['TAXABLE', { en: 'Gross for income tax', he: 'ברוטו למס הכנסה' }],
    ['INSURABLE', { en: 'Gross for National Insurance', he: 'ברוטו לביטוח לאומי' }],
    ['PENSIONABLE', { en: 'Gross for pension', he: 'ברוטו לפנסיה' }],
    ['BENEFITS_IN_KIND', { en: 'Taxable benefits', he: 'זקיפות הטבה' }],
    ['TAXED_DEPOSITS', { en: 'Taxed deposits of the employer', he: 'הפרשות מעסיק חייבות במס' }],
  ],
  monthlyHours: 182,
  foot: {
    en: 'Payslip by the Wage Protection Law, 1958, section 24.',
    he: 'תלוש שכר לפי סעיף 24 לחוק הגנת השכר, התשי"ח-1958.',
  },
}

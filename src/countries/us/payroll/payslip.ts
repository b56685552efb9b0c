import type { PayslipWords } from '../../payslip.ts'

export const payslip: PayslipWords = {
  heading: { en: 'Pay Statement', he: 'תלוש שכר' },
  firstLanguage: 'en',
  idNumber: { en: 'SSN', he: 'SSN' },
  isMasked: true,
  bases: [
    ['FIT_WAGES', { en: 'Federal taxable wages', he: 'שכר חייב במס פדרלי' }],
    ['SS_WAGES', { en: 'Social Security wages', he: 'שכר לביטוח סוציאלי' }],
    ['MED_WAGES', { en: 'Medicare wages', he: 'שכר למדיקר' }],
  ],
  monthlyHours: null,
  foot: {
    en: 'Itemized wage statement.',
    he: 'תלוש שכר מפורט.',
  },
}

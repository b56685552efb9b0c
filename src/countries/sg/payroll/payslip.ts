import type { PayslipWords } from '../../payslip.ts'

export const payslip: PayslipWords = {
  heading: { en: 'Payslip', he: 'תלוש שכר' },
  firstLanguage: 'en',
  idNumber: { en: 'NRIC / FIN', he: 'NRIC / FIN' },
  isMasked: false,
  bases: [
    ['OW', { en: 'Ordinary wages', he: 'שכר רגיל (OW)' }],
    ['AW', { en: 'Additional wages', he: 'שכר נוסף (AW)' }],
  ],
  monthlyHours: null,
  foot: {
    en: 'Itemised payslip by the Employment Act 1968, section 96.',
    he: 'תלוש מפורט לפי סעיף 96 ל-Employment Act 1968.',
  },
}

import type { Language } from '../../../../core/values/language.ts'
import type { Country } from '../../../../countries/country.ts'

/** What payslips of a country print beside what is common to all: the law of each demands other things. */
type CountryPrint = {
  /** The label of the identity number. */
  idNumber: Record<Language, string>
  /** How much of the identity number and of bank accounts is printed. */
  isMasked: boolean
  /** Bases that are printed, by their name. */
  bases: readonly [name: string, label: Record<Language, string>][]
  /** Hours of a full month, where possible days and hours and the hourly rate are printed. */
  monthlyHours?: number
  /** The sentence that says by which law the payslip is given. */
  foot: Record<Language, string>
}

export const countryPrints: Record<Country['code'], CountryPrint> = {
  IL: {
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
  },
  SG: {
    idNumber: { en: 'NRIC / FIN', he: 'NRIC / FIN' },
    isMasked: false,
    bases: [
      ['OW', { en: 'Ordinary wages', he: 'שכר רגיל (OW)' }],
      ['AW', { en: 'Additional wages', he: 'שכר נוסף (AW)' }],
    ],
    foot: {
      en: 'Itemised payslip by the Employment Act 1968, section 96.',
      he: 'תלוש מפורט לפי סעיף 96 ל-Employment Act 1968.',
    },
  },
  US: {
    idNumber: { en: 'SSN', he: 'SSN' },
    isMasked: true,
    bases: [
      ['FIT_WAGES', { en: 'Federal taxable wages', he: 'שכר חייב במס פדרלי' }],
      ['SS_WAGES', { en: 'Social Security wages', he: 'שכר לביטוח סוציאלי' }],
      ['MED_WAGES', { en: 'Medicare wages', he: 'שכר למדיקר' }],
    ],
    foot: {
      en: 'Itemized wage statement.',
      he: 'תלוש שכר מפורט.',
    },
  },
}

import type { NamedFacts } from '../facts.ts'

export const facts: NamedFacts = {
  name: { en: 'Israel', he: 'ישראל' },
  taxName: { en: 'VAT', he: 'מע״מ' },
  numbers: {
    registration: {
      label: { en: 'Company, partnership or identity number', he: 'ח.פ., מספר שותפות או ת.ז.' },
      hint: null,
    },
    tax: {
      label: { en: 'VAT dealer number', he: 'מספר עוסק מורשה' },
      hint: {
        en: 'Needed only if it differs from the number above, or for an authorised dealer. An exempt dealer has none.',
        he: 'רק אם הוא שונה מהמספר שלמעלה, או לעוסק מורשה. לעוסק פטור אין.',
      },
    },
    customer: { label: { en: 'Company or identity number', he: 'ח.פ., ע.מ. או ת.ז.' }, hint: null },
  },
  timezones: ['Asia/Jerusalem', 'Asia/Tel_Aviv'],
  taxCategories: [
    { code: 'STANDARD', name: { en: 'Taxable', he: 'חייב במע״מ' } },
    { code: 'ZERO_RATE', name: { en: 'Zero rate', he: 'שיעור אפס' } },
    { code: 'EXEMPT', name: { en: 'Exempt', he: 'פטור ממע״מ' } },
  ],
  payFields: [
    'creditPoints', 'hasTaxForm', 'fixedTaxRate', 'insuranceCategory', 'pensionRate', 'pensionEmployerRate', 'severanceRate',
    'studyFundRate', 'studyFundEmployerRate', 'studyFundCeiling', 'insuredWage', 'benefitsInKind', 'positionPercent',
    'workDaysPerWeek',
  ], // biome-ignore format: a list of words
  bankAccountFields: ['localBankCode', 'branchCode', 'accountNumber'],
  einvoiceFormats: ['ubl', 'cii', 'facturx'],
  allocationNumbers: true,
  withholdsAtPayment: true,
}

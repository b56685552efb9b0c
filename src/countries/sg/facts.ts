import type { NamedFacts } from '../facts.ts'

export const facts: NamedFacts = {
  name: { en: 'Singapore', he: 'סינגפור' },
  taxName: { en: 'GST', he: 'GST' },
  numbers: {
    registration: { label: { en: 'UEN', he: 'UEN' }, hint: null },
    tax: {
      label: { en: 'GST registration number', he: 'מספר רישום GST' },
      hint: {
        en: 'Leave it empty if the organization is not registered for GST.',
        he: 'השאירו ריק אם הארגון אינו רשום ל־GST.',
      },
    },
    customer: { label: { en: 'UEN', he: 'UEN' }, hint: null },
  },
  timezones: ['Asia/Singapore'],
  taxCategories: [
    { code: 'SR', name: { en: 'Standard-rated', he: 'בשיעור רגיל' } },
    { code: 'ZR', name: { en: 'Zero-rated', he: 'בשיעור אפס' } },
    { code: 'ES33', name: { en: 'Exempt', he: 'פטור' } },
    { code: 'OS', name: { en: 'Out of scope', he: 'מחוץ לתחולה' } },
  ],
  payFields: [
    'residencyStatus', 'residencySince', 'cpfRates', 'raceFund', 'raceFundAmount', 'mosqueFund', 'mosqueFundAmount', 'workPass',
    'levy',
  ], // biome-ignore format: a list of words
  bankAccountFields: ['accountNumber', 'swiftCode'],
  einvoiceFormats: ['ubl', 'pint', 'cii', 'facturx'],
  allocationNumbers: false,
  withholdsAtPayment: false,
}

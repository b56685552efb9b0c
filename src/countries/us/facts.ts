import type { NamedFacts } from '../facts.ts'

export const facts: NamedFacts = {
  name: { en: 'the United States', he: 'ארצות הברית' },
  taxName: { en: 'sales tax', he: 'מס מכירה' },
  numbers: {
    registration: { label: { en: 'State registration number', he: 'מספר רישום במדינה' }, hint: null },
    tax: {
      label: { en: 'EIN', he: 'EIN' },
      hint: {
        en: 'Printed on documents. Never a social security number.',
        he: 'מודפס על מסמכים. לא מספר ביטוח לאומי.',
      },
    },
    customer: { label: { en: 'EIN or registration number', he: 'EIN או מספר רישום' }, hint: null },
  },
  timezones: ['America/', 'Pacific/Honolulu', 'US/'],
  taxCategories: [],
  payFields: [
    'filingStatus', 'multipleJobs', 'dependentsCredit', 'otherIncome', 'deductions', 'extraWithholding', 'allowances',
    'taxExempt', 'nonresidentAlien', 'state', 'stateRate', 'stateTaxAmount', 'localRate', 'unemploymentRate',
    'unemploymentWageBase', 'pretaxBenefits', 'retirementDeferral',
  ], // biome-ignore format: a list of words
  bankAccountFields: ['routingNumber', 'accountNumber'],
  einvoiceFormats: ['ubl', 'cii', 'facturx'],
  allocationNumbers: false,
  withholdsAtPayment: false,
}

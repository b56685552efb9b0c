import type { Language } from '../../core/values/language.ts'
import type { Country } from '../country.ts'
import { rowOn } from '../dated.ts'
import { amountsIn, taxByRate, unusualRates } from '../tax.ts'
import { accounts } from './accounts.ts'
import { bankAccountWarnings } from './documents/bank.ts'
import { cashWarnings } from './documents/cash.ts'
import {
  contentWarnings,
  issuerWarnings,
  needsAllocationNumber,
  purchaseWarnings,
  turnoverWarnings,
} from './documents/contents.ts'
import { backdatedDays } from './documents/dates.ts'
import { einvoices } from './documents/einvoices.ts'
import { customerNumbers, isRegistered, issuerNumbers, numberProblem } from './documents/numbers.ts'
import { taxCategoryOf } from './documents/tax-categories.ts'
import { numberedAs, officialCode, titleOf, wordings } from './documents/titles.ts'
import { facts } from './facts.ts'
import { integration } from './integration.ts'
import { payroll } from './payroll/payroll.ts'
import { payslip } from './payroll/payslip.ts'
import { vatRates } from './rates.ts'
import { withholdingWarnings } from './withholding.ts'

const taxRateOn = (day: string) => rowOn(vatRates, day)?.percent

export const il: Country = {
  code: 'IL',
  currency: 'ILS',
  timezone: 'Asia/Jerusalem',
  facts,
  accounts,
  rateSource: 'BOI',
  taxPeriodMonths: 2, // bi-monthly; monthly above a turnover of about 1.5 million
  taxesAdvances: true,
  integration,
  documents: {
    languages: ['he', 'en'],
    paper: 'a4',
    showDay: (day) => day.split('-').reverse().join('/'),
    symbolOnAmounts: false,
    taxName: (language) => ({ he: 'מע"מ', en: 'VAT' })[language],
    taxCategoryOf,
    taxRateOn,
    taxOn: taxByRate,
    cashUnitMinor: 10n, // the coin of 5 agorot was withdrawn
    // A receipt confirms a payment; the VAT is shown on the tax invoice.
    showsTax: ({ issuer, document }) =>
      document.documentType !== 'RECEIPT' && (isRegistered(issuer) || document.taxMinor > 0n),
    isRegistered,
    titleOf,
    officialCode,
    numberedAs,
    issuerWarnings,
    backdatedDays,
    turnoverWarnings,
    ownRateAt: null,
    ownRateWarnings: null,
    memoFacts: null,
    taxWarnings: ({ document }) => unusualRates(document, { name: 'VAT', standard: taxRateOn(document.issueDate) }),
    contentWarnings,
    needsAllocationNumber,
    wordings,
    issuerNumbers,
    customerNumbers,
    officialNumbers: ({ allocationNumber }, language) =>
      allocationNumber ? [{ label: allocationLabels[language], value: shortNumber(allocationNumber) }] : [],
    references: () => [],
    shipTo: () => [],
    jurisdictions: () => [],
    homeAmounts: ({ issuer, document }) => (isRegistered(issuer) ? amountsIn('ILS', document) : undefined),
  },
  einvoices,
  payroll,
  payslip,
  writing: { dateOrder: 'DMY', firstWeekday: 0, dollar: 'USD', english: 'en-GB' },
  identifiers: { registrationProblem: numberProblem, taxProblem: numberProblem, personProblem: numberProblem },
  deductsInputTax: isRegistered,
  purchaseWarnings,
  withholdingWarnings,
  bankAccountWarnings,
  cashWarnings,
  paymentCode: () => undefined,
}

const allocationLabels: Record<Language, string> = { he: 'מספר הקצאה', en: 'Allocation number (מספר הקצאה)' }

/** The printed and reported part of an allocation number: its last nine digits. */
const shortNumber = (allocationNumber: string) => allocationNumber.replace(/\D/g, '').slice(-9)

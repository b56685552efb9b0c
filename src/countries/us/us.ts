import type { Warning } from '../../core/define/schema.ts'
import { compact } from '../../core/values/compact.ts'
import { noIbans } from '../bank-warnings.ts'
import type { BankNumbers, Country } from '../country.ts'
import { accounts } from './accounts.ts'
import { documents } from './documents/documents.ts'
import { einvoices } from './documents/einvoices.ts'
import { personProblem, registrationProblem } from './documents/numbers.ts'
import { facts } from './facts.ts'
import { payroll } from './payroll/payroll.ts'
import { payslip } from './payroll/payslip.ts'

export const us: Country = {
  code: 'US',
  currency: 'USD',
  timezone: 'America/New_York',
  facts,
  accounts,
  rateSource: 'ECB',
  taxPeriodMonths: 3, // states differ: monthly, quarterly or yearly
  taxesAdvances: false,
  integration: null,
  documents,
  einvoices,
  payroll,
  payslip,
  writing: { dateOrder: 'MDY', firstWeekday: 0, dollar: 'USD', english: 'en-US' },
  // A person without a company pays taxes under a personal number.
  identifiers: { registrationProblem, taxProblem: personProblem, personProblem },
  // Sales tax is a part of the price.
  deductsInputTax: () => false,
  purchaseWarnings: () => [],
  withholdingWarnings: () => [],
  bankAccountWarnings,
  cashWarnings: () => [],
  paymentCode: () => undefined,
}

/** An account number has up to 17 characters. The bank is named by its routing number or, for payments from abroad, its BIC. */
function bankAccountWarnings({ accountNumber, routingNumber, swiftCode, iban }: BankNumbers): Warning[] {
  const warnings = [noIbans(iban, 'The United States')].filter((warning) => warning !== undefined)
  const { length } = compact(accountNumber ?? '')
  if (length > 17) {
    const message = `An account number in the United States has up to 17 characters; this one has ${length}.`
    warnings.push({ code: 'ACCOUNT_NUMBER', path: 'accountNumber', message })
  }
  if (length > 0 && !routingNumber && !swiftCode) {
    const message = 'A payment to an account in the United States needs the routing number of the bank, or its BIC.'
    warnings.push({ code: 'ROUTING_NUMBER_MISSING', path: 'routingNumber', message })
  }
  return warnings
}

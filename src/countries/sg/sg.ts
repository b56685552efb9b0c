import type { Warning } from '../../core/define/schema.ts'
import { digitsWarning, noIbans } from '../bank-warnings.ts'
import type { BankNumbers, Country } from '../country.ts'
import { accounts } from './accounts.ts'
import { documents } from './documents/documents.ts'
import { einvoices } from './documents/einvoices.ts'
import { gstProblem, personProblem, uenProblem } from './documents/numbers.ts'
import { payNowCode } from './documents/paynow.ts'
import { facts } from './facts.ts'
import { integration } from './integration.ts'
import { payroll } from './payroll/payroll.ts'
import { payslip } from './payroll/payslip.ts'

export const sg: Country = {
  code: 'SG',
  currency: 'SGD',
  timezone: 'Asia/Singapore',
  facts,
  accounts,
  rateSource: 'MAS',
  taxPeriodMonths: 3, // GST F5 is quarterly unless the authority agreed on another period
  taxesAdvances: true,
  integration,
  documents,
  einvoices,
  payroll,
  payslip,
  writing: { dateOrder: 'DMY', firstWeekday: 1, dollar: 'SGD', english: 'en-GB' },
  identifiers: { registrationProblem: uenProblem, taxProblem: gstProblem, personProblem },
  deductsInputTax: documents.isRegistered,
  purchaseWarnings: () => [],
  withholdingWarnings: () => [],
  bankAccountWarnings,
  cashWarnings: () => [],
  paymentCode(payment) {
    const text = payNowCode(payment)
    return text === undefined ? undefined : { name: 'PayNow', text }
  },
}

/** Bank of four digits, branch of three. */
function bankAccountWarnings({ localBankCode, branchCode, iban }: BankNumbers): Warning[] {
  return [
    digitsWarning('localBankCode', localBankCode, { name: 'The code of a bank in Singapore', least: 4, most: 4 }),
    digitsWarning('branchCode', branchCode, { name: 'The branch of a bank in Singapore', least: 3, most: 3 }),
    noIbans(iban, 'Singapore'),
  ].filter((warning) => warning !== undefined)
}

import type { Warning } from '../../core/define/schema.ts'
import { compact } from '../../core/values/compact.ts'
import { noIbans } from '../bank-warnings.ts'
import type { BankNumbers, Country } from '../country.ts'
import { documents } from './documents/documents.ts'
import { personProblem, registrationProblem } from './documents/numbers.ts'

export const us: Country = {
  code: 'US',
  currency: 'USD',
  timezone: 'America/New_York',
  documents,
  // Whoever has no company pays taxes under a number of their own.
  identifiers: { registrationProblem, taxProblem: personProblem, personProblem },
  bankAccountDoubts,
  paymentCode: () => undefined,
}

/** An account of up to 17 characters, at a bank that its routing number or, for money from abroad, its BIC names. */
function bankAccountDoubts({ accountNumber, routingNumber, swiftCode, iban }: BankNumbers): Warning[] {
  const doubts = [noIbans(iban, 'The United States')].filter((doubt) => doubt !== undefined)
  const { length } = compact(accountNumber ?? '')
  if (length > 17) {
    const message = `An account number in the United States has up to 17 characters; this one has ${length}.`
    doubts.push({ code: 'ACCOUNT_NUMBER', path: 'accountNumber', message })
  }
  if (length > 0 && !routingNumber && !swiftCode) {
    const message = 'To pay into an account in the United States takes the routing number of the bank, or its BIC.'
    doubts.push({ code: 'ROUTING_NUMBER_MISSING', path: 'routingNumber', message })
  }
  return doubts
}

import type { Warning } from '../../core/schema.ts'
import type { BankNumbers, Country } from '../country.ts'
import { digitsDoubt } from '../digits.ts'
import { documents } from './documents.ts'
import { gstProblem, personProblem, uenProblem } from './numbers.ts'
import { payNowCode } from './paynow.ts'

export const sg: Country = {
  code: 'SG',
  currency: 'SGD',
  timezone: 'Asia/Singapore',
  documents,
  identifiers: { registrationProblem: uenProblem, taxProblem: gstProblem, personProblem },
  bankAccountDoubts,
  paymentCode: payNowCode,
}

/** Bank of four digits, branch of three. */
function bankAccountDoubts({ localBankCode, branchCode }: BankNumbers): Warning[] {
  return [
    digitsDoubt('localBankCode', localBankCode, { name: 'The code of a bank in Singapore', least: 4, most: 4 }),
    digitsDoubt('branchCode', branchCode, { name: 'The branch of a bank in Singapore', least: 3, most: 3 }),
  ].filter((doubt) => doubt !== undefined)
}

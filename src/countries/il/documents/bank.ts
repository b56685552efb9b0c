import type { Warning } from '../../../core/define/schema.ts'
import { compact } from '../../../core/values/compact.ts'
import { digitsWarning } from '../../bank-warnings.ts'
import type { BankNumbers } from '../../country.ts'

/** Bank codes have two digits, branches three, accounts up to nine. The IBAN contains all three and must match them. */
export function bankAccountWarnings({ localBankCode, branchCode, accountNumber, iban }: BankNumbers): Warning[] {
  return [
    digitsWarning('localBankCode', localBankCode, { name: 'The code of an Israeli bank', least: 1, most: 2 }),
    digitsWarning('branchCode', branchCode, { name: 'The branch of an Israeli bank', least: 1, most: 3 }),
    digitsWarning('accountNumber', accountNumber, { name: 'An account number in Israel', least: 1, most: 9 }),
    iban?.trim() && !compact(iban).startsWith('IL')
      ? { code: 'IBAN', path: 'iban', message: 'The IBAN of an account in Israel begins with IL.' }
      : undefined,
    differs({ localBankCode, branchCode, accountNumber }, iban)
      ? { code: 'IBAN_DIFFERS', path: 'iban', message: 'The IBAN belongs to another bank, branch or account.' }
      : undefined,
  ].filter((warning) => warning !== undefined)
}

/** IL, two check digits, then bank 3, branch 3 and account 13. */
function differs(local: Pick<BankNumbers, 'localBankCode' | 'branchCode' | 'accountNumber'>, iban: string | null) {
  const parts = /^IL\d\d(?<bank>\d{3})(?<branch>\d{3})(?<account>\d{13})$/.exec(compact(iban ?? ''))?.groups
  if (!parts) return false
  const isDifferent = (given: string | null, inIban: string | undefined) => {
    const digits = compact(given ?? '')
    return /^\d+$/.test(digits) && inIban !== undefined && Number(digits) !== Number(inIban)
  }
  const { localBankCode, branchCode, accountNumber } = local
  return (
    isDifferent(localBankCode, parts.bank) ||
    isDifferent(branchCode, parts.branch) ||
    isDifferent(accountNumber, parts.account)
  )
}

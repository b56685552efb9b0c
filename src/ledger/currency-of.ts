import { invalid } from '../core/define/failure.ts'
import { isCurrency } from '../core/values/currency.ts'

/** The code of the currency that a text names. */
export function currencyOf(text: string, field = 'currency'): string {
  const code = text.trim().toUpperCase()
  if (!isCurrency(code)) throw invalid(field, `${text} is not a currency; give a code such as USD.`)
  return code
}

import { data } from 'currency-codes'

// Whether this is the ISO 4217 code of a currency, in capital letters.
export const isCurrency = (code: string): boolean => codes.has(code)

// A known code in capital letters; other text is returned unchanged.
export function toCurrencyCode(text: string): string {
  const code = text.trim().toUpperCase()
  return isCurrency(code) ? code : text
}

const codes = new Set(data.map((currency) => currency.code))
codes.add('XCG') // The Caribbean guilder replaced ANG in 2025; the package's list is of June 2024.
codes.delete('XTS') // For tests.
codes.delete('XXX') // No currency.

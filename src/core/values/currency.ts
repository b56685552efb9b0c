import { data } from 'currency-codes'

// An ISO 4217 code in capitals that can stand on an amount.
export const isCurrency = (code: string): boolean => codes.has(code)

// Known codes in capitals; what is none stays as it was written.
export function toCurrencyCode(text: string): string {
  const code = text.trim().toUpperCase()
  return isCurrency(code) ? code : text
}

const codes = new Set(data.map((currency) => currency.code))
codes.add('XCG') // The Caribbean guilder replaced ANG in 2025; the package's list is of June 2024.
codes.delete('XTS') // For tests.
codes.delete('XXX') // No currency.

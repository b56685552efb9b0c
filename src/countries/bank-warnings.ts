import type { Warning } from '../core/define/schema.ts'
import { compact } from '../core/values/compact.ts'

/** A warning about a number that must have between `least` and `most` digits and nothing else. An empty number is fine. */
export function digitsWarning(
  path: string,
  text: string | null,
  { name, least, most }: { name: string; least: number; most: number },
): Warning | undefined {
  const number = compact(text ?? '')
  if (number === '' || (/^\d+$/.test(number) && number.length >= least && number.length <= most)) return undefined
  const code = path.replace(/[A-Z]/g, '_$&').toUpperCase()
  const count = least === most ? `${most} digits` : `${least === 1 ? 'up to' : `${least} to`} ${most} digits`
  return {
    code,
    path,
    message: `${name} has ${count}; this one has ${number.length} characters or is not only digits.`,
  }
}

export const noIbans = (iban: string | null, country: string): Warning | undefined =>
  iban?.trim()
    ? { code: 'IBAN', path: 'iban', message: `${country} has no IBANs; please give the account number instead.` }
    : undefined

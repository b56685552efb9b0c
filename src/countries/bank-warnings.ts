import type { Warning } from '../core/define/schema.ts'
import { compact } from '../core/values/compact.ts'

/** The doubt about a number that should have so many digits and nothing else; what was not given is no doubt. */
export function digitsWarning(
  path: string,
  text: string | null,
  { name, least, most }: { name: string; least: number; most: number },
): Warning | undefined {
  const number = compact(text ?? '')
  if (number === '' || (/^\d+$/.test(number) && number.length >= least && number.length <= most)) return undefined
  const code = path.replace(/[A-Z]/g, '_$&').toUpperCase()
  const count = least === most ? `${most} digits` : `${least === 1 ? 'up to' : `${least} to`} ${most} digits`
  return { code, path, message: `${name} has ${count}; this is ${number.length} characters long or not digits.` }
}

export const noIbans = (iban: string | null, country: string): Warning | undefined =>
  iban?.trim()
    ? { code: 'IBAN', path: 'iban', message: `${country} has no IBANs; please give the account number instead.` }
    : undefined

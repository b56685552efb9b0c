import { compact } from '../../../core/values/compact.ts'
import type { Customer, Issuer, LabelledNumber } from '../../country.ts'

/** Checks an employer identification number. It has no check digit, but only some prefixes are in use. The list grows. */
export function einProblem(text: string): string | undefined {
  const ein = compact(text)
  if (!/^\d{9}$/.test(ein)) return 'An EIN has 9 digits, such as 12-3456789.'
  if (!einPrefixes.test(ein))
    return `No EIN is known to begin with ${ein.slice(0, 2)}; please compare it with the IRS notice.`
  return undefined
}

// IRS, how EINs are assigned.
const einPrefixes = /^(0[1-6]|1[0-6]|2[0-7]|3\d|4[0-8]|5\d|6[0-8]|7[1-7]|8[0-8]|9[0-58-9])/

/** A company may use a state number instead, which can have any format: only a number that looks like an EIN is checked. */
export const registrationProblem = (text: string): string | undefined =>
  /^\d{2}-\d*$|^\d{9}$/.test(text.trim()) ? einProblem(text) : undefined

/** Checks the number of a person: social security, taxpayer or adoption number, or the EIN of a sole proprietor. */
export function personProblem(text: string): string | undefined {
  const number = compact(text)
  if (!/^\d{9}$/.test(number)) return 'A taxpayer number has 9 digits.'
  const mayBeEin = !/^\d{3}-\d{2}-\d{4}$/.test(text.trim())
  const isValid = isSsn(number) || isItin(number) || (mayBeEin && einProblem(number) === undefined)
  return isValid ? undefined : 'This is not a valid taxpayer number; please compare it with the card or the form W-9.'
}

const isSsn = (number: string) => /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(number)

/** A number with 93 in the middle is an adoption taxpayer number. */
const isItin = (number: string) => /^9\d{2}(5\d|6[0-5]|7\d|8[0-8]|9[0-24-9]|93)\d{4}$/.test(number)

/**
 * A tax number in the format of a social security number belongs to a person and is never printed; neither are nine digits that
 * no EIN begins with.
 */
export function issuerNumbers({ taxNumber }: Issuer): LabelledNumber[] {
  const text = taxNumber?.trim() ?? ''
  const isEin = /^\d{2}-\d{7}$/.test(text) || (/^\d{9}$/.test(text) && einProblem(text) === undefined)
  return isEin ? [{ label: 'EIN', value: shown(compact(text)) }] : []
}

/** Of the number of a person only the last four digits are printed. API fields have it in full. */
export function customerNumbers({ registrationNumber, kind }: Customer): LabelledNumber[] {
  if (!registrationNumber) return []
  if (kind === 'INDIVIDUAL' || isSsnText(registrationNumber))
    return [{ label: 'Tax ID', value: masked(registrationNumber) }]
  const number = compact(registrationNumber)
  return /^\d{9}$/.test(number)
    ? [{ label: 'EIN', value: shown(number) }]
    : [{ label: 'Registration No.', value: registrationNumber }]
}

/** Whether a number is written as a social security number. */
export const isSsnText = (text: string): boolean => /^\d{3}[-\s]\d{2}[-\s]\d{4}$/.test(text.trim())

export function masked(text: string): string {
  const number = compact(text)
  return `***-**-${number.length > 4 ? number.slice(-4) : '****'}`
}

const shown = (ein: string) => `${ein.slice(0, 2)}-${ein.slice(2)}`

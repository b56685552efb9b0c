import { compact } from '../../../core/values/compact.ts'
import type { Customer, Issuer, LabelledNumber } from '../../country.ts'

/** The employer identification number: no check digit, but only some prefixes were ever given out. The list grows. */
export function einProblem(text: string): string | undefined {
  const ein = compact(text)
  if (!/^\d{9}$/.test(ein)) return 'An EIN has 9 digits, such as 12-3456789.'
  if (!einPrefixes.test(ein))
    return `No EIN was seen to begin with ${ein.slice(0, 2)}; please compare it with the notice.`
  return undefined
}

// IRS, how EINs are assigned.
const einPrefixes = /^(0[1-6]|1[0-6]|2[0-7]|3\d|4[0-8]|5\d|6[0-8]|7[1-7]|8[0-8]|9[0-58-9])/

/** A company may be known by the number of its state instead, which has letters or any form: only what looks like an EIN is checked. */
export const registrationProblem = (text: string): string | undefined =>
  /^\d{2}-\d*$|^\d{9}$/.test(text.trim()) ? einProblem(text) : undefined

/** Of a person: social security, taxpayer or adoption number; or an EIN, which the business of a person may have. */
export function personProblem(text: string): string | undefined {
  const number = compact(text)
  if (!/^\d{9}$/.test(number)) return 'A taxpayer number has 9 digits.'
  const mayBeEin = !/^\d{3}-\d{2}-\d{4}$/.test(text.trim())
  const isOne = isSsn(number) || isItin(number) || (mayBeEin && einProblem(number) === undefined)
  return isOne ? undefined : 'No such taxpayer number is given out; please compare it with the card or the form W-9.'
}

const isSsn = (number: string) => /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(number)

/** With 93 in the middle it is that of a child being adopted. */
const isItin = (number: string) => /^9\d{2}(5\d|6[0-5]|7\d|8[0-8]|9[0-24-9]|93)\d{4}$/.test(number)

/** A tax number written as a social security number is a person's and is never printed. */
export const issuerNumbers = ({ taxNumber }: Issuer): LabelledNumber[] =>
  taxNumber && /^\d{2}-?\d{7}$/.test(taxNumber.trim()) ? [{ label: 'EIN', value: shown(compact(taxNumber)) }] : []

export function customerNumbers({ registrationNumber, kind }: Customer): LabelledNumber[] {
  if (!registrationNumber) return []
  const number = compact(registrationNumber)
  if (!/^\d{9}$/.test(number)) return [{ label: 'Registration No.', value: registrationNumber }]
  const isPerson = kind === 'INDIVIDUAL' || /^\d{3}-\d{2}-\d{4}$/.test(registrationNumber.trim())
  return isPerson
    ? [{ label: 'Tax ID', value: `***-**-${number.slice(-4)}` }]
    : [{ label: 'EIN', value: shown(number) }]
}

const shown = (ein: string) => `${ein.slice(0, 2)}-${ein.slice(2)}`

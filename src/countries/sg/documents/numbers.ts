import { compact } from '../../../core/values/compact.ts'
import type { Customer, Issuer, LabelledNumber } from '../../country.ts'

/** Checks a unique entity number. ACRA publishes no rule for its check letter; this one fits the published numbers. */
export function uenProblem(text: string): string | undefined {
  const uen = compact(text)
  const form = forms.find(({ pattern }) => pattern.test(uen))
  if (!form)
    return 'A UEN is 8 digits and a letter, a year with 5 digits and a letter, or such as T08GA0028A; this number is none of these.'
  const { weights, letters, alphabet, shift } = form
  const sum = weights.reduce((total, weight, at) => total + weight * alphabet.indexOf(uen.charAt(at)), 0)
  if (letters.charAt((sum + shift) % 11) !== uen.slice(-1))
    return 'The check letter of the UEN does not match; please compare it with the business profile.'
  return undefined
}

const entityTypes =
  'CC|CD|CH|CL|CM|CP|CS|CX|DP|FB|FC|FM|FN|GA|GB|GS|HS|LL|LP|MB|MC|MD|MH|MM|MQ|NB|NR|PA|PB|PF|RF|RP|SM|SS|TC|TU|VH|XL'
const digits = '0123456789'
const otherLetters = 'ABCDEFGHJKLMNPQRSTUVWX0123456789'

const forms = [
  {
    pattern: /^\d{8}[A-Z]$/, // a business
    weights: [10, 4, 9, 3, 8, 2, 7, 1],
    letters: 'XMKECAWLJDB',
    alphabet: digits,
    shift: 0,
  },
  {
    pattern: /^(1[89]|20)\d{2}\d{5}[A-Z]$/, // a company, with the year it was founded in
    weights: [10, 8, 6, 4, 9, 7, 5, 3, 1],
    letters: 'ZKCMDNERGWH',
    alphabet: digits,
    shift: 0,
  },
  {
    pattern: new RegExp(`^[RST]\\d{2}(${entityTypes})\\d{4}[A-Z0-9]$`), // other entities
    weights: [4, 3, 5, 3, 10, 2, 2, 5, 7],
    letters: otherLetters,
    alphabet: otherLetters,
    shift: 6, // minus five, modulo 11
  },
] as const

/** Checks the number of a person: S and T for citizens and permanent residents, F, G and M for foreigners. */
export function nricProblem(text: string): string | undefined {
  const nric = compact(text)
  if (!/^[STFGM]\d{7}[A-Z]$/.test(nric)) return 'An NRIC or FIN is a letter, 7 digits and a letter, such as S1234567D.'
  const first = nric.charAt(0)
  const sum = [2, 7, 6, 5, 4, 3, 2].reduce((total, weight, at) => total + weight * Number(nric.charAt(at + 1)), 0)
  const { added, letters } = nricLetters(first)
  if (letters.charAt((sum + added) % 11) !== nric.slice(-1))
    return 'The check letter of the NRIC or FIN does not match.'
  return undefined
}

function nricLetters(first: string): { added: number; letters: string } {
  if (first === 'M') return { added: 3, letters: 'XWUTRQPNJLK' } // foreigners since 2022
  const added = first === 'T' || first === 'G' ? 4 : 0
  return { added, letters: first === 'S' || first === 'T' ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK' }
}

/** Checks a GST number: its own format, such as M2-1234567-K or M90364879X, or the UEN. */
export const gstProblem = (text: string): string | undefined =>
  isGstNumber(text) ? undefined : uenProblem(text) && 'A GST number is such as M90364879X, or the UEN; this is neither.'

/** Checks the number of a person or a sole proprietor. */
export const personProblem = (text: string): string | undefined =>
  uenProblem(text) === undefined ? undefined : nricProblem(text)

export const isRegistered = ({ taxNumber }: Issuer): boolean => Boolean(taxNumber)

export function issuerNumbers({ registrationNumber, taxNumber }: Issuer): LabelledNumber[] {
  const numbers: LabelledNumber[] = []
  if (taxNumber) numbers.push({ label: 'GST Reg. No.', value: taxNumber })
  const same = taxNumber && registrationNumber && compact(taxNumber) === compact(registrationNumber)
  if (registrationNumber && !same) numbers.push({ label: 'UEN', value: registrationNumber })
  return numbers
}

/** Only the last three digits and the letter of a person's number are shown (Personal Data Protection Act). */
export function customerNumbers({ registrationNumber }: Customer): LabelledNumber[] {
  if (!registrationNumber) return []
  const isPerson = /^[STFGM]\d{7}[A-Z]$/.test(compact(registrationNumber))
  return isPerson
    ? [{ label: 'NRIC/FIN', value: `*****${compact(registrationNumber).slice(-4)}` }]
    : [{ label: isGstNumber(registrationNumber) ? 'GST Reg. No.' : 'UEN', value: registrationNumber }]
}

export const isGstNumber = (text: string) => /^M[0-9A-Z]\d{7}[0-9A-Z]$/.test(compact(text))

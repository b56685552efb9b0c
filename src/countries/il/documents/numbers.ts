import { compact } from '../../../core/values/compact.ts'
import type { Language } from '../../../core/values/language.ts'
import type { Customer, Issuer, LabelledNumber } from '../../country.ts'

/**
 * Checks an Israeli number. Persons, companies, dealers, non-profits and partnerships share one format: nine digits with
 * leading zeros. The digits times 1, 2, 1, 2 …, with the digits of each product added, sum up to a multiple of ten.
 */
export function numberProblem(text: string): string | undefined {
  const number = compact(text)
  if (!/^[0-9]+$/.test(number)) return 'An Israeli number has digits only.'
  if (number.length > 9) return `An Israeli number has 9 digits; this one has ${number.length}.`
  if (/^0+$/.test(number)) return 'An Israeli number is not all zeros.'
  if (!hasCheckDigit(number.padStart(9, '0'))) {
    return 'The check digit of the Israeli number does not match; please compare it with the certificate.'
  }
  return undefined
}

function hasCheckDigit(number: string): boolean {
  const products = [...number].map((digit, at) => Number(digit) * (1 + (at % 2)))
  return products.reduce((sum, product) => sum + (product > 9 ? product - 9 : product), 0) % 10 === 0
}

type Holder = 'company' | 'partnership' | 'non-profit' | 'person'

/** The kind of holder, by the first digits of the number. */
export function holderOf(text: string | null): Holder {
  const start = compact(text ?? '')
    .padStart(9, '0')
    .slice(0, 2)
  if (['50', '51', '52', '56', '57'].includes(start)) return 'company'
  if (['53', '54', '55'].includes(start)) return 'partnership'
  return start === '58' ? 'non-profit' : 'person'
}

/** A company or partnership is always a registered dealer, under its own number; others need a VAT number. */
export const isRegistered = ({ registrationNumber, taxNumber }: Issuer): boolean =>
  Boolean(taxNumber) || ['company', 'partnership'].includes(holderOf(registrationNumber))

export function issuerNumbers(issuer: Issuer, language: Language): LabelledNumber[] {
  const own = issuer.registrationNumber || issuer.taxNumber
  if (!own) return []
  const { taxNumber } = issuer
  const holder = holderOf(own)
  if (holder === 'person') {
    const label = isRegistered(issuer) ? labels.authorised : labels.exempt
    return [{ label: label[language], value: shown(taxNumber || own) }]
  }
  const numbers = [{ label: labels[holder][language], value: shown(own) }]
  const second = taxNumber && compact(taxNumber) !== compact(own)
  return second ? [...numbers, { label: labels.authorised[language], value: shown(taxNumber) }] : numbers
}

export function customerNumbers({ registrationNumber, kind }: Customer, language: Language): LabelledNumber[] {
  if (!registrationNumber) return []
  const holder = holderOf(registrationNumber)
  const label = holder !== 'person' ? labels[holder] : kind === 'INDIVIDUAL' ? labels.identity : labels.dealer
  return [{ label: label[language], value: shown(registrationNumber) }]
}

/** All nine digits, as the authority prints them. Other texts are returned as they are. */
const shown = (text: string): string => (/^[0-9]{1,9}$/.test(compact(text)) ? compact(text).padStart(9, '0') : text)

const labels = {
  company: { he: 'ח.פ.', en: 'Company No.' },
  partnership: { he: 'שותפות מס׳', en: 'Partnership No.' },
  'non-profit': { he: 'עמותה מס׳', en: 'Non-profit No.' },
  authorised: { he: 'עוסק מורשה', en: 'Authorised dealer No.' },
  exempt: { he: 'עוסק פטור', en: 'Exempt dealer No.' },
  identity: { he: 'ת.ז.', en: 'ID No.' },
  dealer: { he: 'עוסק מס׳', en: 'Dealer No.' },
}

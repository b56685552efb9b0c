import { compact } from '../../../core/values/compact.ts'
import { toMajor } from '../../../core/values/money.ts'
import type { CodedPayment } from '../../country.ts'
import { uenProblem } from './numbers.ts'

/**
 * The content of a PayNow QR code: fields with an id, a length and a value, as EMVCo defines them for codes shown by the
 * payee. PayNow transfers Singapore dollars only, here to the UEN of the issuer.
 */
export function payNowCode({ issuer, currency, amountMinor, reference, until }: CodedPayment): string | undefined {
  const uen = compact(issuer.registrationNumber ?? '')
  if (currency !== 'SGD' || uenProblem(uen) !== undefined) return undefined
  const isOpen = amountMinor === undefined
  const [name, quoted] = [plain(issuer.name), plain(reference ?? '')]
  const payee = [
    field('00', 'SG.PAYNOW'),
    field('01', '2'), // the payee is identified by a UEN
    field('02', uen),
    field('03', isOpen ? '1' : '0'), // whether the payer may change the amount
    until ? field('04', until.replaceAll('-', '')) : '',
  ]
  const content = [
    field('00', '01'),
    field('01', isOpen ? '11' : '12'), // reusable, or for one payment
    field('26', payee.join('')),
    field('52', '0000'),
    field('53', '702'), // SGD in ISO 4217
    isOpen ? '' : field('54', toMajor(amountMinor, 'SGD').toFixed(2)),
    field('58', 'SG'),
    field('59', name || uen), // the name is in a script that cannot be coded
    field('60', 'Singapore'),
    quoted ? field('62', field('01', quoted)) : '',
    '6304', // the checksum covers its own number and length
  ].join('')
  return content + checksum(content)
}

const field = (id: string, value: string): string => id + String(value.length).padStart(2, '0') + value

/**
 * At most 25 ASCII characters, the only ones that EMVCo allows here: accents are dropped, other scripts with the brackets
 * around them. Empty if no letter or digit is left.
 */
function plain(text: string): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/[ĐđØøŁłßÆæŒœ]/g, (letter) => letters[letter] ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/\(\s*\)|\[\s*\]/g, '')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, 25)
    .trim()
  return /[A-Za-z0-9]/.test(ascii) ? ascii : ''
}

/** Letters that Unicode does not decompose. */
const letters: Record<string, string> = {
  Đ: 'D', đ: 'd', Ø: 'O', ø: 'o', Ł: 'L', ł: 'l', ß: 'ss', Æ: 'AE', æ: 'ae', Œ: 'OE', œ: 'oe',
} // biome-ignore format: a list of letters

/** CRC-16/CCITT-FALSE. */
export function checksum(text: string): string {
  let rest = 0xffff
  for (const letter of text) {
    rest ^= letter.charCodeAt(0) << 8
    for (let bit = 0; bit < 8; bit += 1) rest = ((rest << 1) ^ (rest & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return rest.toString(16).toUpperCase().padStart(4, '0')
}

import { compact } from './compact.ts'
import { countryName, isCountry } from './country-names.ts'

// Each function returns the problem of an identifier as a message for the person who typed it, or undefined.

// ISO 13616.
export function ibanProblem(text: string): string | undefined {
  const iban = compact(text)
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]+$/.test(iban)) {
    return 'An IBAN begins with two letters and two digits, such as IL62, and goes on in letters and digits.'
  }
  const code = iban.slice(0, 2)
  if (!isCountry(code)) return `The IBAN begins with ${code}, which is not a country.`
  const length = ibanLengths.get(code)
  if (length === undefined)
    return `${countryName(code)} has no IBANs of its own; please give the account number instead.`
  if (iban.length !== length)
    return `An IBAN that begins with ${code} has ${length} characters; this one has ${iban.length}.`
  if (!checks(iban)) return "The IBAN's check digits do not match; please compare it with the bank's letter."
  return undefined
}

// ISO 9362. The institution may have digits since 2014.
export function bicProblem(text: string): string | undefined {
  const bic = compact(text)
  if (bic.length !== 8 && bic.length !== 11) return `A BIC has 8 or 11 characters; this one has ${bic.length}.`
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]+$/.test(bic)) {
    return 'A BIC is letters and digits with the country in the fifth and sixth place, such as DBSSSGSG.'
  }
  const code = bic.slice(4, 6)
  if (!isCountry(code)) return `The BIC has ${code} as its country, which is not a country.`
  return undefined
}

// The number the American Bankers Association gives a bank.
export function routingNumberProblem(text: string): string | undefined {
  const number = compact(text)
  if (!/^[0-9]*$/.test(number)) return 'A routing number has digits only.'
  if (number.length !== 9) return `A routing number has 9 digits; this one has ${number.length}.`
  if (!/^(0\d|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)/.test(number)) {
    return `No routing number begins with ${number.slice(0, 2)}; please compare it with a printed check.`
  }
  const sum = [...number].reduce((total, digit, at) => total + Number(digit) * ([3, 7, 1][at % 3] ?? 0), 0)
  if (sum % 10 !== 0) return "The routing number's check digit does not match; please compare it with a printed check."
  return undefined
}

// The first four characters moved to the end, letters counted from A as 10, the number leaves 1 when divided by 97.
function checks(iban: string): boolean {
  let rest = 0
  for (const letter of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(letter, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

// The IBAN registry, release 102 of June 2026. Territories that bank with another country, such as Jersey, use its code.
const ibanLengths = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FI FK FO GL NL SD',
    19: 'MK SI',
    20: 'AT BA EE KZ LT LU MN XK',
    21: 'CH HR LI LV',
    22: 'BG BH CR DE GB GE IE ME RS VA',
    23: 'AE GI IL IQ OM SO TL',
    24: 'AD CZ ES MD PK RO SA SE SK TN VG',
    25: 'LY PT ST',
    26: 'IS TR',
    27: 'BI DJ FR GR IT MC MR SM',
    28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
    29: 'BR EG PS QA UA',
    30: 'JO KW MU YE',
    31: 'MT SC',
    32: 'LC',
    33: 'RU',
  }).flatMap(([length, codes]) => codes.split(' ').map((code) => [code, Number(length)] as const)),
)

// An IBAN in groups of four, as on paper.
export const groupedIban = (iban: string): string => compact(iban).replace(/(.{4})(?=.)/g, '$1 ')

/** What is usual on documents of a place; hints, never rules. The reader knows more places than the books have countries. */
type PlaceHints = {
  currency: string | undefined
  /** What a bare dollar is there; undefined where people have no dollars. */
  dollar: string | undefined
  /** Rates of tax that are usual where no rate is printed. */
  taxRates: readonly number[]
  isMonthFirst: boolean
  cheque: 'CHEQUE' | 'CHECK'
}

const elsewhere: PlaceHints = {
  currency: undefined,
  dollar: undefined,
  taxRates: [],
  isMonthFirst: false,
  cheque: 'CHEQUE',
}

const places: Readonly<Record<string, PlaceHints>> = {
  IL: { ...elsewhere, currency: 'ILS', taxRates: [18, 17] },
  SG: { ...elsewhere, currency: 'SGD', dollar: 'SGD', taxRates: [9, 8, 7] },
  US: { ...elsewhere, currency: 'USD', dollar: 'USD', isMonthFirst: true, cheque: 'CHECK' },
  MY: { ...elsewhere, currency: 'MYR', taxRates: [6, 10, 8] },
}

export const placeHints = (country: string): PlaceHints => places[country] ?? elsewhere

/** By what a document shows that it comes from a place. */
export const signs: readonly { country: string; pattern: RegExp; worth: number }[] = [
  {
    country: 'MY',
    pattern: /\bsdn\.? ?bhd\b|\bmalaysia\b|\bselangor\b|\bkuala lumpur\b|\bjohor\b|\+60/i,
    worth: 2,
  },
  { country: 'MY', pattern: /\bRM ?[0-9]|\bMYR\b|\(RM\)/, worth: 2 },
  { country: 'MY', pattern: /\b(?:jalan|jln|taman|bandar)\b/i, worth: 1 },
  { country: 'SG', pattern: /\bsingapore\b|\bpte\.? ltd\b|\bUEN\b|\bS\$|\bSGD\b|\+65/i, worth: 2 },
  { country: 'IL', pattern: /[א-ת]{3}/, worth: 1 },
  {
    country: 'IL',
    pattern: /₪|\bNIS\b|\bILS\b|\bisrael\b|\btel aviv\b|\bjerusalem\b|\bhaifa\b|בע"מ|מע"מ|\+972/i,
    worth: 2,
  },
  { country: 'US', pattern: /\b[A-Z]{2},? [0-9]{5}(?:-[0-9]{4})?(?![0-9])/, worth: 1.5 },
  {
    country: 'US',
    pattern: /\bsales tax\b|\bUSD\b|\bUS\$|\bU\.?S\.?A\b|\bEIN\b|\bstate tax\b|\b(?:LLC|Inc)\b/i,
    worth: 1.5,
  },
]

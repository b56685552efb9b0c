import { vocabulary } from './data.ts'
import type { Country, Setting } from './types.ts'

// How amounts and days are printed. One receipt prints all of them in one way.

export const currencyOf = { IL: 'ILS', SG: 'SGD', US: 'USD' } as const
const symbols = { IL: '₪', SG: '$', US: '$' }

export type Money = (minor: number) => string

export const decimal = (minor: number) => (minor / 100).toFixed(2)
const separated = (minor: number) => decimal(minor).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** Amounts of the lines are printed without a currency, sums with one where the layout has one. */
export function moneyFor({ layout, country, chance }: Setting): { line: Money; sum: Money } {
  const format = chance.pick(layout.money)
  if (format === 'bare') return { line: bare, sum: bare }
  if (format === 'plain') return { line: decimal, sum: decimal }
  const currency =
    format === 'code' ? currencyOf[country] : country === 'SG' && chance.happens(0.4) ? 'S$' : symbols[country]
  const isAfter = country === 'IL' && chance.happens(0.4)
  const gap = format === 'code' || isAfter || chance.happens(0.2) ? ' ' : ''
  const withCurrency = (minor: number) => {
    const [sign, figure] = [minor < 0 ? '-' : '', separated(Math.abs(minor))]
    return isAfter ? `${sign}${figure}${gap}${currency}` : `${sign}${currency}${gap}${figure}`
  }
  const line = layout.paper.height && format === 'symbol' && chance.happens(0.5) ? withCurrency : separated
  return { line, sum: format === 'separators' ? separated : withCurrency }
}

/** Whole amounts without the minor units. */
const bare = (minor: number) => (minor % 100 === 0 ? String(minor / 100) : decimal(minor))

export type Day = (iso: string) => string

const numeric: Record<Country, string[]> = {
  SG: ['DD/MM/YYYY', 'DD-MM-YYYY', 'DD/MM/YY', 'DD-MM-YY', 'YYYY-MM-DD', 'DD.MM.YYYY'],
  US: ['MM/DD/YYYY', 'M/D/YYYY', 'MM/DD/YY', 'MM-DD-YYYY', 'YYYY-MM-DD'],
  IL: ['DD/MM/YYYY', 'DD/MM/YY', 'DD.MM.YYYY', 'DD.MM.YY', 'DD-MM-YYYY'],
}
const inWords = {
  SG: ['D MMM YYYY', 'DD MMM YYYY', 'D MMMM YYYY', 'DD-MMM-YYYY'],
  US: ['MMM D, YYYY', 'MMMM D, YYYY', 'MMM DD YYYY'],
  IL: ['D MMMM YYYY', 'D MMM YYYY'],
  he: ['D בMMMM YYYY', 'D MMMM YYYY'],
}

export function dayFor({ layout, country, script, chance }: Setting): Day {
  const words = inWords[script === 'he' ? 'he' : country]
  const formats =
    layout.dates === 'words' ? words : layout.dates === 'any' ? [...numeric[country], ...words] : numeric[country]
  const format = chance.pick(!layout.dates && script === 'en' && chance.happens(0.15) ? words : formats)
  const months = vocabulary[script].months ?? []
  return (iso) => {
    const [year = '', month = '', day = ''] = iso.split('-')
    const name = months[Number(month) - 1] ?? ''
    return format.replace(/YYYY|YY|MMMM|MMM|MM|M|DD|D/g, (part) => {
      if (part === 'YYYY') return year
      if (part === 'YY') return year.slice(2)
      if (part === 'MMMM') return name
      if (part === 'MMM') return name.slice(0, 3)
      const figure = part.startsWith('M') ? month : day
      return part.length === 1 ? String(Number(figure)) : figure
    })
  }
}

export const daysAfter = (iso: string, days: number) =>
  new Date(Date.parse(`${iso}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

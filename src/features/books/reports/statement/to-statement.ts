import type { Language } from '../../../../core/values/language.ts'
import { toMajor } from '../../../../core/values/money.ts'
import { methodIn } from '../../../selling/documents/print/words.ts'
import { typeName } from '../../../selling/documents/sending/type-names.ts'
import type { AgedBalance, Balance, EntryRow } from './read-statement.ts'
import type { Entry, InCurrency } from './statement.ts'

type Read = { opening: readonly Balance[]; entries: readonly EntryRow[]; aged: readonly AgedBalance[] }

/** The balances of a customer by currency, with a running balance. */
export function toCurrencies({ opening, entries, aged }: Read, language: Language): InCurrency[] {
  const names = [...new Set([...opening, ...entries, ...aged].map(({ currency }) => currency))].toSorted()
  return names.map((currency) => {
    const major = (minor: number) => toMajor(BigInt(minor), currency)
    const before = sumOf(opening.filter((each) => each.currency === currency))
    const own = entries.filter((each) => each.currency === currency)
    let balance = before
    const shown = own.map(({ currency: _, minor, title, method, ...row }): Entry => {
      balance += minor
      const description = descriptionOf({ ...row, title, method }, language)
      return { ...row, description, amount: major(minor), balance: major(balance) }
    })
    const bucket = (name: AgedBalance['bucket']) =>
      major(sumOf(aged.filter((each) => each.currency === currency && each.bucket === name)))
    return {
      ...{ currency, openingBalance: major(before), entries: shown, closingBalance: major(balance) },
      aging: {
        current: bucket('current'),
        days1To30: bucket('days1To30'),
        days31To60: bucket('days31To60'),
        days61To90: bucket('days61To90'),
        over90: bucket('over90'),
        credits: bucket('credits'),
      },
    }
  })
}

const sumOf = (balances: readonly Balance[]) => balances.reduce((sum, { minor }) => sum + minor, 0)

type Described = Pick<EntryRow, 'kind' | 'documentType' | 'number' | 'title' | 'method'>

/** `Tax Invoice 7`, `Payment, BANK_TRANSFER`, `Cancelled: Payment request 3`. */
function descriptionOf({ kind, documentType, number, title, method }: Described, language: Language): string {
  const document =
    documentType && [title?.[language] ?? typeName(language, documentType), number].filter(Boolean).join(' ')
  const word = words[kind]?.[language]
  if (document) return word ? `${word}: ${document}` : document
  const paidBy = method && (language === 'he' ? methodIn('he', method) : method.replaceAll('_', ' ').toLowerCase())
  return [word, number, paidBy].filter(Boolean).join(', ')
}

const words: Partial<Record<Entry['kind'], Record<Language, string>>> = {
  CANCELLATION: { en: 'Cancelled', he: 'בוטל' },
  CONVERSION: { en: 'Invoiced', he: 'הופקה חשבונית' },
  PAYMENT: { en: 'Payment', he: 'תשלום' },
  PAYMENT_VOIDED: { en: 'Payment voided', he: 'תשלום שבוטל' },
  REFUND: { en: 'Refund', he: 'החזר' },
  REFUND_VOIDED: { en: 'Refund voided', he: 'החזר שבוטל' },
}

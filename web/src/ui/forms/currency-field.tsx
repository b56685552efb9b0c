import { type Language, useLanguage } from '../../words.ts'
import { ChoiceField } from './choice-field.tsx'
import type { At, Said } from './text-field.tsx'

const usual = ['ILS', 'USD', 'SGD', 'EUR', 'GBP', 'AUD', 'CAD', 'CHF', 'JPY', 'HKD', 'INR', 'MYR']

/** Currencies by name in the reader's language, that of the organization first. */
function currencyNames(lang: Language, first: string | undefined): Record<string, string> {
  const names = new Intl.DisplayNames([lang], { type: 'currency' })
  const codes = first ? [first, ...usual] : usual
  return Object.fromEntries(codes.map((code) => [code, `${names.of(code)} (${code})`]))
}

export const CurrencyField = ({
  first,
  ...rest
}: At<string | null | undefined, string> & Said & { first?: string | undefined }) => (
  <ChoiceField {...rest} options={currencyNames(useLanguage(), first)} />
)

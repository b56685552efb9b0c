import { countryNames, today } from '../../shown.tsx'
import { type Language, useLanguage, useWords } from '../../words.ts'
import { countryCodes } from '../forms/countries.ts'
import { Input } from '../forms/field.tsx'
import { Select } from '../forms/select.tsx'
import { paymentMethodWords } from '../values/payment-methods.ts'
import type { SchemaValue } from './schema-form.tsx'
import { schemaWords } from './schema-words.ts'

const currencies = ['ILS', 'USD', 'SGD', 'EUR', 'GBP', 'AUD', 'CAD', 'CHF', 'JPY', 'HKD', 'INR', 'MYR']
const kinds = {
  currency: /(^c|C)urrency$/,
  country: /(^c|C)ountry$/,
  month: /^month$/,
  quarter: /^quarter$/,
  method: /^(paymentM|m)ethod$/,
}

/** Fields whose text is a code: they are chosen by name. */
export const isCoded = (name: string) => Object.values(kinds).some((kind) => kind.test(name))

export function Coded({ each }: { each: SchemaValue }) {
  const say = useWords(schemaWords)
  const lang = useLanguage()
  const methods = useWords(paymentMethodWords)
  const value = typeof each.value === 'string' ? each.value : ''
  if (kinds.month.test(each.name))
    return <Input type="month" value={value} onText={(text) => each.onChange(text || undefined)} />
  const options = Object.entries(namesOf(each.name, lang, value, methods)).map(([code, label]) => ({
    value: code,
    label,
  }))
  return (
    <Select
      value={value || (each.required ? null : none)}
      onChange={(code) => each.onChange(code === none ? undefined : code)}
      options={each.required ? options : [{ value: none, label: say.none }, ...options]}
    />
  )
}
const none = '\u0000'

function namesOf(name: string, lang: Language, value: string, methods: Record<string, string>): Record<string, string> {
  if (kinds.method.test(name)) return value && !(value in methods) ? { [value]: value, ...methods } : methods
  if (kinds.quarter.test(name)) return quarters()
  return kinds.currency.test(name) ? currencyNames(lang, value) : countryNames(lang, countryCodes())
}

/** The quarters of this year and the two before, the newest first. */
function quarters(): Record<string, string> {
  const [year = 0, month = 1] = today().split('-').map(Number)
  const last = year * 4 + Math.ceil(month / 3) - 1
  return Object.fromEntries(
    Array.from({ length: 12 }, (_, back) => {
      const [of, quarter] = [Math.floor((last - back) / 4), ((last - back) % 4) + 1]
      return [`${of}-Q${quarter}`, `Q${quarter} ${of}`]
    }),
  )
}

function currencyNames(lang: Language, own: string): Record<string, string> {
  const names = new Intl.DisplayNames([lang], { type: 'currency' })
  const codes = own && !currencies.includes(own) ? [own, ...currencies] : currencies
  return Object.fromEntries(codes.map((code) => [code, `${names.of(code)} (${code})`]))
}

import { nullable, type Static, Text, Type } from '../core/define/schema.ts'

const InLanguages = Type.Object({ en: Text, he: Text })
const NumberName = Type.Object({ label: InLanguages, hint: nullable(InLanguages) })

/** What people are told of a country: names, and what exists there. The rules are functions of `Country`. */
const named = {
  name: InLanguages,
  taxName: { ...InLanguages, description: 'What the tax on sales is called within a sentence.' },
  numbers: Type.Object(
    { registration: NumberName, tax: NumberName, customer: NumberName },
    { description: 'What the numbers of an organization, and the number of a customer, are called.' },
  ),
  timezones: Type.Array(Text, { description: 'Beginnings of the names of its time zones.' }),
  taxCategories: Type.Array(Type.Object({ code: Text, name: InLanguages }), {
    description: 'The categories that a line may have, the usual one first.',
  }),
  payFields: Type.Array(Text, { description: 'The terms of employment that only its law knows.' }),
  bankAccountFields: Type.Array(Text, { description: 'How an account is named to those who pay into it.' }),
  einvoiceFormats: Type.Array(Text, { description: 'The formats of e-invoices in use.' }),
  allocationNumbers: Type.Boolean({ description: 'Whether the authority gives documents numbers.' }),
  withholdsAtPayment: Type.Boolean({ description: 'Whether customers withhold tax from what they pay.' }),
}
const Named = Type.Object(named)
export type NamedFacts = Static<typeof Named>

/** What the web app is told of a country, so that it names none itself. */
export const CountryFacts = Type.Object({
  code: Text,
  currency: Text,
  timezone: Text,
  ...named,
  bankFormats: Type.Array(Text, { description: 'The layouts of files that its banks take for wages.' }),
  operations: Type.Array(Text, { description: 'The operations that exist for its law alone.' }),
})
export type CountryFacts = Static<typeof CountryFacts>

import type { Language } from '../../../../core/values/language.ts'
import { countries } from '../../../../countries/countries.ts'
import type { CountryCode } from '../../../../countries/country.ts'

/** What a sentence is read with. Everything that depends on the time or the company is given, so that reading is a function. */
export type Surroundings = {
  /** Today in the zone of the organization. */
  today: string
  country: CountryCode
  /** The main currency of the organization. */
  currency: string
  /** The address of the person, for "send me a list every Monday". */
  email?: string
  /** What was understood before in this session, the latest last: "and last year?" continues it. */
  before: readonly Understood[]
  /**
   * The records that the last answers named, the latest answer first and within an answer in the order of its list: "send it to
   * them" means these, and "the second one" the second of them.
   */
  shown: readonly ShownRecord[]
}

/** Whether the tax on sales of the country has this name in English. */
export const isTaxCalled = ({ country }: Pick<Surroundings, 'country'>, name: string): boolean =>
  countries[country].facts.taxName.en === name

/** A record that an answer named. */
export type ShownRecord = { kind: RecordKind; id: string; name: string }

export const recordKinds = [
  'customer', 'supplier', 'document', 'payment', 'expense', 'item', 'order', 'employee', 'payslip', 'automation', 'run', 'category', 'account', 'connection', 'member', 'organization',
] as const // biome-ignore format: a list of words
export type RecordKind = (typeof recordKinds)[number]

/**
 * A record that a sentence names in words: it is looked up before the call, and its id takes the place of this value. `words`
 * are as the person wrote them: a name, a number, or the name of the customer, supplier or employee that it belongs to. Empty
 * words mean any record of the kind, and for `organization` the organization of the session.
 */
export type Named = {
  $named: RecordKind
  words: string
  /** Which one, if there are several: "the last invoice of Dana". */
  which?: 'latest' | 'oldest'
  /** What it must be, as parameters of the list that it is looked up in: `{status: 'DRAFT'}`. */
  where?: Record<string, string>
  /** For a category: if there is none of this name, the list is searched for the words instead. */
  orSearch?: true
  /** If there is none of this name, the field is left out: a category of a new expense. */
  orNone?: true
}

/** What the answer does with the result that no parameter of the tool can: keep, order, add up. */
export type Then = {
  /** Amounts, both included. `over` and `under` leave the amount itself out. */
  atLeast?: number
  atMost?: number
  over?: number
  under?: number
  /** Days, both included: of the issue date for documents, of the payment for payments. */
  from?: string
  to?: string
  first?: number
  order?: 'largest' | 'smallest' | 'newest' | 'oldest'
  /** Only those with this name: a customer in a report, an employee in a summary. */
  name?: string
  /** Only those that this person claims or entered. */
  person?: string
  /** Only this much of an order has come: of each thing so many. */
  parts?: { quantity: number; what: string }[]
  /** Only what is owed, or past its due date, by at least so many days; or due within so many days. */
  open?: true
  overdue?: true
  overdueDays?: number
  dueDays?: number
  /** Only those of this currency. */
  currency?: string
  /** Another time that the figure is compared with. */
  compareFrom?: string
  compareTo?: string
  /** The sum of each month, or the average. */
  byMonth?: true
  average?: true
  /** An amount to be converted by an exchange rate. */
  convert?: { amount: number; from: string; to: string }
  add?: boolean
  /** The lines of the input come after those that the draft has. */
  adds?: true
  count?: boolean
}

/** What one sentence asks for: one call of a tool, and how its answer is told. */
export type Understood = {
  /** The name of the intent, such as `overdue-documents`; the answer is written by it. */
  intent: string
  language: Language
  tool: string
  /** The input of the tool, without organizationId. Values that name a record are `Named`. */
  input: Record<string, unknown>
  /** The same call again with other fields, its results together with the first: documents that are SENT, and UNSENT. */
  also?: Record<string, unknown>[]
  then?: Then
}

/** Why a sentence leads to no call, told to the person: what is missing, or that this cannot be done. */
export type NotUnderstood = {
  intent: 'help' | 'greeting' | 'thanks' | 'missing' | 'cannot' | 'unknown' | 'yes' | 'no'
  language: Language
  /** For `missing`: what to ask for, such as the amount; for `cannot`: what was asked. */
  about?: string
  /** For `missing`: the intent that it is missing for. */
  of?: string
}

import type { Language } from '../../../core/values/language.ts'

/** What a sentence is read with. Everything that depends on the time or the company is given, so that reading is a function. */
export type Surroundings = {
  /** Today in the zone of the organization. */
  today: string
  country: 'IL' | 'SG' | 'US'
  /** The main currency of the organization. */
  currency: string
  /** What was understood before in this session, the latest last: "and last year?" continues it. */
  before: readonly Understood[]
  /** The records that the last answers named, the latest first: "send it to them" means these. */
  shown: readonly ShownRecord[]
}

/** A record that an answer named. */
export type ShownRecord = { kind: RecordKind; id: string; name: string }

export const recordKinds = [
  'customer', 'supplier', 'document', 'payment', 'expense', 'item', 'order', 'employee', 'payslip', 'automation', 'run', 'category', 'account', 'connection', 'member',
] as const // biome-ignore format: a list of words
export type RecordKind = (typeof recordKinds)[number]

/**
 * A record that a sentence names in words: it is looked up before the call, and its id takes the place of this value. `words`
 * are as the person wrote them.
 */
export type Named = { $named: RecordKind; words: string }

/** What one sentence asks for: one call of a tool, and how its answer is told. */
export type Understood = {
  /** The name of the intent, such as `overdue-documents`; the answer is written by it. */
  intent: string
  language: Language
  tool: string
  /** The input of the tool, without organizationId. Values that name a record are `Named`. */
  input: Record<string, unknown>
  /** What the answer does with the result that no parameter of the tool can: keep, order, add up. */
  then?: {
    atLeast?: number
    atMost?: number
    first?: number
    order?: 'largest' | 'smallest' | 'newest' | 'oldest'
    add?: boolean
    count?: boolean
  }
}

/** Why a sentence leads to no call, told to the person: what is missing, or that this cannot be done. */
export type NotUnderstood = {
  intent: 'help' | 'greeting' | 'thanks' | 'missing' | 'cannot' | 'unknown' | 'yes' | 'no'
  language: Language
  /** For `missing`: what to ask for, such as the amount; for `cannot`: what was asked. */
  about?: string
}

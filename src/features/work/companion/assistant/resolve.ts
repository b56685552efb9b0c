import { fitOf, plainName } from '../../../../core/names/names.ts'
import { failureSentence } from './answers/failures.ts'
import { lookUp } from './lookup.ts'
import type { Asked } from './memory.ts'
import { namedIn, replaceAt } from './named.ts'
import { type Steps, type Talk, tryCall } from './talk.ts'
import type { Named, ShownRecord, Understood } from './understood.ts'
import { nouns } from './words/nouns.ts'

/** Replaces the names in what was understood by ids, or asks which record is meant. */

export type Resolved =
  | { understood: Understood; records: ShownRecord[] }
  | { asked: Asked | undefined }
  /** The name is of another kind of record than the sentence was read for: Northwoods is no customer but a supplier. */
  | { other: OtherKind; words: string }

export async function* resolveNames(talk: Talk, understood: Understood): Steps<Resolved> {
  const records: ShownRecord[] = []
  let current = understood
  for (const { path, named } of namedIn(understood.input)) {
    if (named.orSearch && (yield* isInList(talk, named, current))) {
      current = searched(current, path, named.words)
      continue
    }
    const found = yield* lookUp(talk, named, current)
    if ('record' in found) {
      if (found.isGuess) yield* talk.say(guessSentence(talk, named, found.record))
      records.push(found.record)
      current = withId(current, path, found.record.id)
    } else if ('none' in found && named.orSearch) {
      current = searched(current, path, named.words)
    } else if ('none' in found && named.orNone) {
      const { [String(path[0])]: _, ...input } = current.input
      current = { ...current, input }
    } else if ('failed' in found) {
      yield* talk.say(failureSentence(talk, found.failed, ''))
      return { asked: undefined }
    } else if ('several' in found) {
      return { asked: yield* askWhich(talk, { understood: current, path, named, choices: found.several }) }
    } else {
      const other = creates.has(current.tool) ? undefined : yield* otherKind(talk, named)
      if (other) return { other, words: named.words }
      if (isStray(current, path, named)) {
        current = without(current, String(path[0]))
        continue
      }
      return { asked: yield* tellNone(talk, { understood: current, path, named, near: found.near }) }
    }
  }
  return { understood: current, records }
}

/** A small word that was taken for the name of a customer and that nothing has: the list is told without it. */
const isStray = ({ tool }: Understood, path: readonly (string | number)[], { words }: Named): boolean =>
  /_list$/.test(tool) && path.length === 1 && path[0] !== 'id' && /^(\p{Ll}+|[א-ת]+)$/u.test(words)

function without({ input, also, ...rest }: Understood, field: string): Understood {
  const { [field]: _, ...kept } = input
  const others = also?.map((each) => Object.fromEntries(Object.entries(each).filter(([name]) => name !== field)))
  return { ...rest, input: kept, ...(others && { also: others }) }
}

const parties = ['customer', 'supplier', 'employee', 'item'] as const
export type OtherKind = (typeof parties)[number]

/** What else is called so, if the name is of no record of the kind that was looked for. */
async function* otherKind(talk: Talk, { $named: kind, words }: Named): Steps<OtherKind | undefined> {
  if (words === '' || /\d/.test(words) || !named.has(kind)) return undefined
  for (const other of parties) {
    if (other === kind || (kind === 'document' && other === 'customer')) continue
    const found = yield* lookUp(talk, { $named: other, words }, { tool: '', input: {} }, true)
    if (('record' in found && !found.isGuess) || 'several' in found) return other
  }
  const bills = yield* tryCall(talk, 'expenses_list', { search: words, limit: 1 })
  const isVendor = ((bills as { expenses?: unknown[] } | undefined)?.expenses ?? []).length > 0
  return isVendor && kind !== 'supplier' && kind !== 'expense' ? 'supplier' : undefined
}

const named = new Set<Named['$named']>([...parties, 'document', 'expense', 'payslip', 'order'])

/** With the id in place of the name, also where the call is repeated with other fields. */
export function withId(understood: Understood, path: readonly (string | number)[], id: string): Understood {
  const { input, also } = understood
  const isNamed = (each: Understood['input']) => namedIn(each).some((other) => other.path.join() === path.join())
  return {
    ...understood,
    input: replaceAt(input, path, id),
    ...(also && { also: also.map((each) => (isNamed(each) ? replaceAt(each, path, id) : each)) }),
  }
}

/**
 * Whether the list itself has the words of a category: electricity is part of "Rent and utilities", and its bills say so. A
 * category of that very name comes first.
 */
async function* isInList(talk: Talk, { words }: Named, { tool, input }: Understood): Steps<boolean> {
  const categories = yield* tryCall(talk, 'expense_categories_list', {})
  const names = (categories as { categories?: { name: string }[] } | undefined)?.categories ?? []
  if (names.some(({ name }) => ['same', 'close'].includes(fitOf(words, name)))) return false
  const { categoryId: _, ...rest } = input
  const found = yield* tryCall(talk, tool, { ...rest, search: words, limit: 50 })
  const wanted = plainName(words).replace(/^ה(?=[א-ת]{3})/, '')
  const has = (text: unknown) =>
    typeof text === 'string' && new RegExp(`(^|\\s)[ובלמשה]{0,2}${wanted}s?($|\\s)`).test(plainName(text))
  const rows = (found as { expenses?: Record<string, unknown>[] } | undefined)?.expenses ?? []
  return rows.some(({ vendor, description }) => has(vendor) || has(description))
}

const searched = (understood: Understood, path: readonly (string | number)[], words: string): Understood => ({
  ...understood,
  input: searchInstead(understood.input, path, words),
  ...(understood.also && { also: understood.also.map((each) => searchInstead(each, path, words)) }),
})

/** A category that does not exist: the list is searched for its words. */
function searchInstead(
  input: Understood['input'],
  path: readonly (string | number)[],
  words: string,
): Understood['input'] {
  const { [String(path[0])]: _, ...rest } = input
  return { ...rest, search: words }
}

const nounOf = ({ language }: Talk, { $named: kind }: Named) => nouns[kind][language][0]

const isFeminine = ({ $named: kind }: Named) => nouns[kind].he[2] === 'f'

const guessSentence = (talk: Talk, named: Named, { name }: ShownRecord) =>
  talk.in(
    `(There is no ${nounOf(talk, named)} named ${talk.data(named.words)}; I took ${talk.data(name)}.)`,
    `(לא נמצא ${talk.data(named.words)}; הכוונה כנראה ${talk.to(name)}.)`,
  )

type Question = { understood: Understood; path: readonly (string | number)[]; named: Named }

async function* askWhich(
  talk: Talk,
  { choices, named, ...question }: Question & { choices: ShownRecord[] },
): Steps<Asked> {
  yield* talk.say(
    talk.in(
      `Which ${nounOf(talk, named)} do you mean?`,
      `${isFeminine(named) ? 'לאיזו' : 'לאיזה'} ${nounOf(talk, named)} הכוונה?`,
    ),
  )
  for (const [at, { name, kind, id }] of choices.entries()) {
    talk.show(kind, id, name)
    yield* talk.line(`${at + 1}. ${talk.data(name)}`)
  }
  return { about: 'record', ...question, choices }
}

async function* tellNone(
  talk: Talk,
  { named, near, ...question }: Question & { near: ShownRecord | undefined },
): Steps<Asked | undefined> {
  const { words } = named
  const noun = nounOf(talk, named)
  yield* talk.say(
    words === ''
      ? talk.in(`There is no ${noun} for that.`, `אין ${noun} ${isFeminine(named) ? 'מתאימה' : 'מתאים'}.`)
      : talk.in(`I found no ${noun} named ${talk.data(words)}.`, `לא מצאתי ${noun} בשם ${talk.data(words)}.`),
  )
  if (near) {
    yield* talk.say(talk.in(`Did you mean ${talk.data(near.name)}?`, `האם הכוונה ${talk.to(near.name)}?`))
    return { about: 'record', ...question, choices: [near] }
  }
  const created = creations[named.$named]
  if (!created || words === '' || !creates.has(question.understood.tool)) return undefined
  yield* talk.say(talk.in(`Shall I create ${talk.data(words)} first?`, `ליצור קודם את ${talk.data(words)}?`))
  return {
    about: 'create',
    ...question,
    tool: created,
    input: { name: words, country: talk.turn.organization.country },
  }
}

/** Records that are offered to be created where something is made for them. */
const creations: Partial<Record<Named['$named'], string>> = {
  customer: 'customers_create',
  supplier: 'suppliers_create',
}
const creates = new Set(['invoices_create', 'orders_create', 'expenses_create', 'invoices_payments_create'])

import { type Fit, fitOfWords, plainName, prefixed, sameName } from '../../../../core/names/names.ts'
import { soundsLike } from '../../../../core/names/sounds.ts'
import { toLine } from '../../../../core/values/line.ts'
import type { ToolResult } from '../turns/assistant.ts'
import { detailOf, lookups } from './lookup-tools.ts'
import { call, type Steps, type Talk } from './talk.ts'
import type { Named, RecordKind, ShownRecord, Understood } from './understood.ts'

/** What the words of a person for a record lead to. */
export type Found =
  /** `isGuess`: the words are spelled differently. */
  | { record: ShownRecord; isGuess: boolean }
  | { several: ShownRecord[] }
  /** The nearest spelling, if there is one. */
  | { none: true; near: ShownRecord | undefined }
  | { failed: Extract<ToolResult, { ok: false }> }

const choicesMax = 9

/** What the record is for; a run is one of the automation that its input names. */
type Lookups = Pick<Understood, 'tool' | 'input'>

/** Looks a record up by the words for it, with the tool that lists its kind. */
export async function* lookUp(
  talk: Talk,
  named: Named,
  { tool, input: around }: Lookups,
  isQuick = false,
): Steps<Found> {
  const { $named: kind, words, which, where = {} } = named
  if (kind === 'organization') {
    const { id, name } = talk.turn.organization
    return { record: { kind, id, name }, isGuess: false }
  }
  if (kind === 'payment' && words !== '') return yield* paymentOf(talk, named, tool)
  const { list, rows, input = {}, search, toRecord, compare = fitOfWords } = lookups(kind, tool)
  const within = kind === 'run' ? { id: around.id } : {}
  const given = { ...input, ...within, ...where, ...(which === 'oldest' && oldestFirst[list]) }
  let near: ShownRecord | undefined
  const texts = search ? searchesFor(words, kind) : ['']
  for (const text of isQuick ? texts.slice(0, 1) : texts) {
    const searched = search ? { limit: 50, ...(text !== '' && { search: text }) } : {}
    const result = yield* call(talk, list, { ...given, ...searched })
    if (!result.ok) return { failed: result }
    const fits = rowsOf(result.output, rows).map((row) => {
      const record = toRecord(row)
      return { record, row, fit: words === '' ? ('same' as const) : compare(words, record.name, row) }
    })
    const isAgain = tool === 'invoices_send' && /\bagain\b|\bresend\b|\bre-send\b|שוב/i.test(talk.turn.text)
    const asked = which && (ofIssued.has(tool) || isAgain) ? issuedFirst(fits) : fits
    const of = (wanted: Fit) => toldApart(asked.filter((each) => each.fit === wanted))
    for (const wanted of ['same', 'part', 'close'] as const) {
      const [first, ...others] = of(wanted)
      if (first && (others.length === 0 || which)) return { record: first, isGuess: wanted === 'close' }
      if (first)
        return (
          byAmount(
            fits.filter((each) => each.fit === wanted),
            around,
          ) ?? { several: [first, ...others].slice(0, choicesMax) }
        )
    }
    near ??= of('near')[0]
  }
  const found = search && !isQuick ? yield* bySound(talk, named, tool) : undefined
  return found ?? { none: true, near }
}

type Fitting = { record: ShownRecord; row: Record<string, unknown> }

/** Of several the one of the amount that is said: "I paid Temasek 1,308". */
function byAmount(fits: readonly Fitting[], { amount }: Understood['input']): Found | undefined {
  const of = (field: string) =>
    fits.filter(({ row }) => amount !== undefined && row[field] === amount).map(({ record }) => record)
  const [open, total] = [of('openBalance'), of('amount')]
  const unpaid = fits
    .filter(({ row }) => typeof row.openBalance === 'number' && row.openBalance > 0)
    .map(({ record }) => record)
  const found = [open, total, amount === undefined ? [] : unpaid].find((each) => each.length > 0) ?? []
  const [first, ...others] = found
  if (!first) return undefined
  return others.length === 0 ? { record: first, isGuess: false } : { several: found.slice(0, choicesMax) }
}

const ofIssued = new Set([
  'invoices_get',
  'invoices_mark_paid',
  'invoices_payments',
  'invoices_memos',
  'invoices_pdf',
  'invoices_link',
])

/** Whoever asks about "the last invoice" means one that was issued, if there is one. */
const issuedFirst = <T extends Fitting>(fits: readonly T[]): T[] => [
  ...fits.filter(({ row }) => row.status !== 'DRAFT'),
  ...fits.filter(({ row }) => row.status === 'DRAFT'),
]

/** A payment has no name: it is one of the customer. */
async function* paymentOf(talk: Talk, named: Named, tool: string): Steps<Found> {
  const { words, which, where = {} } = named
  const customer = yield* lookUp(talk, { $named: 'customer', words }, { tool, input: {} })
  if (!('record' in customer)) return customer
  const { list, rows, input } = lookups('payment', tool)
  const result = yield* call(talk, list, { ...input, ...where, customerId: customer.record.id })
  if (!result.ok) return { failed: result }
  const payments = rowsOf(result.output, rows)
    .filter(({ source, voidedAt }) => source !== 'CREDIT_MEMO' && !voidedAt)
    .map((row) => ({
      kind: 'payment' as const,
      id: String(row.id),
      name: `${customer.record.name}, ${talk.money(Number(row.amount), String(row.currency))}, ${talk.day(String(row.paidAt))}`,
    }))
  const [first, ...others] = payments
  if (!first) return { none: true, near: undefined }
  return others.length === 0 || which ? { record: first, isGuess: false } : { several: payments.slice(0, choicesMax) }
}

/** Kinds whose names are written in either kind of letters. */
const spoken = new Set<RecordKind>(['customer', 'supplier', 'item', 'employee'])

/** A name in the other kind of letters is found by no search, so the names themselves are compared, as far as five pages go. */
async function* bySound(
  talk: Talk,
  { $named: kind, words, which, where }: Named,
  tool: string,
): Steps<Found | undefined> {
  if (!spoken.has(kind) || words === '') return undefined
  const { list, rows, toRecord } = lookups(kind, tool)
  const plain = plainName(words)
  const bare = prefixed.test(plain) ? plain.slice(1) : plain
  const found: ShownRecord[] = []
  for (let page = 1; page <= 5; page++) {
    const result = yield* call(talk, list, { ...where, limit: 100, ...(page > 1 && { page }) })
    if (!result.ok) return undefined
    const records = rowsOf(result.output, rows).map(toRecord)
    const fits = (name: string) => soundsLike(plain, plainName(name)) || soundsLike(bare, plainName(name))
    found.push(...records.filter(({ name }) => fits(name)))
    if (records.length < 100) break
  }
  const [first, ...others] = found
  if (!first) return undefined
  return others.length === 0 || which ? { record: first, isGuess: true } : { several: found.slice(0, choicesMax) }
}

/** Lists are read newest first unless they say otherwise. */
const oldestFirst: Record<string, Record<string, string>> = {
  invoices_list: { sortBy: 'issueDate', sortOrder: 'asc' },
  expenses_list: { sortBy: 'date', sortOrder: 'asc' },
  orders_list: { sortBy: 'orderDate', sortOrder: 'asc' },
}

/** What to search for, one after the other until something fits: the words, then less of them. */
export function searchesFor(words: string, kind: RecordKind): string[] {
  const line = toLine(words, 100)
  const longest = longestOf(plainName(line))
  if (kind === 'document' || kind === 'order') return [...new Set([line, ...(/\d+/.exec(line) ?? []), longest])]
  // Hebrew writes "to", "of" and "the" as a letter before the word
  const bare = prefixed.test(longest) ? [longest.slice(1)] : []
  const without = line.includes(' ') ? [line.slice(line.indexOf(' ') + 1)] : []
  const searches = [line, ...without, longest, ...bare, longest.slice(0, 3), longest.slice(-3)]
  return [...new Set(searches)].filter((each) => each !== '')
}

const longestOf = (text: string): string =>
  text.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest), '')

/** Records of the same name get what differs. */
const toldApart = (found: readonly { record: ShownRecord; row: Record<string, unknown> }[]): ShownRecord[] =>
  found.map(({ record, row }) => {
    const isAlone = !found.some((other) => other.record.id !== record.id && sameName(other.record.name, record.name))
    const detail = isAlone ? '' : detailOf(row)
    return detail === '' ? record : { ...record, name: `${record.name} (${detail})` }
  })

const rowsOf = (output: unknown, field: string): Record<string, unknown>[] => {
  const rows = (output as Record<string, unknown> | null)?.[field]
  return Array.isArray(rows) ? rows : []
}

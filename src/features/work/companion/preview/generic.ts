import { invalid } from '../../../../core/define/failure.ts'
import type { Operation } from '../../../../core/define/operation.ts'
import { firstSentence } from '../../../../core/values/first-sentence.ts'
import { labelOf } from './labels.ts'
import type { Input, Line, Told, Words } from './preview-types.ts'
import type { Reader, Row } from './reader.ts'
import { kindOfField, nameOf, readRecord, subjectOf } from './records.ts'
import { titles } from './titles.ts'
import { change, clean, isGiven, line, money } from './values.ts'

/** A preview that names this many records can still be read. */
const recordsMax = 100
/** The rest of a long list is counted. */
const rowsMax = 20

/** What every call says: what it does, to which record, and each field that is given, with the names of the records. */
export async function generic(reader: Reader, operation: Operation, input: Input): Promise<Told> {
  const subject = await readSubject(reader, operation, input)
  const names = await readNames(reader, operation, input)
  const replaces = operation.method === 'PATCH' || operation.method === 'PUT'
  const before = replaces ? (subject?.row ?? {}) : {}
  const currency = input.currency ?? subject?.row.currency
  const given = Object.entries(input).filter(([field]) => field !== subject?.field && field !== 'organizationId')
  return {
    title: titleOf(operation, subject?.name),
    lines: [
      ...(subject ? line(labelOf('record'), subject.name) : []),
      ...given.flatMap(([field, value]) => linesOf(field, value, { names, currency, before })),
    ],
  }
}

/** The record that the operation is about. */
async function readSubject(reader: Reader, operation: Operation, input: Input) {
  const subject = subjectOf(operation)
  const id = subject && input[subject.field]
  if (!subject || typeof id !== 'string') return undefined
  const row = await readRecord(reader, subject.kind, id, input)
  return { field: subject.field, row, name: nameOf(subject.kind, row) }
}

function titleOf({ name, does }: Operation, subject: string | undefined): Words {
  const sentence = firstSentence(does).replace(/\.$/, '')
  const { en, he } = titles[name] ?? { en: sentence, he: sentence }
  return subject ? { en: `${en}: ${subject}`, he: `${he}: ${subject}` } : { en, he }
}

type Names = ReadonlyMap<string, string>

/** The names of all records that the input names, by their ids. */
async function readNames(reader: Reader, operation: Operation, input: Input): Promise<Names> {
  const own = subjectOf(operation)?.field
  const references = referencesIn(input).filter(({ depth, field }) => depth > 0 || field !== own)
  if (references.length > recordsMax)
    throw invalid('', `The call names ${references.length} records. Name at most ${recordsMax} at a time.`)
  const names = new Map<string, string>()
  for (const { field, id } of references) {
    const kind = kindOfField(field)
    if (kind && !names.has(id)) names.set(id, nameOf(kind, await readRecord(reader, kind, id, input)))
  }
  return names
}

type Reference = { field: string; id: string; depth: number }

/** Every field, at any depth, that names records. */
function referencesIn(value: unknown, depth = 0): Reference[] {
  if (Array.isArray(value)) return value.flatMap((inner) => referencesIn(inner, depth + 1))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([field, inner]): Reference[] => {
    if (!kindOfField(field)) return referencesIn(inner, depth + 1)
    return [inner].flat().flatMap((id) => (typeof id === 'string' && id !== '' ? [{ field, id, depth }] : []))
  })
}

type Shown = { names: Names; currency: unknown; before: Row }

/** Words that are stored and never shown. */
const secretFields = /password|secret|credential|token/i

function linesOf(field: string, value: unknown, { names, currency, before }: Shown): Line[] {
  const label = labelOf(field)
  if (secretFields.test(field)) return isGiven(value) ? [{ label, value: '••••' }] : []
  if (Array.isArray(value)) {
    const shown = value
      .slice(0, rowsMax)
      .flatMap((each) => line(label, valueText(field, each, { names, currency, before: {} })))
    return value.length > rowsMax ? [...shown, ...line(label, `+ ${value.length - rowsMax}`)] : shown
  }
  const text = valueText(field, value, { names, currency, before })
  const old = before[field]
  if (!(field in before) || (typeof old === 'object' && old !== null)) return line(label, text)
  const oldText = kindOfField(field) ? '' : valueText(field, old, { names, currency: before.currency, before: {} })
  return oldText === text ? [] : [{ label, value: change(oldText, text || '—') }]
}

const amountFields = /amount|total|price|wage|subtotal|cost$/i

/** Fields that a text that is cut must not lose: they come first. */
const decisive = /amount|price|quantity|^iban$|accountNumber/i

function valueText(field: string, value: unknown, { names, currency, before }: Shown): string {
  if (typeof value === 'string') return names.get(value) ?? clean(value)
  if (typeof value === 'number') return amountFields.test(field) ? money(value, currency) : clean(value)
  if (typeof value !== 'object' || value === null) return clean(value)
  return clean(
    Object.entries(value)
      .filter(([inner, each]) => isGiven(each) && inner !== 'id' && inner !== 'position')
      .toSorted(([one], [other]) => Number(decisive.test(other)) - Number(decisive.test(one)))
      .map(([inner, each]) =>
        secretFields.test(inner)
          ? `${inner} ••••`
          : `${labelOf(inner).en}: ${valueText(inner, each, { names, currency, before })}`,
      )
      .join(', '),
  )
}

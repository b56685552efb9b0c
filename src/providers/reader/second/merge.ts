import type {
  Check,
  Field,
  FieldName,
  Fields,
  ReaderId,
  Reading,
  Values,
} from '../../../core/outside/receipt-reader.ts'
import { amountNames, calculationsOn, checksOf, chooseAmounts, type Source, type Verdicts } from './amounts.ts'
import { isNearly, isSame } from './same-value.ts'

const confidences = {
  /** Both readers agree. They work in different ways, so they seldom make the same mistake. */
  agreed: 0.95,
  /** Calculations on the document come out with this value and not with the other one. */
  proven: 0.9,
  /** Only the model has the value. */
  alone: 0.8,
  /** The readers differ and nothing decides: a person has to look. */
  disputed: 0.6,
}
/** A value of the built-in reader that it is this sure of is right 19 times out of 20, which is no less than a model's. */
const sure = 0.9

/**
 * One reading of two. Where both agree, the built-in reader's value stays, with its place on the page, and confidence rises. Where
 * amounts differ, those with which the calculations come out win. Where nothing decides, the built-in reader's value stays if it
 * was sure of it, else the model's is taken; either way confidence is at most 0.6. A value that one reader alone has is taken over.
 */
export function mergeReadings(offline: Reading, values: Partial<Values>, model: ReaderId): Reading {
  const preferred = (name: FieldName): Source => ((offline.fields[name]?.confidence ?? 0) >= sure ? 'offline' : 'model')
  const verdicts = chooseAmounts(offline, values, preferred)
  const checks = mergedChecks(offline, values, verdicts)
  const merged = fieldNames.map((name) => {
    const [read, value] = [offline.fields[name], values[name]]
    if (!read) return [name, value === undefined ? undefined : fromModel(name, value, { checks, model })]
    const own = { ...read, reader: offline.providerId }
    if (value === undefined) return [name, own]
    if (isSame(name, read.value, value))
      return [name, { ...own, confidence: Math.max(read.confidence, confidences.agreed) }]
    // A name with a few other letters was misread by the built-in reader, which knows letters and no words.
    if (name === 'vendor' && isNearly(read.value, value))
      return [name, { value, confidence: confidences.proven, box: read.box, reader: model }]
    const { source, isProven } = verdictOf(verdicts, name) ?? { source: preferred(name), isProven: false }
    const confidence = isProven ? confidences.proven : Math.min(read.confidence, confidences.disputed)
    return source === 'offline'
      ? [name, { ...own, confidence: isProven ? Math.max(read.confidence, confidence) : confidence }]
      : [name, { value, confidence: isProven ? confidence : confidences.disputed, box: null, reader: model }]
  })
  const fields = Object.fromEntries(merged.filter(([, field]) => field !== undefined)) as Fields
  return { ...offline, providerId: model, fields, checks }
}

/** The reading of a file in which the built-in reader found no text. */
export function modelReading(values: Partial<Values>, model: ReaderId): Reading {
  const checks = calculationsOn(values)
  const fields = Object.entries(values).map(([name, value]) => [
    name,
    fromModel(name as FieldName, value, { checks, model }),
  ])
  return { providerId: model, fields: Object.fromEntries(fields) as Fields, checks, pages: 1, text: '', turned: [] }
}

type Known = { checks: readonly Check[]; model: ReaderId }

function fromModel(name: FieldName, value: unknown, { checks, model }: Known): Field<unknown> {
  const isAmount = amountNames.some((amount) => amount === name)
  const addsUp = isAmount && checks.length > 0 && checks.every(({ holds }) => holds)
  return { value, confidence: addsUp ? confidences.proven : confidences.alone, box: null, reader: model }
}

const verdictOf = (verdicts: Verdicts, name: FieldName) =>
  Object.entries(verdicts).find(([other]) => other === name)?.[1]

/** The calculations of the built-in reader hold for its own amounts only. */
function mergedChecks(offline: Reading, values: Partial<Values>, verdicts: Verdicts): readonly Check[] {
  const changed = amountNames.some(
    (name) => verdicts[name]?.source === 'model' || (!offline.fields[name] && values[name] !== undefined),
  )
  if (!changed) return offline.checks
  const picks = Object.fromEntries(Object.entries(verdicts).map(([name, { source }]) => [name, source]))
  return checksOf(offline, values, picks)
}

const fieldNames: readonly FieldName[] = [
  'vendor', 'vendorTaxNumber', 'documentNumber', 'date', 'dueDate', 'currency',
  'subtotal', 'taxAmount', 'taxRate', 'total', 'paymentMethod', 'items',
] // biome-ignore format: a list of words

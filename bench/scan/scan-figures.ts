import { fieldNames, isClose, type Judgement } from '../../src/test/receipts/judge.ts'
import type { Figure } from '../measures/automations.ts'
import { mean, percentile } from '../statistics.ts'
import type { Sample } from './scan-samples.ts'

/** A file that was read: how each known field was read, and in how many seconds. `failure` is why nothing was. */
export type Scanned = { sample: Sample; judgements: Judgement[]; seconds: number; failure?: string }

const sure = 0.9

/** Shares of the files whose field was read right, and of the fields whose confidence is true. */
export function accuracyFigures(scanned: readonly Scanned[], isLabelled: boolean): Figure[] {
  const pictures = scanned.filter(({ sample }) => sample.kind === 'picture')
  const hebrew = pictures.filter(({ sample }) => sample.script === 'he')
  const pdfs = scanned.filter(({ sample }) => sample.kind === 'pdf')
  const fields = isLabelled ? (['total', 'date', 'vendor'] as const) : fieldNames
  const bars: Record<string, number> = isLabelled ? { total: 0.94, date: 0.95, vendor: 0.8 } : {}
  return [
    ...fields.map((field) => share(`scan ${field}`, `${field} right`, rightOf(pictures, field), bars[field])),
    share('scan vendor close', 'vendor within 12 % edits', closeOf(pictures), isLabelled ? 0.9 : undefined),
    ...(hebrew.length > 0
      ? [
          share('scan hebrew total', `total right of ${hebrew.length} in Hebrew`, rightOf(hebrew, 'total'), 0.92),
          share('scan hebrew date', `date right of ${hebrew.length} in Hebrew`, rightOf(hebrew, 'date'), 0.92),
          share('scan hebrew vendor', `vendor right of ${hebrew.length} in Hebrew`, rightOf(hebrew, 'vendor')),
        ]
      : []),
    ...(pdfs.length > 0
      ? [
          share('scan pdf total', `total right of ${pdfs.length} PDFs`, rightOf(pdfs, 'total')),
          share('scan pdf date', `date right of ${pdfs.length} PDFs`, rightOf(pdfs, 'date')),
        ]
      : []),
    ...calibrationOf(pictures),
  ]
}

function share(name: string, does: string, outcomes: readonly boolean[], least?: number): Figure {
  const value = outcomes.filter(Boolean).length / outcomes.length
  const counted = `${does} (${outcomes.filter(Boolean).length} of ${outcomes.length})`
  const fits = least === undefined ? null : value >= least
  return { name, does: counted, value, bar: least === undefined ? '' : `>= ${least}`, fits }
}

/** Where the field is printed. */
const rightOf = (scanned: readonly Scanned[], field: Judgement['field']) =>
  scanned.flatMap(({ judgements }) =>
    judgements.filter((each) => each.field === field && each.expected !== undefined).map(({ isRight }) => isRight),
  )

const closeOf = (scanned: readonly Scanned[]) =>
  scanned.flatMap(({ judgements }) =>
    judgements
      .filter(({ field }) => field === 'vendor')
      .map(({ expected, found, isRight }) => isRight || isClose(expected ?? '', found ?? '')),
  )

/** Of the fields read with 0.9 or more, those that are right; of the printed fields, those read with 0.9 or more. */
function calibrationOf(scanned: readonly Scanned[]): Figure[] {
  const all = scanned.flatMap(({ judgements }) => judgements)
  const confident = all.filter(({ confidence, found }) => found !== undefined && confidence >= sure)
  const printed = all.filter(({ expected }) => expected !== undefined)
  return [
    share(
      'scan sure and right',
      'right of the fields with confidence >= 0.9',
      confident.map(({ isRight }) => isRight),
      0.95,
    ),
    share(
      'scan sure',
      'fields with confidence >= 0.9',
      printed.map(({ confidence }) => confidence >= sure),
      0.6,
    ),
  ]
}

/** `peakMegabytes` and `goneAfter` are of the process of the reader. */
export function costFigures(scanned: readonly Scanned[], peakMegabytes: number, goneAfter: number): Figure[] {
  const seconds = scanned.filter(({ sample }) => sample.kind === 'picture').map((each) => each.seconds)
  const most = (name: string, does: string, value: number, bar?: number): Figure => ({
    name, does, value, bar: bar === undefined ? '' : `<= ${bar}`, fits: bar === undefined ? null : value <= bar,
  }) // biome-ignore format: a row
  return [
    most('scan mean s', 'seconds per picture', mean(seconds), 1.5),
    most('scan p95 s', '95th percentile of the seconds', percentile(seconds, 0.95)),
    most('scan memory', 'peak memory of the reader in MB', peakMegabytes, 900),
    most('scan gone', 'seconds until the reader has ended', goneAfter, 60),
  ]
}

/** A line for each file that was not read entirely right, for whoever improves the reader. */
export const mistakesOf = (scanned: readonly Scanned[]): string[] =>
  scanned.flatMap(({ sample, judgements, failure }) => {
    if (failure) return [`${sample.name}: ${failure}`]
    const wrong = judgements.filter(
      ({ isRight, found }) => !isRight && (sample.known.length < fieldNames.length || found),
    )
    const said = wrong.map(
      ({ field, expected, found, confidence }) =>
        `${field} ${found ?? 'nothing'} instead of ${expected ?? 'nothing'} (${confidence.toFixed(2)})`,
    )
    return said.length > 0 ? [`${sample.name}: ${said.join('; ')}`] : []
  })

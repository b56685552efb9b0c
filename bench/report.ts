import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import type { Measured, Setting, Shot } from './measure.ts'
import type { Figure } from './measures/automations.ts'
import type { Measure } from './measures/measures.ts'
import type { Sent } from './our-server.ts'
import { median, round } from './statistics.ts'

export type Result = { measure: Measure; measured: Measured; sent: Sent }

type Summary = { perSecond: number; p50Ms: number; p95Ms: number; serverUs: number; postgresUs: number | null }

/** Medians, and the repeats beside them. */
function toEntry({ measure: { name, does, bar, slowestP50, slowestP95, beside }, measured, sent }: Result) {
  const cpuOf = (shot: Shot) => shot.serverUs + (shot.postgresUs ?? 0)
  return {
    name,
    does,
    ratio: round(median(pairs(measured, (shot) => shot.perSecond)), 3),
    ...(bar && { bar }),
    p50Ratio: round(median(pairs(measured, (shot) => shot.p50Ms)), 2),
    ...(slowestP50 && { slowestP50 }),
    p95Ratio: round(median(pairs(measured, (shot) => shot.p95Ms)), 2),
    ...(slowestP95 && { slowestP95 }),
    // The requests beside use processor time too, but are not counted.
    cpuRatio: beside ? null : round(1 / median(pairs(measured, cpuOf)), 3),
    raw: summaryOf(measured.raw),
    ours: { ...summaryOf(measured.ours), roundTrips: sent.roundTrips, statements: sent.statements.length },
    repeats: {
      raw: measured.raw.map((shot) => Math.round(shot.perSecond)),
      ours: measured.ours.map((shot) => Math.round(shot.perSecond)),
    },
  }
}
type Entry = ReturnType<typeof toEntry>

/** Ours as a share of raw in each repeat: other load on the machine mostly affects both of a pair. */
const pairs = ({ raw, ours }: Measured, of: (shot: Shot) => number) =>
  ours.map((shot, index) => of(shot) / (raw[index] ? of(raw[index]) : Number.NaN))

const summaryOf = (shots: Shot[]): Summary => ({
  perSecond: Math.round(median(shots.map((shot) => shot.perSecond))),
  p50Ms: round(median(shots.map((shot) => shot.p50Ms)), 1),
  p95Ms: round(median(shots.map((shot) => shot.p95Ms)), 1),
  serverUs: Math.round(median(shots.map((shot) => shot.serverUs))),
  postgresUs: shots.some((shot) => shot.postgresUs === null)
    ? null
    : Math.round(median(shots.map((shot) => shot.postgresUs ?? 0))),
})

export type Report = {
  date: string
  node: string
  postgres: string
  cpus: number
  setting: Setting
  measures: Entry[]
  automations: Figure[]
  /** Every ratio under one name, for comparisons. */
  ratios: Ratio[]
  /** A sentence for each figure that cannot be right. */
  impossible: string[]
  /** A sentence for each bar that was missed. */
  missed: string[]
}
type Ratio = { name: string; value: number; better: 'higher' | 'lower' }

type Content = {
  results: Result[]
  /** A sentence for each measure whose requests were refused or failed. */
  refused: string[]
  figures: Figure[]
  impossible: string[]
  setting: Setting
  postgres: string
}

export function toReport({ results, refused, figures, impossible, setting, postgres }: Content): Report {
  const measures = results.map(toEntry)
  const ratios = [...measures.flatMap(ratiosOf), ...figures.flatMap(toRatio)]
  const machine = { node: process.version, postgres, cpus: cpus().length }
  const missed = [...refused, ...measures.flatMap(missedOf), ...figures.flatMap(missedFigure)]
  return {
    date: new Date().toISOString(),
    ...machine,
    setting,
    measures,
    automations: figures,
    ratios,
    impossible,
    missed,
  }
}

function missedOf({ name, ratio, bar, p50Ratio, slowestP50, p95Ratio, slowestP95 }: Entry): string[] {
  return [
    ...(bar && !(ratio >= bar.least)
      ? [`${name}: ${ratio.toFixed(2)} of the throughput, the bar is ${bar.least}.`]
      : []),
    ...(slowestP50 && !(p50Ratio <= slowestP50)
      ? [`${name}: the median takes ${p50Ratio.toFixed(2)} times as long, the bar is ${slowestP50}.`]
      : []),
    ...(slowestP95 && !(p95Ratio <= slowestP95)
      ? [`${name}: the 95th percentile takes ${p95Ratio.toFixed(2)} times as long, the bar is ${slowestP95}.`]
      : []),
  ]
}

const missedFigure = ({ name, value, bar, fits }: Figure): string[] =>
  fits === false ? [`${name}: ${value.toFixed(2)}, the bar is ${bar}.`] : []

/** Latencies only where they have a limit: elsewhere they repeat the throughput. */
function ratiosOf({ name, ratio, cpuRatio, p50Ratio, slowestP50, p95Ratio, slowestP95 }: Entry): Ratio[] {
  return [
    { name, value: ratio, better: 'higher' },
    ...(cpuRatio === null ? [] : [{ name: `${name} CPU`, value: cpuRatio, better: 'higher' } as const]),
    ...(slowestP50 ? [{ name: `${name} p50`, value: p50Ratio, better: 'lower' } as const] : []),
    ...(slowestP95 ? [{ name: `${name} p95`, value: p95Ratio, better: 'lower' } as const] : []),
  ]
}

const toRatio = ({ name, value, better }: Figure): Ratio[] =>
  better ? [{ name: `automations ${name}`, value: round(value, 3), better }] : []

/** Saves the figures of a full run by its day. */
export function saveResult(report: Report, folder: string): string {
  const file = join(folder, `${report.date.slice(0, 10)}.json`)
  writeReport(report, file)
  return file
}

export function writeReport(report: Report, file: string) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}

const heading = [
  'measure', 'raw/s', 'ours/s', 'ratio', 'bar', 'aim', 'p50 ratio', 'at most', 'p95 ratio', 'at most', 'CPU ratio', 'raw CPU us', 'ours CPU us', 'round trips', 'statements',
] // biome-ignore format: a row

/** CPU is processor time per request, of the server and of PostgreSQL. */
export function toTable(report: Report): string {
  const rows = [heading, ...report.measures.map(toCells)]
  const widths = heading.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)))
  return rows
    .map((cells) => cells.map((cell, column) => pad(cell, widths[column] ?? 0, column === 0)).join('  '))
    .join('\n')
}

const pad = (cell: string, width: number, left: boolean) => (left ? cell.padEnd(width) : cell.padStart(width))

const toCells = ({
  does,
  ratio,
  bar,
  p50Ratio,
  slowestP50,
  p95Ratio,
  slowestP95,
  cpuRatio,
  raw,
  ours,
}: Entry): string[] => [
  does,
  String(raw.perSecond),
  String(ours.perSecond),
  ratio.toFixed(2),
  bar ? `${bar.least}` : '',
  bar ? `${bar.aim}` : '',
  p50Ratio.toFixed(2),
  slowestP50 ? `${slowestP50}` : '',
  p95Ratio.toFixed(2),
  slowestP95 ? `${slowestP95}` : '',
  cpuRatio?.toFixed(2) ?? '',
  `${raw.serverUs} + ${raw.postgresUs ?? '?'}`,
  `${ours.serverUs} + ${ours.postgresUs ?? '?'}`,
  String(ours.roundTrips),
  String(ours.statements),
]

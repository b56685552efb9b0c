import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Measured, Setting, Shot } from './measure.ts'
import type { Measure } from './measures.ts'
import type { Sent } from './our-server.ts'

export type Result = { measure: Measure; measured: Measured; sent: Sent }

type Summary = { perSecond: number; p50Ms: number; serverUs: number; postgresUs: number | null }

/** What is kept of a result: medians, with the repeats beside them. */
function toEntry({ measure: { name, does, bar, slowestP50, slowestP97 }, measured, sent }: Result) {
  return {
    name,
    does,
    ratio: round(median(pairs(measured, (shot) => shot.perSecond)), 3),
    ...(bar && { bar }),
    p50Ratio: round(median(pairs(measured, (shot) => shot.p50Ms)), 2),
    ...(slowestP50 && { slowestP50 }),
    ...(slowestP97 && { p97Ratio: round(median(pairs(measured, (shot) => shot.p97Ms)), 2), slowestP97 }),
    cpuRatio: round(1 / median(pairs(measured, (shot) => shot.serverUs + (shot.postgresUs ?? 0))), 3),
    raw: summaryOf(measured.raw),
    ours: { ...summaryOf(measured.ours), roundTrips: sent.roundTrips, statements: sent.statements.length },
    repeats: {
      raw: measured.raw.map((shot) => Math.round(shot.perSecond)),
      ours: measured.ours.map((shot) => Math.round(shot.perSecond)),
    },
  }
}
type Entry = ReturnType<typeof toEntry>

/** Ours as a share of raw in each repeat: what slowed one half of a pair mostly slowed the other. */
const pairs = ({ raw, ours }: Measured, of: (shot: Shot) => number) =>
  ours.map((shot, index) => of(shot) / of(raw[index] ?? shot))

const summaryOf = (shots: Shot[]): Summary => ({
  perSecond: Math.round(median(shots.map((shot) => shot.perSecond))),
  p50Ms: median(shots.map((shot) => shot.p50Ms)),
  serverUs: Math.round(median(shots.map((shot) => shot.serverUs))),
  postgresUs: shots.some((shot) => shot.postgresUs === null)
    ? null
    : Math.round(median(shots.map((shot) => shot.postgresUs ?? 0))),
})

export function toReport(results: Result[], setting: Setting, postgres: string) {
  return {
    date: new Date().toISOString(),
    node: process.version,
    postgres,
    cpus: cpus().length,
    setting,
    measures: results.map(toEntry),
  }
}

export function keepReport(report: ReturnType<typeof toReport>, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${report.date.slice(0, 10)}.json`)
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  return file
}

const heading = [
  'measure', 'raw/s', 'ours/s', 'ratio', 'bar', 'aim', 'p50 ratio', 'at most', 'CPU ratio', 'raw CPU us', 'ours CPU us', 'round trips', 'statements',
] // biome-ignore format: a row

/** A table for people. CPU is per request, of the server and of PostgreSQL. */
export function toTable(report: ReturnType<typeof toReport>): string {
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
  p97Ratio,
  slowestP97,
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
  slowestP97 ? `p97 ${p97Ratio} of ${slowestP97}` : slowestP50 ? `${slowestP50}` : '',
  cpuRatio.toFixed(2),
  `${raw.serverUs} + ${raw.postgresUs ?? '?'}`,
  `${ours.serverUs} + ${ours.postgresUs ?? '?'}`,
  String(ours.roundTrips),
  String(ours.statements),
]

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [below = 0, above = 0] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]]
  return (below + above) / 2
}

const round = (value: number, digits: number) => Number(value.toFixed(digits))

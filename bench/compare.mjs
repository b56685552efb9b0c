// node bench/compare.mjs <before> <after> [measures…]: runs the benchmark alternately in two checkouts and compares the
// medians of their ratios. It fails if a ratio is worse by more than 10 %. See README.md for the options.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { main, SetupFailure } from '../scripts/program.mjs'

const worstChange = 0.1
const usualMeasures = ['get', 'list', 'create', 'document-create', 'automations']

main(async () => {
  const { before, after, measures, repeats, passedOn, jsonFile } = readArguments()
  const samples = { before: [], after: [] }
  for (let repeat = 1; repeat <= repeats; repeat++) {
    for (const [side, folder] of Object.entries({ before, after })) {
      console.log(`\nRepeat ${repeat} of ${repeats}, ${side}: ${folder}`)
      samples[side].push(await runOnce(folder, [...passedOn, ...measures]))
    }
  }
  const rows = compare(samples).map(settled)
  if (jsonFile) fs.writeFileSync(jsonFile, `${JSON.stringify(rows, null, 2)}\n`)
  console.log(`\nMedians of ${repeats} repeats:\n${toTable(rows)}`)
  const worse = rows.filter(({ worseBy }) => !(worseBy <= worstChange))
  if (worse.length > 0)
    throw new SetupFailure(`\nWorse by more than ${percent(worstChange)}: ${worse.map(({ name }) => name).join(', ')}.`)
})

function readArguments() {
  const text = { type: 'string' }
  const { values, positionals } = parseArgs({
    options: { repeats: { ...text, default: '5' }, seconds: text, runs: text, json: text },
    allowPositionals: true,
  })
  const [before, after, ...measures] = positionals
  if (!before || !after)
    throw new SetupFailure('Give two checkouts: node bench/compare.mjs <before> <after> [measures…]')
  for (const folder of [before, after]) {
    if (!fs.existsSync(path.join(folder, 'bench', 'run.mjs')))
      throw new SetupFailure(`${folder} is no checkout: it has no bench/run.mjs.`)
  }
  const repeats = Number(values.repeats)
  if (!Number.isInteger(repeats) || repeats < 1)
    throw new SetupFailure(`--repeats must be a whole number above 0, not ${values.repeats}.`)
  const passedOn = ['seconds', 'runs'].flatMap((name) => (values[name] ? [`--${name}`, values[name]] : []))
  const chosen = measures.length > 0 ? measures : usualMeasures
  return { before, after, measures: chosen, repeats, passedOn, jsonFile: values.json }
}

/** One repeat in one checkout; answers its ratios. */
async function runOnce(folder, options) {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'kontor-compare-'))
  const report = path.join(temporary, 'report.json')
  try {
    await exitCodeOf(folder, ['bench/run.mjs', '--repeats', '1', '--json', report, ...options])
    if (!fs.existsSync(report)) throw new SetupFailure(`The benchmark failed in ${folder}.`)
    const content = JSON.parse(fs.readFileSync(report, 'utf8'))
    const { ratios, impossible } = content
    if (impossible.length > 0) throw new SetupFailure(`Impossible figures in ${folder}:\n${impossible.join('\n')}`)
    return [...ratios, ...fixedRatios(content)] // a missed bar is no reason to stop: both checkouts may miss it
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true })
  }
}

/**
 * The same measures against a reference that does not change with our code: the raw GET of the same run, and bare jobs. The
 * raw server runs the statements of its own checkout, so when a statement gets cheaper, the raw server gains more than ours.
 */
function fixedRatios({ measures, automations }) {
  const get = measures.find(({ name }) => name === 'get')?.raw
  const cpuOf = ({ serverUs, postgresUs }) => serverUs + (postgresUs ?? 0)
  const ofMeasures = measures.flatMap(({ name, ours }) =>
    get && name !== 'get'
      ? [
          { name: name + fixedMark, value: ours.perSecond / get.perSecond, better: 'higher' },
          { name: `${name} CPU${fixedMark}`, value: cpuOf(get) / cpuOf(ours), better: 'higher' },
        ]
      : [],
  )
  const figure = (wanted) => automations.find(({ name }) => name === wanted)?.value
  const twenty = (figure('twenty/one') * figure('bare')) / figure('one')
  const ofRuns = twenty > 0 ? [{ name: `automations twenty/one${fixedMark}`, value: twenty, better: 'lower' }] : []
  return [...ofMeasures, ...ofRuns]
}

const fixedMark = ', fixed reference'

function exitCodeOf(folder, options) {
  const child = spawn(process.execPath, options, { cwd: folder, stdio: 'inherit' })
  return new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
}

/** `change` is relative to before; `worseBy` is the same in the direction that is worse. */
function compare(samples) {
  const names = [...new Set([...samples.before, ...samples.after].flat().map(({ name }) => name))]
  return names.map((name) => {
    const [before, after] = [valuesOf(samples, 'before', name), valuesOf(samples, 'after', name)]
    const change = median(after) / median(before) - 1
    const { better } = samples.after[0].find((ratio) => ratio.name === name)
    return { name, better, before, after, change, worseBy: better === 'higher' ? -change : change }
  })
}

/** A ratio that fell only because its reference became faster is not worse. */
function settled(row, _, rows) {
  const fixed = rows.find(({ name }) => name === row.name + fixedMark)
  return fixed ? { ...row, worseBy: Math.min(row.worseBy, fixed.worseBy) } : row
}

/** A ratio must be in every repeat of both checkouts, otherwise the medians are of different samples. */
function valuesOf(samples, side, name) {
  return samples[side].map((ratios, repeat) => {
    const value = ratios.find((ratio) => ratio.name === name)?.value
    if (!(value > 0)) throw new SetupFailure(`${name} is missing in repeat ${repeat + 1} of ${side}.`)
    return value
  })
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[Math.ceil(sorted.length / 2) - 1] + sorted[Math.floor(sorted.length / 2)]) / 2
}

function toTable(rows) {
  const cells = rows.map(({ name, better, before, after, change, worseBy }) => [
    name,
    median(before).toFixed(3),
    median(after).toFixed(3),
    `${change > 0 ? '+' : ''}${percent(change)}`,
    `${better} is better`,
    worseBy <= worstChange ? '' : 'WORSE',
  ])
  const all = [['ratio', 'before', 'after', 'change', '', ''], ...cells]
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)))
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))
  return all.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

const percent = (share) => `${(share * 100).toFixed(1)} %`

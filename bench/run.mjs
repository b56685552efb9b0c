// npm run bench: bundles the programs of this folder and runs main.ts. See README.md for the options.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { beside, bundling, threads } from '../scripts/bundle.mjs'
import { main, root, SetupFailure } from '../scripts/program.mjs'
import { ensureInstalled } from '../scripts/setup.mjs'
import { buildWeb } from '../scripts/web.mjs'
import { benchStart } from './start.mjs'
import { benchWeb } from './web.mjs'

const programs = ['main', 'raw-server', 'our-server', 'our-worker', 'load', 'noise']
const out = path.join(root, '.cache', 'bench')

main(async () => {
  const { values, positionals } = readArguments()
  await ensureInstalled({ dev: true, say: console.log })
  if (positionals.join() === 'start') return failFor('Missed bars:', await benchStart())
  const esbuild = await import('esbuild')
  if (positionals.join() === 'web') return failFor('Exceeded limits:', await benchWeb(esbuild)) // needs no server
  await esbuild.build({
    entryPoints: [...programs.map((name) => ({ in: `bench/${name}.ts`, out: name })), ...threads].map((each) => ({
      ...each,
      in: path.join(root, each.in),
    })),
    outdir: out,
    ...bundling(),
  })
  if (positionals.includes('pages')) await buildWeb({ esbuild, out: path.join(out, 'web') }) // served beside the program
  const receipts = { from: 'src/test/receipts/templates', to: 'templates' }
  for (const { from, to } of [...beside, receipts])
    fs.cpSync(path.join(root, from), path.join(out, to), { recursive: true })
  const { bench, names, quick } = await import(pathToFileURL(path.join(out, 'main.js')).href)
  const isQuick = positionals.includes('quick')
  const { measures, scanFolder } = splitFolder(positionals)
  const chosen = measures.flatMap((name) => (name === 'quick' ? quick.measures : [name]))
  requireNames(chosen, names())
  const setting = settingOf(values, isQuick ? quick.setting : { repeats: 5, seconds: 4, runs: 1600 })
  const jsonFile = values.json && path.resolve(values.json)
  const report = await bench({
    chosen,
    setting,
    scanFolder,
    jsonFile,
    resultsFolder: path.join(root, 'bench', 'results'),
  })
  const problems = [
    ...(report.impossible.length > 0 ? ['Impossible figures:', ...report.impossible] : []),
    ...(report.missed.length > 0 ? ['Missed bars:', ...report.missed] : []),
  ]
  if (problems.length > 0) throw new SetupFailure(`\n${problems.join('\n')}`)
})

function failFor(title, problems) {
  if (problems.length > 0) throw new SetupFailure(`\n${[title, ...problems].join('\n')}`)
}

function readArguments() {
  const text = { type: 'string' }
  return parseArgs({ options: { repeats: text, seconds: text, runs: text, json: text }, allowPositionals: true })
}

function settingOf(values, defaults) {
  const given = (name) =>
    wholeNumber(`--${name}`, values[name] ?? process.env[`BENCH_${name.toUpperCase()}`] ?? String(defaults[name]))
  return { repeats: given('repeats'), seconds: given('seconds'), runs: given('runs') }
}

/** The folder of pictures that may follow the measure `scan`. */
function splitFolder(positionals) {
  const at = positionals.indexOf('scan')
  const given = at < 0 ? undefined : positionals[at + 1]
  const scanFolder = given && path.resolve(process.env.INIT_CWD ?? '.', given)
  if (!scanFolder || !fs.existsSync(scanFolder)) return { measures: positionals, scanFolder: undefined }
  return { measures: positionals.filter((_, index) => index !== at + 1), scanFolder }
}

function wholeNumber(name, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new SetupFailure(`${name} must be a whole number above 0, not ${text}.`)
  return Number(text)
}

function requireNames(chosen, names) {
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new SetupFailure(`There is no measure ${unknown.join(', ')}. The measures are: quick, ${names.join(', ')}.`)
}

// npm run bench: bundles the programs of this folder and runs main.ts. See README.md for the options.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { beside, bundling, threads } from '../scripts/bundle.mjs'
import { ensureInstalled, main, root, SetupFailure } from '../scripts/setup.mjs'

const programs = ['main', 'raw-server', 'our-server', 'our-worker', 'load', 'noise']
const out = path.join(root, '.cache', 'bench')

main(async () => {
  const { chosen, setting, jsonFile } = readArguments()
  await ensureInstalled({ dev: true, say: console.log })
  const esbuild = await import('esbuild')
  await esbuild.build({
    entryPoints: [...programs.map((name) => ({ in: `bench/${name}.ts`, out: name })), ...threads].map((each) => ({
      ...each,
      in: path.join(root, each.in),
    })),
    outdir: out,
    ...bundling(),
  })
  for (const { from, to } of beside) fs.cpSync(path.join(root, from), path.join(out, to), { recursive: true })
  const { bench, names } = await import(pathToFileURL(path.join(out, 'main.js')).href)
  requireNames(chosen, names())
  const { impossible } = await bench({ chosen, setting, jsonFile, resultsFolder: path.join(root, 'bench', 'results') })
  if (impossible.length > 0) throw new SetupFailure(`\nImpossible figures:\n${impossible.join('\n')}`)
})

function readArguments() {
  const text = { type: 'string' }
  const { values, positionals } = parseArgs({
    options: { repeats: text, seconds: text, runs: text, json: text },
    allowPositionals: true,
  })
  const setting = {
    repeats: wholeNumber('--repeats', values.repeats ?? process.env.BENCH_REPEATS ?? '5'),
    seconds: wholeNumber('--seconds', values.seconds ?? process.env.BENCH_SECONDS ?? '4'),
    runs: wholeNumber('--runs', values.runs ?? process.env.BENCH_RUNS ?? '1600'),
  }
  return { chosen: positionals, setting, jsonFile: values.json && path.resolve(values.json) }
}

function wholeNumber(name, text) {
  if (!/^[1-9]\d*$/.test(text)) throw new SetupFailure(`${name} must be a whole number above 0, not ${text}.`)
  return Number(text)
}

function requireNames(chosen, names) {
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new SetupFailure(`There is no measure ${unknown.join(', ')}. The measures are: ${names.join(', ')}.`)
}

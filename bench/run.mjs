// npm run bench: bundles the programs of this folder and runs main.ts. `npm run bench -- get list` runs those measures
// alone, `npm run bench -- automations` those of the engine; BENCH_SECONDS, BENCH_REPEATS and BENCH_RUNS shorten a try.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beside, bundling, threads } from '../scripts/bundle.mjs'
import { ensureInstalled, main, root } from '../scripts/setup.mjs'

const programs = ['main', 'raw-server', 'our-server', 'our-worker', 'load']
const out = path.join(root, '.cache', 'bench')

main(async () => {
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
  const { bench } = await import(pathToFileURL(path.join(out, 'main.js')).href)
  await bench({ chosen: process.argv.slice(2), resultsFolder: path.join(root, 'bench', 'results') })
})

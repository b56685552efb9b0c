// npm run test-suite: writes docs/test-suite.md from the last run of npm test (all tests) on this machine.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { main, root, SetupFailure } from './program.mjs'
import { runProgram } from './run-program.mjs'
import { lastTimes } from './vitest.mjs'

function pageOf({ wallMs, workers, files: reported }) {
  const files = reported.map(({ file, ms, importMs, tests }) => ({
    file,
    seconds: ms / 1000,
    importing: importMs / 1000,
    tests: tests.length,
  }))
  const tests = reported.flatMap(({ file, tests: list }) =>
    list.map(({ name, state, ms }) => ({ file, name, state, seconds: ms / 1000 })),
  )
  const passed = tests.filter(({ state }) => state === 'passed').length
  const total = sum(files)
  const importing = files.reduce((so, each) => so + each.importing, 0)
  return `# Test suite

Written by \`npm run test-suite\` from a run of \`npm test\`; do not edit. How to write a test, and which helper does what:
[src/test/README.md](../src/test/README.md). The long forms of the tests are \`npm run prove\`.

${number(passed)} of ${number(tests.length)} tests in ${number(files.length)} files passed in ${minutes(wallMs / 1000)} with ${workers} workers (${process.platform}, ${process.arch}, ${os.availableParallelism()} cores), static checks beside
them, after the installation. The files took ${number(Math.round(total))} s together, ${number(Math.round(importing))} s of it for importing modules. Figures of
another machine differ; shares are to be compared.

## By folder

| share | s | files | tests | folder |
| ----: | --: | ----: | ----: | ------ |
${shares(files, total).join('\n')}

## The 20 slowest files

|   s | tests | file |
| --: | ----: | ---- |
${slowest(files)
  .map(({ seconds, tests: count, file }) => `| ${seconds.toFixed(1)} | ${number(count)} | ${file} |`)
  .join('\n')}

## The 20 slowest tests

|   s | file | test |
| --: | ---- | ---- |
${slowest(tests)
  .map(({ seconds, file, name }) => `| ${seconds.toFixed(1)} | ${file} | ${name.trim().replaceAll('|', '\\\\|')} |`)
  .join('\n')}
`
}

function shares(files, total) {
  const folders = new Map()
  for (const { file, seconds, tests } of files) {
    const folder = folderOf(file)
    const so = folders.get(folder) ?? { seconds: 0, files: 0, tests: 0 }
    folders.set(folder, { seconds: so.seconds + seconds, files: so.files + 1, tests: so.tests + tests })
  }
  return [...folders]
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .map(
      ([folder, { seconds, files: count, tests }]) =>
        `| ${((100 * seconds) / total).toFixed(1)} % | ${seconds.toFixed(0)} | ${count} | ${number(tests)} | ${folder} |`,
    )
}

const depths = { features: 4, test: 3, countries: 3 }

/** `src/features/pay/payroll`, `src/test/scenarios`, `src/worker`, `web/test`. */
const folderOf = (file) => {
  const parts = path.dirname(file).split(path.sep)
  return parts.slice(0, parts[0] === 'src' ? (depths[parts[1]] ?? 2) : 2).join('/')
}

const slowest = (list) => [...list].sort((a, b) => b.seconds - a.seconds).slice(0, 20)
const sum = (list) => list.reduce((so, { seconds }) => so + seconds, 0)
const number = (value) => value.toLocaleString('en-US')
const minutes = (seconds) => `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`

main(async () => {
  if (!fs.existsSync(lastTimes))
    throw new SetupFailure('There is no run to report: run npm test first, on an idle machine.')
  const report = JSON.parse(fs.readFileSync(lastTimes, 'utf8'))
  const page = 'docs/test-suite.md'
  fs.writeFileSync(path.join(root, page), pageOf(report))
  await runProgram(['@biomejs/biome', 'biome', 'format', '--write', page]) // pads the columns of tables
  console.log('Wrote docs/test-suite.md.')
})

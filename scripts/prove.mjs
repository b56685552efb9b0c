// npm run prove: the long form of the tests (full cross products, many faults, long random walks), reported by property.
// npm run prove -- <word> …: only the files whose path contains one of the words, such as sweeps, scenarios or bank.
// npm run prove -- --list: the files and how they can be named.
import fs from 'node:fs'
import path from 'node:path'
import { main, root, SetupFailure } from './program.mjs'
import { secondsSince } from './run-program.mjs'
import { ensureInstalled } from './setup.mjs'
import { countTests, runVitest, testFiles } from './vitest.mjs'

const say = (line) => console.log(line)

/** The test files that have a long form: those that import src/test/prove.ts, directly or through helpers of tests. */
function provingFiles() {
  const known = new Map([[path.join(root, 'src/test/prove.ts'), true]])
  return testFiles().filter((file) => reachesProve(path.join(root, file), known))
}

function reachesProve(file, known) {
  if (known.has(file)) return known.get(file)
  known.set(file, false) // while its imports are followed, which may lead back here
  const source = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : ''
  const imported = [...source.matchAll(/from '(\.[^']+\.ts)'/g)].map(([, to]) => path.resolve(path.dirname(file), to))
  const isHelper = (to) => path.relative(root, to).split(path.sep)[1] === 'test'
  const found = imported.filter(isHelper).some((to) => reachesProve(to, known))
  known.set(file, found)
  return found
}

/** A line for each property: the description of a group of tests, or the name of a test that stands alone. */
function byProperty(report) {
  const lines = (report?.testResults ?? []).flatMap(({ name, assertionResults }) => {
    const properties = new Map()
    for (const { title, ancestorTitles, status, duration = 0 } of assertionResults) {
      if (status === 'skipped' || status === 'pending' || status === 'todo') continue
      const property = ancestorTitles[0] || title
      const so = properties.get(property) ?? { cases: 0, failed: 0, ms: 0 }
      so.cases += 1
      so.failed += status === 'failed' ? 1 : 0
      so.ms += duration
      properties.set(property, so)
    }
    return [path.relative(root, name), ...[...properties].map(lineOf)]
  })
  return lines.join('\n')
}

const lineOf = ([property, { cases, failed, ms }]) =>
  `  ${failed > 0 ? `FAILED ${failed} of` : 'ok'} ${cases} ${cases === 1 ? 'case' : 'cases'}, ${(ms / 1000).toFixed(1)} s: ${property}`

main(async () => {
  const words = process.argv.slice(2)
  const files = provingFiles()
  if (words.includes('--list')) return say(files.join('\n'))
  const chosen = files.filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  if (chosen.length === 0)
    throw new SetupFailure(`No long test has ${words.join(' or ')} in its path. "npm run prove -- --list" names them.`)
  await ensureInstalled({ dev: true, say })
  const began = Date.now()
  const result = await runVitest(chosen, { env: { KONTOR_PROVE: '1' } })
  const { passed, failed, skipped } = countTests(result)
  say(`\n== By property\n${byProperty(result.report)}`)
  say(`== ${chosen.length} files in ${secondsSince(began)} s`)
  process.exitCode = failed > 0 ? 1 : 0
  say(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
})

// npm test: every check, each with its heading and its duration. The static checks run beside the tests.
// npm test -- <word>: only the test files whose path contains the word, or else the tests whose name does (`INV-06`). The
// other checks are skipped, and what the tests need is kept from run to run (.cache). Options go to vitest (`-t name`).
import fs from 'node:fs'
import path from 'node:path'
import { describeChromium, howToGetChromium, whichChromium } from './chromium.mjs'
import { main, root } from './program.mjs'
import { runProgram, secondsSince } from './run-program.mjs'
import { ensureInstalled } from './setup.mjs'
import { countTests, runVitest, testFiles } from './vitest.mjs'

const say = (line) => console.log(line)
const isThere = (...names) => names.some((name) => fs.existsSync(path.join(root, name)))

main(async () => {
  await ensureInstalled({ dev: true, say })
  const args = process.argv.slice(2)
  const browser = await whichChromium() // throws before the first check if CHROMIUM_PATH names none
  const isComplete = args.length === 0
  const [failedChecks, tests] = await Promise.all([
    isComplete ? runChecks() : [],
    isComplete ? runAllTests() : runSomeTests(args),
  ])
  if (failedChecks.length > 0) say(`Checks that failed, counted below: ${failedChecks.join(', ')}.`)
  await reportBrowser(browser, tests)
  const lacksBrowser = process.env.KONTOR_BROWSER_TESTS === 'required' && tests.browserSkipped > 0
  if (lacksBrowser) say('Browser tests were skipped where all must run (KONTOR_BROWSER_TESTS), counted below as one.')
  const failed = tests.failed + failedChecks.length + (lacksBrowser ? 1 : 0)
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''
  process.exitCode = failed > 0 ? 1 : 0
  say(`${tests.passed} passed, ${failed} failed${skipped}`)
})

/** Runs the static checks one after the other, and answers the titles of those that failed. */
async function runChecks() {
  const began = Date.now()
  // One checker, because several infer the same types again: a third of the CPU time.
  const types = ['typescript7', 'tsc', '--checkers', '1', '-p']
  const checks = [
    { title: 'Format and lint', run: ['@biomejs/biome', 'biome', 'check'], when: isThere('biome.json') },
    { title: 'Types', run: [...types, '.'], when: isThere('tsconfig.json') },
    { title: 'Types of the web app', run: [...types, 'web'], when: isThere('web/tsconfig.json') },
    {
      title: 'Direction of imports',
      run: ['dependency-cruiser', 'depcruise', 'src', 'web'],
      when: isThere('.dependency-cruiser.cjs'),
    },
    { title: 'Unused code', run: ['knip', 'knip'], when: isThere('knip.json') },
    {
      title: 'Code that only tests use',
      run: ['knip', 'knip', '--production', '--config', 'knip.production.json'],
      when: isThere('knip.production.json'),
    },
  ]
  const failed = []
  for (const { title, run, when } of checks) if (when && (await check(title, run)) !== 0) failed.push(title)
  say(`\n== Static checks: ${failed.length === 0 ? 'ok' : 'FAILED'} (${secondsSince(began)} s, beside the tests)`)
  return failed
}

/** The output is printed when the check has ended: tests are running. */
async function check(title, program) {
  const began = Date.now()
  const { code, output } = await runProgram(program, { keepsOutput: true })
  say(`\n== ${title}\n${output}== ${title}: ${code === 0 ? 'ok' : 'FAILED'} (${secondsSince(began)} s)`)
  return code
}

/** A filter (`-t`) also skips browser tests, so that they were skipped is said only if there is no browser. */
async function reportBrowser(browser, { browserRan, browserSkipped }) {
  if (browser && browserRan > 0) say(`Browser tests used ${await describeChromium(browser)}.`)
  if (!browser && browserSkipped > 0)
    say(`${browserSkipped} browser test(s) skipped because no Chromium was found. ${howToGetChromium}`)
}

async function runAllTests() {
  say('\n== Tests')
  const began = Date.now()
  const result = await runVitest([], { keepsTimes: true })
  say(`== Tests: ${result.code === 0 ? 'ok' : 'FAILED'} (${secondsSince(began)} s)`)
  return countTests(result)
}

const runSomeTests = async (args) =>
  countTests(await runVitest(byPathOrName(args), { env: { KONTOR_TEST_CACHE: '1' } }))

/** A single word that is in no path of a test file is looked for in the names of tests. */
function byPathOrName(args) {
  const [word = ''] = args
  if (args.length !== 1 || word.startsWith('-')) return args
  const files = testFiles()
  if (files.some((file) => file.toLowerCase().includes(path.normalize(word).toLowerCase()))) return args
  const named = files.filter((file) => fs.readFileSync(path.join(root, file), 'utf8').includes(word))
  const quick = named.filter((file) => !file.includes('scenarios')) // scenarios take minutes; name one to run it
  const found = (quick.length > 0 ? quick : named).map((file) => path.join(root, file))
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return found.length > 0 ? [...found, '-t', escaped] : args
}

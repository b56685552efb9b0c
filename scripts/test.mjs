// npm test: every check, each with its heading and its duration.
// npm test -- <word>: only the test files whose path contains the word, or else the tests whose name does (`INV-06`). The
// other checks are skipped, and what the tests need is kept from run to run (.cache). Options go to vitest (`-t name`).
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findChromium, howToGetChromium } from './chromium.mjs'
import { ensureInstalled, main, root } from './setup.mjs'

const say = (line) => console.log(line)
const isThere = (...names) => names.some((name) => fs.existsSync(path.join(root, name)))

main(async () => {
  await ensureInstalled({ dev: true, say })
  const args = process.argv.slice(2)
  const failedChecks = args.length === 0 ? await runChecks() : []
  const tests = await runTests(args)
  if (failedChecks.length > 0) say(`Checks that failed, counted below: ${failedChecks.join(', ')}.`)
  await reportMissingBrowser(tests.browserSkipped)
  const failed = tests.failed + failedChecks.length
  const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''
  process.exitCode = failed > 0 ? 1 : 0
  say(`${tests.passed} passed, ${failed} failed${skipped}`)
})

/** Runs the static checks, two at a time, and answers the titles of those that failed. */
async function runChecks() {
  const quick = [
    { title: 'Types', run: ['typescript7', 'tsc', '-p', '.'], when: isThere('tsconfig.json') },
    { title: 'Types of the web app', run: ['typescript7', 'tsc', '-p', 'web'], when: isThere('web/tsconfig.json') },
    {
      title: 'Types of its tests',
      run: ['typescript7', 'tsc', '-p', 'web/test'],
      when: isThere('web/test/tsconfig.json'),
    },
    { title: 'Format and lint', run: ['@biomejs/biome', 'biome', 'check'], when: isThere('biome.json') },
  ]
  const whole = [
    {
      title: 'Direction of imports',
      run: ['dependency-cruiser', 'depcruise', 'src', 'web'],
      when: isThere(
        '.dependency-cruiser.cjs',
        '.dependency-cruiser.mjs',
        '.dependency-cruiser.js',
        '.dependency-cruiser.json',
      ),
    },
    { title: 'Unused code', run: ['knip', 'knip'], when: isThere('knip.json') },
    {
      title: 'Code that only tests use',
      run: ['knip', 'knip', '--production', '--config', 'knip.production.json'],
      when: isThere('knip.production.json'),
    },
  ]
  const failed = []
  const runAll = async (checks) => {
    for (const { title, run, when } of checks) {
      if (when && (await check(title, run)) !== 0) failed.push(title)
    }
  }
  await Promise.all([runAll(quick), runAll(whole)])
  return failed
}

/** A filter (`-t`) also skips browser tests, so the line is printed only if there is no browser. */
async function reportMissingBrowser(skipped) {
  if (skipped === 0 || (await findChromium().catch(() => undefined))) return
  say(`${skipped} browser test(s) skipped because no Chromium was found. ${howToGetChromium}`)
}

async function runTests(args) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kontor-npm-test-'))
  const outcome = path.join(folder, 'vitest.json')
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outcome}`]
    const env = args.length > 0 ? { KONTOR_TEST_CACHE: '1' } : {}
    const code = await step('Tests', ['vitest', 'vitest', 'run', ...reporters, ...byPathOrName(args)], env)
    return count({ code, outcome })
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** A single word that is in no path of a test file is looked for in the names of tests. */
function byPathOrName(args) {
  const [word = ''] = args
  if (args.length !== 1 || word.startsWith('-')) return args
  const files = ['src', 'web'].flatMap(testFilesUnder)
  if (files.some((file) => file.toLowerCase().includes(path.normalize(word).toLowerCase()))) return args
  const named = files.filter((file) => fs.readFileSync(path.join(root, file), 'utf8').includes(word))
  const quick = named.filter((file) => !file.includes('scenarios')) // scenarios take minutes; name one to run it
  const found = (quick.length > 0 ? quick : named).map((file) => path.join(root, file))
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return found.length > 0 ? [...found, '-t', escaped] : args
}

const testFilesUnder = (folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.join(folder, file))

/** Also counts files that failed to load and errors outside of tests, which have no failed test. */
function count({ code, outcome }) {
  if (!fs.existsSync(outcome)) return { passed: 0, failed: 1, skipped: 0, browserSkipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    fs.readFileSync(outcome, 'utf8'),
  )
  const broken = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  )
  const failed = numFailedTests + broken.length
  const browserFiles = testResults.filter(({ name }) => name.endsWith('.browser.test.ts'))
  const browserTests = browserFiles.flatMap(({ assertionResults }) => assertionResults)
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
    browserSkipped: browserTests.filter(({ status }) => status === 'skipped' || status === 'pending').length,
  }
}

/** Runs a program of a package and answers its exit code. */
async function step(title, [name, bin, ...args], env = {}) {
  say(`\n== ${title}`)
  const began = Date.now()
  const { code } = await run(programOf(name, bin), args, { env })
  say(outcomeOf({ title, code, began }))
  return code
}

/** The same, with its output printed when it has ended: another check may be running. */
async function check(title, [name, bin, ...args]) {
  const began = Date.now()
  const { code, output } = await run(programOf(name, bin), args, { keepsOutput: true })
  say(`\n== ${title}\n${output}${outcomeOf({ title, code, began })}`)
  return code
}

const outcomeOf = ({ title, code, began }) =>
  `== ${title}: ${code === 0 ? 'ok' : 'FAILED'} (${((Date.now() - began) / 1000).toFixed(1)} s)`

function programOf(name, bin) {
  const folder = path.join(root, 'node_modules', name)
  const { bin: bins } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  return path.join(folder, typeof bins === 'string' ? bins : bins[bin])
}

function run(program, args, { env = {}, keepsOutput = false }) {
  return new Promise((resolve, reject) => {
    const to = keepsOutput ? 'pipe' : 'inherit'
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', to, to],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    const stop = (signal) => {
      stopped = true
      child.kill(signal)
    }
    let stopped = false
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    child.on('error', reject)
    child.on('close', (code) => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      if (stopped) process.exit(130)
      resolve({ code: code ?? 1, output })
    })
  })
}

// Runs test files with vitest and reads what became of them.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './program.mjs'
import { runProgram } from './run-program.mjs'

/** How long the tests of the last complete run took (times-reporter.mjs): docs/test-suite.md is written from it. */
export const lastTimes = path.join(root, '.cache/last-test-times.json')

/** Runs vitest and answers its exit code and its report, which is undefined if it wrote none. */
export async function runVitest(args, { env = {}, keepsTimes = false } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kontor-npm-test-'))
  try {
    const outcome = path.join(folder, 'vitest.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${outcome}`]
    if (keepsTimes) reporters.push('--reporter=./scripts/times-reporter.mjs')
    const { code } = await runProgram(['vitest', 'vitest', 'run', ...reporters, ...args], { env })
    return { code, report: fs.existsSync(outcome) ? JSON.parse(fs.readFileSync(outcome, 'utf8')) : undefined }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** How many tests passed, failed and were skipped; files that failed to load and errors outside of tests count too. */
export function countTests({ code, report }) {
  if (!report) return { passed: 0, failed: 1, skipped: 0, browserRan: 0, browserSkipped: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report
  const broken = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  )
  const failed = numFailedTests + broken.length
  const browserFiles = testResults.filter(({ name }) => name.endsWith('.browser.test.ts'))
  const browserTests = browserFiles.flatMap(({ assertionResults }) => assertionResults)
  // Without a browser no test of such a file runs. Single tests are also skipped because only `npm run prove` runs them.
  const isSkipped = ({ status }) => status === 'skipped' || status === 'pending'
  const skippedFiles = browserFiles.filter(({ assertionResults }) => assertionResults.every(isSkipped))
  const browserSkipped = skippedFiles.reduce((sum, { assertionResults }) => sum + assertionResults.length, 0)
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
    browserRan: browserTests.filter((test) => !isSkipped(test)).length,
    browserSkipped,
  }
}

/** The test files, relative to the clone. */
export const testFiles = () =>
  ['src', 'web'].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => path.join(folder, file)),
  )

import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { bundle, root } from '../../test/processes/bundle.ts'
import { LogOutput } from './log-output.ts'

function outputTo() {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-log-'))
  const file = join(folder, 'log')
  const descriptor = openSync(file, 'w')
  onTestFinished(() => {
    closeSync(descriptor)
    rmSync(folder, { recursive: true })
  })
  return { output: new LogOutput(descriptor), written: () => readFileSync(file, 'utf8') }
}

test('lines are written together after a moment, in their order', async () => {
  const { output, written } = outputTo()
  const lines = Array.from({ length: 5 }, (_, n) => `line ${n} ü\n`)
  for (const line of lines) output.write(line)
  expect(written()).toBe('')
  await expect.poll(written).toBe(lines.join(''))
  output.write('later\n')
  await expect.poll(written).toBe(`${lines.join('')}later\n`)
})

test('many lines are written without waiting, and none is lost or repeated', async () => {
  const { output, written } = outputTo()
  const lines = Array.from({ length: 20_000 }, (_, n) => `a line of the log with the number ${n}\n`)
  for (const [n, line] of lines.entries()) {
    output.write(line)
    if (n % 1_000 === 0) await new Promise(setImmediate)
  }
  await expect.poll(written).toBe(lines.join(''))
})

test('lines that wait when the process exits are written', async () => {
  const bundled = `${root}.cache/log-output.mjs`
  await bundle('src/http/observe/log-output.ts', bundled)
  const program = `import { LogOutput } from ${JSON.stringify(pathToFileURL(bundled))}
    const output = new LogOutput()
    for (let n = 0; n < 1000; n++) output.write('line ' + n + '\\n')
    process.exit(3)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program])
  let received = ''
  child.stdout.on('data', (piece) => {
    received += piece
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect({ code, lines: received.split('\n').length - 1 }).toEqual({ code: 3, lines: 1000 })
})

test('an output that cannot be written is given up', async () => {
  const descriptor = openSync('/dev/null', 'r')
  onTestFinished(() => closeSync(descriptor))
  const output = new LogOutput(descriptor)
  output.write('line\n')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(() => output.write('line\n')).not.toThrow()
})

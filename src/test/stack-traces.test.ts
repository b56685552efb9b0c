import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { bundling } from '../../scripts/bundle.mjs'
import { newFolder } from './temporary-folder.ts'

const program = `
// A line that the bundle has not.
type Told = { error: unknown }
export function fail(text: string): never {
  throw new RangeError(text)
}
const told: Told[] = []
for (const text of ['first', 'second']) {
  try {
    fail(text)
  } catch (error) {
    told.push({ error })
  }
}
await Promise.reject(told).catch((all: Told[]) => {
  for (const { error } of all) console.log((error as Error).stack)
})
`
const traces = fileURLToPath(new URL('../../scripts/stack-traces.mjs', import.meta.url))

/** A bundle of the program, and what it prints when a script with these lines runs it. */
async function run(...before: string[]) {
  const folder = newFolder('traces')
  writeFileSync(join(folder, 'program.ts'), program)
  const outfile = join(folder, 'program.js')
  await build({ ...bundling(), entryPoints: [join(folder, 'program.ts')], outfile, sourcesContent: false })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const script = [...before, `await import(${JSON.stringify(pathToFileURL(outfile).href)})`].join('\n')
  writeFileSync(join(folder, 'start.mjs'), script.replaceAll('FOLDER', JSON.stringify(folder)))
  return execFileSync(process.execPath, [join(folder, 'start.mjs')], { encoding: 'utf8' }).replaceAll(folder, '')
}

test('a stack trace names the lines of the sources, as with the source maps of Node', async () => {
  const ours = await run(`import { traceSources } from ${JSON.stringify(traces)}`, 'traceSources(FOLDER)')
  expect(ours).toMatch(/^RangeError: first\n +at fail \(\/program\.ts:5:9\)\n +at .*\/program\.ts:10:5/)
  const nodes = await run('process.setSourceMapsEnabled(true)')
  const framesOf = (text: string) => text.match(/\/program\.ts:\d+:\d+/g)
  expect(framesOf(ours)).toHaveLength(4)
  expect(framesOf(ours)).toEqual(framesOf(nodes))
})

test('without its source map a bundle is named itself', async () => {
  const trace = await run(
    `import { traceSources } from ${JSON.stringify(traces)}`,
    "import { rmSync } from 'node:fs'",
    "rmSync(FOLDER + '/program.js.map')",
    'traceSources(FOLDER)',
  )
  expect(trace).toMatch(/^RangeError: first\n +at fail \(.*\/program\.js:\d+:\d+\)\n/)
})

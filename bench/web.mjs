// npm run bench -- web: builds the web app and compares its sizes, and the time that the build takes, with their limits.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildWeb } from '../scripts/web.mjs'
import { webSizes } from '../scripts/web-sizes.mjs'

const buildSecondsMax = 1
const builds = 3

/** A sentence for each limit that is exceeded. */
export async function benchWeb(esbuild) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kontor-web-'))
  try {
    const sizes = webSizes(await buildWeb({ esbuild, out: path.join(folder, 'app') }), path.join(folder, 'app'))
    console.table(sizes)
    const seconds = await quickestBuild(esbuild, folder)
    console.log(`The build took ${seconds.toFixed(2)} s (the quickest of ${builds}; at most ${buildSecondsMax} s).`)
    return [
      ...sizes
        .filter(({ kB, limit }) => kB > limit)
        .map(({ name, kB, limit }) => `${name}: ${kB} kB, limit ${limit} kB`),
      ...(seconds > buildSecondsMax ? [`build: ${seconds.toFixed(2)} s, limit ${buildSecondsMax} s`] : []),
    ]
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** The first build, which also warms the program up, is not among them. */
async function quickestBuild(esbuild, folder) {
  const times = []
  for (let n = 0; n < builds; n += 1) {
    const before = performance.now()
    await buildWeb({ esbuild, out: path.join(folder, String(n)) })
    times.push((performance.now() - before) / 1000)
  }
  return Math.min(...times)
}

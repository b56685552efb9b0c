// Bundles the programs into dist/ if their sources have changed since the last build.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beside, bundling, threads } from './bundle.mjs'
import { exclusively } from './lock.mjs'
import { hashOf, heartbeat, root, SetupFailure } from './setup.mjs'
import { buildWeb, webSources } from './web.mjs'

const dist = path.join(root, 'dist')
const stampFile = path.join(dist, '.sources')

const programs = [{ in: 'src/program/cli.ts', out: 'cli' }]

export async function ensureBuilt({ say }) {
  if (isFresh()) return
  await exclusively({ root, say, what: 'building' }, async () => {
    if (isFresh()) return
    const tick = heartbeat({ say, line: 'Building.' })
    try {
      await build()
    } finally {
      tick.end()
    }
  })
}

/** Builds into a temporary folder and renames it to dist/ when it is complete. */
async function build() {
  const sources = hashOfSources()
  const fresh = `${dist}.new`
  fs.rmSync(fresh, { recursive: true, force: true })
  const esbuild = await import('esbuild')
  try {
    const server = esbuild.build({
      entryPoints: [...programs, ...threads].map((each) => ({ ...each, in: path.join(root, each.in) })),
      outdir: fresh,
      ...bundling(),
    })
    await Promise.all([server, buildWeb({ esbuild, out: path.join(fresh, 'web') })])
  } catch (error) {
    throw error.errors ? new SetupFailure('The sources do not build: the errors are above.') : error
  } finally {
    await esbuild.stop() // otherwise its process would run as long as this one
  }
  for (const { from, to } of beside) {
    const source = path.join(root, from)
    if (fs.existsSync(source)) fs.cpSync(source, path.join(fresh, to), { recursive: true })
  }
  fs.writeFileSync(path.join(fresh, '.sources'), sources)
  const old = `${dist}.old`
  fs.rmSync(old, { recursive: true, force: true })
  if (fs.existsSync(dist)) fs.renameSync(dist, old)
  fs.renameSync(fresh, dist)
  fs.rmSync(old, { recursive: true, force: true })
}

const isFresh = () => fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === hashOfSources()

function hashOfSources() {
  const hash = createHash('sha256')
  const own = ['scripts/build.mjs', 'scripts/bundle.mjs', 'package.json', 'package-lock.json']
  for (const file of [...own, ...listFiles('src'), ...webSources()])
    hash.update(`${file}\0${hashOf(path.join(root, file))}\0`)
  return hash.digest('hex')
}

/** The source files without tests. */
const listFiles = (folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort()

/** Runs dist/cli.js in this process, so that signals reach it directly. */
export async function runCli(args) {
  process.setSourceMapsEnabled(true)
  const cli = path.join(dist, 'cli.js')
  process.argv = [process.argv[0], cli, ...args]
  await import(pathToFileURL(cli).href)
}

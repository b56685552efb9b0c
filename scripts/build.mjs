// Ensures that dist/ has the programs, bundled from the present sources, and runs the command line in it.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { exclusively } from './lock.mjs'
import { runScript } from './processes.mjs'
import { dist, root, SetupFailure } from './program.mjs'
import { hashOf, heartbeat } from './setup.mjs'
import { webSources } from './web.mjs'

export async function ensureBuilt({ say }) {
  if (isFresh()) return
  await exclusively({ root, say, what: 'building' }, async () => {
    if (isFresh()) return
    const tick = heartbeat({ say, line: 'Building.' })
    try {
      const succeeded = await runScript('build-dist.mjs')
      if (!succeeded) throw new SetupFailure('The sources do not build: the errors are above.')
    } finally {
      tick.end()
    }
  })
}

/** The sources are read only if their size or the time of their last change differs: reading all of them takes a third of a second. */
function isFresh() {
  const noted = readNote()
  if (!noted) return false
  const signs = signsOfSources()
  if (noted.signs === signs) return true
  const present = { signs, contents: hashOfSources() }
  if (noted.contents !== present.contents) return false
  try {
    noteSources(dist, present) // a copy of the folder: the same sources, changed at another time
  } catch {
    // A read-only folder is compared by its contents at every start.
  }
  return true
}

const noteFile = (folder) => path.join(folder, '.sources')

function readNote() {
  try {
    return JSON.parse(fs.readFileSync(noteFile(dist), 'utf8'))
  } catch {
    return undefined
  }
}

export function noteSources(folder, sources) {
  fs.writeFileSync(noteFile(folder), `${JSON.stringify(sources)}\n`)
}

/** Also to be asked before a build, so that a file that changes meanwhile is noticed. */
export function signsOfSources() {
  const hash = createHash('sha256')
  for (const file of listSources()) {
    const { size, ctimeMs } = fs.statSync(path.join(root, file))
    hash.update(`${file}\0${size}\0${ctimeMs}\0`)
  }
  return hash.digest('hex')
}

export function hashOfSources() {
  const hash = createHash('sha256')
  for (const file of listSources()) hash.update(`${file}\0${hashOf(path.join(root, file))}\0`)
  return hash.digest('hex')
}

const listSources = () => [
  ...[
    'scripts/build.mjs',
    'scripts/build-dist.mjs',
    'scripts/build-web.mjs',
    'scripts/bundle.mjs',
    'scripts/packages.mjs',
    'scripts/processes.mjs',
    'package.json',
    'package-lock.json',
  ],
  ...listFiles('src'),
  ...webSources(),
]

const helpersOfTests = path.join('src', 'test', path.sep)

/** The source files without tests and their helpers. */
const listFiles = (folder) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
    .filter((file) => !file.startsWith(helpersOfTests))
    .sort()

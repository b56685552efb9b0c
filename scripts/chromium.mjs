// The browser of the page tests: src/test/browser.ts starts it, and scripts/test.mjs says so when there is none.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { SetupFailure } from './program.mjs'

const require = createRequire(import.meta.url)

/** How to get one. */
export const howToGetChromium = 'Install Chromium, or set CHROMIUM_PATH to the path of one.'

/** The path of the Chromium that tests use, if there is one. */
export const findChromium = async () => (await whichChromium())?.path

/**
 * The one that CHROMIUM_PATH names; on Linux x64 the packaged one, so that tests run alike on every machine; an installed one
 * elsewhere. Throws if CHROMIUM_PATH names none.
 */
export async function whichChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (isFile(named)) return { path: named, kind: 'named by CHROMIUM_PATH' }
    throw new SetupFailure(`CHROMIUM_PATH is ${named}, where there is no file. Correct it, or unset it.`)
  }
  const packaged = await packagedChromium()
  if (packaged) return { path: packaged, kind: 'packaged' }
  const installed = installedAt[process.platform]?.find(isFile)
  return installed && { path: installed, kind: 'installed' }
}

/** Which Chromium it is, in a line: its version, how it was found, its path. */
export async function describeChromium({ path: program, kind }) {
  const version = await promisify(execFile)(program, ['--version'], { timeout: 60_000 }).then(
    ({ stdout }) => stdout.trim(),
    () => 'Chromium of an unknown version',
  )
  return `${version} (${kind}: ${program})`
}

const isFile = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false

const installedAt = {
  linux: ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
}

/**
 * The Chromium of the package, unpacked once into a temporary folder. The package itself takes a file that another
 * process is still writing for a finished one, so each process unpacks into its own folder and renames it when complete.
 */
async function packagedChromium() {
  const entry = process.platform === 'linux' && process.arch === 'x64' && packageEntry()
  if (!entry) return undefined
  const { version } = JSON.parse(fs.readFileSync(path.resolve(entry, '../../../package.json'), 'utf8'))
  const folder = path.join(os.tmpdir(), `kontor-chromium-${version}-${process.getuid?.() ?? 0}`)
  const program = path.join(folder, 'chromium')
  if (fs.existsSync(program)) return program
  const own = fs.mkdtempSync(`${folder}-`)
  try {
    const env = { ...process.env, TMPDIR: own } // the package unpacks into the temporary folder
    const unpack = 'require(process.argv[1]).executablePath()'
    await promisify(execFile)(process.execPath, ['-e', unpack, entry], { env })
    fs.renameSync(own, folder)
  } catch (error) {
    fs.rmSync(own, { recursive: true, force: true })
    if (!fs.existsSync(program)) throw error // otherwise another process was faster
  }
  return program
}

/** Where the package is, if it was installed: an installation without development packages has none. */
function packageEntry() {
  try {
    return require.resolve('@sparticuz/chromium')
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

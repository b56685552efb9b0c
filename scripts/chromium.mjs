// The browser of the page tests: src/test/browser.ts starts it, and scripts/test.mjs says so when there is none.
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const require = createRequire(import.meta.url)

/** How to get one. */
export const howToGetChromium = 'Install Chromium, or set CHROMIUM_PATH to the path of one.'

/** The path of a Chromium, or undefined: the one in CHROMIUM_PATH, an installed one, or on Linux x64 the packaged one. */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return fs.existsSync(named) ? named : undefined
  const installed = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) => fs.existsSync(file))
  if (installed) return installed
  return process.platform === 'linux' && process.arch === 'x64' ? packagedChromium() : undefined
}

/**
 * The Chromium of the package, unpacked once into a temporary folder. The package itself takes a file that another
 * process is still writing for a finished one, so each process unpacks into its own folder and renames it when complete.
 */
async function packagedChromium() {
  const entry = require.resolve('@sparticuz/chromium')
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

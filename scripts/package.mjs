// npm run package: writes kontor-<version>.tgz, with which `npm install` installs Kontor without a clone.
// node scripts/package.mjs --folder <folder>: the contents of that package in a folder, with the packages that it needs; for
// deploy/Dockerfile.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ensureBuilt } from './build.mjs'
import { linkPackages } from './link-packages.mjs'
import { dist, main, root, SetupFailure } from './program.mjs'
import { ensureInstalled } from './setup.mjs'

const say = (line) => console.error(line)
const readJson = (file) => JSON.parse(fs.readFileSync(path.join(root, file), 'utf8'))

main(async () => {
  const [option, folder] = process.argv.slice(2)
  if (option && (option !== '--folder' || !folder))
    throw new SetupFailure('node scripts/package.mjs [--folder <folder>]')
  await ensureInstalled({ dev: false, say })
  await ensureBuilt({ say })
  if (!folder) return packTarball()
  const places = writePackage(path.resolve(folder))
  linkPackages({ from: root, to: path.resolve(folder), places })
})

function packTarball() {
  const folder = path.join(root, '.cache', 'package')
  fs.rmSync(folder, { recursive: true, force: true })
  writePackage(folder)
  execFileSync('npm', ['pack', '--silent', '--pack-destination', root], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Writes the built program, how it is started, and the exact versions of what it needs. Answers the places of those. */
function writePackage(folder) {
  for (const file of [
    'scripts/kontor.mjs',
    'scripts/program.mjs',
    'scripts/stack-traces.mjs',
    '.env.example',
    'README.md',
    'LICENSE',
  ]) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.copyFileSync(path.join(root, file), path.join(folder, file))
  }
  const isNeeded = (file) => !['.sources', 'packages.json'].includes(path.relative(dist, file))
  fs.cpSync(dist, path.join(folder, 'dist'), { recursive: true, filter: isNeeded })
  const manifest = manifestOf(readJson('package.json'), readJson('dist/packages.json'))
  const write = (name, content) => fs.writeFileSync(path.join(folder, name), `${JSON.stringify(content, null, 2)}\n`)
  const lock = lockOf(manifest, readJson('package-lock.json'))
  write('package.json', manifest)
  write('npm-shrinkwrap.json', lock)
  return Object.keys(lock.packages).filter((place) => place !== '')
}

/** The commit that the package is made of, which unreleased code names beside its version (src/core/observe/build-version.ts). */
function commit() {
  if (process.env.KONTOR_COMMIT) return process.env.KONTOR_COMMIT
  const version = execFileSync(process.execPath, [path.join(dist, 'cli.js'), '--version'], { encoding: 'utf8' })
  return /\+([0-9a-f]+)$/.exec(version.trim())?.[1]
}

/** It stays private: Kontor is in no public registry. */
function manifestOf(
  { name, version, description, license, type, engines, bin, dependencies, optionalDependencies, overrides },
  needed,
) {
  const unknown = needed.filter((each) => !dependencies[each])
  if (unknown.length > 0)
    throw new SetupFailure(`The server needs packages that package.json does not name: ${unknown.join(', ')}.`)
  const versions = Object.fromEntries(needed.map((each) => [each, dependencies[each]]))
  const about = { name, version, gitHead: commit(), description, license, private: true, type, engines, bin }
  return { ...about, dependencies: versions, optionalDependencies, overrides }
}

/** The part of package-lock.json that the packages of a manifest need. */
function lockOf({ name, version, license, engines, bin, dependencies, optionalDependencies }, { packages: locked }) {
  const kept = new Set()
  const keep = (from, wanted = {}) => {
    for (const each of Object.keys(wanted)) {
      const place = placeOf(each, from, locked)
      if (!place || kept.has(place)) continue
      kept.add(place)
      const { dependencies: direct, optionalDependencies: optional } = locked[place]
      for (const group of [direct, optional, requiredPeers(locked[place])]) keep(place, group)
    }
  }
  keep('', { ...dependencies, ...optionalDependencies })
  const own = { name, version, license, dependencies, optionalDependencies, bin, engines }
  const packages = Object.fromEntries([...kept].sort().map((place) => [place, locked[place]]))
  return { name, version, lockfileVersion: 3, requires: true, packages: { '': own, ...packages } }
}

const requiredPeers = ({ peerDependencies = {}, peerDependenciesMeta: about = {} }) =>
  Object.fromEntries(Object.entries(peerDependencies).filter(([name]) => !about[name]?.optional))

/** Where a package finds another one: in its own node_modules, or in those of a folder above it. */
function placeOf(name, from, locked) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder ? `${folder}/` : ''}node_modules/${name}`
    if (locked[place]) return place
    if (!folder) return undefined
  }
}

// Puts installed packages into another folder, without copying their files where that is possible.
import fs from 'node:fs'
import path from 'node:path'

/** Those of the places (node_modules/…) that are there: packages for other machines are not installed. */
export function linkPackages({ from, to, places }) {
  for (const place of places) {
    if (!fs.existsSync(path.join(from, place))) continue
    linkFolder(path.join(from, place), path.join(to, place))
    completeLinks(path.join(to, place))
  }
}

/** Without node_modules in it: what is there has a place of its own. */
function linkFolder(from, to) {
  fs.mkdirSync(to, { recursive: true })
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, copy] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory() && entry.name !== 'node_modules') linkFolder(source, copy)
    else if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), copy)
    else if (entry.isFile()) linkFile(source, copy)
  }
}

function linkFile(from, to) {
  try {
    fs.linkSync(from, to)
  } catch {
    fs.copyFileSync(from, to) // another disk
  }
}

/**
 * The links between libraries of PostgreSQL, which npm packages cannot contain. The program makes them itself where it may
 * write (src/db/embedded/binaries.ts); in an image it may not, and would copy all of PostgreSQL at every start.
 */
function completeLinks(folder) {
  const list = path.join(folder, 'native/pg-symlinks.json')
  if (!fs.existsSync(list)) return
  for (const { source, target } of JSON.parse(fs.readFileSync(list, 'utf8'))) {
    const link = path.join(folder, target)
    if (!fs.existsSync(link)) fs.symlinkSync(path.relative(path.dirname(target), source), link)
  }
}

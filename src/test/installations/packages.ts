import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { linkPackages } from '../../../scripts/link-packages.mjs'
import { root } from '../processes/bundle.ts'

type Packages = Record<string, { dev?: boolean; devOptional?: boolean }>

const packagesOf = (file: string): [place: string, about: Packages[string]][] =>
  Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages as Packages)

/** Puts the packages of a lock file into a folder as `npm ci --omit=dev` does, from those that are installed here. */
export function installFromHere(lockFile: string, folder: string): void {
  const wanted = packagesOf(lockFile).filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
  const places = wanted.map(([place]) => place)
  linkPackages({ from: root, to: folder, places })
  const list = 'node_modules/.package-lock.json' // npm's own list of what it has installed
  const installed = packagesOf(join(root, list)).filter(
    ([place]) => places.includes(place) && existsSync(join(folder, place)),
  )
  writeFileSync(join(folder, list), JSON.stringify({ packages: Object.fromEntries(installed) }))
}

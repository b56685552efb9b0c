// The built program and how it is run: with kontor.mjs and stack-traces.mjs all that a package or an image has of scripts/.
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { traceSources } from './stack-traces.mjs'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

export const dist = path.join(root, 'dist')

/** A package or an image: it was built before and has no sources, and what it needs is installed with it. */
export const isBuilt = !fs.existsSync(path.join(root, 'src')) && fs.existsSync(path.join(dist, 'cli.js'))

/** An error that the operator can fix; printed as a sentence, without a stack trace. */
export class SetupFailure extends Error {}

/** Runs a script, and prints its failure as a sentence with an exit code. */
export async function main(script) {
  try {
    await script()
  } catch (error) {
    console.error(error instanceof SetupFailure ? error.message : error)
    process.exitCode = 1
  }
}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new SetupFailure(
    `Kontor needs Node.js 20.19 or newer and this is ${process.versions.node}: install a newer one from https://nodejs.org.`,
  )
}

/** Runs dist/cli.js in this process, so that signals reach it directly. */
export async function runCli(args) {
  traceSources(dist)
  const cli = path.join(dist, 'cli.js')
  process.argv = [process.argv[0], cli, ...args]
  await import(pathToFileURL(cli).href)
}

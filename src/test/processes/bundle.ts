import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beside, bundling, threads } from '../../../scripts/bundle.mjs'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Bundles the threads that the sources start, because Node does not run TypeScript. */
export async function buildThreads(folder = `${root}.cache`): Promise<void> {
  for (const thread of threads) await bundle(thread.in, `${folder}/${thread.out}.js`)
}

/**
 * Bundles a program with its fault points, unless the bundle there was built from the same sources. The new bundle
 * replaces the old one in one step, so that several test files can build it at the same time.
 */
export function bundle(entry: string, outfile: string): Promise<void> {
  const made = bundled.get(outfile) ?? bundleIfChanged(entry, outfile)
  bundled.set(outfile, made)
  return made
}

/** What this process has bundled or found unchanged: its sources are not read again. */
const bundled = new Map<string, Promise<void>>()

async function bundleIfChanged(entry: string, outfile: string): Promise<void> {
  const record = `${outfile}.sources.json`
  if (existsSync(outfile) && existsSync(record)) {
    const { files, hash }: { files: string[]; hash: string } = JSON.parse(readFileSync(record, 'utf8'))
    if (hash === hashOf(files)) return
  }
  const { build } = await import('esbuild')
  const { metafile, outputFiles } = await build({
    ...bundling({ faults: true }),
    entryPoints: [`${root}${entry}`],
    outfile,
    absWorkingDir: root,
    metafile: true,
    write: false,
  })
  for (const { path, contents } of outputFiles) replaceFile(path, contents)
  const files = Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/')) // by package-lock.json
  replaceFile(record, JSON.stringify({ files, hash: hashOf(files) }))
}

const programs = `${root}.cache/programs`

/** Bundles a program of src/test/processes/programs, with its fault points, and answers the file to run. */
export const buildProgram = (name: string): Promise<string> =>
  buildWithFiles(`src/test/processes/programs/${name}.ts`, name)

/** Bundles the product with its fault points. */
export const buildFaultyProduct = (): Promise<string> => buildWithFiles('src/program/cli.ts', 'cli')

async function buildWithFiles(entry: string, name: string): Promise<string> {
  const outfile = `${programs}/${name}.mjs`
  await bundle(entry, outfile)
  await buildThreads(programs)
  for (const { from, to } of beside) mirror(`${root}${from}`, `${programs}/${to}`)
  return outfile
}

/** Makes `folder` a copy of another folder, writing only what differs. */
function mirror(from: string, folder: string): void {
  const names = filesIn(from)
  if (existsSync(folder))
    for (const name of filesIn(folder)) if (!names.includes(name)) rmSync(`${folder}/${name}`, { force: true })
  for (const name of names) {
    const contents = readFileSync(`${from}/${name}`)
    const copy = `${folder}/${name}`
    if (!existsSync(copy) || !readFileSync(copy).equals(contents)) replaceFile(copy, contents)
  }
}

/** The files in a folder and in those below it. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.isFile(),
  )

function replaceFile(file: string, contents: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(temporary, contents)
  renameSync(temporary, file)
}

/** Undefined if one of the sources no longer exists. */
function hashOf(files: string[]): string | undefined {
  const hash = createHash('sha256').update(JSON.stringify(bundling({ faults: true })))
  for (const file of [...files, 'package-lock.json', 'scripts/bundle.mjs']) {
    if (!existsSync(`${root}${file}`)) return undefined
    hash.update(file).update(readFileSync(`${root}${file}`))
  }
  return hash.digest('hex')
}

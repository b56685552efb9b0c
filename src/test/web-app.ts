import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'
import { buildWeb, webSources } from '../../scripts/web.mjs'
import { root } from './processes/bundle.ts'

/** The web app that browser tests use: built once per version of its sources, whichever test file asks first. */
export const builtWebApp = once(() => built('web', 'src/main.tsx', []))

/** The page with every part of the web app, web/kit. */
export const builtKit = once(() =>
  built(
    'kit',
    'kit/kit.tsx',
    readdirSync(`${root}web/kit`).map((file) => `web/kit/${file}`),
  ),
)

/** A process reads the sources once, to see whether they have changed. */
function once(build: () => Promise<string>) {
  let built: Promise<string> | undefined
  return () => {
    built ??= build()
    return built
  }
}

async function built(name: string, entry: string, more: readonly string[]): Promise<string> {
  const folder = `${root}.cache/${name}`
  const stamp = `${folder}/.sources`
  const hash = hashOf([...webSources(), ...more, 'scripts/web.mjs', 'src/test/web-app.ts', 'package-lock.json'])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return folder
  const fresh = mkdtempSync(`${folder}-`)
  const metafile = await buildWeb({ esbuild: await import('esbuild'), out: fresh, entry })
  writeFileSync(`${fresh}/.metafile.json`, JSON.stringify(metafile))
  writeFileSync(`${fresh}/.sources`, hash)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return folder
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update(readFileSync(root + file))
  return hash.digest('hex')
}

/** What esbuild says about the files of the built web app. */
export const metafileIn = (folder: string): Metafile => JSON.parse(readFileSync(`${folder}/.metafile.json`, 'utf8'))

import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'
import { buildWeb, webSources } from '../../scripts/web.mjs'
import { root } from './processes/bundle.ts'

/** The web app that browser tests use: built once per version of its sources, whichever test file asks first. */
export async function builtWebApp(): Promise<string> {
  const folder = `${root}.cache/web`
  const stamp = `${folder}/.sources`
  const hash = hashOfSources()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return folder
  const fresh = mkdtempSync(`${root}.cache/web-`)
  const metafile = await buildWeb({ esbuild: await import('esbuild'), out: fresh })
  writeFileSync(`${fresh}/.metafile.json`, JSON.stringify(metafile))
  writeFileSync(`${fresh}/.sources`, hash)
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return folder
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  for (const file of [...webSources(), 'src/test/web-app.ts', 'package-lock.json'])
    hash.update(file).update(readFileSync(root + file))
  return hash.digest('hex')
}

/** What esbuild says about the files of the built web app. */
export const metafileIn = (folder: string): Metafile => JSON.parse(readFileSync(`${folder}/.metafile.json`, 'utf8'))

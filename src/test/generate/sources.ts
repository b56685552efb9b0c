import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export type Source = { file: string; text: string }

/** The files below src whose path fits, in order: `features/selling/documents/issuing/memo.ts`. */
export function sourcesWhere(fits: (file: string) => boolean): Source[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  return files
    .filter((file) => file.endsWith('.ts') && fits(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(`${root}${file}`, 'utf8') }))
}

export const isTest = (file: string) => file.endsWith('.test.ts')

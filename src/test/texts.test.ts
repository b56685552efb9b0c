import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The files of the project that people read or run. */
const folders = ['.', 'src', 'scripts', 'docs', 'deploy', 'bench', '.ci']
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((file) => join(folder, file)),
)
const kinds = ['.md', '.ts', '.mjs', '.cjs', '.json', '.sql', '.service', '.conf', '.example', '']
const texts = files
  .filter((file) => kinds.includes(extname(file)) && !file.endsWith('package-lock.json'))
  .map((file) => ({ file, text: readIfFile(join(root, file)) }))

function readIfFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // a folder
  }
}

test('no text says to call the command line through npx, which would run a package of the public registry', () => {
  expect(texts.length).toBeGreaterThan(1_000)
  expect(texts.filter(({ text }) => /npx\s+(--\S+\s+)*kontor/.test(text)).map(({ file }) => file)).toEqual([])
})

test('every test that starts the program keeps it from reading the .env of the clone', () => {
  const starting = texts.filter(
    ({ file, text }) =>
      file.startsWith('src') && /(spawn|exec)\w*\(/.test(text) && /scripts\/(kontor|start)\.mjs/.test(text),
  )
  expect(starting.length).toBeGreaterThan(2)
  expect(starting.filter(({ text }) => !text.includes('KONTOR_ENV_FILE')).map(({ file }) => file)).toEqual([])
})

test('README.md links to files that exist', () => {
  const links = readIfFile(join(root, 'README.md')).matchAll(/\]\(([^):#]+)(?:#[^)]*)?\)/g)
  for (const [, link = ''] of links) expect(existsSync(join(root, link)), link).toBe(true)
})

test('the private tables of graphile-worker are named in one file of the program and one of SQL functions', () => {
  const past = /^src\/db\/(migrations|baseline)\//
  const naming = texts.filter(
    ({ file, text }) => /\.(ts|mjs|sql)$/.test(file) && /graphile_worker\._private/.test(text),
  )
  const found = naming.map(({ file }) => file.replaceAll('\\', '/')).filter((file) => !past.test(file))
  expect(found.sort(), 'Use src/db/queue.ts, and in tests src/test/queue.ts.').toEqual([
    'src/db/functions/jobs/queue.sql',
    'src/db/queue.ts',
  ])
})

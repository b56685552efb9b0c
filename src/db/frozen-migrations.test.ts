import { expect, test } from 'vitest'
import { migrationFiles } from './migrate.ts'
import frozen from './migration-checksums.json' with { type: 'json' }

const checksums: Record<string, string> = frozen
const migrations = migrationFiles()

test('FLT-16: the text of a frozen migration never changes', () => {
  const texts = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  const changed = Object.keys(checksums).filter((name) => texts.get(name) !== checksums[name])
  expect(
    changed,
    'These migrations were changed or deleted. Databases have applied them as they were: restore them and write a new migration instead.',
  ).toEqual([])
})

test('every migration is frozen', () => {
  const missing = migrations.map(({ name }) => name).filter((name) => !(name in checksums))
  expect(missing, 'Run `npm run freeze-migrations` and commit src/db/migration-checksums.json.').toEqual([])
})

test('the first 21 migrations are frozen, and the numbers of migrations have no gap', () => {
  const numbers = migrations.map(({ name }) => Number(name.slice(0, 4)))
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect(
    Object.keys(checksums)
      .slice(0, 21)
      .map((name) => Number(name.slice(0, 4))),
  ).toEqual(numbers.slice(0, 21))
})

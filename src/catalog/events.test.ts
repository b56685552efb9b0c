import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { events } from './events.ts'

const folder = fileURLToPath(new URL('../', import.meta.url))

test('every event that a feature declares is in the list, once', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /^(features|ledger)\//.test(file) && file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const declared = files.flatMap((file) =>
    [...readFileSync(`${folder}${file}`, 'utf8').matchAll(/\bevent\(\s*'([\w.]+)'/g)].map(([, type]) => type),
  )
  const listed = events.map(({ type }) => type).filter((type) => !type.startsWith('schedule.'))
  expect(listed.sort()).toEqual(declared.sort())
})

test('an event says what happened, in words, and its payload names the thing and its organization', () => {
  for (const { type, label, payload } of events) {
    expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/)
    expect(label).toMatch(/^[A-Z]/)
    expect(Object.keys((payload as { properties?: object }).properties ?? {})).toEqual(
      expect.arrayContaining(['id', 'organizationId']),
    )
  }
})

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * Compares a committed file with what is generated now, and fails if it is missing or stale. The command that the message
 * names sets KONTOR_GENERATE, with which the file is written first.
 */
export function expectGenerated(path: string, text: string, command: string): void {
  const file = new URL(`../../../${path}`, import.meta.url)
  if (process.env.KONTOR_GENERATE) writeFileSync(file, text)
  const committed = existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : ''
  expect(committed, `${path} is stale: run \`${command}\` and commit it.`).toBe(text)
}

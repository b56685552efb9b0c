import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { productVersion } from '../core/values/product-version.ts'

/** CHANGELOG.md, package.json and the upgrade fixtures name the same versions. docs/recipes.md says how to release one. */

const root = new URL('../../', import.meta.url)
const changelog = readFileSync(new URL('CHANGELOG.md', root), 'utf8')
const headings = [...changelog.matchAll(/^## (\S+)/gm)].map(([, heading]) => heading)
const released = headings.filter((heading) => heading !== 'Unreleased')
const fixtures = new URL('src/test/fixtures/', root)

test('Unreleased is the first heading of CHANGELOG.md, if there is one', () => {
  expect(headings.indexOf('Unreleased')).toBeLessThanOrEqual(0)
})

test('package.json has the newest version of CHANGELOG.md, or that of the next release, which ends with -dev', () => {
  if (headings[0] !== 'Unreleased') return expect(productVersion).toBe(released[0])
  expect(productVersion).toMatch(/^\d+\.\d+\.\d+-dev$/)
  const [next = [], newest = []] = [productVersion, released[0] ?? '0.0.0'].map((version) =>
    version.split(/[.-]/).map(Number),
  )
  const at = next.findIndex((part, index) => part !== newest[index])
  expect(next[at]).toBeGreaterThan(newest[at] ?? 0)
})

test.each(released)('version %s in CHANGELOG.md has an upgrade fixture', (version) => {
  const file = new URL(`released-${version}.tar.gz`, fixtures)
  expect(existsSync(file), `Run npm run upgrade-fixture and commit released-${version}.tar.gz.`).toBe(true)
})

test('every fixture of a released version has a heading in CHANGELOG.md', () => {
  const versions = readdirSync(fixtures).flatMap((name) => /^released-(.+)\.tar\.gz$/.exec(name)?.[1] ?? [])
  expect(versions.filter((version) => !released.includes(version))).toEqual([])
})

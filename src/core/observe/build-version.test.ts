import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/temporary-folder.ts'
import { theApp } from '../../test/world.ts'
import { productVersion } from '../values/product-version.ts'
import { buildVersion, versionIn } from './build-version.ts'
import { createMetrics } from './metrics.ts'

const clone = () => {
  const folder = newFolder('version')
  writeFileSync(join(folder, 'package.json'), '{}')
  const settings = ['-c', 'user.name=Amy', '-c', 'user.email=amy@example.test', '-c', 'init.defaultBranch=main']
  const git = (...words: string[]) =>
    execFileSync('git', [...settings, ...words], { cwd: folder, encoding: 'utf8' }).trim()
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'First')
  return { folder, git }
}

test('unreleased code names its commit, of a clone, a packed branch, a further work tree and a detached head', () => {
  const { folder, git } = clone()
  const commit = git('rev-parse', 'HEAD').slice(0, 9)
  expect(versionIn(folder, '0.2.0-dev')).toBe(`0.2.0-dev+${commit}`)
  git('pack-refs', '--all')
  expect(versionIn(folder, '0.2.0-dev')).toBe(`0.2.0-dev+${commit}`)
  const other = join(newFolder('version'), 'other')
  git('worktree', 'add', '--quiet', '-b', 'topic/one', other)
  writeFileSync(join(other, 'package.json'), '{}')
  expect(versionIn(other, '0.2.0-dev')).toBe(`0.2.0-dev+${commit}`)
  git('checkout', '--quiet', '--detach')
  expect(versionIn(folder, '0.2.0-dev')).toBe(`0.2.0-dev+${commit}`)
  expect(versionIn(folder, '0.2.0')).toBe('0.2.0')
})

test('a package names the commit that it was made of, and without one the version stands alone', () => {
  const folder = newFolder('version')
  expect(versionIn(folder, '0.2.0-dev')).toBe('0.2.0-dev')
  writeFileSync(join(folder, 'package.json'), '{"name": "kontor"}')
  expect(versionIn(folder, '0.2.0-dev')).toBe('0.2.0-dev')
  writeFileSync(join(folder, 'package.json'), '{"gitHead": "0123456789abcdef"}')
  expect(versionIn(folder, '0.2.0-dev')).toBe('0.2.0-dev+012345678')
  writeFileSync(join(folder, 'package.json'), 'not JSON')
  expect(versionIn(folder, '0.2.0-dev')).toBe('0.2.0-dev')
})

test('/health and the metrics say the version', async () => {
  expect(buildVersion.startsWith(productVersion)).toBe(true)
  const { body } = await theApp().server.inject({ url: '/health' })
  expect(JSON.parse(body)).toEqual({ status: 'ok', version: buildVersion })
  const page = await createMetrics({}).page()
  expect(page).toContain(`kontor_build_info{version="${buildVersion}"} 1`)
})

import { chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../test/temporary-folder.ts'
import { handOver, withoutAccess } from './folder-owner.ts'

const isRoot = process.getuid?.() === 0

test.skipIf(!isRoot)('what root makes in a data folder of another account belongs to that account afterwards', () => {
  const [folder, outside] = [newFolder('owner'), newFolder('outside')]
  chownSync(folder, 65_534, 65_534)
  mkdirSync(join(folder, 'files/ab'), { recursive: true })
  mkdirSync(join(folder, 'postgres'))
  writeFileSync(join(folder, 'files/ab/one'), 'x')
  writeFileSync(join(folder, 'postgres.log'), '')
  symlinkSync(outside, join(folder, 'link'))
  handOver(folder)
  const owners = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'link')
  expect(Object.fromEntries(owners.map((name) => [name, statSync(join(folder, name)).uid]))).toEqual({
    files: 65_534,
    'files/ab': 65_534,
    'files/ab/one': 65_534,
    postgres: 0, // has its own account
    'postgres.log': 65_534,
  })
  expect(statSync(outside).uid).toBe(0)
})

test('a data folder of the account that runs Kontor, and one that is not there, are left alone', () => {
  const folder = newFolder('owner')
  writeFileSync(join(folder, 'one'), 'x')
  handOver(folder)
  handOver(join(folder, 'none'))
  expect(statSync(join(folder, 'one')).uid).toBe(process.getuid?.())
})

test('a file of another account is named in a sentence, and other errors stay', () => {
  const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/data/postgres.log' })
  expect(withoutAccess(denied, '/data')).toMatchObject({
    name: 'StartFailure',
    message: expect.stringMatching(
      /^Kontor cannot write to its data folder \/data \(\/data\/postgres\.log\): give the/,
    ),
  })
  expect(withoutAccess(denied, '/other')).toBe(denied)
})

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { StartFailure } from '../../db/start-failure.ts'
import { newFolder } from '../../test/temporary-folder.ts'
import { findKeyring, keyFile } from './key-file.ts'

const folder = () => newFolder('key')
const modeOf = (dir: string) => statSync(join(dir, 'secrets.key')).mode & 0o777

test('SEC-2: in local mode the key is created once, readable by its owner only, and leaves no other file', () => {
  const dir = join(folder(), 'data')
  const key = keyFile(dir).reveal()
  expect(Buffer.from(key, 'base64')).toHaveLength(32)
  expect(keyFile(dir).reveal()).toBe(key)
  expect(modeOf(dir)).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['secrets.key'])
})

test('SEC-2: a key file readable by others is restricted to its owner', () => {
  const dir = folder()
  keyFile(dir)
  chmodSync(join(dir, 'secrets.key'), 0o644)
  keyFile(dir)
  expect(modeOf(dir)).toBe(0o600)
})

test.each(['', 'short\n', 'not base64 but long enough to be a key of it!\n'])(
  'SEC-2: a key file with the content %j stops the start and is not changed',
  (text) => {
    const dir = folder()
    keyFile(dir)
    writeFileSync(join(dir, 'secrets.key'), text)
    expect(() => keyFile(dir)).toThrow(StartFailure)
    expect(readFileSync(join(dir, 'secrets.key'), 'utf8')).toBe(text)
  },
)

test('SEC-2: a key file may contain several keys during a rotation', () => {
  const dir = folder()
  const keys = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
  writeFileSync(join(dir, 'secrets.key'), `${keys.join('\n')}\n`)
  expect(findKeyring({ ...readConfig({}), dataDir: dir })?.ids).toHaveLength(2)
})

test('SEC-2: processes that start at the same time use the same key', async () => {
  const dir = folder()
  const program = join(folder(), 'make.mjs')
  const moment = Date.now() + 1500
  buildSync({
    stdin: {
      contents: `import { keyFile } from './key-file.ts'
        while (Date.now() < ${moment});
        process.stdout.write(keyFile(${JSON.stringify(dir)}).reveal())`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
  })
  const run = async () => (await promisify(execFile)(process.execPath, [program])).stdout
  const keys = await Promise.all(Array.from({ length: 4 }, run))
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toBe(keyFile(dir).reveal())
})

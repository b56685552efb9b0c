import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { threads } from '../../../scripts/bundle.mjs'
import { bundle, root } from '../../test/processes/bundle.ts'
import { bundledFile } from './bundled-file.ts'

test('the files of threads are found from the sources', () => {
  expect(threads).not.toEqual([])
  for (const { out } of threads) {
    expect(bundledFile(out)).toEqual(pathToFileURL(`${root}.cache/${out}.js`))
    expect(existsSync(bundledFile(out))).toBe(true)
  }
})

test('the files of threads are found beside a bundle, wherever it lies', async () => {
  const folder = `${root}.cache/programs/bundled-file`
  await bundle('src/core/files/bundled-file.ts', `${folder}/program.mjs`)
  const program: { bundledFile: typeof bundledFile } = await import(pathToFileURL(`${folder}/program.mjs`).href)
  expect(program.bundledFile('line-reader')).toEqual(pathToFileURL(`${folder}/line-reader.js`))
})

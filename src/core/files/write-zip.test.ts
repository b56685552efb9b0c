import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { writeZip } from './write-zip.ts'
import { unpackEntry, zipEntries } from './zip.ts'

test('an archive is read by others and by our own reader, and the same files give the same bytes', async () => {
  const files = [
    { name: 'A/שלום.txt', bytes: Buffer.from('שלום '.repeat(1_000)) },
    { name: 'empty', bytes: Buffer.alloc(0) },
    { name: 'bytes.bin', bytes: Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 251)) },
  ]
  const archive = await writeZip(files)
  const unpacked = unzipSync(archive)
  expect(Object.keys(unpacked)).toEqual(files.map(({ name }) => name))
  for (const { name, bytes } of files) expect(Buffer.from(unpacked[name] ?? []).equals(bytes)).toBe(true)
  const entries = zipEntries(archive, 10)
  expect(entries.map((entry) => unpackEntry(archive, entry, 100_000).length)).toEqual(
    files.map(({ bytes }) => bytes.length),
  )
  expect((await writeZip(files)).equals(archive)).toBe(true)
})

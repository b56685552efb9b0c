import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { receiveInto } from '../../core/files/receive.ts'
import { newId } from '../../core/values/id.ts'
import { newFolder } from '../../test/folder.ts'
import { readJsonUpload } from './json-upload.ts'

let folder: string
beforeEach(() => {
  folder = newFolder('json-upload')
})

/** Reads the body in pieces of this many bytes; returns the remaining JSON and the content of the file. */
async function read(body: string, pieceBytes = 1024) {
  async function* pieces() {
    const bytes = Buffer.from(body)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const { text, received } = await readJsonUpload(pieces(), () => receiveInto(join(folder, newId())))
  return { json: JSON.parse(text) as unknown, content: received && (await readFile(received.path, 'utf8')) }
}

const hello = { fileName: 'a "b" \\ é.txt', base64: 'SGVsbG8/Pz8+' } // "Hello???>", with both symbols of base64

describe.each([1, 2, 3, 5, 1024])('in pieces of %s bytes', (pieceBytes) => {
  test.each([
    ['with the file first', JSON.stringify({ file: hello, organizationId: 'x' })],
    ['with the file last', JSON.stringify({ organizationId: 'x', file: hello })],
    ['with spaces and line breaks', JSON.stringify({ organizationId: 'x', file: hello }, null, 2)],
    ['with base64 before the name', `{"organizationId":"x","file":{"base64":"SGVsbG8/Pz8+","fileName":${JSON.stringify(hello.fileName)}}}`],
    ['with escaped symbols', JSON.stringify({ organizationId: 'x', file: hello }).replace('8/', '8\\/').replace('+"', '\\u002b"')],
  ])('a body %s gives the file and the other fields', async (_, body) => {
    expect(await read(body, pieceBytes)).toEqual({
      json: { organizationId: 'x', file: { ...hello, base64: '' } },
      content: 'Hello???>',
    })
  }) // biome-ignore format: a table

  test.each([
    { base64: 'SGk=' },
    { file: 'base64' },
    { file: { inner: { base64: 'SGk=' } } },
    { other: { base64: 'SGk=' } },
    { other: { file: { base64: 'SGk=' } } },
    { text: '"file":{"base64":"SGk="}' },
    { file: [{ base64: 'SGk=' }] },
    { file: { base64: null, more: { base64: 'SGk=' } } },
  ])('%j has no string at file.base64 and stays unchanged', async (body) => {
    expect(await read(JSON.stringify(body), pieceBytes)).toEqual({ json: body, content: undefined })
  })
})

test.each([
  ['base64 that is not padded', '"SGVsbG8"', '"SGVsbG8="'],
  ['base64 with a line break', '"SGVs\\nbG8="', '"SGVsbG8="'],
  ['base64 of the URL alphabet', '"-_-_"', '"+/+/"'],
  ['an unfinished escape', '"SGVsbG8=\\u00"', '"SGVsbG8\\u003d"'],
  ['file.base64 twice', '"SGk=","base64":"SGk="', '"SGk=","base65":"SGk="'],
  ['a remainder of more than 1 MiB', `"SGk=","more":"${'x'.repeat(1024 * 1024)}"`, `"SGk=","more":"${'x'.repeat(1000)}"`],
])('%s is refused, and no file remains', async (_, invalid, valid) => {
  await read(`{"file":{"fileName":"a","base64":${valid}}}`)
  expect(readdirSync(folder)).toHaveLength(1)
  await expect(read(`{"file":{"fileName":"a","base64":${invalid}}}`)).rejects.toMatchObject({ status: 400 })
  expect(readdirSync(folder)).toHaveLength(1)
}) // biome-ignore format: a table

import { mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { asBase85, asHex, gzipBomb, laughs, pdf, png, zeros, zip } from '../../test/fakes/bombs.ts'
import { contentType, servedType } from './content-type.ts'
import { inspect } from './inspect.ts'

const folder = mkdtempSync(join(tmpdir(), 'kontor-inspect-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function writeToDisk(content: Buffer | string) {
  const path = join(folder, 'file')
  await writeFile(path, content)
  return path
}

const inspected = async (content: Buffer | string) => {
  const path = await writeToDisk(content)
  return inspect({ path, fileType: await contentType(path) })
}

const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, n) => (n * 7919 + (n >> 3) * 31) % 256))

describe('an ordinary file passes, and its size is read from its header', () => {
  test.each<[string, () => Buffer | string, object]>([
    ['a PNG', () => png(1200, 800), { width: 1200, height: 800 }],
    ['a PNG of 50 million pixels', () => png(10_000, 5_000), { width: 10_000, height: 5_000 }],
    [
      'a GIF',
      () => Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0x40, 1, 0xf0, 0]), Buffer.alloc(20)]),
      { width: 320, height: 240 },
    ],
    ['a JPEG with a preview first', () => jpeg(640, 480), { width: 640, height: 480 }],
    ['a WebP', () => webp(99, 49), { width: 100, height: 50 }],
    ['a PDF', () => pdf({ pages: 3, stream: Buffer.from('BT (Hello) Tj ET') }), { pages: 3, expandedBytes: 16 }],
    [
      'a PDF with a stream in base 85',
      () => pdf({ stream: Buffer.from('BT (Hello) Tj ET'), encode: asBase85, filter: '[/ASCII85Decode /FlateDecode]' }),
      { pages: 1, expandedBytes: 16 },
    ],
    ['a packed PDF', () => pdf({ pages: 50, packed: true }), { pages: 50, expandedBytes: expect.any(Number) }],
    ['an archive', () => zip(noise(5_000)), { expandedBytes: 5_000 }],
    ['a gzip', () => gzipSync(noise(5_000)), { expandedBytes: 5_000 }],
    ['a drawing', () => '<svg xmlns="http://www.w3.org/2000/svg"/>', {}],
    ['JSON', () => '{"a": [1, 2]}', {}],
    ['plain text', () => 'hello', {}],
  ])('%s', async (_, content, facts) => expect(await inspected(content())).toEqual(facts))
})

describe('FLT-13: a file that would expand without bounds is refused before anything decodes it', () => {
  test.each<[string, () => Buffer | string, string]>([
    ['a gzip bomb', gzipBomb, 'FILE_EXPANDS'],
    ['a zip bomb', () => zip(zeros(200)), 'FILE_EXPANDS'],
    ['a zip whose entries share their bytes', () => zip(noise(200_000), { times: 9_000 }), 'FILE_EXPANDS'],
    ['a zip of too many entries', () => zip(Buffer.from('x'), { times: 20_000 }), 'FILE_EXPANDS'],
    ['a PNG of 50,000 x 50,000', () => png(50_000, 50_000), 'TOO_MANY_PIXELS'],
    ['a JPEG of 60,000 x 60,000', () => jpeg(60_000, 60_000), 'TOO_MANY_PIXELS'],
    ['a WebP of 16,384 x 16,384', () => webp(16_383, 16_383), 'TOO_MANY_PIXELS'],
    ['a PDF of 10,000 pages', () => pdf({ pages: 10_000 }), 'TOO_MANY_PAGES'],
    ['a PDF of 10,000 packed pages', () => pdf({ pages: 10_000, packed: true }), 'TOO_MANY_PAGES'],
    ['a PDF of one page 10,000 times', () => pdf({ pages: 10_000, shared: true }), 'TOO_MANY_PAGES'],
    ['a PDF with a packed bomb', () => pdf({ stream: zeros(150) }), 'FILE_EXPANDS'],
    [
      'a PDF with a packed bomb in hexadecimal digits',
      () => pdf({ stream: zeros(150), encode: asHex, filter: '[/ASCIIHexDecode /FlateDecode]' }),
      'FILE_EXPANDS',
    ],
    [
      'a PDF with a packed bomb in base 85',
      () => pdf({ stream: zeros(150), encode: asBase85, filter: '[ /A85 /Fl ]' }),
      'FILE_EXPANDS',
    ],
    [
      'a PDF packed twice over',
      () => pdf({ stream: Buffer.from('x'), filter: '[/FlateDecode /FlateDecode]' }),
      'FILE_EXPANDS',
    ],
    ['entities in a drawing', laughs, 'XML_ENTITIES'],
    ['entities in UTF-16', () => Buffer.from(`\ufeff${laughs()}`, 'utf16le'), 'XML_ENTITIES'],
    ['JSON of 10^5 levels', () => '['.repeat(100_000) + ']'.repeat(100_000), 'JSON_LIMITS'],
    ['JSON of 10^6 keys', () => `{"a":1${',"a":1'.repeat(1_000_000)}}`, 'JSON_LIMITS'],
    ['a cut-off PNG', () => png(10, 10).subarray(0, 18), 'FILE_UNREADABLE'],
    ['a cut-off archive', () => zip(noise(5_000)).subarray(0, -30), 'FILE_UNREADABLE'],
    ['a cut-off gzip', () => gzipSync(noise(5_000)).subarray(0, -30), 'FILE_UNREADABLE'],
  ])('%s', async (_, content, code) => {
    const bytes = Buffer.from(content())
    expect(bytes.length).toBeLessThan(20 * 1024 * 1024)
    await expect(inspected(bytes)).rejects.toMatchObject({ status: 400, details: [{ path: 'file', code }] })
  })

  test('unpacked bytes are not kept in memory', async () => {
    const path = await writeToDisk(gzipBomb())
    const before = process.memoryUsage().arrayBuffers
    await expect(inspect({ path, fileType: 'application/gzip' })).rejects.toMatchObject({ status: 400 })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * 1024 * 1024)
  })
})

describe('THR-14: the type of a file is determined by its bytes', () => {
  test.each<[string, string | Buffer, string]>([
    ['page', '<!DOCTYPE html><p>x', 'text/html'],
    ['page after a comment', '<!-- a -->\n<script>x</script>', 'text/html'],
    ['page in XML', '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', 'text/html'],
    ['drawing', '<?xml version="1.0"?>\n<!-- a --><svg/>', 'image/svg+xml'],
    ['drawing with entities', laughs(), 'image/svg+xml'],
    ['XML', '<?xml version="1.0"?><invoice/>', 'application/xml'],
    ['JSON', '{"a": 1}', 'application/json'],
    ['list in JSON', '[[1, 2]]', 'application/json'],
    ['words in braces', '{{greeting}}, thanks', 'text/plain'],
    ['table', 'date,amount,note\n2026-01-01,5,a\n2026-01-02,6,b\n', 'text/csv'],
    ['Hebrew words', 'שלום, מה שלומך?', 'text/plain'],
    ['bytes', Buffer.from([1, 2, 3, 0, 255, 254]), 'application/octet-stream'],
    ['PDF', pdf(), 'application/pdf'],
    ['PNG', png(1, 1), 'image/png'],
    ['archive', zip(Buffer.from('x')), 'application/zip'],
    ['word at the edge of a character', `${'a'.repeat(64 * 1024 - 1)}é`, 'text/plain'],
  ])('%s', async (_, content, type) => expect(await contentType(await writeToDisk(content))).toBe(type))

  test('the file name distinguishes CSV from other text, and nothing else', async () => {
    const path = await writeToDisk('a;b')
    expect(await contentType(path, 'x.CSV')).toBe('text/csv')
    expect(await contentType(path, 'x.html')).toBe('text/plain')
  })

  test.each([
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['application/xml', 'application/octet-stream'],
    ['application/javascript', 'application/octet-stream'],
    ['image/png', 'image/png'],
    ['text/csv', 'text/csv; charset=utf-8'],
  ])('%s is sent as %s', (type, served) => expect(servedType(type)).toBe(served))
})

function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const preview = Buffer.concat([Buffer.from([0xff, 0xe1, 0xff, 0x00]), Buffer.alloc(0xff00 - 2)])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), preview, Buffer.from([0xff]), frame, Buffer.alloc(30)])
}

function webp(widthLess1: number, heightLess1: number): Buffer {
  const bytes = Buffer.alloc(64)
  bytes.write('RIFF', 0, 'latin1')
  bytes.write('WEBPVP8X', 8, 'latin1')
  bytes.writeUIntLE(widthLess1, 24, 3)
  bytes.writeUIntLE(heightLess1, 27, 3)
  return bytes
}

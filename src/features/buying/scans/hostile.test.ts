import '../../../test/own-world.ts'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { billOf } from '../../../test/einvoices/bill.ts'
import { member, type Someone } from '../../../test/world.ts'

const file = (fileName: string, bytes: Buffer | string) => ({ fileName, base64: Buffer.from(bytes).toString('base64') })

/** Uploads a file and scans it; an upload that is refused is the answer. */
async function scanned(amy: Someone, given: { fileName: string; base64: string }) {
  const uploaded = await amy.call('expenses_upload', { organizationId: String(amy.organizationId), file: given })
  return { attachmentId: uploaded.id, ...(await amy.call('expenses_scan', { attachmentId: uploaded.id })) }
}

/** A PNG that declares a size of its own; its rows are all missing. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const pdfOfPages = (count: number) =>
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count ${count}/Kids[${Array.from({ length: count }, (_, at) => `${at + 3} 0 R`).join(' ')}]>>endobj
${Array.from({ length: count }, (_, at) => `${at + 3} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj`).join('\n')}
trailer<</Root 1 0 R>>`

const pictureAndPage = Buffer.concat([
  Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD', 'base64'),
  Buffer.from('<script>alert(1)</script>%PDF-1.4'),
])

test.for([
  ['a picture of 30,000 x 30,000 pixels', 'a.png', pngOf(30_000, 30_000)],
  ['a truncated JPEG', 'a.jpg', Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD', 'base64')],
  ['a PDF of 10,000 pages', 'a.pdf', pdfOfPages(10_000)],
  ['a file that is several types at once', 'a.jpg', pictureAndPage],
  ['a file of random bytes', 'a.bin', Buffer.from(Array.from({ length: 4_096 }, (_, at) => (at * 7_919) % 251))],
] as const)(
  'FLT-13: %s is FAILED with a reason or refused, loses nothing, and the next scan works',
  async ([, fileName, bytes]) => {
    const amy = await member('MANAGER')
    const result = await scanned(amy, file(fileName, bytes)).catch((error: { status: number }) => error)
    if ('status' in result) expect(result.status).toBe(400)
    else {
      expect(result).toMatchObject({ scanStatus: 'FAILED', extractedData: {}, scanError: expect.stringMatching(/\.$/) })
      expect(await amy.call('expenses_get', { id: result.expenseId })).toMatchObject({
        status: 'DRAFT',
        attachments: [{ id: result.attachmentId }],
      })
    }
    expect(await scanned(amy, billOf())).toMatchObject({ scanStatus: 'COMPLETED' })
    expect(await amy.call('expenses_usage', { organizationId: String(amy.organizationId) })).toMatchObject({ used: 1 })
  },
)

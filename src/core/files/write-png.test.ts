import sharp from 'sharp'
import { expect, test } from 'vitest'
import { writePng } from './write-png.ts'

test('a picture that is written as PNG has the same pixels when it is read', async () => {
  const [width, height] = [37, 11]
  const data = Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 31) % 256)
  const { data: read, info } = await sharp(writePng({ data, width, height }))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width, height, channels: 3 })
  expect(read.equals(Buffer.from(data))).toBe(true)
})

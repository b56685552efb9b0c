import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { compare, isSame } from './compare-pictures.ts'

const golden = readFileSync(new URL('./goldens/documents-en.png', import.meta.url))
const sameAs = async (other: Buffer) => isSame(await compare(golden, other))

type Place = { left: number; top: number; width: number; height: number }
/** The golden picture with a block of it set somewhere else. */
async function moved(part: Place, by: { right?: number; down?: number }): Promise<Buffer> {
  const block = await sharp(golden).extract(part).toBuffer()
  const input = { input: block, left: part.left + (by.right ?? 0), top: part.top + (by.down ?? 0) }
  return sharp(golden).removeAlpha().composite([input]).png().toBuffer()
}

/** The golden picture with every pixel of a colour, or about it, in another one. */
async function recoloured(from: readonly number[], to: readonly number[]): Promise<Buffer> {
  const { data, info } = await sharp(golden).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  for (let at = 0; at < data.length; at += 3)
    if (from.every((value, channel) => Math.abs((data[at + channel] ?? 0) - value) <= 3))
      for (const [channel, value] of to.entries()) data[at + channel] = value
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .png()
    .toBuffer()
}

describe('the comparison of pictures finds', () => {
  test.each([
    { what: 'a column 8 pixels further', part: { left: 240, top: 96, width: 400, height: 480 }, by: { right: 8 } },
    { what: 'rows 8 pixels lower', part: { left: 240, top: 140, width: 1000, height: 300 }, by: { down: 8 } },
    { what: 'a word elsewhere', part: { left: 232, top: 14, width: 200, height: 40 }, by: { right: 8 } },
    { what: 'a button 8 pixels further', part: { left: 1060, top: 8, width: 200, height: 48 }, by: { down: 8 } },
  ])('$what', async ({ part, by }) => {
    expect(await sameAs(await moved(part, by))).toBe(false)
  })

  test.each([
    { what: 'the accent', from: [0x0f, 0x6b, 0x57], to: [0x0f, 0x57, 0x6b] },
    { what: 'the paper, by a shade', from: [0xfb, 0xfa, 0xf7], to: [0xfb, 0xf4, 0xf0] },
    { what: 'the menu, by a shade', from: [0xf5, 0xf2, 0xea], to: [0xfb, 0xfa, 0xf7] },
  ])('another colour for $what', async ({ from, to }) => {
    expect(await sameAs(await recoloured(from, to))).toBe(false)
  })

  test('the other direction, and another size', async () => {
    expect(await sameAs(await sharp(golden).flop().png().toBuffer())).toBe(false)
    expect(await sameAs(await sharp(golden).extract({ left: 0, top: 0, width: 1000, height: 800 }).toBuffer())).toBe(
      false,
    )
  })
})

describe('the comparison of pictures passes over', () => {
  test('letters a fraction of a pixel beside where they were', async () => {
    const { width = 0, height = 0 } = await sharp(golden).metadata()
    const shifted = await sharp(golden)
      .removeAlpha()
      .affine([1, 0, 0, 1], { odx: 0.5, ody: 0.3, interpolator: 'bicubic', background: '#fff' })
      .resize(width, height, { fit: 'cover', position: 'left top' })
      .png()
      .toBuffer()
    const inside = { left: 8, top: 8, width: width - 16, height: height - 16 }
    const [one, other] = await Promise.all(
      [golden, shifted].map((each) => sharp(each).removeAlpha().extract(inside).png().toBuffer()),
    )
    expect(isSame(await compare(one as Buffer, other as Buffer))).toBe(true)
  })

  test('letters that are drawn softer, and a little noise', async () => {
    expect(await sameAs(await sharp(golden).removeAlpha().blur(0.5).png().toBuffer())).toBe(true)
    const { data, info } = await sharp(golden).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    for (let at = 0; at < data.length; at++)
      data[at] = Math.min(255, Math.max(0, (data[at] ?? 0) + ((at * 7919) % 5) - 2))
    const noisy = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
      .png()
      .toBuffer()
    expect(await sameAs(noisy)).toBe(true)
  })
})

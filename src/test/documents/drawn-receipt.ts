import { createRequire } from 'node:module'
import sharp, { type OverlayOptions } from 'sharp'

const require = createRequire(import.meta.url)

/** A line of a drawn receipt: text at the right or the left edge, or at both. */
export type DrawnLine = string | { left?: string; right?: string }

/** A receipt as a PNG file, black on white, printed with Heebo, which has Latin and Hebrew letters. A plain text starts at the left. */
export async function drawReceipt(lines: readonly DrawnLine[], { width = 640, size = 28 } = {}): Promise<Buffer> {
  const margin = 30
  const layers: OverlayOptions[] = []
  let top = margin
  for (const line of lines) {
    const { left, right } = typeof line === 'string' ? { left: line, right: undefined } : line
    if (left) layers.push({ input: (await drawText(left, size)).data, top, left: margin })
    if (right) {
      const { data, info } = await drawText(right, size)
      layers.push({ input: data, top, left: width - margin - info.width })
    }
    top += Math.round(size * 1.6)
  }
  const paper = { width, height: top + margin, channels: 3 as const, background: '#fff' }
  return await sharp({ create: paper }).composite(layers).png().toBuffer()
}

function drawText(text: string, size: number) {
  const fontfile = require.resolve('@expo-google-fonts/heebo/400Regular/Heebo_400Regular.ttf')
  return sharp({ text: { text, font: `Heebo ${size}`, fontfile, rgba: true, dpi: 72 } })
    .png()
    .toBuffer({ resolveWithObject: true })
}

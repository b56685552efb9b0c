import type { Grey } from './draw.ts'

/** How many pixels wide a dot is, with its gap. */
export const dotSize = 3

/** The print of needles: each dark pixel of a small picture becomes a round dot of a larger one. */
export function inDots({ width, height, data }: Grey): Grey {
  const [wide, high] = [width * dotSize, height * dotSize]
  const dotted = new Uint8Array(wide * high).fill(255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((data[y * width + x] ?? 255) > darkest) continue
      for (let down = 0; down < dotSize; down++)
        for (let right = 0; right < dotSize; right++) {
          const isCorner = down !== 1 && right !== 1
          dotted[(y * dotSize + down) * wide + x * dotSize + right] = isCorner ? 120 : 20
        }
    }
  return { width: wide, height: high, data: dotted }
}

const darkest = 150

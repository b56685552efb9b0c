/** Pixels of a picture in memory: red, green and blue of each, row by row. */
export type Raster = { data: Uint8Array; width: number; height: number }

/**
 * A rectangle on a raster that may be turned: its middle, its size along and across the text, and the direction of the text
 * in radians (0 is to the right, positive turns clockwise).
 */
export type Region = { x: number; y: number; width: number; height: number; angle: number }

/** A point of a region, `along` the text and `across` it in pixels from the region's corner, as a point of the raster. */
export function pointOf({ x, y, width, height, angle }: Region, along: number, across: number) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [u, v] = [along - width / 2, across - height / 2]
  return { x: x + u * cos - v * sin, y: y + u * sin + v * cos }
}

/** The same place read in another direction, a number of quarter turns clockwise. */
export function turned(region: Region, quarters: number): Region {
  const { width, height, angle } = region
  const sides = quarters % 2 === 0 ? { width, height } : { width: height, height: width }
  return { ...region, ...sides, angle: angle + (quarters * Math.PI) / 2 }
}

/** The picture within a region, turned upright and scaled to `height` rows. Pixels beyond the edge repeat the edge. */
export function cut(source: Raster, region: Region, height: number, width: number): Raster {
  const data = new Uint8Array(width * height * 3)
  const [stepX, stepY] = [region.width / width, region.height / height]
  const samples = Math.min(4, Math.max(1, Math.round(Math.max(stepX, stepY))))
  const [cos, sin] = [Math.cos(region.angle), Math.sin(region.angle)]
  const sum = new Float64Array(3)
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      sum.fill(0)
      for (let i = 0; i < samples; i++) {
        const v = (row + (i + 0.5) / samples) * stepY - region.height / 2
        for (let j = 0; j < samples; j++) {
          const u = (column + (j + 0.5) / samples) * stepX - region.width / 2
          addSample(source, region.x + u * cos - v * sin - 0.5, region.y + u * sin + v * cos - 0.5, sum)
        }
      }
      const to = (row * width + column) * 3
      const count = samples * samples
      for (let channel = 0; channel < 3; channel++) data[to + channel] = (sum[channel] ?? 0) / count + 0.5
    }
  }
  return { data, width, height }
}

/** Adds the colour at a place between pixels, weighted by distance. It runs for every pixel that is read, so it makes no objects. */
function addSample(source: Raster, x: number, y: number, sum: Float64Array): void {
  const { data, width, height } = source
  const left = Math.min(Math.max(x, 0), width - 1)
  const top = Math.min(Math.max(y, 0), height - 1)
  const x0 = Math.floor(left)
  const y0 = Math.floor(top)
  const fx = left - x0
  const fy = top - y0
  const a = (y0 * width + x0) * 3
  const b = x0 + 1 < width ? a + 3 : a
  const down = y0 + 1 < height ? width * 3 : 0
  for (let channel = 0; channel < 3; channel++) {
    const upper = (data[a + channel] as number) * (1 - fx) + (data[b + channel] as number) * fx
    const lower = (data[a + down + channel] as number) * (1 - fx) + (data[b + down + channel] as number) * fx
    sum[channel] = (sum[channel] as number) + upper * (1 - fy) + lower * fy
  }
}

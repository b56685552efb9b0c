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

/** Adds the colour at a place between pixels, weighted by distance. */
function addSample({ data, width, height }: Raster, x: number, y: number, sum: Float64Array): void {
  const left = Math.min(Math.max(x, 0), width - 1)
  const top = Math.min(Math.max(y, 0), height - 1)
  const [x0, y0] = [Math.floor(left), Math.floor(top)]
  const [x1, y1] = [Math.min(x0 + 1, width - 1), Math.min(y0 + 1, height - 1)]
  const [fx, fy] = [left - x0, top - y0]
  const [a, b, c, d] = [(y0 * width + x0) * 3, (y0 * width + x1) * 3, (y1 * width + x0) * 3, (y1 * width + x1) * 3]
  for (let channel = 0; channel < 3; channel++) {
    const upper = (data[a + channel] ?? 0) * (1 - fx) + (data[b + channel] ?? 0) * fx
    const lower = (data[c + channel] ?? 0) * (1 - fx) + (data[d + channel] ?? 0) * fx
    sum[channel] = (sum[channel] ?? 0) + upper * (1 - fy) + lower * fy
  }
}

import type { Region } from './raster.ts'

/** How likely each pixel is to belong to text (0–1), as the detector says. */
export type ProbabilityMap = { data: Float32Array; width: number; height: number }

const [pixelThreshold, regionThreshold, smallestSide] = [0.3, 0.5, 3]

/** The detector marks text narrower than it is, so that lines stay apart. This share of area over perimeter is added on each side. */
const growth = 1.6

/** Connected areas of likely text as rectangles, grown to cover the whole text. */
export function regionsOf(map: ProbabilityMap): Region[] {
  const regions: Region[] = []
  const seen = new Uint8Array(map.data.length)
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || (map.data[start] ?? 0) < pixelThreshold) continue
    const { score, points } = component(map, seen, start)
    if (score < regionThreshold) continue
    const region = smallestRectangle(hull(points))
    if (Math.min(region.width, region.height) < smallestSide) continue
    const distance = (region.width * region.height * growth) / (2 * (region.width + region.height))
    regions.push({ ...region, width: region.width + 2 * distance, height: region.height + 2 * distance })
  }
  return regions
}

type Point = readonly [x: number, y: number]

/** The pixels connected to `start`, as the ends of each row, and their mean probability. */
function component({ data, width, height }: ProbabilityMap, seen: Uint8Array, start: number) {
  const ends = new Map<number, [number, number]>()
  const open = [start]
  seen[start] = 1
  let [sum, count] = [0, 0]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)]
    sum += data[at] ?? 0
    count += 1
    const row = ends.get(y)
    if (!row) ends.set(y, [x, x])
    else if (x < row[0]) row[0] = x
    else if (x > row[1]) row[1] = x
    for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy++) {
      for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
        const next = at + dy * width + dx
        if (seen[next] || (data[next] ?? 0) < pixelThreshold) continue
        seen[next] = 1
        open.push(next)
      }
    }
  }
  const points: Point[] = []
  for (const [y, [left, right]] of ends) points.push([left, y], [right + 1, y], [left, y + 1], [right + 1, y + 1])
  return { score: sum / count, points }
}

/** The corners of the smallest convex area with all points (Andrew's monotone chain). */
function hull(points: Point[]): Point[] {
  const sorted = points.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (list: Point[]) => {
    const chain: Point[] = []
    for (const point of list) {
      while (chain.length >= 2 && turn(chain.at(-2) as Point, chain.at(-1) as Point, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

const turn = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

/** The rectangle of least area around a convex outline; its text direction is the one within 45 degrees of the horizontal. */
function smallestRectangle(corners: Point[]): Region {
  let best: Region = { x: 0, y: 0, width: 0, height: 0, angle: 0 }
  let least = Number.POSITIVE_INFINITY
  corners.forEach((from, index) => {
    const to = corners[(index + 1) % corners.length] ?? from
    const side = Math.atan2(to[1] - from[1], to[0] - from[0])
    const angle = side - Math.round(side / (Math.PI / 2)) * (Math.PI / 2)
    const region = rectangleAt(corners, angle)
    // Sides of the pixel grid win unless another direction is clearly better: short words have no direction of their own.
    const area = region.width * region.height * (angle === 0 ? 0.95 : 1)
    if (area < least) [least, best] = [area, region]
  })
  return best
}

function rectangleAt(corners: Point[], angle: number): Region {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  let [left, right, top, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const [x, y] of corners) {
    const [u, v] = [x * cos + y * sin, y * cos - x * sin]
    left = Math.min(left, u)
    right = Math.max(right, u)
    top = Math.min(top, v)
    bottom = Math.max(bottom, v)
  }
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  return { x: u * cos - v * sin, y: u * sin + v * cos, width: right - left, height: bottom - top, angle }
}

import sharp from 'sharp'

/**
 * How two pictures of a page differ, in tiles of 8 × 8 pixels. Another version of the browser draws letters a little darker and
 * sets them a fraction of a pixel beside where they were: the mean colour of a tile with letters may differ a little, and it may
 * be found up to a pixel away. A tile of one colour has no such excuse. What moved, changed its colour or is missing changes many tiles.
 */
export type Difference = { tiles: number; changed: number; at: readonly { left: number; top: number }[] }

const tile = 8
const reach = 1
/** Of 255, in the channel that differs most. */
const most = { plain: 5, drawn: 18 }
/** A tile whose pixels differ less than this among themselves is of one colour. */
const flat = 6

export async function compare(golden: Buffer, now: Buffer): Promise<Difference> {
  const [one, other] = await Promise.all([golden, now].map(pixelsOf))
  if (!one || !other || one.width !== other.width || one.height !== other.height) {
    return { tiles: 1, changed: Number.POSITIVE_INFINITY, at: [{ left: 0, top: 0 }] }
  }
  const at: { left: number; top: number }[] = []
  let tiles = 0
  for (let top = 0; top + tile <= one.height; top += tile)
    for (let left = 0; left + tile <= one.width; left += tile) {
      tiles++
      if (!isEqual(one, other, left, top) && differs(one, other, left, top)) at.push({ left, top })
    }
  return { tiles, changed: at.length, at }
}

/** A few tiles may differ: the end of a rounded corner, a letter of an icon. */
export const isSame = ({ tiles, changed }: Difference) => changed <= Math.max(4, tiles * 0.0005)

type Pixels = { data: Buffer; width: number; height: number }

async function pixelsOf(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** Most tiles are, and need no means. */
function isEqual(one: Pixels, other: Pixels, left: number, top: number): boolean {
  for (let y = top; y < top + tile; y++) {
    const from = (y * one.width + left) * 3
    for (let at = from; at < from + tile * 3; at++) if (one.data[at] !== other.data[at]) return false
  }
  return true
}

function meanOf({ data, width }: Pixels, channel: number, left: number, top: number): number {
  let sum = 0
  for (let y = top; y < top + tile; y++)
    for (let x = left; x < left + tile; x++) sum += data[(y * width + x) * 3 + channel] ?? 0
  return sum / tile ** 2
}

function differs(one: Pixels, other: Pixels, left: number, top: number): boolean {
  const inPlace = distance(one, other, left, top, 0, 0)
  if (inPlace <= most.plain) return false
  if (isFlat(one, left, top) && isFlat(other, left, top)) return true
  if (inPlace <= most.drawn) return false
  for (let down = -reach; down <= reach; down++)
    for (let along = -reach; along <= reach; along++)
      if (distance(one, other, left, top, along, down) <= most.drawn) return false
  return true
}

function distance(one: Pixels, other: Pixels, left: number, top: number, along: number, down: number): number {
  const [x, y] = [left + along, top + down]
  if (x < 0 || y < 0 || x + tile > other.width || y + tile > other.height) return 255
  return Math.max(...[0, 1, 2].map((each) => Math.abs(meanOf(one, each, left, top) - meanOf(other, each, x, y))))
}

function isFlat({ data, width }: Pixels, left: number, top: number): boolean {
  const low = [255, 255, 255]
  const high = [0, 0, 0]
  for (let y = top; y < top + tile; y++)
    for (let x = left; x < left + tile; x++)
      for (let channel = 0; channel < 3; channel++) {
        const value = data[(y * width + x) * 3 + channel] ?? 0
        if (value < (low[channel] ?? 0)) low[channel] = value
        if (value > (high[channel] ?? 0)) high[channel] = value
        if ((high[channel] ?? 0) - (low[channel] ?? 0) > flat) return false
      }
  return true
}

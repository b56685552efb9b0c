import sharp from 'sharp'
import type { Grey } from './draw.ts'
import { type Corners, fromPaper } from './perspective.ts'
import type { Chance } from './random.ts'
import type { Difficulty } from './types.ts'

type Look = {
  /** The share of the picture beside the paper, and how far its corners are from where they should be. */
  margin: number
  jitter: number
  turnedDegrees: number
  /** The darkest ink and the lightest paper, 0–255. */
  ink: number
  paper: number
  /** How dark the shaded side is: 1 is no shade. */
  shade: number
  folds: number
  noise: number
  blur: number
  /** The probability that the picture lies on its side or head. */
  quarterTurns: number
  quality: number
  /** Parts of the print that are missing: faded lines and specks. */
  wear: number
  table: readonly [number, number, number]
}

const tables = [[96, 66, 44], [150, 118, 84], [52, 56, 62], [186, 178, 168], [92, 104, 90], [40, 34, 30]] as const // biome-ignore format: colours

function lookOf(difficulty: Exclude<Difficulty, 'clean'>, chance: Chance): Look {
  const { between, pick, integer } = chance
  if (difficulty === 'scan')
    return { margin: between(0, 0.02), jitter: 0.002, turnedDegrees: between(-1.5, 1.5), ink: between(10, 70), paper: between(240, 255), shade: 1,
      folds: 0, noise: between(2, 6), blur: between(0, 0.6), quarterTurns: 0.08, quality: integer(60, 88), wear: between(0, 0.5), table: [252, 252, 252] } // biome-ignore format: a row
  if (difficulty === 'photo')
    return { margin: between(0.04, 0.12), jitter: 0.02, turnedDegrees: between(-4, 4), ink: between(25, 75), paper: between(205, 245), shade: between(0.68, 0.95),
      folds: integer(0, 2), noise: between(3, 7), blur: between(0.4, 0.8), quarterTurns: 0.2, quality: integer(55, 85), wear: between(0, 0.6), table: pick(tables) } // biome-ignore format: a row
  return { margin: between(0.06, 0.16), jitter: 0.035, turnedDegrees: between(-5, 5), ink: between(70, 115), paper: between(180, 225), shade: between(0.5, 0.75),
    folds: integer(1, 4), noise: between(6, 11), blur: between(0.7, 1.1), quarterTurns: 0.3, quality: integer(40, 65), wear: between(0.3, 1), table: pick(tables) } // biome-ignore format: a row
}

/** A picture of the paper as a scanner or a phone takes it, as a JPEG file. */
export async function photograph(
  paper: Grey,
  difficulty: Exclude<Difficulty, 'clean'>,
  chance: Chance,
): Promise<Buffer> {
  const look = lookOf(difficulty, chance)
  const light = lightOf(look, chance)
  const width = Math.round(paper.width * (1 + 2 * look.margin))
  const height = Math.round(paper.height + 2 * look.margin * Math.min(paper.width, paper.height))
  const toPaper = fromPaper(cornersOf({ width, height }, paper, look, chance))
  const data = Buffer.alloc(width * height * 3)
  const noise = noiseFor(chance)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 3) {
      const [u, v] = toPaper(x, y)
      const isPaper = u >= 0 && u < 1 && v >= 0 && v < 1
      const lit = light.everywhere(x / width, y / height) * (isPaper ? light.onPaper(u, v) : 1)
      const tone = isPaper ? look.ink + ((look.paper - look.ink) * sample(paper, u, v, light.worn(v))) / 255 : 0
      const grain = look.noise * noise()
      for (let channel = 0; channel < 3; channel++) {
        const base = isPaper ? tone * (tint[channel] ?? 1) : (look.table[channel] ?? 0) + grain * 0.6
        data[at + channel] = Math.max(0, Math.min(255, base * lit + grain))
      }
    }
  const turned = chance.happens(look.quarterTurns) ? chance.pick([90, 180, 270]) : 0
  const flat = sharp(data, { raw: { width, height, channels: 3 } })
  const blurred = look.blur >= 0.3 ? flat.blur(look.blur) : flat
  // A picture of several operations is turned first, so the blur is written before.
  const upright = await blurred.png({ compressionLevel: 1 }).toBuffer()
  return sharp(upright).rotate(turned).jpeg({ quality: look.quality }).toBuffer()
}

/** Paper is a little warmer than white. */
const tint = [1, 0.99, 0.965]

function cornersOf(
  { width, height }: { width: number; height: number },
  paper: Grey,
  look: Look,
  chance: Chance,
): Corners {
  const angle = (look.turnedDegrees * Math.PI) / 180
  const most = look.jitter * Math.min(paper.width, paper.height)
  const corner = (right: number, down: number): [number, number] => {
    const [x, y] = [(right - 0.5) * paper.width, (down - 0.5) * paper.height]
    return [
      width / 2 + x * Math.cos(angle) - y * Math.sin(angle) + chance.between(-most, most),
      height / 2 + x * Math.sin(angle) + y * Math.cos(angle) + chance.between(-most, most),
    ]
  }
  return [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)]
}

/** Light from one side, folds across the paper, and lines where the print is faded. */
function lightOf({ shade, folds, wear }: Look, chance: Chance) {
  const direction = chance.between(0, 2 * Math.PI)
  const [towardsX, towardsY] = [Math.cos(direction), Math.sin(direction)]
  const creases = Array.from({ length: folds }, () => ({
    at: chance.between(0.1, 0.9),
    isAcross: chance.happens(0.75),
    slant: chance.between(-0.03, 0.03),
    depth: chance.between(0.08, 0.3),
  }))
  const faded = Array.from({ length: Math.round(wear * 4) }, () => ({
    at: chance.next(),
    depth: chance.between(0.1, 0.4),
  }))
  return {
    everywhere: (x: number, y: number) =>
      1 - (1 - shade) * Math.max(0, Math.min(1, 0.5 + (x - 0.5) * towardsX + (y - 0.5) * towardsY)),
    onPaper(u: number, v: number) {
      let lit = 1
      for (const { at, isAcross, slant, depth } of creases) {
        const distance = isAcross ? v - at - slant * u : u - at - slant * v
        if (Math.abs(distance) < 0.012)
          lit *= distance < 0 ? 1 - depth * (1 + distance / 0.012) : 1 + 0.3 * depth * (1 - distance / 0.012)
      }
      return lit
    },
    worn(v: number) {
      let left = 1
      for (const { at, depth } of faded) if (Math.abs(v - at) < 0.004) left -= depth
      return Math.max(0.35, left)
    },
  }
}

/** The grey at a place of the paper, between its four pixels; `print` is the share of the ink that is left. */
function sample({ width, height, data }: Grey, u: number, v: number, print: number): number {
  const [x, y] = [u * (width - 1), v * (height - 1)]
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const at = top * width + left
  const [right, down] = [x - left, y - top]
  const above = (data[at] ?? 255) * (1 - right) + (data[at + 1] ?? 255) * right
  const below = (data[at + width] ?? 255) * (1 - right) + (data[at + width + 1] ?? 255) * right
  return 255 - (255 - (above * (1 - down) + below * down)) * print
}

/** About normally distributed, with deviation 1; from numbers of its own, since a picture needs millions. */
function noiseFor(chance: Chance): () => number {
  let state = chance.integer(1, 2 ** 31)
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  return () => (next() + next() + next()) * 2
}

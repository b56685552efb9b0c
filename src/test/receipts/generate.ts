import sharp from 'sharp'
import { countries } from '../../countries/countries.ts'
import type { Hints } from '../../providers/reader/reading.ts'
import { elementsOf } from './blocks.ts'
import { layouts } from './data.ts'
import { dotSize, inDots } from './dots.ts'
import { colourPicture, type Grey, greyPicture, typesetReceipt } from './draw.ts'
import { inventPaper } from './paper.ts'
import { photograph } from './photograph.ts'
import { currencyOf, daysAfter } from './print.ts'
import { type Chance, chanceFor } from './random.ts'
import { truthOf } from './truth.ts'
import type { Country, Difficulty, Layout, Script, Truth } from './types.ts'

type Options = { layout?: string; script?: Script; country?: Country; difficulty?: Difficulty }

export type GeneratedReceipt = Truth & {
  /** A JPEG file, or PNG where the difficulty is `clean`. */
  image: Buffer
  /** The same receipt as a PDF with its text. */
  pdf: Buffer
  country: Country
  script: Script
  layout: string
  difficulty: Difficulty
  hints: Hints
}

export const layoutNames = layouts.map(({ name }) => name)

/**
 * A receipt or an invoice with known values. The same seed gives the same values; the pixels may differ between machines.
 * Consecutive seeds go through all layouts.
 */
export async function generateReceipt(seed: number, options: Options = {}): Promise<GeneratedReceipt> {
  const receipt = await generatePdf(seed, options)
  const chance = chanceFor(`picture-${seed}`)
  const difficulty = options.difficulty ?? chance.pick(difficulties)
  const image = await pictureOf({ pdf: receipt.pdf, layout: layoutOf(receipt.layout), difficulty, chance })
  return { ...receipt, image, difficulty }
}

/** The same without a picture, which takes most of the time. */
export async function generatePdf(
  seed: number,
  options: Options = {},
): Promise<Omit<GeneratedReceipt, 'image' | 'difficulty'>> {
  const chance = chanceFor(`receipt-${seed}`)
  const layout = layoutOf(options.layout ?? layoutNames[seed % layoutNames.length])
  const script =
    options.script ?? (options.country && options.country !== 'IL' ? 'en' : chance.pick(['en', 'en', 'he']))
  const country = script === 'he' ? 'IL' : (options.country ?? chance.pick(['SG', 'SG', 'US', 'US', 'IL'] as const))
  const date = daysAfter('2024-01-02', chance.integer(0, 1040))
  const paper = inventPaper({ layout, business: chance.pick(layout.business), country, script, date, chance })
  const body = layout.blocks.flatMap((block) => elementsOf(block, paper))
  const accent = chance.pick(['#17495c', '#8a2432', '#2e6b3a', '#3a3a3a', '#5a3d8a'])
  const pdf = await typesetReceipt({ layout, script, title: paper.vendor.name, accent, body })
  const { dateOrder } = countries[country].writing
  const hints = { country, dateOrder, currency: currencyOf[country], today }
  return { ...truthOf(paper), pdf, country, script, layout: layout.name, hints }
}

/** No receipt is of a later day. */
const today = '2026-11-16'

/** As often as each occurs. */
const difficulties: Difficulty[] = [
  'clean',
  'clean',
  'scan',
  'scan',
  'scan',
  'photo',
  'photo',
  'photo',
  'photo',
  'hard',
]

function layoutOf(name: string | undefined): Layout {
  const found = layouts.find((layout) => layout.name === name)
  if (!found) throw new Error(`There is no layout ${name}.`)
  return found
}

type Picture = { pdf: Uint8Array; layout: Layout; difficulty: Difficulty; chance: Chance }

async function pictureOf({ pdf, layout, difficulty, chance }: Picture): Promise<Buffer> {
  const dpi = layout.paper.height ? chance.integer(140, 190) : chance.integer(185, 260)
  if (difficulty === 'clean')
    return layout.font.dots ? toPng(inDots(await greyPicture(pdf, dotsPerInch))) : colourPicture(pdf, dpi)
  const printed = layout.font.dots ? inDots(await greyPicture(pdf, dotsPerInch)) : await greyPicture(pdf, dpi)
  return photograph(printed, difficulty, chance)
}

/** Of the needles; the picture has `dotSize` pixels for each. */
const dotsPerInch = Math.round(330 / dotSize)

const toPng = ({ data, width, height }: Grey) =>
  sharp(data, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()

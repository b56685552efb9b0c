import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FieldName, Hints } from '../../src/core/outside/receipt-reader.ts'
import { countries } from '../../src/countries/countries.ts'
import type { CountryCode } from '../../src/countries/country.ts'
import { generateReceipt } from '../../src/test/receipts/generate.ts'
import { fieldNames } from '../../src/test/receipts/judge.ts'
import { type Label, toAmount, toIsoDay } from '../../src/test/receipts/labels.ts'
import type { Truth } from '../../src/test/receipts/types.ts'

/** A file to read, and what is printed in it. */
export type Sample = Truth & {
  name: string
  path: string
  contentType: string
  hints: Hints
  /** The fields that are known: fields that are known and not printed must not be read. */
  known: readonly FieldName[]
  script: 'en' | 'he'
  kind: 'picture' | 'pdf'
}

const types: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
}

/** The pictures of a folder with labels.json: vendor, date and total of each as printed. */
export function labelledSamples(folder: string): Sample[] {
  const file = join(folder, 'labels.json')
  if (!existsSync(file)) throw new Error(`${folder} has no labels.json.`)
  const { items } = JSON.parse(readFileSync(file, 'utf8')) as { items: Label[] }
  return items.map(({ file: name, vendor, date, total, country = 'SG' }) => {
    const [day, amount] = [toIsoDay(date), toAmount(total)]
    if (!day || !amount) throw new Error(`The label of ${name} has no date or total: ${date}, ${total}.`)
    return {
      name,
      path: join(folder, name),
      contentType: types[extname(name).toLowerCase()] ?? 'application/octet-stream',
      hints: hintsOf(country),
      values: { vendor, date: day, total: amount },
      alternatives: {},
      known: ['vendor', 'date', 'total'],
      script: /\p{Script=Hebrew}/u.test(vendor) ? 'he' : 'en',
      kind: 'picture',
    } satisfies Sample
  })
}

const hintsOf = (country: CountryCode): Hints => ({
  country,
  dateOrder: countries[country].writing.dateOrder,
  currency: countries[country].currency,
  today: new Date().toISOString().slice(0, 10),
})

/** Generated receipts as pictures, and every tenth one as a PDF with text too. */
export async function generatedSamples(folder: string, count: number): Promise<Sample[]> {
  mkdirSync(folder, { recursive: true })
  const samples: Sample[] = []
  for (let seed = 1; seed <= count; seed++) {
    const { image, pdf, layout, difficulty, ...truth } = await generateReceipt(seed)
    const write = (extension: string, bytes: Buffer, kind: Sample['kind']) => {
      const path = join(folder, `${seed}${extension}`)
      writeFileSync(path, bytes)
      const name = `${seed} ${layout} ${truth.country} ${truth.script} ${kind === 'pdf' ? 'pdf' : difficulty}`
      samples.push({ ...truth, name, path, kind, contentType: types[extension] ?? '', known: fieldNames })
    }
    write(difficulty === 'clean' ? '.png' : '.jpg', image, 'picture')
    if (seed % 10 === 0) write('.pdf', pdf, 'pdf')
  }
  return samples
}

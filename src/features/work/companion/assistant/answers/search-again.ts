import { type Fit, fitOfWords } from '../../../../../core/names/names.ts'
import { searchesFor } from '../lookup.ts'
import type { Steps, Talk } from '../talk.ts'
import type { Understood } from '../understood.ts'
import { type Data, type ListView, type Page, readRows } from './rows.ts'

/**
 * A list that was searched for words and has none: it is searched for less of them, and the rows whose names fit are kept.
 * Lists are searched letter by letter, and people write names with other endings, articles and typos.
 */
export async function* searchAgain(
  talk: Talk,
  { tool, input, also }: Understood,
  { field, row }: ListView,
): Steps<Page | undefined> {
  const words = typeof input.search === 'string' ? input.search : ''
  for (const search of words === '' ? [] : searchesFor(words, 'customer').slice(1)) {
    const source = { tool, input: { ...input, search }, ...(also && { also }) }
    const read = yield* readRows(talk, source, { field, all: true, shown: 0 })
    if ('ok' in read) return undefined
    const fits = read.rows.map((data) => ({ data, name: nameIn(data) || row(data, talk).name }))
    for (const fit of ['same', 'part', 'close'] satisfies Fit[]) {
      const kept = fits.filter(({ name }) => fitOfWords(words, name) === fit)
      const [first] = kept
      if (!first) continue
      if (fit === 'close') yield* talk.say(tookSentence(talk, words, first.name))
      return { rows: kept.map(({ data }) => data), total: kept.length, isCut: read.isCut }
    }
  }
  return undefined
}

/** The name alone, without what a row adds to it. */
const nameIn = ({ vendor, displayName, name }: Data): string =>
  [vendor, displayName, name].find((value): value is string => typeof value === 'string' && value !== '') ?? ''

const tookSentence = (talk: Talk, words: string, name: string) =>
  talk.in(
    `(There is nothing for ${talk.data(words)}; I took ${talk.data(name)}.)`,
    `(לא נמצא ${talk.data(words)}; הכוונה כנראה ${talk.to(name)}.)`,
  )

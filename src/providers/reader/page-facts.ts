import { type Reading, textMax } from '../../core/outside/receipt-reader.ts'
import type { Box, Page } from './reading.ts'

/** What a reading says about its pages beside their fields. */
export const factsOf = (pages: readonly Page[]): Pick<Reading, 'text' | 'turned'> => ({
  text: pages
    .flatMap(({ lines }) => lines.map(({ text }) => text))
    .join('\n')
    .slice(0, textMax),
  turned: pages.map(({ turned }) => turned ?? 0),
})

/** A page as the given one of its document; its boxes name it. */
export function numbered(page: Page, number: number): Page {
  const at = <Part extends { box: Box }>(part: Part): Part => ({ ...part, box: { ...part.box, page: number } })
  return { ...page, number, lines: page.lines.map((line) => ({ ...at(line), words: line.words.map(at) })) }
}

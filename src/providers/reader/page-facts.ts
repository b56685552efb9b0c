import { type Reading, textMax } from '../../core/outside/receipt-reader.ts'
import type { Page } from './reading.ts'

/** What a reading says about its pages beside their fields. */
export const factsOf = (pages: readonly Page[]): Pick<Reading, 'text' | 'turned'> => ({
  text: pages
    .flatMap(({ lines }) => lines.map(({ text }) => text))
    .join('\n')
    .slice(0, textMax),
  turned: pages.map(({ turned }) => turned ?? 0),
})

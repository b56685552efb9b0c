import type { English } from '../core/values/format.ts'

/** How people of a country write days and money, which settles what a text leaves open. */
export type Writing = {
  dateOrder: 'DMY' | 'MDY'
  /** 0 is Sunday. */
  firstWeekday: 0 | 1
  /** The currency that a bare "dollar" names. */
  dollar: string
  /** The English in which amounts and days are written to people. */
  english: English
}

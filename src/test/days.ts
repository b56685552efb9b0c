import { addDays, today } from '../core/values/day.ts'

/** The last day of this year, for a period that includes what happens today, in every zone. */
export const endOfThisYear = (): string => `${addDays(today(new Date(), 'UTC'), 1).slice(0, 4)}-12-31`

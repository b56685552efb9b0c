import { Refused } from './api.ts'

/** How far the journal is added up, in percent, if that is why an answer is not there yet. */
export const preparedPercent = (error: unknown): number | undefined =>
  error instanceof Refused && error.code === 'PREPARING' ? Number(error.params.percent) : undefined

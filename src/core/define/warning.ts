import type { Warning } from './schema.ts'

/** An answer with its warnings, if there are any. Node 20 copies slowly if a field follows the spread ones, so it comes first. */
export const withWarnings = <T extends object>(answer: T, warnings: Warning[]): T & { warnings?: Warning[] } =>
  warnings.length > 0 ? { warnings, ...answer } : answer

/** The same for a row that was just read and that nothing else uses: it is not copied. */
export const addWarnings = <T extends object>(row: T, warnings: Warning[]): T & { warnings?: Warning[] } =>
  warnings.length > 0 ? Object.assign(row, { warnings }) : row

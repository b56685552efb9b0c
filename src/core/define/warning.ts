import type { Warning } from './schema.ts'

/** An answer with its warnings, if there are any. */
export const withWarnings = <T extends object>(answer: T, warnings: Warning[]): T & { warnings?: Warning[] } =>
  warnings.length > 0 ? { ...answer, warnings } : answer

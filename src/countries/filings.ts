import type { Operation } from '../core/define/operation.ts'
import type { ClearanceHandler } from '../core/outside/clearance.ts'
import type { StatutoryFile } from '../features/books/statutory/statutory-file.ts'
import type { BankFormat } from '../features/pay/payroll-forms/bank-files/bank-file.ts'

/**
 * What is filed in a country. It reads the books, so it stands above the features: `catalog/filings.ts` alone imports it and hands
 * each part to the feature that asks for it. What a country does not have is an empty list or null.
 */
export type Filings = {
  /** Reports for an authority. Elsewhere they answer with a problem that says so. */
  reports: readonly Filed[]
  /** Forms of employers, with what people call them. Elsewhere they are refused. */
  forms: readonly { name: string; operation: Filed }[]
  statutoryFiles: readonly StatutoryFile[]
  /** The layouts of files that banks take for wages; the first one is the default. */
  bankFormats: readonly BankFormat[]
  /** How documents are submitted to the integration of the country. */
  clearance: ClearanceHandler | null
}

/** An operation of one country, whatever it takes and answers. */
export type Filed = Pick<Operation, 'name' | 'http' | 'scope'> & {
  run: { outside: boolean; do(context: never, input: never): Promise<unknown> }
}

import type { Database } from '../../../core/define/operation.ts'
import type { Country } from '../../../countries/country.ts'
import { readAdvances } from '../reports/tax/read-advances.ts'
import { type FileProblem, toCheck } from './file-problem.ts'

/** Money that came in before its tax invoice: whether the tax is due with the money, somebody has to decide. */
export async function advanceProblems(
  db: Database,
  { from, to }: { from: string; to: string },
  rules: Country,
): Promise<FileProblem[]> {
  const advances = await readAdvances(db, { from, to, rules })
  const tax = rules.documents.taxName('en')
  return advances.map(({ documentId, number, date, counterparty, currency, amount, tax: minor }) =>
    toCheck(
      'TAX_ON_ADVANCE',
      `${counterparty ?? 'A customer'} paid ${amount} ${currency} on ${date}${number ? ` (${number})` : ''} before a tax invoice was issued. ${tax} of ${minor} ${currency} may be due; it is not in the figures. Issue the invoice, or declare it.`,
      { documentId },
    ),
  )
}

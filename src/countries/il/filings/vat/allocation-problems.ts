import type { Database } from '../../../../core/define/operation.ts'
import { salesProblems } from '../../../../features/books/reports/tax/problems.ts'
import { type FileProblem, rejected, toCheck } from '../../../../features/books/statutory/file-problem.ts'
import type { VatEvent } from './read-vat.ts'

const field = 'vatAllocationNumber'

/** What the rules of the country say about the allocation numbers of the sales of a period: there is none, or it cannot be one. */
export async function allocationProblems(db: Database, period: { from: string; to: string }) {
  const { problems, isWhole } = await salesProblems(db, period)
  const found = problems.flatMap(({ documentId, number, date, problems: warnings }) =>
    warnings
      .filter(({ path }) => path === field)
      .map(({ code, message }) =>
        toCheck(code, `Document ${number ?? '–'} of ${date}: ${message}`, { field, documentId }),
      ),
  )
  return { problems: found, isWhole }
}

/** Numbers that the authority does not know, or knows for another document. */
export function numberProblems(events: readonly VatEvent[]): FileProblem[] {
  const sales = [...new Map(events.filter(hasNumber).map((event) => [event.documentId, event])).values()]
  const holders = new Map<string, VatEvent[]>()
  for (const event of sales) holders.set(shortNumber(event), [...(holders.get(shortNumber(event)) ?? []), event])
  return sales.flatMap((event) => {
    const other = holders.get(shortNumber(event))?.find(({ documentId }) => documentId !== event.documentId)
    const found = (code: string, message: string) =>
      rejected(code, `Document ${event.number ?? '–'} of ${event.day}: ${message}`, {
        field,
        documentId: event.documentId,
      })
    return [
      ...(other ? [found('ALLOCATION_NUMBER_TWICE', `${other.number} has the same allocation number.`)] : []),
      ...(event.isSandboxNumber ? [found('SANDBOX_NUMBER', fromSandbox)] : []),
    ]
  })
}

const fromSandbox =
  'the allocation number is from the sandbox of the authority; the customer cannot deduct the VAT with it.'

const shortNumber = ({ allocationNumber }: VatEvent) => (allocationNumber ?? '').replace(/\D/g, '').slice(-9)
const hasNumber = (event: VatEvent) => event.side === 'OUTPUT' && /[1-9]/.test(shortNumber(event))

import { minorDigits } from '../../money.ts'

export type OpenDocument = { id: string; openBalance: number; dueDate: string | null; invoiceDate: string }

const minor = (amount: number, currency: string) => Math.round(amount * 10 ** minorDigits(currency))
const major = (amount: number, currency: string) => Number(`${amount}e-${minorDigits(currency)}`)

/** The oldest debt is paid first: by due date, then by the day of issue. */
export const oldestFirst = <D extends OpenDocument>(documents: readonly D[]): readonly D[] =>
  [...documents].sort((a, b) => (a.dueDate ?? a.invoiceDate).localeCompare(b.dueDate ?? b.invoiceDate))

/** How an amount is spread over open documents in their order; what has no share is left out. */
export function propose(
  amount: number,
  documents: readonly OpenDocument[],
  currency: string,
): Readonly<Record<string, number>> {
  let left = minor(amount, currency)
  const shares: Record<string, number> = {}
  for (const { id, openBalance } of documents) {
    const share = Math.min(left, minor(openBalance, currency))
    if (share <= 0) continue
    shares[id] = major(share, currency)
    left -= share
  }
  return shares
}

/** What of an amount went nowhere; negative if more was given to documents than there is. */
export const remainder = (amount: number, shares: Readonly<Record<string, number>>, currency: string): number =>
  major(
    Object.values(shares).reduce((left, share) => left - minor(share, currency), minor(amount, currency)),
    currency,
  )

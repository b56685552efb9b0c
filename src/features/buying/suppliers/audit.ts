import type { Supplier } from './supplier.ts'

/** Where money goes: of these numbers the audit trail keeps only the last digits (THR-32). */
const numbers = ['accountNumber', 'iban', 'swiftCode', 'branchCode'] as const

type Paid = Pick<Supplier, 'bankDetails' | 'withholdingRate'>

/** What the audit trail says of a change: where the supplier is paid, and how much tax is withheld (THR-25). */
export function differences(before: Paid, after: Paid): Record<string, unknown> {
  const changed = numbers.filter((field) => numberOf(before, field) !== numberOf(after, field))
  return {
    ...Object.fromEntries(
      changed.map((field) => [
        field,
        { from: lastDigits(numberOf(before, field)), to: lastDigits(numberOf(after, field)) },
      ]),
    ),
    ...(before.withholdingRate !== after.withholdingRate && {
      withholdingRate: { from: before.withholdingRate, to: after.withholdingRate },
    }),
  }
}

const numberOf = ({ bankDetails }: Paid, field: (typeof numbers)[number]) => bankDetails?.[field] ?? null
const lastDigits = (number: string | null) => (number ? `…${number.slice(-4)}` : null)

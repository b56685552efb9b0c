import type { Customer, Issuer, Sale, SalesDocument } from '../../countries/country.ts'

type Parts = { issuer?: Partial<Issuer>; customer?: Partial<Customer>; document?: Partial<SalesDocument> }

/** A sale from one company to another, as the rules of a country see it. Amounts are in minor units; the total is calculated. */
export function saleOf({ issuer, customer, document }: Parts = {}): Sale {
  const { subtotalMinor = 100_000n, taxMinor = 0n, taxRate = null } = document ?? {}
  return {
    issuer: { name: 'Acme', registrationNumber: null, taxNumber: null, address: '1 Main Street', ...issuer },
    customer: { name: 'Globex', country: null, kind: 'ORGANIZATION', registrationNumber: null, address: 'There', ...customer },
    document: {
      documentType: 'INVOICE', issueDate: '2026-06-10', currency: 'USD', exchangeRate: 1, exchangeRateDate: null, subtotalMinor, taxMinor,
      totalMinor: subtotalMinor + taxMinor, taxRate, lines: [{ amountMinor: subtotalMinor, taxRate: null }], notes: null,
      paymentMethod: 'BANK_TRANSFER', facts: null, allocationNumber: null, ...document,
    },
  } // biome-ignore format: a list of words
}

export const codesOf = (warnings: readonly { code: string }[]): string[] => warnings.map(({ code }) => code)

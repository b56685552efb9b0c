import type { Warning } from '../../../core/define/schema.ts'
import { findCountry } from '../../../countries/countries.ts'
import type { OrganizationContext } from '../../../ledger/organization-context.ts'
import { openMinorOf } from '../../../ledger/payments/payment.ts'
import { cashLimitWarnings, isCash } from '../documents/cash-limit.ts'
import { countryView } from '../documents/country-view.ts'
import type { DocumentRow } from '../documents/reading/read.ts'

type CashPayment = Parameters<typeof openMinorOf>[0] & { method: string | null; currency: string; paidAt: string }

/** Warnings of the country about a payment in cash: for each document that it pays, and for what is paid on account. */
export function cashWarnings(
  organization: OrganizationContext,
  payment: CashPayment,
  documents: readonly DocumentRow[],
): Warning[] {
  if (!isCash(payment.method)) return []
  const ofDocuments = documents.flatMap((row) => {
    const view = countryView(row)
    return view ? cashLimitWarnings(row, view) : []
  })
  return [...ofDocuments, ...onAccount(organization, payment)]
}

function onAccount(organization: OrganizationContext, payment: CashPayment): Warning[] {
  const country = findCountry(organization.country)
  const openMinor = openMinorOf(payment)
  if (!country || openMinor === 0 || payment.currency !== country.currency) return []
  return country.cashWarnings({ day: payment.paidAt, cashMinor: BigInt(openMinor), priceMinor: null })
}

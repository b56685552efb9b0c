import type { Warning } from '../core/define/schema.ts'

/** Warnings about contents that the law requires on a document and that are missing. */
const contents = {
  issuerNumber: {
    code: 'ISSUER_NUMBER_MISSING',
    path: 'organization.registrationNumber',
    message: 'The document must show the number of the organization (registrationNumber or taxNumber).',
  },
  issuerAddress: {
    code: 'ISSUER_ADDRESS_MISSING',
    path: 'organization.address',
    message: 'The document must show the address of the organization.',
  },
  customerAddress: {
    code: 'CUSTOMER_ADDRESS_MISSING',
    path: 'customer.address',
    message: 'The document must show the address of the customer.',
  },
  customerNumber: {
    code: 'CUSTOMER_NUMBER_MISSING',
    path: 'customer.registrationNumber',
    message: 'The document must show the number of the customer (registrationNumber).',
  },
  paymentMethod: {
    code: 'PAYMENT_METHOD_MISSING',
    path: 'paymentMethod',
    message: 'A receipt must show how it was paid (paymentMethod).',
  },
  reason: { code: 'REASON_MISSING', path: 'notes', message: 'A credit memo must show its reason (reason).' },
  exchangeRate: {
    code: 'HOME_AMOUNTS_MISSING',
    path: 'exchangeRate',
    message: "The document must also show its amounts in the country's currency, and the exchange rate is not known.",
  },
} satisfies Record<string, Warning>

export const missingContents = (isMissing: boolean, what: keyof typeof contents): Warning | undefined =>
  isMissing ? contents[what] : undefined

import type { Warning } from '../core/define/schema.ts'

/** What laws want on documents, in the words that a person is told when it is not there. */
const contents = {
  issuerNumber: {
    code: 'ISSUER_NUMBER_MISSING',
    path: 'organization.registrationNumber',
    message: 'The number of the organization has to be on it (registrationNumber or taxNumber).',
  },
  issuerAddress: {
    code: 'ISSUER_ADDRESS_MISSING',
    path: 'organization.address',
    message: 'The address of the organization has to be on it.',
  },
  customerAddress: {
    code: 'CUSTOMER_ADDRESS_MISSING',
    path: 'customer.address',
    message: 'The address of the customer has to be on it.',
  },
  customerNumber: {
    code: 'CUSTOMER_NUMBER_MISSING',
    path: 'customer.registrationNumber',
    message: 'The number of the customer has to be on it (registrationNumber).',
  },
  paymentMethod: {
    code: 'PAYMENT_METHOD_MISSING',
    path: 'paymentMethod',
    message: 'A receipt says how it was paid (paymentMethod).',
  },
  reason: { code: 'REASON_MISSING', path: 'notes', message: 'A credit says what it is for (reason).' },
  exchangeRate: {
    code: 'HOME_AMOUNTS_MISSING',
    path: 'exchangeRate',
    message: "The amounts have to be on it in the country's own currency too, and their exchange rate is not known.",
  },
} satisfies Record<string, Warning>

export const missingContents = (isMissing: boolean, what: keyof typeof contents): Warning | undefined =>
  isMissing ? contents[what] : undefined

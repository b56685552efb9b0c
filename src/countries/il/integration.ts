import type { AuthorityReason } from '../../core/outside/tax-authority.ts'
import { compact } from '../../core/values/compact.ts'
import { type Format, type Integration, secret, text } from '../integration.ts'

const nineDigits: Format = { fits: (value) => /^\d{1,9}$/.test(compact(value)), says: 'has up to nine digits' }

export const integration: Integration = {
  integrationId: 'il-ita-invoices',
  name: 'Israel Invoices',
  isReport: false,
  signsIn: true,
  formats: { softwareNumber: nineDigits, userId: nineDigits, unionVatNumber: nineDigits },
  description:
    'Allocation numbers of the Israel Tax Authority for tax invoices above the threshold. Without the number the customer cannot deduct the VAT.',
  requiredFields: [
    text('clientId', 'Client ID', 'Of the accounting software, from the portal of the authority for developers.'),
    secret('clientSecret', 'Client secret', 'Issued together with the client ID.'),
    text('softwareNumber', 'Software registration number', 'The certificate of the software, up to nine digits.'),
    text(
      'userId',
      'ID number of the person',
      'Who requests the numbers, up to nine digits; allowed by the dealer in the personal area of the authority.',
    ),
    secret('refreshToken', 'Refresh token', 'Leave it out to sign in at the authority instead (connect).', false),
    text('unionVatNumber', 'VAT number of the union', 'If the dealer reports within a union of dealers.', false),
  ],
  rejection: (reasons) => `The tax authority refused the number: ${reasons.map(reasonSentence).join('; ')}.`,
  otherwise: 'A number that the authority gave on its web page or by phone can be entered by hand.',
}

/** What the codes of the authority mean, for the people of the organization. */
const meanings: Record<number, string> = {
  431: 'the VAT number of the organization is not right',
  432: 'the dealer number of the customer is missing, not right, or that of the organization itself',
  434: 'the date of the invoice is too old to request a number',
  435: 'the date of the invoice is more than a month ahead',
  437: 'the VAT amount does not follow the rules',
  438: 'the sums of the batch differ from its documents',
  446: 'the ID number of the person is missing in the credentials',
  460: 'the data is right, but the authority does not approve the invoice; object there, or give the customer an invoice without the number',
  461: 'the authority has refused this invoice before and waits for your decision about it, on its web page',
  462: 'the authority has refused this invoice before, and your decision was sent',
}

function reasonSentence({ code, message, param }: AuthorityReason): string {
  const meaning = code === null ? undefined : meanings[code]
  const said = `${message}${param ? ` (${param})` : ''}`
  return meaning ? `${meaning} [${code}: ${said}]` : code === null ? said : `${code}: ${said}`
}

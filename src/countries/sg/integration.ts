import { type Format, type Integration, secret, text } from '../integration.ts'

const participant: Format = {
  fits: (value) => /^\d{4}:[0-9A-Z]+$/i.test(value.trim()),
  says: 'is such as 0195:SGUEN202012345K',
}

export const integration: Integration = {
  integrationId: 'sg-invoicenow',
  name: 'InvoiceNow',
  isReport: true,
  signsIn: false,
  formats: { participantId: participant },
  description:
    'Sends invoices over the Peppol network of Singapore through an access point, which also reports them to IRAS.',
  requiredFields: [
    text('uen', 'UEN', 'The unique entity number of the organization.'),
    text('gstNumber', 'GST registration number', 'As printed on tax invoices.'),
    text('participantId', 'Peppol participant ID', 'Such as 0195:SGUEN202012345K.'),
    text('clientId', 'Client ID of the access point', 'Issued by the provider of the access point.'),
    secret('clientSecret', 'Secret of the access point', 'Issued together with the client ID.'),
  ],
  rejection: (reasons) =>
    `The document was refused: ${reasons.map(({ message, param }) => `${message}${param ? ` (${param})` : ''}`).join('; ')}.`,
  otherwise: 'The invoice is valid without the acknowledgement.',
}

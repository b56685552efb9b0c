import { notFound } from '../../../core/define/failure.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { compact } from '../../../core/values/compact.ts'
import { countries } from '../../../countries/countries.ts'
import type { Country } from '../../../countries/country.ts'

export type IntegrationId = NonNullable<Country['integrationId']>

/** A value that an organization enters for an integration. */
export type RequiredField = {
  name: string
  label: string
  type: 'text' | 'secret'
  required: boolean
  help: string
}

export type Integration = {
  integrationId: IntegrationId
  name: string
  country: Country['code']
  description: string
  /** Whether documents are reported, and are valid without; otherwise the authority gives each a number. */
  isReport: boolean
  requiredFields: readonly RequiredField[]
  /** How values have to look, by the name of the field: what nobody can use is said when credentials are validated. */
  formats: Readonly<Record<string, Format>>
}

type Format = { fits(value: string): boolean; says: string }
const nineDigits: Format = { fits: (value) => /^\d{1,9}$/.test(compact(value)), says: 'has up to nine digits' }
const participant: Format = {
  fits: (value) => /^\d{4}:[0-9A-Z]+$/i.test(value.trim()),
  says: 'is such as 0195:SGUEN202012345K',
}

const text = (name: string, label: string, help: string, required = true): RequiredField => ({
  name,
  label,
  type: 'text',
  required,
  help,
})
const secret = (name: string, label: string, help: string, required = true): RequiredField => ({
  ...text(name, label, help, required),
  type: 'secret',
})

/** All integrations. Every organization lists all of them; those of its own country are used. */
export const integrations: readonly Integration[] = [
  {
    integrationId: 'il-ita-invoices',
    name: 'Israel Invoices',
    country: 'IL',
    isReport: false,
    formats: { softwareNumber: nineDigits, userId: nineDigits, unionVatNumber: nineDigits },
    description:
      'Allocation numbers of the Israel Tax Authority for tax invoices above the threshold. Without the number the customer cannot deduct the VAT.',
    requiredFields: [
      text('clientId', 'Client ID', 'Of the accounting software, from the portal of the authority for developers.'),
      secret('clientSecret', 'Client secret', 'Issued together with the client ID.'),
      text('softwareNumber', 'Software registration number', 'The certificate of the software, up to nine digits.'),
      text('userId', 'ID number of the person', 'Who requests the numbers, up to nine digits; allowed by the dealer in the personal area of the authority.'),
      secret('refreshToken', 'Refresh token', 'Leave it out to sign in at the authority instead (connect).', false),
      text('unionVatNumber', 'VAT number of the union', 'If the dealer reports within a union of dealers.', false),
    ],
  },
  {
    integrationId: 'sg-invoicenow',
    name: 'InvoiceNow',
    country: 'SG',
    isReport: true,
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
  },
] // biome-ignore format: a table

/** An organization and one of its integrations, as paths name them. */
export const ByIntegration = Type.Object({
  id: Id,
  integrationId: Type.String({
    examples: ['il-ita-invoices'],
    description: `One of ${integrations.map(({ integrationId }) => integrationId).join(', ')}.`,
  }),
})

export const findIntegration = (id: string): Integration | undefined =>
  integrations.find(({ integrationId }) => integrationId === id)

/** The integration that documents of a country are submitted to. */
export const integrationOf = (country: Country['code']): Integration | undefined =>
  integrations.find(({ integrationId }) => integrationId === countries[country].integrationId)

export type Credentials = Readonly<Record<string, string>>

/** The labels and names of the required fields that have no value. */
export const missingFields = ({ requiredFields }: Integration, credentials: Credentials): RequiredField[] =>
  requiredFields.filter(({ name, required }) => required && !credentials[name]?.trim())

/** The fields with a value that has not the format, each with a sentence. */
export const wrongFields = ({ requiredFields, formats }: Integration, credentials: Credentials) =>
  requiredFields.flatMap(({ name, label }) => {
    const [format, value] = [formats[name], credentials[name]]
    return !format || !value?.trim() || format.fits(value) ? [] : [{ name, sentence: `${label} ${format.says}.` }]
  })

/** The integration, or 404. */
export function integrationNamed(id: string): Integration {
  const found = findIntegration(id)
  if (!found) throw notFound('integration')
  return found
}

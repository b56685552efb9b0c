import { notFound } from '../../../core/define/failure.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import type { ClearanceHandler, ClearanceHandlers } from '../../../core/outside/clearance.ts'
import { countries } from '../../../countries/countries.ts'
import type { Country } from '../../../countries/country.ts'
import type { Integration, RequiredField } from '../../../countries/integration.ts'

/** All integrations. Every organization lists all of them; those of its own country are used. */
export const integrations: readonly (Integration & { country: Country['code'] })[] = Object.values(countries).flatMap(
  ({ code, integration }) => (integration ? [{ ...integration, country: code }] : []),
)

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

/** How documents are submitted to an integration. */
export function handlerOf(handlers: ClearanceHandlers, integrationId: string): ClearanceHandler {
  const handler = handlers[integrationId]
  if (!handler) throw new Error(`No country has filings for the integration ${integrationId}.`)
  return handler
}

import { invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { one, toUuid } from '../../../core/define/query.ts'
import { findCountry } from '../../../countries/countries.ts'
import type { OrderKind } from './order.ts'

/** Locks an order until the transaction ends, so that two requests cannot both receive or invoice the same quantity. */
export const lockOrder = (db: Database, id: string) =>
  one(db.selectFrom('orders').select('id').where('id', '=', id).forUpdate(), 'order')

/** What writing an order needs to know about its organization. */
export const orderContext = (db: Database) =>
  db
    .selectFrom('organizations as o')
    .leftJoin('organizationSettings as s', 's.organizationId', 'o.id')
    .select([
      'o.currency',
      'o.timezone',
      'o.country',
      's.defaultTaxRate',
      's.salesTaxRates',
      'o.name',
      'o.registrationNumber',
      'o.taxNumber',
    ])
    .select('o.address')
    .executeTakeFirstOrThrow()

export type OrderContext = Awaited<ReturnType<typeof orderContext>>

/**
 * The tax rate of lines that say nothing, nor their items: for a sale at home that of the customer's address in the organization's
 * own table, where the country has such tables, or else that of the settings. Without one it is the standard rate, if a company that
 * is registered for the tax sells to a customer in its own country, so that no invoice lacks the tax because nobody thought of it.
 */
export function defaultRateOf(
  organization: OrderContext,
  { kind, party, day }: { kind: OrderKind; party: { country: string | null; address: string | null }; day: string },
): string | null {
  const isAtHome = party.country === null || party.country === organization.country
  const isHomeSale = kind === 'SALES' && isAtHome
  const country = findCountry(organization.country)
  const own = isHomeSale
    ? country?.documents.ownRateAt?.(organization.salesTaxRates ?? [], party.address, day)
    : undefined
  if (own !== undefined) return String(own)
  if (organization.defaultTaxRate !== null) return organization.defaultTaxRate
  if (!isHomeSale || !country?.documents.isRegistered(organization)) return null
  return country.documents.taxRateOn(day)?.toString() ?? null
}

export type PartyFields = { customerId?: string | null; supplierId?: string | null }

/** The customer of a SALES order or the supplier of a PURCHASE, with the currency that it usually uses. */
export async function findParty(db: Database, kind: OrderKind, { customerId, supplierId }: PartyFields) {
  const isSale = kind === 'SALES'
  const [field, id] = isSale ? (['customerId', customerId] as const) : (['supplierId', supplierId] as const)
  if (isSale ? supplierId : customerId)
    throw isSale
      ? invalid('supplierId', 'An order of a customer has no supplier.')
      : invalid('customerId', 'An order to a supplier has no customer.')
  if (!id) throw invalid(field, `A ${kind} order needs a ${field}.`)
  const party = await db
    .selectFrom('customers as c')
    .leftJoin('suppliers as s', (join) =>
      join.onRef('s.organizationId', '=', 'c.organizationId').onRef('s.id', '=', 'c.id'),
    )
    .select(['c.id', 'c.country', 'c.address', 's.defaultCurrency'])
    .where('c.id', '=', toUuid(id))
    .executeTakeFirst()
  if (!party) throw invalid(field, `The ${isSale ? 'customer' : 'supplier'} does not exist.`, 'UNKNOWN_REFERENCE')
  return {
    id: party.id,
    country: party.country,
    address: party.address,
    currency: isSale ? null : party.defaultCurrency,
  }
}

import { sql } from 'kysely'
import { invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { toUuid } from '../../../core/define/query.ts'
import { countries } from '../../../countries/countries.ts'
import type { Country, Issuer } from '../../../countries/country.ts'
import type { OrganizationContext } from '../../../ledger/organization-context.ts'

/** What writing an expense needs to know about its organization. */
export type ExpenseContext = OrganizationContext &
  Issuer & {
    /** Whether somebody else than the author has to approve, and from which amount on. */
    requireApproval: boolean
    expenseApprovalAboveMinor: number | null
  }

export const expenseContext = (db: Database): Promise<ExpenseContext> =>
  db
    .selectFrom('organizations as o')
    .leftJoin('organizationSettings as s', 's.organizationId', 'o.id')
    .select(['o.currency', 'o.timezone', 'o.country', 'o.name', 'o.registrationNumber', 'o.taxNumber', 'o.address'])
    .select('s.expenseApprovalAboveMinor')
    .select(sql<boolean>`coalesce(s.require_approval, false)`.as('requireApproval'))
    .executeTakeFirstOrThrow()

export const countryOf = ({ country }: OrganizationContext): Country | undefined =>
  countries[country as Country['code']]

export const deductsInputTax = (organization: ExpenseContext): boolean =>
  countryOf(organization)?.deductsInputTax(organization) ?? false

type References = {
  supplierId: string | null
  claimantId: string | null
  orderId: string | null
  vendor: string | null
  vendorTaxNumber: string | null
  categoryId: string | null
  splits: readonly { categoryId: string | null }[] | null
  customerIds: readonly string[]
}

/** The supplier of an expense and the name of the vendor. Refuses unknown suppliers, claimants, categories and customers, in one statement. */
export async function resolveReferences(
  db: Database,
  given: References,
): Promise<{ supplierId: string | null; vendor: string | null; terms: SupplierTerms | null }> {
  const { supplierId, claimantId, orderId, vendor, vendorTaxNumber, customerIds } = given
  const categories = namedCategories(given)
  const uuids = (ids: readonly string[]) => [...new Set(ids)].map(toUuid)
  const wanted = { categories: uuids(categories.map(({ id }) => id)), customers: uuids(customerIds) }
  const { rows } = await sql<Found>`select
      (select json_build_object('id', c.id, 'name', c.name) from customers c where c.id = ${toUuid(supplierId ?? '')}) as supplier,
      (select json_build_object('id', c.id, 'name', c.name) from orders o join customers c on c.id = o.counterparty_id
        where o.id = ${toUuid(orderId ?? '')} and o.kind = 'PURCHASE') as orderer,
      (select json_build_object('id', c.id, 'kind', c.kind) from customers c where c.id = ${toUuid(claimantId ?? '')}) as claimant,
      (select coalesce(array_agg(c.id), '{}') from expense_categories c where c.id = any (${wanted.categories}::uuid[])) as categories,
      (select count(*) from customers c where c.id = any (${wanted.customers}::uuid[])) as customers,
      (select array_agg(id) from counterparties_called(${vendor?.trim() || null}, ${vendorTaxNumber?.trim() || null}) id) as named,
      (select json_object_agg(s.id, json_build_object('paymentTermsDays', s.payment_terms_days, 'defaultCategoryId', s.default_category_id))
        from suppliers s where s.id in (${toUuid(supplierId ?? '')}, (select o.counterparty_id from orders o where o.id = ${toUuid(orderId ?? '')}))
          or s.id in (select id from counterparties_called(${vendor?.trim() || null}, ${vendorTaxNumber?.trim() || null}) id)) as terms`.execute(
    db,
  )
  const found = rows[0]
  if (!found) throw new Error('A select without a table returns one row.')
  if (supplierId !== null && !found.supplier) throw unknown('supplierId', 'supplier')
  if (orderId !== null && !found.orderer) throw unknown('orderId', 'order to a supplier')
  if (claimantId !== null && !found.claimant) throw unknown('claimantId', 'claimant')
  if (claimantId !== null && found.claimant?.kind !== 'INDIVIDUAL')
    throw invalid(
      'claimantId',
      'The claimant must be a person: a counterparty of kind INDIVIDUAL.',
      'CLAIMANT_IS_PERSON',
    )
  const missing = categories.find(({ id }) => !found.categories.includes(toUuid(id).toLowerCase()))
  if (missing) throw unknown(missing.path, 'category')
  if (found.customers !== wanted.customers.length) throw unknown('customerIds', 'customer')
  const [only, ...others] = found.named ?? []
  const supplier = found.supplier ?? found.orderer
  const foundId = supplier?.id ?? (others.length === 0 ? (only ?? null) : null)
  return {
    supplierId: foundId,
    terms: (foundId && found.terms?.[foundId]) || null,
    vendor: vendor ?? supplier?.name ?? null,
  }
}

/** The categories of an expense and of its splits, each with its path. */
const namedCategories = ({ categoryId, splits }: Pick<References, 'categoryId' | 'splits'>) =>
  [
    { path: 'categoryId', id: categoryId },
    ...(splits ?? []).map((split, at) => ({ path: `splits.${at}.categoryId`, id: split.categoryId })),
  ].flatMap(({ path, id }) => (id === null ? [] : [{ path, id }]))

/** What applies to the bills of a supplier unless something else is said. */
export type SupplierTerms = { paymentTermsDays: number | null; defaultCategoryId: string | null }

type Found = {
  terms: Record<string, SupplierTerms> | null
  supplier: { id: string; name: string | null } | null
  /** The supplier of the order. */
  orderer: { id: string; name: string | null } | null
  claimant: { id: string; kind: string } | null
  categories: string[]
  customers: number
  named: string[] | null
}

const unknown = (path: string, noun: string) => invalid(path, `The ${noun} does not exist.`, 'UNKNOWN_REFERENCE')

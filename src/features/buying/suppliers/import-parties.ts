import { sql } from 'kysely'
import type { Importer } from '../../platform/imports/importer.ts'
import {
  assignments,
  type ColumnOf,
  columnsOf,
  differs,
  names,
  type Outcome,
  runPlan,
  typed,
  type Work,
} from '../../platform/imports/write.ts'
import { differences } from './audit.ts'
import { customerFields, partyIdentity, supplierFields } from './import-fields.ts'

// A counterparty may be both customer and supplier, so both are recognised and written here.

export const customerImporter: Importer = {
  scopes: ['customers:write'],
  reading: { fields: customerFields, identity: partyIdentity },
  run: importCustomers,
}

export const supplierImporter: Importer = {
  scopes: ['suppliers:write'],
  reading: { fields: supplierFields, identity: partyIdentity },
  run: importSuppliers,
}

const party = columnsOf(`
  name
  email
  phone
  address
  country
  registrationNumber
  notes
  kind
  status`)
const currencies = columnsOf('defaultCurrencies text[]')
const isSupplier = columnsOf('isSupplier boolean')

const supplierOnly = columnsOf(`
  taxNumber
  gstNumber
  paymentTermsDays integer
  defaultCurrency
  withholdingRate numeric(9,6)
  withholdingValidUntil date
  is1099 boolean
  bankName
  branchCode
  accountNumber
  accountName
  iban
  swiftCode`).map((each) => (each.field === 'is1099' ? { ...each, column: 'is1099' } : each))
const namedCategory = columnsOf('defaultCategory')
const isCustomer = columnsOf('isCustomer boolean')

/**
 * The records, and the counterparty that each of them is, by the rules of `Identity`. One that has only the other role is
 * recognised if the caller may change that role too, and after those that have the role.
 */
const recognised = (
  { records, organization: { country: home }, mayAddRole }: Work,
  role: 'is_customer' | 'is_supplier',
  columns: readonly ColumnOf[],
) => sql`
  with r as materialized (select * from jsonb_to_recordset(${records}::jsonb) as r (${typed(columns)})
  ), known as not materialized (select *, ${sql.ref(role)} as has_role from customers ${mayAddRole ? sql`` : sql`where ${sql.ref(role)}`}
  ), candidates as (
    select r.row, c.id, 1 as rule, c.has_role, c.created_at from r join known c on c.registration_number = r."registrationNumber"
      and coalesce(c.country, ${home}) = coalesce(r.country, ${home})
    union all
    select r.row, c.id, 2, c.has_role, c.created_at from r join known c on lower(c.email) = lower(r.email)
      where ${sameOrUnknownNumber(home)}
    union all
    select r.row, c.id, 3, c.has_role, c.created_at from r join known c on lower(c.name) = lower(r.name)
      and coalesce(c.country, ${home}) = coalesce(r.country, ${home})
      where ${sameOrUnknownNumber(home)} and (c.email is null or r.email is null or lower(c.email) = lower(r.email))
  ), matched as (
    select distinct on (k.row) k.row, k.id from candidates k order by k.row, k.rule, k.has_role desc, k.created_at, k.id)`

const sameOrUnknownNumber = (home: string) => sql`(c.registration_number is null or r."registrationNumber" is null
  or (c.registration_number = r."registrationNumber" and coalesce(c.country, ${home}) = coalesce(r.country, ${home})))`

/** Imports customers. A counterparty that is only a supplier becomes a customer too. */
async function importCustomers(work: Work): Promise<Outcome> {
  const { organization, write } = work
  const columns = [...party, ...currencies]
  const planned = sql`${recognised(work, 'is_customer', [...columns, ...isSupplier])}, planned as materialized (
    select r.*, c.id as found_id, null::text as problem_field, null::text as problem,
      case when c.id is null then 'CREATE'
        when not c.is_customer or (r."isSupplier" and not c.is_supplier) or ${differs(columns, 'c')} then 'UPDATE'
        else 'UNCHANGED' end as action
    from r left join matched m on m.row = r.row left join customers c on c.id = m.id)`
  const writes = sql`, inserted as (
      insert into customers (id, import_id, ${names(columns)})
      select p.id, ${write?.id}::uuid, ${newParty(organization.country)}, coalesce(p."defaultCurrencies", array[${organization.currency}])
      from planned p where p.action = 'CREATE'
    ), updated as (
      update customers c set is_customer = true, ${assignments(columns, 'c')} from planned p where p.action = 'UPDATE' and c.id = p.found_id
    ), made_suppliers as (
      insert into suppliers (id) select coalesce(p.found_id, p.id) from planned p where p."isSupplier" on conflict do nothing)`
  return runPlan(work, { planned, writes })
}

/** The columns of `party` of a new row, in their order. */
const newParty = (
  home: string,
) => sql`p.name, p.email, p.phone, p.address, coalesce(p.country, ${home}), p."registrationNumber",
  p.notes, coalesce(p.kind, 'ORGANIZATION'), coalesce(p.status, 'ACTIVE')`

/** Imports suppliers. A counterparty that is only a customer becomes a supplier too. */
async function importSuppliers(work: Work): Promise<Outcome> {
  const { organization, write } = work
  const planned = sql`${recognised(work, 'is_supplier', [...party, ...supplierOnly, ...namedCategory, ...isCustomer])}, planned as materialized (
    select r.*, c.id as found_id, g.id as category_id, 'defaultCategory'::text as problem_field,
      case when r."defaultCategory" is not null and g.id is null then 'there is no expense category of this name' end as problem,
      case when c.id is null then 'CREATE'
        when s.id is null or (r."isCustomer" and not c.is_customer) or ${differs(party, 'c')} or ${differs(supplierOnly, 's')}
          or (g.id is not null and s.default_category_id is distinct from g.id) then 'UPDATE'
        else 'UNCHANGED' end as action,
      case when s.id is not null then to_jsonb(s) end as stored
    from r left join matched m on m.row = r.row left join customers c on c.id = m.id left join suppliers s on s.id = c.id
    left join lateral (select e.id from expense_categories e where lower(e.name) = lower(r."defaultCategory") order by e.created_at, e.id limit 1) g on true)`
  const writes = sql`, inserted as (
      insert into customers (id, import_id, is_customer, default_currencies, ${names(party)})
      select p.id, ${write?.id}::uuid, coalesce(p."isCustomer", false), array[coalesce(p."defaultCurrency", ${organization.currency})],
        ${newParty(organization.country)} from planned p where p.action = 'CREATE'
    ), updated as (
      update customers c set is_customer = c.is_customer or coalesce(p."isCustomer", false), ${assignments(party, 'c')}
      from planned p where p.action = 'UPDATE' and c.id = p.found_id
    ), details as (
      insert into suppliers as s (id, default_category_id, ${names(supplierOnly)})
      select coalesce(p.found_id, p.id), p.category_id, ${newSupplier} from planned p where p.action = 'CREATE' or p.stored is null
    ), changed as (
      update suppliers s set default_category_id = coalesce(p.category_id, s.default_category_id), ${assignments(supplierOnly, 's')}
      from planned p where p.action = 'UPDATE' and p.stored is not null and s.id = p.found_id)`
  const { changes, ...outcome } = await runPlan(work, { planned, writes, changes: paidElsewhere })
  return { ...outcome, audit: auditOf((changes ?? []) as PaidElsewhere[]) }
}

const newSupplier = sql.raw(
  supplierOnly.map(({ field }) => (field === 'is1099' ? 'coalesce(p."is1099", false)' : `p."${field}"`)).join(', '),
)

/** Where a supplier is paid, and how much tax is withheld: what the audit trail says of a change (THR-25). */
const audited = supplierOnly.filter(({ field }) =>
  ['accountNumber', 'iban', 'swiftCode', 'branchCode', 'withholdingRate'].includes(field),
)

const paidElsewhere = sql.raw(`(select json_agg(json_build_object('id', p.found_id,
    'before', json_build_object(${audited.map(({ field, column }) => `'${field}', p.stored -> '${column}'`).join(', ')}),
    'after', json_build_object(${audited.map(({ field }) => `'${field}', p."${field}"`).join(', ')})) order by p.row)
  from planned p where p.action = 'UPDATE' and p.stored is not null and (${audited.map(isOther).join(' or ')}))`)

function isOther({ field, column, type }: ColumnOf): string {
  return `(p."${field}" is not null and p."${field}" is distinct from (p.stored ->> '${column}')::${type})`
}

type Stored = Record<'accountNumber' | 'iban' | 'swiftCode' | 'branchCode', string | null> & {
  withholdingRate: number | null
}
type PaidElsewhere = { id: string; before: Stored; after: Stored }

/** The audit trail names at most this many suppliers; the others are counted. */
const auditedMax = 1_000

function auditOf(changes: readonly PaidElsewhere[]): Record<string, unknown> {
  if (changes.length === 0) return {}
  const suppliers = changes.slice(0, auditedMax).map(({ id, before, after }) => {
    const given = Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null))
    return { id, ...differences(paid(before), paid({ ...before, ...given })) }
  })
  return { paymentDetailsChanged: changes.length, suppliers }
}

const paid = ({ withholdingRate, accountNumber, iban, swiftCode, branchCode }: Stored) => ({
  withholdingRate,
  bankDetails: { accountNumber, iban, swiftCode, branchCode },
})

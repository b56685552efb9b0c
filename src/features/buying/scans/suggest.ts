import { sql } from 'kysely'
import type { Database } from '../../../core/define/operation.ts'
import { Id, nullable, type Static, Text, Type } from '../../../core/define/schema.ts'

export const Suggestions = Type.Object({
  category: nullable(Type.Object({ id: Id, name: Text, explanation: Text })),
  taxTreatment: nullable(
    Type.Object({
      deductible: Type.Boolean({ description: 'Whether the tax is usually deducted as input tax.' }),
      explanation: Text,
    }),
  ),
})
export type Suggestions = Static<typeof Suggestions>

type Vendor = { supplierId: string | null; vendor: string | null; expenseId: string }

/** How many of the last expenses of a vendor are looked at, and which share must agree. */
const looked = 20
const agreeing = 0.6

type Past = {
  ownCategory: { id: string; name: string } | null
  categories: { id: string; name: string; count: number }[]
  expenses: number
  withTax: number
  deducted: number
}

/** What this organization usually does with bills of the vendor, with the reason; nothing if it has no habit. */
export async function suggest(db: Database, { supplierId, vendor, expenseId }: Vendor): Promise<Suggestions> {
  const { rows } = await sql<Past>`with past as (
      select e.category_id, e.charged_tax_minor, d.tax_minor
      from expenses e join documents d on d.organization_id = e.organization_id and d.id = e.id
      where d.status <> 'REJECTED' and e.id <> ${expenseId}::uuid
        and (e.supplier_id = ${supplierId}::uuid or lower(e.vendor) = lower(${vendor}::text))
      order by e.id desc limit ${looked}
    )
    select (select json_build_object('id', c.id, 'name', c.name) from suppliers s
          join expense_categories c on c.organization_id = s.organization_id and c.id = s.default_category_id
          where s.id = ${supplierId}::uuid) as own_category,
      (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'count', g.count) order by g.count desc, g.id), '[]') from (
          select c.id, c.name, count(*)::integer as count from past p join expense_categories c on c.id = p.category_id group by c.id, c.name) g) as categories,
      (select count(*) from past)::integer as expenses,
      (select count(*) from past where charged_tax_minor > 0)::integer as with_tax,
      (select count(*) from past where charged_tax_minor > 0 and tax_minor > 0)::integer as deducted`.execute(db)
  const past = rows[0]
  if (!past) throw new Error('A select without a table returns one row.')
  return { category: categoryOf(past), taxTreatment: taxTreatmentOf(past) }
}

function categoryOf({ ownCategory, categories, expenses }: Past): Suggestions['category'] {
  if (ownCategory) return { ...ownCategory, explanation: 'It is the category of the supplier.' }
  const [first] = categories
  if (!first || first.count < expenses * agreeing) return null
  const explanation = `${first.count} of the last ${expenses === 1 ? 'expense' : `${expenses} expenses`} of this vendor ${first.count === 1 ? 'has' : 'have'} it.`
  return { id: first.id, name: first.name, explanation }
}

function taxTreatmentOf({ withTax, deducted }: Past): Suggestions['taxTreatment'] {
  if (withTax === 0) return null
  const deductible = deducted >= withTax / 2
  const count = deductible ? deducted : withTax - deducted
  if (count < withTax * agreeing) return null
  const what = deductible ? 'was deducted' : 'was not deducted'
  const explanation = `The tax of ${count} of the last ${withTax} bills of this vendor with tax ${what}.`
  return { deductible, explanation }
}

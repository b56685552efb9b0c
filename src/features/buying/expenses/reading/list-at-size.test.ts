import { beforeAll, expect, test } from 'vitest'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { deepOffset } from './list.ts'

/** Enough expenses for deep pages, with equal and empty sort keys among them. */
const size = deepOffset + 130

let amy: Someone
let all: { id: string; key: Record<string, string | number | null> }[]

beforeAll(async () => {
  amy = await member('MANAGER')
  const { categories } = await amy.call('expense_categories_list')
  const ids = [categories[0]?.id, categories[1]?.id]
  await theApp().system.raw.query(
    `with made as (
       insert into documents (organization_id, id, kind, direction, document_type, status, currency, minor_digits, issue_date,
         subtotal_minor, tax_minor, total_minor, generator_version, issue_date_given, created_at)
       select $1, gen_random_uuid(), 'EXPENSE', 'INCOMING', 'EXPENSE', (array['DRAFT', 'PENDING_REVIEW'])[1 + n % 2], 'SGD', 2,
         '2026-01-01'::date + n / 9, n % 7 * 100, 0, n % 7 * 100, '1.0.0', true, '2026-01-01'::timestamptz + n % 50 * interval '1 hour'
       from generate_series(1, $2::integer) n returning id, total_minor
     ) insert into expenses (organization_id, id, vendor, source, category_id)
       select $1, id, (array['Globex', 'globex 2', 'פרחי', null])[1 + total_minor / 100 % 4], 'MANUAL', ($3::uuid[])[1 + total_minor / 100 % 2] from made`,
    [amy.organizationId, size, ids],
  )
  const { rows } = await theApp().system.raw.query(
    `select d.id, d.issue_date::text as date, d.total_minor::int as amount, lower(e.vendor) as vendor, d.created_at::text as "createdAt",
       d.status, e.category_id as category
     from documents d join expenses e on e.organization_id = d.organization_id and e.id = d.id where d.organization_id = $1`,
    [amy.organizationId],
  )
  all = rows.map(({ id, ...key }) => ({ id, key }))
})

/** The ids of all pages, in order. Every page says the same total. */
async function pagesOf(input: object, total: number): Promise<string[]> {
  const seen: string[] = []
  for (let page = 1; page <= Math.ceil(total / 100); page++) {
    const query = { organizationId: String(amy.organizationId), ...input, page, limit: 100 }
    const { expenses, pagination } = await amy.call('expenses_list', query)
    expect(pagination).toEqual({ page, limit: 100, total, totalPages: Math.ceil(total / 100) })
    seen.push(...expenses.map(({ id }) => id))
  }
  return seen
}

/** Expenses without a value come last in both directions. */
const comparing = (sign: 1 | -1) => (a: string | number | null, b: string | number | null) => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return a === b ? 0 : a < b ? -sign : sign
}

const sorts = ['date', 'amount', 'vendor', 'createdAt'] as const
const both = sorts.flatMap((sortBy) => [{ sortBy, sortOrder: 'asc' } as const, { sortBy, sortOrder: 'desc' } as const])

test.each(both)('the pages of a list by $sortBy $sortOrder show each expense once and in order', async (order) => {
  const seen = await pagesOf(order, size)
  expect([...seen].sort()).toEqual(all.map(({ id }) => id).sort())
  const keys = new Map(all.map(({ id, key }) => [id, key[order.sortBy] ?? null]))
  const shown = seen.map((id) => keys.get(id) ?? null)
  expect(shown).toEqual([...shown].sort(comparing(order.sortOrder === 'asc' ? 1 : -1)))
})

test('the pages of a list of one status, one category or some days show these expenses, with an empty page after the last', async () => {
  const category = all[0]?.key.category
  const filters = [
    [{ status: 'DRAFT' }, ({ key }: (typeof all)[number]) => key.status === 'DRAFT'],
    [{ status: 'DRAFT', sortBy: 'vendor' }, ({ key }: (typeof all)[number]) => key.status === 'DRAFT'],
    [{ categoryId: category }, ({ key }: (typeof all)[number]) => key.category === category],
    [{ dateFrom: '2026-01-05' }, ({ key }: (typeof all)[number]) => String(key.date) >= '2026-01-05'],
    [{ minAmount: '1', source: 'MANUAL' }, ({ key }: (typeof all)[number]) => Number(key.amount) >= 100],
  ] as const
  for (const [filter, matches] of filters) {
    const expected = all.filter(matches).map(({ id }) => id)
    expect((await pagesOf(filter, expected.length)).sort()).toEqual(expected.sort())
  }
  const beyond = await amy.call('expenses_list', { organizationId: String(amy.organizationId), page: 1_000 })
  expect(beyond).toMatchObject({ expenses: [], pagination: { total: size } })
})

test.each(['globex', 'GLOBEX 2', 'פרחי', 'nobody', 'lo'])(
  'a search for %s finds the expenses whose vendor contains it',
  async (search) => {
    const expected = all.filter(({ key }) => String(key.vendor ?? '').includes(search.toLowerCase()))
    expect((await pagesOf({ search }, expected.length)).sort()).toEqual(expected.map(({ id }) => id).sort())
    const drafts = expected.filter(({ key }) => key.status === 'DRAFT').map(({ id }) => id)
    expect((await pagesOf({ search, status: 'DRAFT' }, drafts.length)).sort()).toEqual(drafts.sort())
  },
)

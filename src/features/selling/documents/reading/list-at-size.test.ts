import { beforeAll, describe, expect, test } from 'vitest'
import { pairs, sample } from '../../../../test/prove.ts'
import { salesDocument } from '../../../../test/sales-documents.ts'
import { member, type Someone, theApp } from '../../../../test/world.ts'
import { deepOffset } from './list.ts'
import { indexedResultsMax } from './search.ts'

/** Enough documents for deep pages, with equal and empty sort keys among them. */
const size = deepOffset + 130
const names = ['Globex', 'globex 100%', 'פרחי השרון', "O'Neil_Sons", 'Lim \\ Daughters']

let amy: Someone
let all: { id: string; text: string; key: Record<string, string | number | null> }[]

beforeAll(async () => {
  amy = await member('MANAGER')
  const eve = await member('MANAGER')
  for (const someone of [amy, eve]) await fill(someone)
  all = await rowsOf(amy)
})

/** Inserts documents in one statement; the triggers number and count them as usual. */
async function fill(someone: Someone) {
  const customers = []
  for (const name of names) customers.push((await someone.call('customers_create', { name, country: 'SG' })).id)
  await theApp().system.raw.query(
    `insert into documents (organization_id, id, document_type, status, counterparty_id, currency, minor_digits, issue_date,
       due_date, subtotal_minor, tax_minor, total_minor, notes, generator_version)
     select $1, gen_random_uuid(), (array['INVOICE', 'PAYMENT_REQUEST'])[1 + n % 2], 'DRAFT', ($2::uuid[])[1 + n % 5], 'SGD', 2,
       '2026-01-01'::date + n / 9, case when n % 3 > 0 then '2026-02-01'::date + n / 5 end, n % 7 * 100, 0, n % 7 * 100,
       case n % 4 when 0 then 'Order ' || n when 1 then 'הזמנה ' || n || ' של דנה' when 2 then '50% OFF_' || n end, '1.0.0'
     from generate_series(1, $3::integer) n`,
    [someone.organizationId, customers, size],
  )
  await theApp().system.raw.query(
    `update documents set status = (array['UNSENT', 'SENT'])[1 + total_minor / 100 % 2] where organization_id = $1 and total_minor = 0`,
    [someone.organizationId],
  )
}

const rowsOf = async ({ organizationId }: Someone) => {
  const { rows } = await theApp().system.raw.query(
    `select id, concat_ws(e'\\n', number, counterparty_name, notes) as text, issue_date::text as "issueDate", due_date::text as "dueDate",
       total_minor::int as total, status_rank(status) as status, sequence::int as "documentNumber", lower(counterparty_name) as "customerName"
     from documents where organization_id = $1`,
    [organizationId],
  )
  return rows.map(({ id, text, ...key }) => ({ id, text, key }))
}

const page = (input: object) => amy.call('invoices_list', { organizationId: String(amy.organizationId), ...input })

describe('INV-23: the pages of a list show each document once and in order', () => {
  const sorts = ['issueDate', 'dueDate', 'total', 'status', 'documentNumber', 'customerName'] as const
  const both = pairs(sorts, ['asc', 'desc'] as const).map(([sortBy, sortOrder]) => ({ sortBy, sortOrder }))
  test.each(both)('by $sortBy $sortOrder', async ({ sortBy, sortOrder }) => {
    const seen: string[] = []
    for (let at = 1; at <= Math.ceil(size / 100); at++) {
      const { invoices, pagination } = await page({ sortBy, sortOrder, page: at, limit: 100 })
      expect(pagination).toEqual({ page: at, limit: 100, total: size, totalPages: Math.ceil(size / 100) })
      seen.push(...invoices.map(({ id }) => id))
    }
    expect([...seen].sort()).toEqual(all.map(({ id }) => id).sort())
    const keys = new Map(all.map(({ id, key }) => [id, key[sortBy] ?? null]))
    const shown = seen.map((id) => keys.get(id) ?? null)
    expect(shown).toEqual([...shown].sort(comparing(sortOrder === 'asc' ? 1 : -1)))
  })

  test('of one status, with an empty page after the last one', async () => {
    const drafts = all.filter(({ key }) => key.status === 1).length
    expect(drafts).toBeGreaterThan(deepOffset)
    const last = Math.ceil(drafts / 25)
    const found = await page({ status: 'DRAFT', page: last })
    expect(found.pagination).toEqual({ page: last, limit: 25, total: drafts, totalPages: last })
    expect(found.invoices).toHaveLength(drafts - (last - 1) * 25)
    expect(await page({ status: 'DRAFT', page: last + 1 })).toMatchObject({
      invoices: [],
      pagination: { total: drafts },
    })
    expect(await page({ page: 1_000_000 })).toMatchObject({ invoices: [], pagination: { total: size } })
  })
})

/** Documents without a value come last in both directions. */
const comparing = (sign: 1 | -1) => (a: string | number | null, b: string | number | null) => {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return a === b ? 0 : a < b ? -sign : sign
}

describe('a search finds the documents whose number, customer or notes contain the text', () => {
  const texts = [
    '%', '_', '0%', '0% ', '100%', '_S', 'OFF_', '50% off_1', "'", "O'N", "o'neil_sons", '\\', 'm \\ d', 'globex', 'GLOBEX 1', 'x', 'lo',
    'פ', 'פר', 'פרחי', 'השרון', 'הזמנה 41', 'של דנה', 'order 4', 'Order 404', '12', '7', '123', 'GlObEx', 'nobody', 'zzz', 'a\nb', 'ר  ה',
    'of%5', '---', 'Globex פרחי', '😀', '😀😀😀',
  ] // biome-ignore format: a list of words
  test.each(sample(texts, 3))('%j', async (text) => {
    const expected = all.filter(({ text: whole }) =>
      whole.split('\n').some((field: string) => field.toLowerCase().includes(text.trim().toLowerCase())),
    )
    const found: string[] = []
    for (let at = 1; ; at++) {
      const { invoices, pagination } = await page({ search: text, page: at, limit: 100 })
      expect(pagination.total).toBe(expected.length)
      found.push(...invoices.map(({ id }) => id))
      if (at >= pagination.totalPages) break
    }
    expect(found.sort()).toEqual(expected.map(({ id }) => id).sort())
  })

  test('together with other filters and a sort order', async () => {
    const { invoices } = await page({
      search: 'globex',
      status: 'DRAFT',
      documentType: 'INVOICE',
      sortBy: 'total',
      sortOrder: 'asc',
      limit: 100,
    })
    expect(invoices.length).toBeGreaterThan(0)
    expect(invoices.every(({ documentType, status }) => documentType === 'INVOICE' && status === 'DRAFT')).toBe(true)
    const totals = invoices.map(({ total }) => total)
    expect(totals).toEqual([...totals].sort((a, b) => a - b))
  })

  test('a word with more results than the index returns', async () => {
    const zoe = await member('MANAGER')
    const { id } = await zoe.call('customers_create', { name: 'Globex', country: 'SG' })
    const many = indexedResultsMax + 40
    await theApp().system.raw.query(
      `insert into documents (organization_id, id, document_type, counterparty_id, currency, minor_digits, issue_date,
         subtotal_minor, tax_minor, total_minor, generator_version)
       select $1, gen_random_uuid(), (array['INVOICE', 'PAYMENT_REQUEST'])[1 + n % 2], $2, 'SGD', 2, '2026-01-01', 0, 0, 0, '1.0.0'
       from generate_series(1, $3::integer) n`,
      [zoe.organizationId, id, many],
    )
    const found = async (filter = {}) =>
      zoe.call('invoices_list', { organizationId: String(zoe.organizationId), search: 'lobe', limit: 100, ...filter })
    expect((await found()).pagination.total).toBe(many)
    expect((await found({ documentType: 'INVOICE' })).pagination.total).toBe(many / 2)
    const pages = Math.ceil(many / 100)
    expect((await found({ page: pages })).invoices).toHaveLength(many - (pages - 1) * 100)
    expect((await found({ status: 'SENT' })).pagination.total).toBe(0)
  })

  test('new and changed notes at once', async () => {
    const { id } = await amy.call('invoices_create', await salesDocument(amy, { notes: 'Quokka and numbat' }))
    const ids = async (search: string) => (await page({ search })).invoices.map((each) => each.id)
    expect(await ids('QUOKKA')).toEqual([id])
    await amy.call('invoices_update', { id, notes: 'Wombat' })
    expect([await ids('quokka'), await ids('wombat')]).toEqual([[], [id]])
    await amy.call('invoices_delete', { id })
    expect(await ids('wombat')).toEqual([])
  })
})

test('INV-18: a transaction without an organization, or of another one, finds no documents', async () => {
  const mine = new Set(all.map(({ id }) => id))
  const stranger = await member('OWNER')
  await theApp().system.use(async (_, connection) => {
    for (const organization of ['', String(stranger.organizationId)]) {
      await connection.query('begin')
      await connection.query('set local role kontor_confined')
      await connection.query(`select set_config('app.organization', $1, true)`, [organization])
      const { rows } = await connection.query(`select id from search_documents('globex', '%globex%', 100)`)
      await connection.query('rollback')
      expect(rows).toEqual([])
    }
  })
  const { invoices } = await page({ search: 'globex', limit: 100 })
  expect(invoices.every(({ id }) => mine.has(id))).toBe(true)
})

import type pg from 'pg'
import { newId } from '../../src/core/values/id.ts'

/** Two organizations with the books of a year, in three currencies, a thousand customers and every status. */
export type Books = { small: string; large: string }

const sums = ['sales_by_day', 'sales_by_customer', 'sales_by_customer_day', 'cash_by_day']

const sizes = { small: 10_000, large: 100_000 }

export async function seedBooks(client: pg.Client, owner: string): Promise<Books> {
  const books = { small: newId(), large: newId() }
  await client.query(rates)
  await fill(client, { organization: books.small, owner, count: sizes.small })
  await fill(client, { organization: books.large, owner, count: sizes.large })
  for (const table of sums) await client.query(`insert into ${table} select * from ${table}_now()`)
  for (const table of ['documents', 'payments', 'allocations', 'customers', 'exchange_rates'])
    await client.query(`vacuum analyze ${table}`)
  await client.query(`vacuum analyze ${sums}`)
  await storeJournalSums(client, books.large)
  await client.query('vacuum analyze journal_sums, journal_results, journal_results_by_day, journal_taxes_by_day')
  return books
}

/** Adds up the journal, as the first reports do. */
async function storeJournalSums(client: pg.Client, organization: string) {
  let state: string
  do {
    await client.query('begin; set local role kontor_confined')
    await client.query("select set_config('app.organization', $1, true)", [organization])
    const { rows } = await client.query('select store_journal_sums(20000) as state')
    await client.query('commit')
    state = rows[0].state
  } while (state !== 'DONE')
}

const rates = `insert into exchange_rates (source, currency, date, base, rate)
  select 'ECB', v.currency, day::date, 'EUR', v.rate + v.drift * extract(doy from day)
  from generate_series(current_date - 800, current_date, '1 day') day,
    (values ('EUR', 1.0, 0), ('USD', 1.1, 0.0003), ('SGD', 1.45, 0.0002)) v (currency, rate, drift)`

type Filled = { organization: string; owner: string; count: number }

/** Rows as the triggers would leave them, without the hour that these would take. */
async function fill(client: pg.Client, { organization, owner, count }: Filled) {
  await client.query('begin')
  await client.query("select set_config('bench.organization', $1, true)", [organization])
  await client.query(
    `insert into organizations (id, name, country, currency, timezone) values ($1, 'Books', 'SG', 'SGD', 'Asia/Singapore')`,
    [organization],
  )
  await client.query(`insert into memberships (organization_id, user_id, role) values ($1, $2, 'OWNER')`, [
    organization,
    owner,
  ])
  await client.query('set constraints all immediate')
  await client.query('set local session_replication_role = replica')
  await client.query(`create temporary table sold on commit drop as
    select n, gen_random_uuid() as id, gen_random_uuid() as paid_with, n % 100 as of_hundred, gen_random_uuid() as line,
      ('00000000-0000-4000-8000-' || lpad((abs(hashint4(n)) % 1000)::text, 12, '0'))::uuid as customer,
      (array['SGD', 'SGD', 'SGD', 'SGD', 'SGD', 'SGD', 'SGD', 'USD', 'USD', 'EUR'])[abs(hashint4(n * 7)) % 10 + 1] as currency,
      current_date - (${count} - n) * (extract(doy from current_date)::integer - 1) / ${count} as day, 1000 + abs(hashint4(n * 3)) % 100000 as minor
    from generate_series(1, ${count}) n`)
  await client.query(`insert into customers (organization_id, id, name, kind, country, default_currencies)
    select current_setting('bench.organization')::uuid, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
      'Customer ' || n, 'ORGANIZATION', 'SG', '{SGD}' from generate_series(0, 999) n`)
  await client.query(`insert into payments (organization_id, id, counterparty_id, amount_minor, allocated_minor, currency, minor_digits, paid_at, source)
    select current_setting('bench.organization')::uuid, paid_with, customer, minor, minor, currency, 2, day, 'MARK_PAID'
    from sold where of_hundred < 70`)
  await client.query(`insert into documents (organization_id, id, document_type, status, sequence, number, issued_at, counterparty_id,
      counterparty_name, currency, minor_digits, exchange_rate, rate_currency, issue_date, due_date, subtotal_minor, tax_minor, total_minor, paid_minor, generator_version)
    select current_setting('bench.organization')::uuid, id, 'INVOICE', status, case when status <> 'DRAFT' then n end, case when status <> 'DRAFT' then n::text end,
      case when status <> 'DRAFT' then now() end, customer, 'Customer', currency, 2, case when currency = 'SGD' then 1 end, case when currency = 'SGD' then 'SGD' end, day, day + 30,
      minor, 0, minor, case when status = 'PAID' then minor else 0 end, '0'
    from sold, lateral (select case when of_hundred < 70 then 'PAID' when of_hundred < 85 then 'SENT' when of_hundred < 95 then 'UNSENT' else 'DRAFT' end as status) s`)
  await client.query(`insert into allocations (organization_id, id, payment_id, document_id, amount_minor, booked_on)
    select current_setting('bench.organization')::uuid, line, paid_with, id, minor, day from sold where of_hundred < 70`)
  await client.query('commit')
}

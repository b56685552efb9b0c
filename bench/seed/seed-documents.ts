import pg from 'pg'
import { newId } from '../../src/core/values/id.ts'

export type DocumentSeed = {
  /** An organization with a thousand documents and one with a hundred thousand, of a million in all. */
  small: string
  large: string
  /** An organization with ten thousand documents, for the list in a browser. */
  paged: string
  /** Organizations where documents are created, with a customer each. */
  spread: { organizationId: string; customerId: string }[]
}

const [smallCount, pagedCount, largeCount, othersCount, perOther, spreadCount] = [1_000, 10_000, 100_000, 900, 999, 50]

/**
 * Inserts a million sales documents quickly: as the owner, without triggers, and with the indexes created last. The rows
 * contain the values that the triggers would have derived.
 */
export async function seedDocuments(database: pg.ClientConfig, { person, many }: SeedOptions): Promise<DocumentSeed> {
  const client = new pg.Client(database)
  await client.connect()
  const [small, paged, large] = [newId(), newId(), newId()]
  const spread = Array.from({ length: spreadCount }, newId)
  const others = many ? Array.from({ length: othersCount }, newId) : []
  const sizes = [smallCount, pagedCount, many ? largeCount : 0, ...spread.map(() => 0), ...others.map(() => perOther)]
  await client.query('begin; set local session_replication_role = replica')
  const indexes = await dropIndexes(client)
  await client.query('create temp table places (id uuid, size integer) on commit drop')
  await client.query('insert into places select * from unnest($1::uuid[], $2::integer[])', [
    [small, paged, large, ...spread, ...others],
    sizes,
  ])
  await client.query(rowsOfMany(person))
  for (const index of indexes) await client.query(index)
  await client.query('commit')
  await client.query('vacuum analyze')
  const { rows } = await client.query(
    'select organization_id as "organizationId", id as "customerId" from customers where organization_id = any ($1)',
    [spread],
  )
  await client.end()
  return { small, paged, large, spread: rows }
}

/** Without `many` only the small and the paged organization have documents. */
type SeedOptions = { person: string; many: boolean }

/** Drops every index that belongs to no constraint, and returns their definitions. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('documents'::regclass, 'payments'::regclass, 'allocations'::regclass)
       and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** A deterministic id that grows with time, like those of the product. */
const idOf = (kind: number, n: string) =>
  `(lpad(to_hex(1750000000000 + ${n}), 12, '0') || '7${kind}00' || '8' || substr(md5(p.id::text || ${n}), 1, 15))::uuid`

/** One in ten is a draft; of the rest a third is paid, with a payment each; numbers follow the calendar. */
const rowsOfMany = (person: string) => `
  insert into organizations (id, name, country, currency, timezone) select id, 'Acme', 'SG', 'SGD', 'Asia/Singapore' from places;
  insert into memberships (organization_id, user_id, role) select id, '${person}', 'OWNER' from places;
  insert into customers (organization_id, id, name, kind, email, country, default_currencies)
    select p.id, ${idOf(1, 'n')}, case n % 5 when 0 then 'פרחי השרון ' when 1 then 'Lim & Daughters ' else 'Globex ' end || n,
      'ORGANIZATION', 'office' || n || '@example.com', 'SG', '{SGD}' from places p, generate_series(0, p.size / 20) n;
  create temp table sold on commit drop as
    select p.id as organization_id, ${idOf(2, 'n')} as id, ${idOf(3, 'n')} as payment_id, ${idOf(1, 'n * 7 % (p.size / 20 + 1)')} as customer_id,
      n, p.size, 1000 + n * 7919 % 1000000 as total,
      case when n % 10 = 0 then 'DRAFT' else (array['UNSENT', 'SENT', 'PAID'])[1 + n % 3] end as status,
      '2020-01-01'::date + n * 2000 / p.size as day, '2020-01-01'::timestamptz + n * interval '2000 days' / p.size as made_at
    from places p, generate_series(1, p.size) n;
  insert into payments (organization_id, id, counterparty_id, amount_minor, allocated_minor, currency, minor_digits, paid_at, source, created_at)
    select organization_id, payment_id, customer_id, total, total, 'SGD', 2, day, 'MARK_PAID', made_at from sold where status = 'PAID';
  insert into documents (organization_id, id, document_type, status, sequence, number, counterparty_id, counterparty_name, currency,
      minor_digits, exchange_rate, rate_currency, issue_date, due_date, subtotal_minor, tax_minor, total_minor, paid_minor, notes, payment_date,
      generator_version, issued_at, sent_at, created_by, created_at, updated_at)
    select s.organization_id, s.id, 'INVOICE', s.status, number, number::text, s.customer_id, c.name, 'SGD', 2, 1, 'SGD', s.day,
      case when s.n % 4 > 0 then s.day + 30 end, total, 0, total, case when s.status = 'PAID' then total else 0 end,
      case s.n % 3 when 0 then 'Order ' || substr(md5(s.id::text), 1, 8) || ', thank you for your business.' when 1 then 'לפי הזמנה ' || s.n end,
      case when s.status = 'PAID' then s.day end, '1.0.0', case when s.n % 10 > 0 then made_at end,
      case when s.status = 'SENT' then made_at end, '${person}', made_at, made_at
    from (select *, case when status <> 'DRAFT' then n - n / 10 end as number from sold) s
    join customers c on c.organization_id = s.organization_id and c.id = s.customer_id;
  insert into document_lines (organization_id, document_id, position, id, description, quantity, unit_price, amount_minor)
    select organization_id, id, 0, '1', 'Consulting', 1, total / 100.0, total from sold;
  insert into allocations (organization_id, id, payment_id, document_id, amount_minor, created_at)
    select organization_id, payment_id, payment_id, id, total, made_at from sold where status = 'PAID';
  insert into document_numbering (organization_id, document_type, next_number, last_issue_date)
    select organization_id, 'INVOICE', count(*) + 1, max(day) from sold where status <> 'DRAFT' group by 1;
  insert into document_counts (organization_id, kind, document_type, status, change)
    select organization_id, 'SALES', 'INVOICE', status, count(*) from sold group by organization_id, status;
`

import type pg from 'pg'
import { newId } from '../../src/core/values/id.ts'

export type ExpenseSeed = {
  /** An organization with a thousand expenses and one with a hundred thousand. */
  small: string
  large: string
}

/** Inserts expenses quickly: as the owner and without triggers. The rows contain the values that the triggers would have derived. */
export async function seedExpenses(client: pg.Client, person: string, many = 100_000): Promise<ExpenseSeed> {
  const [small, large] = [newId(), newId()]
  await client.query('begin; set local session_replication_role = replica')
  await client.query('create temp table payers (id uuid, size integer) on commit drop')
  await client.query('insert into payers select * from unnest($1::uuid[], $2::integer[])', [
    [small, large],
    [1_000, many],
  ])
  await client.query(rowsOf(person))
  await client.query('commit')
  await client.query(
    'vacuum analyze orders, order_lines, documents, expenses, expense_categories, payments, allocations, document_counts',
  )
  return { small, large }
}

/** A deterministic id that grows with time, like those of the product. */
const idOf = (kind: number, n: string) =>
  `(lpad(to_hex(1750000000000 + ${n}), 12, '0') || '7${kind}00' || '8' || substr(md5(p.id::text || ${n}), 1, 15))::uuid`

/** One in twenty waits for review, as many are drafts; half of the rest is paid. One in thirty has no vendor. */
const rowsOf = (person: string) => `
  insert into organizations (id, name, country, currency, timezone) select id, 'Acme', 'SG', 'SGD', 'Asia/Singapore' from payers;
  insert into memberships (organization_id, user_id, role) select id, '${person}', 'OWNER' from payers;
  insert into customers (organization_id, id, name, kind, email, country, default_currencies)
    select p.id, ${idOf(4, 'n')}, case n % 5 when 0 then 'דפוס השרון ' when 1 then 'Lim & Daughters ' else 'Globex ' end || n,
      'ORGANIZATION', 'office' || n || '@example.com', 'SG', '{SGD}' from payers p, generate_series(0, p.size / 50) n;
  insert into expense_categories (organization_id, id, name, is_default)
    select p.id, ${idOf(5, 'n')}, 'Category ' || n, false from payers p, generate_series(0, 19) n;
  create temp table spent on commit drop as
    select p.id as organization_id, ${idOf(6, 'n')} as id, ${idOf(7, 'n')} as payment_id, ${idOf(4, 'n * 7 % (p.size / 50 + 1)')} as supplier_id,
      ${idOf(5, 'n % 20')} as category_id, n, 1000 + n * 7919 % 1000000 as total,
      case when n % 20 = 0 then 'DRAFT' when n % 20 = 1 then 'PENDING_REVIEW' else 'APPROVED' end as status,
      '2020-01-01'::date + n * 2000 / p.size as day, '2020-01-01'::timestamptz + n * interval '2000 days' / p.size as made_at
    from payers p, generate_series(1, p.size) n;
  insert into payments (organization_id, id, kind, direction, counterparty_id, amount_minor, allocated_minor, currency, minor_digits, paid_at, source, created_at)
    select organization_id, payment_id, 'EXPENSE', 'INCOMING', supplier_id, total, total, 'SGD', 2, day, 'PAYMENT', made_at
    from spent where status = 'APPROVED' and n % 2 = 0;
  insert into documents (organization_id, id, kind, direction, document_type, status, counterparty_id, counterparty_name, currency, minor_digits,
      exchange_rate, rate_currency, issue_date, due_date, subtotal_minor, tax_minor, total_minor, paid_minor, generator_version, issued_at,
      created_by, created_at, updated_at)
    select s.organization_id, s.id, 'EXPENSE', 'INCOMING', 'EXPENSE', s.status, s.supplier_id, c.name, 'SGD', 2, 1, 'SGD', s.day, s.day + 30,
      total, 0, total, case when s.status = 'APPROVED' and s.n % 2 = 0 then total else 0 end, '1.0.0',
      case when s.status = 'APPROVED' then made_at end, '${person}', made_at, made_at
    from spent s join customers c on c.organization_id = s.organization_id and c.id = s.supplier_id;
  insert into expenses (organization_id, id, title, vendor, supplier_id, category_id, source, notes, document_number)
    select s.organization_id, s.id, case s.n % 3 when 0 then 'Order ' || substr(md5(s.id::text), 1, 8) when 1 then 'לפי הזמנה ' || s.n else 'Lunch' end,
      case when s.n % 30 > 0 then c.name end, s.supplier_id, s.category_id, 'MANUAL', case when s.n % 4 = 0 then 'Charged on' end, 'B-' || s.n
    from spent s join customers c on c.organization_id = s.organization_id and c.id = s.supplier_id;
  insert into document_lines (organization_id, document_id, position, id, description, quantity, unit_price, amount_minor)
    select organization_id, id, 0, '1', 'Expense', 1, 0, total from spent;
  insert into expense_customers (organization_id, expense_id, customer_id)
    select organization_id, id, supplier_id from spent where n % 10 = 0;
  insert into allocations (organization_id, id, payment_id, document_id, amount_minor, created_at)
    select organization_id, payment_id, payment_id, id, total, made_at from spent where status = 'APPROVED' and n % 2 = 0;
  insert into document_counts (organization_id, kind, document_type, status, change)
    select organization_id, 'EXPENSE', 'EXPENSE', status, count(*) from spent group by organization_id, status;
  insert into orders (organization_id, id, kind, status, number, order_number, counterparty_id, counterparty_name, currency, minor_digits, order_date,
      subtotal_minor, tax_minor, total_minor, opened_at, created_by, created_at, updated_at)
    select s.organization_id, s.id, case when s.n % 2 = 0 then 'SALES' else 'PURCHASE' end, case when s.n % 10 < 3 then 'OPEN' else 'RECEIVED' end, s.n,
      case when s.n % 2 = 0 then 'SO-' else 'PO-' end || lpad(s.n::text, 4, '0'), s.supplier_id, c.name, 'SGD', 2, s.day, s.total, 0, s.total, s.made_at,
      '${person}', s.made_at, s.made_at
    from spent s join customers c on c.organization_id = s.organization_id and c.id = s.supplier_id;
  insert into order_lines (organization_id, order_id, id, position, description, quantity, unit_price, amount_minor)
    select organization_id, id, '1', 0, 'Lamp', 1, total / 100.0, total from spent;
  insert into document_counts (organization_id, kind, document_type, status, change)
    select organization_id, 'ORDER', kind, status, count(*) from orders where organization_id in (select id from payers) group by organization_id, kind, status;
`

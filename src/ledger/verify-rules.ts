import type { Check } from '../core/define/check.ts'
import { accountPurposes } from '../countries/chart.ts'
import { numberingChecks } from './verify-numbering.ts'
import { reportChecks } from './verify-reports.ts'
import { areStored, everything, resultChecks } from './verify-results.ts'

/** The sums of all organizations that map a tax category: only for them a query over all organizations splits documents alike. */
const differingJournalSums = `
  with lines as (
    select b.*, face_currency(b.currency, b.home_currency, b.exchange_rate) as face_currency, a.type from booked_lines(${everything}) b
    left join accounts a on a.organization_id = b.organization_id and a.id = b.account_id
  ), computed as (
    select organization_id, day, 'ACCRUAL' as basis, account_id, home_currency, face_currency, home_minor from lines
    union all select organization_id, day, 'CASH', account_id, home_currency, face_currency, home_minor from lines
      where type in ('INCOME', 'EXPENSE') and event not in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED')
    union all select m.organization_id, m.day, 'CASH', l.account_id, l.home_currency, l.face_currency,
        m.times * share_of(l.home_minor, m.upto, m.amount_minor, d.total_minor)
      from money_moved('-infinity', 'infinity') m join documents d on d.organization_id = m.organization_id and d.id = m.document_id
      join results_of(${everything}) l on l.organization_id = m.organization_id and l.document_id = m.document_id
  ), now as (
    select organization_id, day, basis, account_id, home_currency, face_currency, sum(greatest(home_minor, 0)) as debit, sum(greatest(-home_minor, 0)) as credit
    from computed s where ${areStored} group by 1, 2, 3, 4, 5, 6
  ), stored as (
    select organization_id, day, basis, account_id, home_currency, face_currency, sum(debit_minor) as debit, sum(credit_minor) as credit
    from journal_sums s where ${areStored} group by 1, 2, 3, 4, 5, 6
  )
  select x.* from ((select * from stored except select * from now) union all (select * from now except select * from stored)) x`

/** Checks of documents of every kind: amounts, payments, numbers, history and journal, recomputed from their rows. */
export const ledgerChecks: Check[] = [
  {
    id: 'INV-01',
    says: 'Documents and payments in one currency have the same number of minor digits.',
    finds: `select currency, array_agg(distinct minor_digits)::text as digits
      from (select currency, minor_digits from documents union all select currency, minor_digits from payments) a
      group by currency having count(distinct minor_digits) > 1`,
  },
  {
    id: 'INV-02',
    says: 'The amounts of every issued document match, within half a minor unit for each line and one for tax.',
    finds: `select d.organization_id, d.id, d.number from documents d
      left join lateral (select count(*) as lines, coalesce(sum(l.amount_minor), 0) as amount from document_lines l
        where l.organization_id = d.organization_id and l.document_id = d.id) s on true
      where d.issued_at is not null and not amounts_match(s.lines, s.amount, d.subtotal_minor, d.tax_minor, d.total_minor)
        -- documents of earlier versions were issued within a minor unit for each line
        and not (d.issued_at < (select m.applied_at from migrations m where m.name like '0029%') and s.lines > 0
          and abs(s.amount - d.subtotal_minor) <= s.lines and abs(d.subtotal_minor + d.tax_minor - d.total_minor) <= s.lines)`,
  },
  {
    id: 'INV-03',
    says: 'The allocations and refunds of a payment do not exceed its amount, and a voided payment has none.',
    finds: `select p.organization_id, p.id, p.amount_minor, p.allocated_minor, p.refunded_minor, a.minor as allocated, r.minor as refunded
      from payments p
      cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor from allocations a
        where a.organization_id = p.organization_id and a.payment_id = p.id and a.voided_at is null and not a.is_advance) a
      cross join lateral (select coalesce(sum(r.amount_minor), 0) as minor from payments r
        where r.organization_id = p.organization_id and r.refund_of = p.id and r.voided_at is null) r
      where a.minor <> p.allocated_minor or r.minor <> p.refunded_minor or a.minor + r.minor > p.amount_minor
        or (p.voided_at is not null and a.minor + r.minor > 0)`,
  },
  {
    id: 'INV-03',
    says: 'A refund gives back a payment of the same customer and currency in the other direction, and pays nothing; withheld tax is a part of its payment.',
    finds: `select p.organization_id, p.id, p.source, p.refund_of, p.amount_minor, p.withheld_minor from payments p
      left join payments o on o.organization_id = p.organization_id and o.id = p.refund_of
      where (p.source = 'REFUND') <> (p.refund_of is not null) or p.withheld_minor not between 0 and p.amount_minor
        or (p.source in ('REFUND', 'CREDIT_MEMO') and p.withheld_minor <> 0)
        or (p.refund_of is not null and (o.id is null or o.source = 'REFUND' or o.currency <> p.currency or o.direction = p.direction
          or o.counterparty_id <> p.counterparty_id or p.allocated_minor <> 0 or p.refunded_minor <> 0))`,
  },
  {
    id: 'INV-03',
    says: 'A valid receipt of a payment states its amount, and a payment has one.',
    finds: `select d.organization_id, d.id, d.number, d.payment_id from documents d
        join payments p on p.organization_id = d.organization_id and p.id = d.payment_id
        where d.document_type = 'RECEIPT' and d.cancelled_at is null and (p.source in ('REFUND', 'CREDIT_MEMO')
          or d.total_minor <> p.amount_minor or d.currency <> p.currency or exists (select from documents o where o.organization_id = d.organization_id
            and o.payment_id = d.payment_id and o.document_type = 'RECEIPT' and o.cancelled_at is null and o.id <> d.id))`,
  },
  {
    id: 'INV-03',
    says: 'A payment that has a valid receipt pays no valid receipt or invoice-receipt: money is stated once.',
    finds: `select distinct r.organization_id, r.payment_id, r.number, d.id as stated_by from documents r
      join allocations a on a.organization_id = r.organization_id and a.payment_id = r.payment_id and a.voided_at is null
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
        and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT') and d.cancelled_at is null
      where r.document_type = 'RECEIPT' and r.cancelled_at is null`,
  },
  {
    id: 'INV-03',
    says: 'The receipts and invoice-receipts that a payment pays do not state more than its amount.',
    finds: `select a.organization_id, a.payment_id, p.amount_minor, sum(a.amount_minor) as stated from allocations a
      join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id and d.document_type in ('RECEIPT', 'INVOICE_RECEIPT')
      where a.voided_at is null group by a.organization_id, a.payment_id, p.amount_minor having sum(a.amount_minor) > p.amount_minor`,
  },
  {
    id: 'INV-04',
    says: 'An allocation is an advance exactly if it is money on a receipt of an issuer who was registered for tax.',
    finds: `select a.organization_id, a.id, a.document_id, a.is_advance from allocations a
      join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      left join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
      where a.is_advance <> ((d.kind, d.document_type) = ('SALES', 'RECEIPT') and coalesce(c.registered, false) and p.source <> 'CREDIT_MEMO')`,
  },
  {
    id: 'INV-04',
    says: 'The paid and the credited amount of a document are the sums of its allocations.',
    finds: `select d.organization_id, d.id, d.number, d.paid_minor, d.credited_minor, coalesce(sum(a.amount_minor), 0) as allocated
      from documents d left join allocations a on a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null
      group by d.organization_id, d.id having coalesce(sum(a.amount_minor) filter (where not a.is_credit), 0) <> d.paid_minor
        or coalesce(sum(a.amount_minor) filter (where a.is_credit), 0) <> d.credited_minor`,
  },
  {
    id: 'INV-04',
    says: 'An allocation is a credit exactly if it settles the document that its credit memo corrects.',
    finds: `select a.organization_id, a.id, a.document_id, a.is_credit from allocations a
      left join documents m on m.organization_id = a.organization_id and m.payment_id = a.payment_id and m.document_type = 'CREDIT_MEMO'
      where a.is_credit <> coalesce(m.source_document_id = a.document_id, false)`,
  },
  {
    id: 'INV-05',
    says: 'The credit memos of a document do not exceed it.',
    finds: `select d.organization_id, d.id, d.number, d.total_minor, sum(m.total_minor) as credited
      from documents d join documents m on m.organization_id = d.organization_id and m.source_document_id = d.id and m.document_type = 'CREDIT_MEMO'
        and m.cancelled_at is null group by d.organization_id, d.id having sum(m.total_minor) > d.total_minor`,
  },
  {
    id: 'INV-05',
    says: 'A receipt has no memo: it is cancelled.',
    finds: `select m.organization_id, m.id, m.number from documents m
      join documents d on d.organization_id = m.organization_id and d.id = m.source_document_id and is_receipt_by_law(d.document_type, d.series)
      where m.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') and m.issued_at >= (select n.applied_at from migrations n where n.name like '0050%')`,
  },
  {
    id: 'INV-05',
    says: 'A receipt is valid only while its payment is: without one it is cancelled.',
    finds: `select d.organization_id, d.id, d.number from documents d
      left join payments p on p.organization_id = d.organization_id and p.id = d.payment_id
      where is_receipt_by_law(d.document_type, d.series) and d.cancelled_at is null and (p.voided_at is not null
        or d.payment_id is null and d.paid_minor = 0 and exists (select from allocations a
          where a.organization_id = d.organization_id and a.document_id = d.id))`,
  },
  {
    id: 'INV-05',
    says: 'The credit of a supplier is cancelled exactly if its payment is voided.',
    finds: `select m.organization_id, m.id, m.payment_id from documents m
      join payments p on p.organization_id = m.organization_id and p.id = m.payment_id
      where m.document_type = 'CREDIT_MEMO' and (m.cancelled_at is null) <> (p.voided_at is null)`,
  },
  {
    id: 'INV-05',
    says: 'A cancelled or converted document has no payments, and an invoice has taken the place of a converted one.',
    finds: `select d.organization_id, d.id, d.number from documents d
      left join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
      where (d.cancelled_at is not null or d.converted_to_id is not null) and d.payment_id is null and d.paid_minor > 0
        or d.cancelled_at is not null and (d.issued_at is null or not (d.document_type = 'PAYMENT_REQUEST' or is_receipt_by_law(d.document_type, d.series)
            or d.document_type = 'CREDIT_MEMO' and d.kind = 'EXPENSE' or d.kind in ('PAYSLIP', 'LEAVE_CLAIM') and d.status = 'VOID')
          or d.converted_to_id is not null)
        or d.converted_to_id is not null and (i.source_document_id is distinct from d.id or i.issued_at is null)
        or d.document_type in ('INVOICE', 'INVOICE_RECEIPT') and d.source_document_id is not null and not exists (select from documents r
          where r.organization_id = d.organization_id and r.id = d.source_document_id and r.converted_to_id = d.id)`,
  },
  {
    id: 'INV-05',
    says: 'A document is PAID if and only if it has no open balance and money was received.',
    finds: `select d.organization_id, d.id, d.number, d.status from documents d join ledger_kinds k on k.kind = d.kind
      where k.open_status is not null and d.issued_at is not null and d.payment_id is null and d.total_minor > 0 and d.converted_to_id is null
        and (d.status = 'PAID') <> (d.paid_minor + d.credited_minor = d.total_minor and d.paid_minor > 0)`,
  },
  {
    id: 'INV-05',
    says: 'A credit memo is PAID if and only if its credit is used up.',
    finds: `select d.organization_id, d.id, d.number, d.status from documents d
      where d.document_type = 'CREDIT_MEMO' and d.payment_id is not null and (d.status = 'PAID') <> (open_credit(d) = 0)
        and exists (select from ledger_kinds k where k.kind = d.kind and k.open_status is not null)`,
  },
  {
    id: 'INV-05',
    says: 'The credit of a memo is open only if nothing is open of the document that the memo corrects.',
    finds: `select m.organization_id, m.id, m.number, open_credit(m) as credit, open_minor(d) as open from documents m
      join documents d on d.organization_id = m.organization_id and d.id = m.source_document_id
      where m.document_type = 'CREDIT_MEMO' and open_credit(m) > 0 and open_minor(d) > 0`,
  },
  {
    id: 'INV-05',
    says: 'The invoice for a payment request is of another official type than the request.',
    finds: `select d.organization_id, d.id, d.number, r.official_type from documents d
      join issued_copies r on r.organization_id = d.organization_id and r.document_id = d.id
      join issued_copies i on i.organization_id = d.organization_id and i.document_id = d.converted_to_id and i.official_type = r.official_type
      -- earlier versions converted the requests of exempt dealers too
      where i.created_at >= (select m.applied_at from migrations m where m.name like '0038%')`,
  },
  {
    id: 'INV-05',
    says: 'Every document has a direction, type and status of its kind, and payments only where the kind accepts them.',
    finds: `select d.organization_id, d.id, d.kind, d.document_type, d.status from documents d left join ledger_kinds k on k.kind = d.kind
      where k.kind is null or d.direction <> k.direction or d.document_type <> all (k.document_types) or d.status <> all (k.statuses)
        or (d.issued_at is null) <> (d.status = any (k.draft_statuses)) or (d.paid_minor > 0 and d.status <> all (k.payable_statuses))
        or (d.counterparty_id is null and k.counterparty_needed)`,
  },
  {
    id: 'INV-04',
    says: 'The paid amount of a line is the sum of its allocations, where lines are paid one by one.',
    finds: `select l.organization_id, l.document_id, l.id, l.paid_minor, coalesce(sum(a.amount_minor), 0) as allocated
      from document_lines l join documents d on d.organization_id = l.organization_id and d.id = l.document_id
      join ledger_kinds k on k.kind = d.kind
      left join allocations a on k.pays_lines and a.organization_id = l.organization_id and a.document_id = l.document_id
        and a.line_id = l.id and a.voided_at is null
      group by l.organization_id, l.document_id, l.id having coalesce(sum(a.amount_minor), 0) <> l.paid_minor`,
  },
  ...numberingChecks,
  {
    id: 'COUNTS',
    says: 'The stored counts by type and status equal the number of documents and orders.',
    finds: `select organization_id, kind, document_type, status, sum(change) as counted, sum(there) as there
      from (select organization_id, kind, document_type, status, change, 0 as there from document_counts
        union all select organization_id, kind, document_type, status, 0, 1 from documents
        union all select organization_id, 'ORDER', kind, status, 0, 1 from orders) c
      group by organization_id, kind, document_type, status having sum(change) <> sum(there)`,
  },
  {
    id: 'INV-10',
    says: 'Every document has its first history entry, and every issued document its event.',
    finds: `select d.organization_id, d.id, d.number from documents d where not exists (select from document_events e
        where e.organization_id = d.organization_id and e.document_id = d.id and e.type in ('CREATED', 'ISSUED'))
      or (d.issued_at is not null and exists (select from ledger_kinds k where k.kind = d.kind and cardinality(k.final_events) > 0
        and not exists (select from events e where e.organization_id = d.organization_id
          and e.type = any (k.final_events) and e.payload ->> 'id' = d.id::text)))`,
  },
  {
    id: 'INV-19',
    says: 'The history of every document is an unbroken hash chain.',
    finds: `select organization_id, document_id, id, seq from (select e.*, lag(e.hash) over chain as before, row_number() over chain as place
        from document_events e window chain as (partition by e.organization_id, e.document_id order by e.seq)) e
      where e.seq <> e.place or e.prev_hash <> coalesce(e.before, '')
        or e.hash <> (select document_event_hash(x) from document_events x where x.organization_id = e.organization_id and x.id = e.id)`,
  },
  {
    id: 'SUMS',
    says: 'The stored sales totals by day equal the sums of the documents.',
    finds: differingSums(
      'sales_by_day',
      'organization_id, day, sort, status, currency, fixed_rate, rate_currency',
      'documents, total_minor, open_minor',
    ),
  },
  {
    id: 'SUMS',
    says: 'The stored sales totals by customer equal the sums of the documents.',
    finds: differingSums(
      'sales_by_customer',
      'organization_id, year, counterparty_id, currency, fixed_rate, rate_currency',
      'documents, total_minor, credited_minor',
    ),
  },
  {
    id: 'SUMS',
    says: 'The stored sales totals by customer and day equal the sums of the documents.',
    finds: differingSums(
      'sales_by_customer_day',
      'organization_id, day, counterparty_id, currency',
      'total_minor, credited_minor',
    ),
  },
  {
    id: 'SUMS',
    says: 'The stored cash totals by day equal the sums of the payments.',
    finds: differingSums(
      'cash_by_day',
      'organization_id, day, direction, currency, rated_on',
      'payments, amount_minor',
    ),
  },
  {
    id: 'SUMS',
    says: 'The stored totals of expenses by vendor equal the sums of the expenses.',
    finds: differingSums(
      'expenses_by_vendor',
      'organization_id, day, state, vendor, currency, fixed_rate, rate_currency',
      'expenses, total_minor',
    ),
  },
  {
    id: 'JOURNAL',
    says: 'The entries of every event in the journal add up to zero.',
    finds: `select organization_id, event, event_id, currency, sum(debit_minor - credit_minor) as difference from journal()
      group by organization_id, event, event_id, currency having sum(debit_minor - credit_minor) <> 0`,
  },
  {
    id: 'JOURNAL',
    says: 'The journal balances of open documents and unallocated payments equal the documents and payments.',
    finds: `select j.organization_id, j.account, j.currency, j.balance, k.balance as expected
      from (select organization_id, account, currency, sum(debit_minor - credit_minor) as balance from journal()
        where account in (select k.balance_account from ledger_kinds k union select k.advances_account from ledger_kinds k) group by 1, 2, 3) j
      full join (select organization_id, account, currency, sum(minor) as balance from (
          select d.organization_id, k.balance_account as account, d.currency,
            case d.direction when 'OUTGOING' then open_minor(d) else -open_minor(d) end as minor
          from documents d join ledger_kinds k on k.kind = d.kind where d.issued_at is not null and d.payment_id is null
            and (d.kind, d.document_type) <> ('SALES', 'RECEIPT')
          union all select p.organization_id, k.advances_account, p.currency, case p.direction when 'OUTGOING' then -1 else 1 end * p.amount_minor
          from payments p join ledger_kinds k on k.kind = p.kind where p.voided_at is null
          union all select a.organization_id, k.advances_account, d.currency, case d.direction when 'OUTGOING' then 1 else -1 end * a.amount_minor
          from allocations a join documents d on d.organization_id = a.organization_id and d.id = a.document_id
          join payments p on p.organization_id = a.organization_id and p.id = a.payment_id join ledger_kinds k on k.kind = p.kind
          where a.voided_at is null and d.issued_at is not null and not a.is_advance) o group by 1, 2, 3) k using (organization_id, account, currency)
      where coalesce(j.balance, 0) <> coalesce(k.balance, 0)`,
  },
  {
    id: 'JOURNAL',
    says: 'The customer credits in the journal equal the open remainders of the payments of customers.',
    finds: `select organization_id, currency, sum(booked) as booked, sum(open) as open from (
        select organization_id, currency, -minor as booked, 0 as open from journal_lines('-infinity', 'infinity')
        where direction = 'OUTGOING' and account in ('PREPAYMENTS', 'CUSTOMER_CREDITS')
        union all select organization_id, currency, 0, amount_minor - allocated_minor - refunded_minor
        from payments where direction = 'OUTGOING' and kind <> 'LEAVE_CLAIM' and voided_at is null and refund_of is null) b
      group by organization_id, currency having sum(booked) <> sum(open)`,
  },
  {
    id: 'JOURNAL',
    says: 'The lines of every event add up to zero in the home currency.',
    finds: `select organization_id, event, event_id, sum(home_minor) as difference
      from journal_lines('-infinity', 'infinity') group by organization_id, event, event_id
      having sum(home_minor) <> 0 or count(distinct home_currency) > 1`,
  },
  {
    id: 'JOURNAL',
    says: 'In the home currency nothing is left of a settled document and a used payment, and parts differ from their rate by rounding alone.',
    finds: `select * from (
        select d.organization_id, d.id, sum(a.amount_minor) = d.total_minor as used_up, count(*) as parts,
          home_minor(sum(a.amount_minor), d.currency, min(h.home), d.exchange_rate) as expected,
          sum(coalesce(a.document_home_minor, a.amount_minor)) as booked
        from documents d join allocations a on a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null
        join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
        cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
        where d.issued_at is not null group by d.organization_id, d.id having bool_and(h.home = coalesce(d.rate_currency, h.home))
        union all
        select p.organization_id, p.id, sum(u.minor) = p.amount_minor, count(*),
          home_minor(sum(u.minor), p.currency, coalesce(p.rate_currency, p.currency), p.exchange_rate), sum(u.home)
        from payments p cross join lateral (
          select a.amount_minor as minor, coalesce(a.payment_home_minor, a.amount_minor) as home from allocations a
            where a.organization_id = p.organization_id and a.payment_id = p.id and a.voided_at is null and not a.is_advance
          union all select r.amount_minor, coalesce(r.refund_home_minor, r.amount_minor) from payments r
            where r.organization_id = p.organization_id and r.refund_of = p.id and r.voided_at is null) u
        where p.voided_at is null group by p.organization_id, p.id) b
      where abs(expected - booked) > case when used_up then 0 else parts end`,
  },
  {
    id: 'JOURNAL',
    says: 'Every trial balance is equal on both sides: the debits of each day are its credits, in stored sums and in the journal.',
    finds: `select organization_id, day, home_currency, sum(debit_minor) as debit, sum(credit_minor) as credit from journal_sums s
        where basis = 'ACCRUAL' and ${areStored} group by 1, 2, 3 having sum(debit_minor) <> sum(credit_minor)
      union all select organization_id, day, home_currency, sum(greatest(home_minor, 0)), sum(greatest(-home_minor, 0))
        from booked_lines('-infinity', 'infinity') group by 1, 2, 3 having sum(home_minor) <> 0`,
  },
  {
    id: 'JOURNAL',
    says: 'Every balance sheet balances: each line of the journal has an account that is an asset, a liability, equity, income or an expense.',
    finds: `select b.organization_id, b.home_currency, sum(b.home_minor) filter (where a.type = 'ASSET') as assets,
        sum(-b.home_minor) filter (where a.type in ('LIABILITY', 'EQUITY')) as liabilities_and_equity,
        sum(-b.home_minor) filter (where a.type in ('INCOME', 'EXPENSE')) as result, count(*) filter (where a.id is null) as without_account
      from booked_lines('-infinity', 'infinity') b left join accounts a on a.organization_id = b.organization_id and a.id = b.account_id
      group by 1, 2 having count(*) filter (where a.id is null) > 0 or sum(b.home_minor) <> 0`,
  },
  {
    id: 'SUMS',
    says: 'The stored sums of the journal equal the journal, on accrual and on cash basis.',
    finds: differingJournalSums,
  },
  ...resultChecks,
  {
    id: 'JOURNAL',
    says: 'Every allocation has the day on which it is booked.',
    finds: 'select organization_id, id from allocations where booked_on is null',
  },
  {
    id: 'JOURNAL',
    says: 'Journal entries are balanced and numbered without gaps, and a reversal is the opposite of its entry.',
    finds: `select e.organization_id, e.id, e.number from journal_entries e
      left join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
      group by e.organization_id, e.id having count(l.position) < 2 or sum(l.debit_minor) <> sum(l.credit_minor)
      union all select organization_id, null, max(number) from journal_entries group by organization_id having count(*) <> max(number)
      union all select r.organization_id, r.id, r.number from journal_entries r where r.reverses_id is not null and exists (
        select from (select position, account_id, debit_minor, credit_minor from journal_entry_lines l
            where l.organization_id = r.organization_id and l.entry_id = r.id) own
          full join (select position, account_id, credit_minor as debit_minor, debit_minor as credit_minor from journal_entry_lines l
            where l.organization_id = r.organization_id and l.entry_id = r.reverses_id) opposite
            using (position, account_id, debit_minor, credit_minor)
        where own is null or opposite is null)`,
  },
  {
    id: 'ACCOUNTS',
    says: 'Every organization has an account for each purpose of the journal.',
    finds: `select o.id as organization_id, p.purpose from organizations o cross join unnest('{${accountPurposes}}'::text[]) p (purpose)
      where not exists (select from accounts a where a.organization_id = o.id and a.purpose = p.purpose and a.active)`,
  },
  {
    id: 'ACCOUNTS',
    says: 'The account that takes a purpose or mapping today is that of the chart, and one account takes it at a time.',
    finds: `select organization_id, subject, account_id from (
        select organization_id, subject, account_id from account_periods where end_day = 'infinity') dated
      full join (select organization_id, 'PURPOSE:' || purpose as subject, id as account_id from accounts where purpose is not null
        union select m.organization_id, subject_of(m), m.account_id from account_mappings m) chart
        using (organization_id, subject, account_id) where dated is null or chart is null
      union all select p.organization_id, p.subject, p.account_id from account_periods p join account_periods o
        on o.organization_id = p.organization_id and o.subject = p.subject and o.first_day > p.first_day and o.first_day < p.end_day`,
  },
  ...reportChecks,
]

/** Finds stored sums that differ from the current sums, in both directions. */
function differingSums(table: string, key: string, sums: string): string {
  const totals = sums.split(', ').map((sum) => `sum(${sum})`)
  const stored = `select ${key}, ${totals} from ${table} group by ${key} having (${totals}) <> (${totals.map(() => 0)})`
  const current = `select ${key}, ${sums} from ${table}_now()`
  return `(${stored} except ${current}) union all (${current} except ${stored})`
}

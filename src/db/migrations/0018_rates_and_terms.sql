-- What a document was worth in the organization's own currency is fixed with its number, and never looked up again. A draft
-- has no rate yet; a rate that nobody knows is null and none is made up.

-- A rate as a document carries it: twelve significant digits, rounded once and half up, as rateText() of
-- features/exchange-rates does. In whole numbers: a quotient of numeric is rounded before anybody asks.
create function printed_rate(from_rate numeric, to_rate numeric) returns numeric language sql immutable parallel safe as $$
  select trim_scale(div(2 * to_rate * s.scale + from_rate, 2 * from_rate) / s.scale)
  from (select 10::numeric ^ greatest(0, 11 - floor(log(to_rate / from_rate))) as scale) s
$$;

-- Fires after keep_document(), which may still have moved the date. A memo corrects at the rate of what it corrects;
-- everything else, a receipt too, has that of its own day.
create function keep_rate() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own_currency text := (select o.currency from organizations o where o.id = new.organization_id);
begin
  if new.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO') then
    select d.exchange_rate, d.rate_currency, d.rate_date into new.exchange_rate, new.rate_currency, new.rate_date from documents d
      where d.organization_id = new.organization_id and d.id = new.source_document_id;
    return new;
  end if;
  new.exchange_rate := 1;
  if new.currency <> own_currency then
    select printed_rate(r.from_rate, r.to_rate), r.rate_date into new.exchange_rate, new.rate_date
      from rate_on(new.currency, own_currency, new.issue_date) r;
  end if;
  new.rate_currency := case when new.exchange_rate is not null then own_currency end;
  return new;
end $$;
create trigger keep_rate_of_new before insert on documents
  for each row when (new.status <> 'DRAFT') execute function keep_rate();
create trigger keep_rate_when_issued before update on documents
  for each row when (old.status = 'DRAFT' and new.status <> 'DRAFT') execute function keep_rate();

-- How new the rates of a year are, the dashboard tells by the last document that has one.
create index on documents (organization_id, issue_date) where rate_date is not null;

-- Of which documents it was told that they are overdue, and since which due date: once for each, whatever happens between.
create table overdue_marks (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  document_id     uuid not null,
  due_date        date not null,
  created_at      timestamptz not null default now(),
  primary key (organization_id, document_id, due_date),
  foreign key (organization_id, document_id) references documents
);
select organization_table('overdue_marks');
select append_only('overdue_marks');
create index open_documents_by_due_date on documents (due_date, organization_id) where status in ('UNSENT', 'SENT');

-- Sales documents by the hundred thousand: how many there are without counting them, and a search that looks up.

-- How many documents of a type and status an organization has is the sum of its rows here. Whoever makes, moves or
-- removes a document adds a row, so nobody waits for a counter; one in fifty sums up what others have committed.
create table document_counts (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  entry           uuid not null default gen_random_uuid(),
  kind            text not null,
  document_type   text not null,
  status          text not null,
  change          integer not null,
  primary key (organization_id, entry)
);
select organization_table('document_counts');
revoke insert, update, delete on document_counts from kontor_confined;

-- Rows that somebody else is summing up are left to them.
create function sum_up_document_counts(organization uuid) returns void language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from document_counts c where c.organization_id = organization and c.entry in
      (select o.entry from document_counts o where o.organization_id = organization for update skip locked) returning c.*)
  insert into document_counts (organization_id, kind, document_type, status, change)
    select organization, kind, document_type, status, sum(change) from gone group by kind, document_type, status having sum(change) <> 0
$$;

create function count_documents() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (new.organization_id, new.kind, new.document_type, new.status, 1);
  elsif tg_op = 'UPDATE' then
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (old.organization_id, old.kind, old.document_type, old.status, -1), (new.organization_id, new.kind, new.document_type, new.status, 1);
  elsif exists (select from organizations o where o.id = old.organization_id) then -- it may be what is deleted
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (old.organization_id, old.kind, old.document_type, old.status, -1);
  end if;
  if random() < 0.02 then
    perform sum_up_document_counts(case tg_op when 'DELETE' then old.organization_id else new.organization_id end);
  end if;
  return null;
end $$;
create trigger count_documents after insert or delete on documents for each row execute function count_documents();
create trigger count_moved_documents after update on documents for each row
  when (old.document_type <> new.document_type or old.status <> new.status) execute function count_documents();

insert into document_counts (organization_id, kind, document_type, status, change)
  select organization_id, kind, document_type, status, count(*) from documents group by organization_id, kind, document_type, status;

-- Every three characters in a row that a text has, as numbers that differ from organization to organization: so an index
-- over them keeps each organization's apart. Letters are small ones, as `ilike` compares them; they are told apart once,
-- since to find one in the middle of a text PostgreSQL counts from its beginning.
create function search_grams(organization uuid, given text) returns bigint[] language plpgsql immutable parallel safe as $$
declare
  letters text[] := string_to_array(lower(given), null);
  seed bigint := uuid_hash_extended(organization, 0);
  grams bigint[] := '{}';
begin
  for place in 1 .. cardinality(letters) - 2 loop
    grams := grams || hashtextextended(letters[place] || letters[place + 1] || letters[place + 2], seed);
  end loop;
  return grams;
end $$;

create index search_documents on documents using gin
  (search_grams(organization_id, coalesce(number, '') || ' ' || counterparty_name || ' ' || coalesce(notes, '')))
  with (gin_pending_list_limit = 256) where kind = 'SALES';

-- The sales documents of the organization that the transaction is confined to, in whose number, customer or notes a text
-- of three characters or more stands; `pattern` is the same text for `like`. It runs as the owner, since row security keeps
-- `ilike` from every index. Beyond `most` it stops: so many are found as quickly by reading on.
create function search_documents(wanted text, pattern text, most integer) returns setof documents
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select d.* from documents d where d.organization_id = current_organization() and d.kind = 'SALES'
    and search_grams(d.organization_id, coalesce(d.number, '') || ' ' || d.counterparty_name || ' ' || coalesce(d.notes, ''))
      @> search_grams(current_organization(), wanted)
    and (d.number ilike pattern or d.counterparty_name ilike pattern or d.notes ilike pattern)
    limit most;
end $$;
revoke execute on function sum_up_document_counts, search_documents from public;
grant execute on function search_documents to kontor_confined;

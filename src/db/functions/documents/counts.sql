-- Counts documents by status, so that lists say exactly how many there are.

create or replace function count_documents() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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

-- Rows that somebody else is summing up are left to them.
create or replace function sum_up_document_counts(organization uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with gone as (
    delete from document_counts c where c.organization_id = organization and c.entry in
      (select o.entry from document_counts o where o.organization_id = organization for update skip locked) returning c.*)
  insert into document_counts (organization_id, kind, document_type, status, change)
    select organization, kind, document_type, status, sum(change) from gone group by kind, document_type, status having sum(change) <> 0
$$;

create or replace trigger count_documents after insert or delete on documents for each row execute function count_documents();
create or replace trigger count_moved_documents after update on documents
  for each row when (old.document_type <> new.document_type or old.status <> new.status) execute function count_documents();

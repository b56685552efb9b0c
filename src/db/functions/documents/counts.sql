-- Counts documents by status, so that lists show exact numbers.

create or replace function count_documents() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (new.organization_id, new.kind, new.document_type, new.status, 1);
  elsif tg_op = 'UPDATE' then
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (old.organization_id, old.kind, old.document_type, old.status, -1), (new.organization_id, new.kind, new.document_type, new.status, 1);
  elsif exists (select from organizations o where o.id = old.organization_id) then -- the organization itself may be the row that is deleted
    insert into document_counts (organization_id, kind, document_type, status, change)
      values (old.organization_id, old.kind, old.document_type, old.status, -1);
  end if;
  if random() < 0.02 then
    perform sum_up_document_counts(case tg_op when 'DELETE' then old.organization_id else new.organization_id end);
  end if;
  return null;
end $$;

-- Adds up the counts of an organization. Rows that another transaction is adding up are left to it.
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

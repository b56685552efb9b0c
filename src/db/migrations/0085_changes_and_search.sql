-- What the product changed by itself, for /api/changes: what callers change is in the audit log already. Rows are kept for two days.
create table changes (
  organization_id uuid not null references organizations on delete cascade,
  resource        text not null check (resource <> ''),
  object_id       uuid not null,
  change          text not null check (change in ('created', 'updated', 'deleted')),
  -- Who alone may be told of it; null: everybody who may read the resource.
  user_id         uuid,
  created_at      timestamptz not null default now()
);
create index on changes (organization_id, created_at);
create index on changes using brin (created_at); -- for the job that deletes old rows
select organization_table('changes');
revoke insert, update, delete on changes from kontor_confined; -- triggers alone write it

create function add_change(organization uuid, changed text, object uuid, operation text, person uuid default null) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into changes (organization_id, resource, object_id, change, user_id)
  select organization, changed, object, case operation when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end, person
  -- The rows of a deleted organization are deleted with it.
  where organization is not null and (operation <> 'DELETE' or exists (select from organizations o where o.id = organization));
$$;

-- Of a row with an id; the argument is its resource.
create function record_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform add_change(new.organization_id, tg_argv[0], new.id, tg_op);
  return null;
end $$;

-- Of a row that is part of a document; also of the document itself, by its kind.
create function record_change_of_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  document documents;
begin
  if tg_table_name = 'documents' then document := new;
  else select d.* into document from documents d where d.organization_id = new.organization_id and d.id = new.document_id;
  end if;
  perform add_change(document.organization_id, case document.kind when 'SALES' then 'documents' when 'EXPENSE' then 'expenses' else 'payslips' end,
    document.id, 'UPDATE');
  return null;
end $$;

create function record_change_of_batch() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform add_change(new.organization_id, 'scan_batches', new.batch_id, 'UPDATE');
  return null;
end $$;

create function record_change_of_member() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then perform add_change(old.organization_id, 'members', old.user_id, tg_op);
  else perform add_change(new.organization_id, 'members', new.user_id, tg_op);
  end if;
  return null;
end $$;

create function record_notification() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform add_change(new.organization_id, 'notifications', new.id, tg_op, new.user_id);
  return null;
end $$;

-- A run in progress is read from its own rows; this is how it ends.
create trigger record_end after update of status on automation_runs for each row
  when (old.status = 'RUNNING' and new.status <> 'RUNNING') execute function record_change('automation_runs');
create trigger record_change after update of status on automations for each row
  when (current_person() is null and old.status <> new.status) execute function record_change('automations');
create trigger record_change after insert or update of status on mail_deliveries for each row execute function record_change('mail');
create trigger record_change after insert on outbox for each row execute function record_change('mail');
create trigger record_change after update on documents for each row
  when (current_person() is null) execute function record_change_of_document();
create trigger record_change after update on clearances for each row
  when (current_person() is null) execute function record_change_of_document();
create trigger record_change after insert or update on expenses for each row
  when (current_person() is null) execute function record_change('expenses');
create trigger record_change after update on orders for each row
  when (current_person() is null) execute function record_change('orders');
create trigger record_change after update of status on scan_batch_files for each row execute function record_change_of_batch();
create trigger record_change after insert or update on ingestion_runs for each row execute function record_change('mailbox_runs');
create trigger record_change after update on mail_connections for each row
  when (current_person() is null) execute function record_change('mailboxes');
create trigger record_change after insert or update or delete on memberships for each row execute function record_change_of_member();
create trigger record_change after update on invitations for each row execute function record_change('invitations');
create trigger record_change after insert on notifications for each row execute function record_notification();

-- Payments by their reference, as search_documents() finds documents. Payments without one are not in the index.
create index search_payments on payments using gin (search_grams(organization_id, reference)) with (gin_pending_list_limit = 256)
  where kind = 'SALES' and reference is not null;
create function search_payments(wanted text, pattern text, most integer) returns setof uuid
language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select p.id from payments p where p.organization_id = current_organization() and p.kind = 'SALES' and p.reference is not null
    and search_grams(p.organization_id, p.reference) @> search_grams(current_organization(), wanted) and p.reference ilike pattern
    limit most;
end $$;
grant execute on function search_payments(text, text, integer) to kontor_confined;

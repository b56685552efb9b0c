-- Records changes for open web apps, in the transaction of the change.

create or replace function add_change(organization uuid, changed text, object uuid, operation text, person uuid default null::uuid)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into changes (organization_id, resource, object_id, change, user_id)
  select organization, changed, object, case operation when 'INSERT' then 'created' when 'DELETE' then 'deleted' else 'updated' end, person
  -- The rows of a deleted organization are deleted with it.
  where organization is not null and (operation <> 'DELETE' or exists (select from organizations o where o.id = organization));
$$;

-- Records the change of a row. It inserts the row itself instead of calling add_change(), because it has the settings and rights of
-- that function already.
create or replace function record_change() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.organization_id is not null then
    insert into changes (organization_id, resource, object_id, change)
    values (new.organization_id, tg_argv[0], new.id, case tg_op when 'INSERT' then 'created' else 'updated' end);
  end if;
  return null;
end $$;

-- Records the change of a row that is part of a document, also as a change of the document, by its kind.
create or replace function record_change_of_document() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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

create or replace function record_change_of_batch() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform add_change(new.organization_id, 'scan_batches', new.batch_id, 'UPDATE');
  return null;
end $$;

create or replace function record_change_of_member() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'DELETE' then perform add_change(old.organization_id, 'members', old.user_id, tg_op);
  else perform add_change(new.organization_id, 'members', new.user_id, tg_op);
  end if;
  return null;
end $$;

create or replace function record_notification() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform add_change(new.organization_id, 'notifications', new.id, tg_op, new.user_id);
  return null;
end $$;

-- Open apps read a run in progress from its own rows; this trigger records its end.
create or replace trigger record_end after update of status on automation_runs
  for each row when (old.status = 'RUNNING'::text and new.status <> 'RUNNING'::text) execute function record_change('automation_runs');
create or replace trigger record_change after update of status on automations
  for each row when (current_person() is null and old.status <> new.status) execute function record_change('automations');
create or replace trigger record_change after insert or update of status on mail_deliveries
  for each row execute function record_change('mail');
create or replace trigger record_change after insert on outbox for each row execute function record_change('mail');
create or replace trigger record_change after update on documents
  for each row when (current_person() is null) execute function record_change_of_document();
create or replace trigger record_change after update on clearances
  for each row when (current_person() is null) execute function record_change_of_document();
create or replace trigger record_change after insert or update on expenses
  for each row when (current_person() is null) execute function record_change('expenses');
create or replace trigger record_change after update on orders
  for each row when (current_person() is null) execute function record_change('orders');
create or replace trigger record_change after update of status on scan_batch_files
  for each row execute function record_change_of_batch();
create or replace trigger record_change after insert or update on ingestion_runs
  for each row execute function record_change('mailbox_runs');
create or replace trigger record_change after update on mail_connections
  for each row when (current_person() is null) execute function record_change('mailboxes');
create or replace trigger record_change after insert or delete or update on memberships
  for each row execute function record_change_of_member();
create or replace trigger record_change after update on invitations for each row execute function record_change('invitations');
create or replace trigger record_change after insert on notifications for each row execute function record_notification();
create or replace trigger record_change after insert or update on planned_payments
  for each row execute function record_change('payments');

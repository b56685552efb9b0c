-- Writes the automation that scans the messages of a mailbox.

-- Writes the automation of an auto-scan: a schedule that polls this connection. Its graph does not depend on the credential that
-- asked for it, because it can do nothing else.
create or replace function save_auto_scan(of_connection uuid, automation uuid, label text, new_blocks jsonb, new_edges jsonb) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  credential text := current_setting('app.credential', true);
  place uuid := current_organization();
begin
  if not exists (select from mail_connections c where c.organization_id = place and c.id = of_connection and c.deleted_at is null)
    or jsonb_array_length(new_blocks) <> 2 or new_blocks #>> '{0,kind}' <> 'TRIGGER' or new_blocks #>> '{0,ref}' not like 'schedule.%'
    or new_blocks #>> '{1,kind}' <> 'ACTION' or new_blocks #>> '{1,ref}' <> 'expenses_email_poll'
    or new_blocks #>> '{1,config,input,connectionId}' is distinct from of_connection::text
    or new_blocks #>> '{1,config,input,organizationId}' is distinct from place::text then
    raise exception 'An auto-scan polls its own connection.' using errcode = 'check_violation', constraint = 'auto_scan_polls_its_connection';
  end if;
  perform set_config('app.credential', '', true);
  update automations a set blocks = new_blocks, edges = new_edges where a.organization_id = place and a.id = automation;
  if not found then
    insert into automations (organization_id, id, name, blocks, edges) values (place, automation, label, new_blocks, new_edges);
  end if;
  perform set_config('app.credential', coalesce(credential, ''), true);
  update mail_connections c set auto_scan_automation_id = automation where c.organization_id = place and c.id = of_connection;
end $$;
grant execute on function save_auto_scan(uuid, uuid, text, jsonb, jsonb) to kontor_confined;

-- The id under which a receiver sees a delivery, and the secrets that automations send in headers of webhooks.

-- The id is that of the step, unless a replay sends something else than the step sent first. The hash tells whether it does.
-- Both are null in rows of earlier versions.
alter table automation_deliveries
  add column webhook_id text check (length(webhook_id) <= 64),
  add column content_hash bytea check (octet_length(content_hash) = 32);

create table automation_secrets (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  name            text not null check (name ~ '^[A-Z][A-Z0-9_]{0,63}$'),
  value           bytea not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, name)
);
create index on automation_secrets (id);
select organization_table('automation_secrets');
-- A run that somebody tests by hand sends them, so requests read them too.
select secret_column('automation_secrets', 'value', worker_only => false);

create function limit_automation_secrets() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (select count(*) from automation_secrets s where s.organization_id = new.organization_id) >= 50 then
    raise exception 'An organization can have at most 50 secrets for automations.'
      using errcode = 'check_violation', constraint = 'at_most_50_automation_secrets';
  end if;
  return new;
end $$;
revoke execute on function limit_automation_secrets from public;
create trigger at_most_50 before insert on automation_secrets for each row execute function limit_automation_secrets();

-- Limits how many secrets the automations of an organization have.

create or replace function limit_automation_secrets() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (select count(*) from automation_secrets s where s.organization_id = new.organization_id) >= 50 then
    raise exception 'An organization can have at most 50 secrets for automations.'
      using errcode = 'check_violation', constraint = 'at_most_50_automation_secrets';
  end if;
  return new;
end $$;

create or replace trigger at_most_50 before insert on automation_secrets for each row execute function limit_automation_secrets();

-- Guards the daily limits of mail for each sender and recipient.

-- The mailbox that an address leads to, as far as its spelling tells: capitals and everything after a plus sign make no difference,
-- and at Gmail neither do dots. For counting only.
create or replace function mailbox_of(address text) returns text language sql immutable parallel safe as $$
  select case when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
    else name || '@' || domain end
  from (select coalesce(nullif(split_part(split_part(lower(address), '@', 1), '+', 1), ''), split_part(lower(address), '@', 1)) as name,
    split_part(lower(address), '@', 2) as domain) parts
$$;

-- Counts one message, exactly under concurrency, and returns 0, or the seconds until the next one is allowed. An hour counts until
-- its last message is a day old, so there are never more than `allowed` messages within 24 hours.
create or replace function count_message(counted text, allowed integer) returns integer language plpgsql as $$
declare
  sent integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('mail:' || counted, 0));
  select coalesce(sum(c.messages), 0) into sent from mail_counts c
  where c.subject = counted and c.hour > now() - interval '25 hours';
  if sent >= allowed then
    return (select greatest(1, ceil(extract(epoch from min(h.hour) + interval '25 hours' - now()))) from (
        select c.hour, sum(c.messages) over (order by c.hour) as gone from mail_counts c
        where c.subject = counted and c.hour > now() - interval '25 hours') h
      where h.gone > sent - allowed);
  end if;
  insert into mail_counts as m (subject, hour, messages) values (counted, date_trunc('hour', now()), 1)
  on conflict (subject, hour) do update set messages = m.messages + 1;
  return 0;
end $$;

-- Counts a message of Kontor itself that one person causes and another one may get: the confirmation of an address.
create or replace function count_message_to(address text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  allowed integer := nullif(current_setting('app.mail_per_recipient', true), '');
  wait integer;
begin
  if allowed is null then return; end if;
  wait := count_message('mailbox:' || mailbox_of(address), allowed);
  if wait > 0 then
    raise exception 'The recipient has got too many messages within a day.'
      using errcode = 'check_violation', constraint = 'mail_per_recipient', detail = wait;
  end if;
end $$;

-- Counts a message that a person sends to another one, or refuses it: from an account whose address is not confirmed, above the
-- limit of the person, or above that of the recipient.
create or replace function count_message_of(person uuid, address text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  allowed integer := nullif(current_setting('app.mail_per_person', true), '');
  wait integer;
begin
  if allowed is null then return; end if;
  if not exists (select from users u where u.id = person and u.email_verified_at is not null) then
    raise exception 'The address of the sender is not confirmed.'
      using errcode = 'check_violation', constraint = 'email_unconfirmed';
  end if;
  wait := count_message('person:' || person, allowed);
  if wait > 0 then
    raise exception 'The person has sent too many messages within a day.'
      using errcode = 'check_violation', constraint = 'mail_per_person', detail = wait;
  end if;
  perform count_message_to(address);
end $$;

-- Counts every message of an organization when it is queued, whatever code queues it. Jobs act for no person.
create or replace function count_queued_mail() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform count_message_of(current_person(), new."to");
  return null;
end $$;

-- Counts mail that an automation sends itself, as mail of its owner. A further attempt is the same message.
create or replace function count_automation_mail() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if nullif(current_setting('app.mail_per_person', true), '') is null then return null; end if;
  if exists (select from automation_deliveries d where d.organization_id = new.organization_id and d.step_id = new.step_id
      and d.kind = new.kind and d.target = new.target and d.id <> new.id) then
    return null;
  end if;
  perform count_message_of(a.owner_user_id, new.target)
  from automation_steps s
  join automation_runs r on r.organization_id = s.organization_id and r.id = s.run_id
  join automations a on a.organization_id = r.organization_id and a.id = r.automation_id
  where s.organization_id = new.organization_id and s.id = new.step_id;
  return null;
end $$;

create or replace trigger count_queued_mail after insert on mail_deliveries
  for each row when (new.organization_id is not null and new.status = 'QUEUED'::text and current_person() is not null) execute function count_queued_mail();
create or replace trigger count_automation_mail after insert on automation_deliveries
  for each row when (new.kind = 'EMAIL'::text) execute function count_automation_mail();

-- An account that was made where anybody can reach the installation begins with the letter to its address: nobody signs in to it
-- before. Sign-up can then answer the same whether the address has an account or not.
alter table users add confirm_first boolean not null default false;
alter table users add constraint confirmed_is_open check (not (confirm_first and email_verified_at is not null));

create function refuse_session_before_confirmation() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' set plan_cache_mode to 'force_generic_plan' as $$
begin
  if exists (select from users u where u.id = new.user_id and u.confirm_first) then
    raise exception 'The address of this account is not confirmed yet.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger refuse_session_before_confirmation before insert on sessions
  for each row execute function refuse_session_before_confirmation();

create or replace function queue_person_mail(id uuid, "to" text, subject text, template text, letter bytea, reason text) returns void
language plpgsql security definer set search_path to 'public', 'pg_temp' set plan_cache_mode to 'force_generic_plan' as $$
begin
  if template not in ('password-reset', 'verify-email', 'email-changed', 'new-sign-in', 'invitation', 'notification-digest',
    'access-ended', 'account-exists') then
    raise exception 'Kontor writes no % to people.', template using errcode = 'insufficient_privilege';
  end if;
  insert into mail_deliveries (organization_id, id, "to", subject, template, letter, status, last_reason)
  values (null, queue_person_mail.id, queue_person_mail."to", queue_person_mail.subject, queue_person_mail.template,
    queue_person_mail.letter, case when queue_person_mail.letter is null then 'FAILED' else 'QUEUED' end, reason)
  on conflict do nothing;
  if found and queue_person_mail.letter is not null then
    perform graphile_worker.add_job('send-mail', json_build_object('deliveryId', queue_person_mail.id));
  end if;
end $$;

-- Queues mail of Kontor itself, and enqueues the jobs of mail again that were lost.

-- Queues mail from Kontor itself to a person. Such mail has no organization, so requests cannot read it, and can write it only with
-- this function, which accepts only the letters that a person gets. Row and job are written together. A letter that cannot be sent
-- is null, and has a reason.
create or replace function queue_person_mail(id uuid, "to" text, subject text, template text, letter bytea, reason text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
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
grant execute on function queue_person_mail(uuid, text, text, text, bytea, text) to kontor_confined;

-- Queued deliveries without a job that are not being sent by a worker.
create or replace function lost_mail() returns table(organization_id uuid, id uuid, created_at timestamptz) language plpgsql stable as $$
begin
  return query select d.organization_id, d.id, d.created_at from public.mail_deliveries d
  where d.status = 'QUEUED' and coalesce(d.claimed_until < now(), true) and d.id::text not in (select queued_job_subjects('send-mail', 'deliveryId'));
end $$;

-- Enqueues lost mail again, the oldest first, and returns how many. Each attempt is counted, so it is not repeated forever.
create or replace function requeue_lost_mail(most integer) returns bigint language sql as $$
  select count(requeue_job('send-mail', 'deliveryId', lost.organization_id, lost.id))
  from (select * from lost_mail() m order by m.created_at, m.id limit most) lost
$$;

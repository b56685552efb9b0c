-- Mail on its way and, where there is no mail server (local mode), the mail itself.

-- One row per message and recipient, written in the transaction that wants it sent; a job does the sending. What the
-- message says is kept until it is sent or given up, and then no longer. It may hold a secret link, so it is sealed with a
-- key that is not in the database (INV-20): nobody who reads or writes this table can read a letter or forge one.
create table mail_deliveries (
  organization_id uuid default current_organization() references organizations on delete cascade, -- null: from Kontor itself
  id              uuid not null, -- the intent: asked for twice it is still one message
  "to"            text not null check (length("to") <= 1000),
  subject         text not null check (length(subject) <= 1000),
  template        text not null check (template <> ''),
  letter          bytea check (octet_length(letter) <= 4194304), -- text and html, sealed
  attachments     jsonb not null default '[]', -- [{fileName, contentType, size}]; their bytes one after the other in contents, sealed
  contents        bytea not null default '' check (octet_length(contents) <= 10485788),
  status          text not null default 'QUEUED' check (status in ('QUEUED', 'SENT', 'FAILED')),
  attempts        integer not null default 0 check (attempts >= 0),
  claimed_until   timestamptz, -- whoever sends it now has this long
  last_reason     text,
  message_id      text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique nulls not distinct (organization_id, id),
  check ((status = 'QUEUED') = (letter is not null)),
  check (status <> 'SENT' or message_id is not null),
  check (status <> 'FAILED' or last_reason is not null)
);
create index on mail_deliveries (id);
create index on mail_deliveries (organization_id, created_at desc, id desc);
create index on mail_deliveries (status) where status <> 'SENT'; -- counting
create index on mail_deliveries (created_at) where status = 'QUEUED'; -- what waits
create index on mail_deliveries (created_at) where status <> 'QUEUED'; -- pruning
select organization_table('mail_deliveries');
-- The job alone says what became of it: no request, which is always somebody's, changes a delivery; the message itself is
-- nobody's to change.
revoke update, delete on mail_deliveries from kontor_confined;
grant update (attempts, claimed_until, status, message_id, last_reason, letter, contents) on mail_deliveries to kontor_confined;
create trigger by_a_job before update on mail_deliveries for each row when (current_person() is not null) execute function refuse_change();
-- What was sent or given up stays so: no delivery is sent a second time.
create trigger final before update on mail_deliveries for each row when (old.status <> 'QUEUED') execute function refuse_change();

-- Mail from Kontor itself to a person: no organization's, so no request may read it or write it in any other way than
-- this one, which takes the letters that a person gets and no others. Row and order are written together. A letter that
-- cannot be sent is null and the reason is given.
create function queue_person_mail(id uuid, "to" text, subject text, template text, letter bytea, reason text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if template not in ('password-reset', 'verify-email', 'email-changed', 'new-sign-in', 'invitation', 'notification-digest') then
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

-- Deliveries that wait for nothing: nobody is sending them and no order for them is in the queue.
create function lost_mail() returns table (organization_id uuid, id uuid, created_at timestamptz) language plpgsql stable as $$
begin
  return query select d.organization_id, d.id, d.created_at from public.mail_deliveries d
  where d.status = 'QUEUED' and coalesce(d.claimed_until < now(), true) and d.id::text not in (select ordered_for('send-mail', 'deliveryId'));
end $$;

-- Orders them again, the oldest first; how many there were. Each attempt counts, so it ends.
create function order_lost_mail(most integer) returns bigint language sql as $$
  select count(order_again('send-mail', 'deliveryId', lost.organization_id, lost.id))
  from (select * from lost_mail() m order by m.created_at, m.id limit most) lost
$$;
revoke execute on function lost_mail, order_lost_mail from public;

create table outbox (
  organization_id uuid default current_organization() references organizations on delete cascade, -- null: from Kontor itself
  id              uuid not null,
  message_id      text not null,
  "to"            text not null,
  subject         text not null,
  text            text not null check (length(text) <= 200000),
  html            text not null check (length(html) <= 500000),
  headers         jsonb not null,
  attachments     jsonb not null,
  contents        bytea not null check (octet_length(contents) <= 10485760),
  created_at      timestamptz not null default now(),
  unique nulls not distinct (organization_id, message_id)
);
create index on outbox (id);
create index on outbox (organization_id, created_at desc, id desc);
select organization_table('outbox');
revoke insert, update, delete on outbox from kontor_confined; -- only the provider puts mail there

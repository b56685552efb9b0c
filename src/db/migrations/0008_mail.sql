-- Mail on its way and, where there is no mail server (local mode), the mail itself.

-- One row per message and recipient, written in the transaction that wants it sent; a job does the sending. What the
-- message says is kept until it is sent or given up, and then no longer: it may hold a secret link.
create table mail_deliveries (
  organization_id uuid default current_organization() references organizations on delete cascade, -- null: from Kontor itself
  id              uuid not null, -- the intent: asked for twice it is still one message
  "to"            text not null check (length("to") <= 1000),
  subject         text not null check (length(subject) <= 1000),
  template        text not null check (template <> ''),
  text            text check (length(text) <= 200000),
  html            text check (length(html) <= 500000),
  attachments     jsonb not null default '[]', -- [{fileName, contentType, size}]; their bytes one after the other in contents
  contents        bytea not null default '' check (octet_length(contents) <= 10485760),
  status          text not null default 'QUEUED' check (status in ('QUEUED', 'SENT', 'FAILED')),
  attempts        integer not null default 0 check (attempts >= 0),
  claimed_until   timestamptz, -- whoever sends it now has this long
  last_reason     text,
  message_id      text,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  unique nulls not distinct (organization_id, id),
  check ((status = 'QUEUED') = (text is not null and html is not null)),
  check (status <> 'SENT' or message_id is not null),
  check (status <> 'FAILED' or last_reason is not null)
);
create index on mail_deliveries (id);
create index on mail_deliveries (organization_id, created_at desc, id desc);
create index on mail_deliveries (status) where status <> 'SENT'; -- counting
select organization_table('mail_deliveries');
-- The job alone says what became of it: no request, which is always somebody's, changes a delivery; the message itself is
-- nobody's to change.
revoke update, delete on mail_deliveries from kontor_confined;
grant update (attempts, claimed_until, status, message_id, last_reason, text, html, contents) on mail_deliveries to kontor_confined;
create trigger by_a_job before update on mail_deliveries for each row when (current_person() is not null) execute function refuse_change();
-- What was sent or given up stays so: no delivery is sent a second time.
create trigger final before update on mail_deliveries for each row when (old.status <> 'QUEUED') execute function refuse_change();

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

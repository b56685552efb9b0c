-- What automations send outside: the log of their webhooks and mails, and the secrets that webhooks are signed with.

-- One row per attempt and target, written before anything is sent: what a crash interrupts is known to be unknown. What
-- was said is not kept here; of the answer there is no more than a person needs to see what went wrong.
create table automation_deliveries (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  step_id         uuid not null, -- also the key under which the receiver sees every attempt (INV-14)
  kind            text not null check (kind in ('WEBHOOK', 'EMAIL')),
  target          text not null check (length(target) <= 2048), -- an address without its query, or whom the mail goes to
  attempt         integer not null check (attempt >= 1),
  outcome         text not null default 'SENDING' check (outcome in ('SENDING', 'DELIVERED', 'FAILED', 'REFUSED', 'UNKNOWN')),
  status          integer, -- of the answer to a webhook
  latency_ms      integer check (latency_ms >= 0),
  reason          text check (length(reason) <= 1000),
  answer          text check (length(answer) <= 4096),
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, step_id) references automation_steps on delete cascade,
  constraint a_failure_has_its_reason check (outcome not in ('FAILED', 'REFUSED', 'UNKNOWN') or reason is not null)
);
create index on automation_deliveries (id);
create index on automation_deliveries (organization_id, step_id);
create index on automation_deliveries (organization_id, created_at desc, id desc);
create index on automation_deliveries (created_at); -- pruning
select organization_table('automation_deliveries');
-- A delivery is written down, then what became of it, and that is all that happens to it.
revoke update, delete on automation_deliveries from kontor_confined;
grant update (outcome, status, latency_ms, reason, answer) on automation_deliveries to kontor_confined;
create trigger final before update on automation_deliveries for each row
  when (old.outcome not in ('SENDING', 'UNKNOWN')) execute function refuse_change();

-- The secret of an organization, and for a day after a change the one before it.
create table webhook_secrets (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  secret          bytea not null,
  created_at      timestamptz not null default now(),
  replaced_at     timestamptz, -- null for the current one
  primary key (organization_id, id)
);
create index on webhook_secrets (id);
create index on webhook_secrets (replaced_at) where replaced_at is not null; -- pruning
create unique index one_webhook_secret_and_one_before on webhook_secrets (organization_id, (replaced_at is null));
select organization_table('webhook_secrets');
-- Whoever sets a receiver up has to see it, and a run that somebody tries by hand signs with it.
select secret_column('webhook_secrets', 'secret', worker_only => false);

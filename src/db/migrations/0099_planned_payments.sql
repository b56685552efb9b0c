-- A cheque that is dated later is no money yet. It is planned here, and on its day a job records the payment, under the same
-- id: so it is recorded once, and everything that counts money reads payments alone.
create table planned_payments (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id              uuid not null,
  counterparty_id uuid,
  currency        text not null check (currency <> ''),
  minor_digits    smallint not null check (minor_digits between 0 and 4),
  amount_minor    bigint not null check (amount_minor > 0),
  withheld_minor  bigint not null default 0 check (withheld_minor between 0 and amount_minor),
  due_on          date not null,
  method          text,
  reference       text,
  details         jsonb not null,
  bank_account_id uuid,
  -- [{documentId, amountMinor}]: what it shall pay. On its day it pays as much of it as is still open, and the rest stays open.
  shares          jsonb not null default '[]' check (jsonb_typeof(shares) = 'array'),
  receipt         text not null default 'NONE' check (receipt in ('NONE', 'WITH_TAX', 'TAX_FREE')),
  status          text not null default 'PLANNED' check (status in ('PLANNED', 'RECORDED', 'CANCELLED')),
  problem         text, -- why it could not be recorded on its day; the next hour tries again
  created_by      uuid not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint planned_payment_counterparty foreign key (organization_id, counterparty_id) references customers (organization_id, id),
  constraint planned_payment_bank_account foreign key (organization_id, bank_account_id) references bank_accounts (organization_id, id),
  constraint planned_receipt_names_customer check (receipt = 'NONE' or counterparty_id is not null)
);
create index on planned_payments (id);
create index on planned_payments (organization_id, due_on, id);
create index on planned_payments (due_on) where status = 'PLANNED';
create index on planned_payments (organization_id, counterparty_id) where counterparty_id is not null;
create index on planned_payments (organization_id, bank_account_id) where bank_account_id is not null;
create index on planned_payments using gin (shares jsonb_path_ops) where status = 'PLANNED';
select organization_table('planned_payments');
revoke update, delete on planned_payments from kontor_confined;
grant update (status, problem) on planned_payments to kontor_confined;

create function guard_planned_payment() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
begin
  if old.status <> 'PLANNED' and new.status <> old.status then
    raise exception 'The planned payment was recorded or cancelled before.'
      using errcode = 'check_violation', constraint = 'planned_payment_ends_once';
  end if;
  if new.status = 'RECORDED' and not exists (select from payments p where p.organization_id = new.organization_id and p.id = new.id
      and p.amount_minor = new.amount_minor and p.currency = new.currency) then
    raise exception 'The payment is missing.' using errcode = 'check_violation', constraint = 'recorded_plan_has_payment';
  end if;
  return new;
end $$;
create trigger guard_planned_payment before update on planned_payments for each row execute function guard_planned_payment();
create trigger record_change after insert or update on planned_payments for each row execute function record_change('payments');

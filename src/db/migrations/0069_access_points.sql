-- InvoiceNow of Singapore: documents are sent through an access point, and what it received for the organization becomes expenses.

-- Israel's numbers are digits. An acknowledgement of IRAS, which is stored in the same place, is a text such as a UUID.
alter table clearances drop constraint clearances_number_check, add constraint clearances_number_check check
  (number ~ case when authority = 'sg-invoicenow' then '^[0-9A-Za-z][0-9A-Za-z._:-]{0,99}$' else '^[0-9]+$' end);

-- Credit memos and untaxed documents are reported in Singapore too; the job decides about each one.
create or replace function submit_on_issue() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from organization_settings s where s.organization_id = new.organization_id and s.clear_on_issue)
    and ((new.tax_minor > 0 and new.document_type <> 'CREDIT_MEMO')
      or exists (select from organizations o where o.id = new.organization_id and o.country = 'SG')) then
    perform graphile_worker.add_job('clear-document', json_build_object('documentId', new.id), job_key => 'clear-document:' || new.id,
      flags => array['organization:' || new.organization_id]);
  end if;
  return null;
end $$;
create or replace trigger submit_on_issue_of_new after insert on documents for each row
  when (new.kind = 'SALES' and new.issued_at is not null and new.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO', 'CREDIT_MEMO'))
  execute function submit_on_issue();
create or replace trigger submit_on_issue_when_final after update on documents for each row
  when (new.kind = 'SALES' and old.issued_at is null and new.issued_at is not null and new.vat_allocation_number is null
    and new.document_type in ('INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO', 'CREDIT_MEMO'))
  execute function submit_on_issue();

-- A document that an access point received for the organization. Each makes one expense, however often it is listed. A
-- duplicate is the bill of an expense that was there before.
create table received_einvoices (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  environment text not null check (environment in ('sandbox', 'production')),
  access_point_id text not null check (length(access_point_id) between 1 and 200),
  sender text check (length(sender) <= 200),
  outcome text not null check (outcome in ('CREATED', 'UNREAD', 'DUPLICATE')),
  reason text check (length(reason) <= 2000),
  expense_id uuid,
  received_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, expense_id) references expenses on delete set null (expense_id),
  constraint received_einvoices_are_taken_once unique (organization_id, environment, access_point_id),
  constraint received_einvoices_say_why check (outcome = 'CREATED' or reason is not null)
);
select organization_table('received_einvoices');
revoke update, delete on received_einvoices from kontor_confined;
create index on received_einvoices (id);
create unique index one_received_einvoice_per_expense on received_einvoices (organization_id, expense_id) where outcome <> 'DUPLICATE';
create index on received_einvoices (organization_id, expense_id);

-- Enqueues a poll of the access point for each connected organization, spread over some minutes. Credentials that the access
-- point has refused are not tried again until a person has entered or validated them.
create function start_receiving() returns void language plpgsql as $$
begin
  perform graphile_worker.add_job('receive-einvoices', json_build_object('connectionId', c.id), run_at => now() + random() * interval '8 minutes',
    job_key => 'receive-einvoices:' || c.id, flags => array['organization:' || c.organization_id])
  from public.tax_authority_connections c where c.integration_id = 'sg-invoicenow' and c.validation_error is null;
end $$;

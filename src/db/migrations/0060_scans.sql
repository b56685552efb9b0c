-- Scans: what was read from the attachments of expenses, what it cost, and what is learned from corrections.

-- The fields that a person has written, which a scan leaves as they are. Null for expenses of earlier versions.
alter table expenses add column entered_fields text[];
grant insert (entered_fields), update (entered_fields) on expenses to kontor_confined;

-- The last scan of each attachment. The row outlives the attachment: it says what the month's usage consists of.
create table scans (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  attachment_id uuid not null,
  expense_id uuid not null,
  status text not null check (status in ('COMPLETED', 'FAILED')),
  provider_id text not null check (provider_id <> ''),
  extracted jsonb not null default '{}',
  error text,
  duplicate_of_id uuid,
  charged_period text check (charged_period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  processing_ms integer not null check (processing_ms >= 0),
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, attachment_id),
  constraint failed_scans_say_why check ((status = 'FAILED') = (error is not null)),
  constraint completed_scans_are_charged check (status = 'FAILED' or charged_period is not null)
);
select organization_table('scans');
revoke delete on scans from kontor_confined;
create index on scans (organization_id, expense_id);
create index on scans (organization_id, charged_period) where charged_period is not null;
create index on scans (created_by);

-- One expense for each document of a vendor (INV-16): the first scan that reads it takes it.
create table scanned_documents (
  organization_id uuid not null default current_organization(),
  vendor_key text not null check (vendor_key <> ''),
  document_number text not null check (document_number <> ''),
  expense_id uuid not null,
  primary key (organization_id, vendor_key, document_number),
  foreign key (organization_id, expense_id) references expenses on delete cascade
);
select organization_table('scanned_documents');
revoke update on scanned_documents from kontor_confined;
create index on scanned_documents (organization_id, expense_id);

-- Names under which suppliers appear on their documents, learned when a person corrects the supplier of a scanned expense.
create table supplier_aliases (
  organization_id uuid not null default current_organization(),
  alias text not null check (alias <> ''),
  supplier_id uuid not null,
  created_by uuid default current_person() references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (organization_id, alias),
  foreign key (organization_id, supplier_id) references customers on delete cascade
);
select organization_table('supplier_aliases');
create index on supplier_aliases (organization_id, supplier_id);
create index on supplier_aliases (created_by);

-- For finding duplicates: by the number of the document, and by the bytes of the file.
create index on expenses (organization_id, document_number) where document_number is not null;
create index on files (organization_id, sha256);

-- Counts a scan in a month, once for each attachment, and says whether the month still had one left (INV-17). The row of the
-- month is locked, so parallel scans never count more than are allowed.
create function charge_scan(of_attachment uuid, in_period text, allowed integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into scan_usage (organization_id, period, used) values (current_organization(), in_period, 0) on conflict do nothing;
  perform from scan_usage u where u.organization_id = current_organization() and u.period = in_period for update;
  if exists (select from scans s where s.organization_id = current_organization() and s.attachment_id = of_attachment and s.charged_period is not null) then
    return true;
  end if;
  update scan_usage u set used = u.used + 1
    where u.organization_id = current_organization() and u.period = in_period and u.used < allowed;
  return found;
end $$;
revoke execute on function charge_scan(uuid, text, integer) from public;
grant execute on function charge_scan(uuid, text, integer) to kontor_confined;
revoke insert, update, delete on scan_usage from kontor_confined;

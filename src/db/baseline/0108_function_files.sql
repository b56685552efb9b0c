-- The schema of an empty database, as the migrations up to the one in the name of this file make it one by one, with the tables of
-- the job queue. Written by `npm run baseline` and never edited: a change is a new migration. See src/db/README.md.
-- {owner} stands for the name of the login that owns the database, which installations call differently.
-- The functions and triggers of src/db/functions follow it.
set local check_function_bodies = off; -- functions name others that come later
set local search_path = public;


-- Roles, schemas and default privileges

grant kontor_confined, kontor_across to current_user;
create schema graphile_worker;
grant usage on schema public to kontor_across;
grant usage on schema public to kontor_confined;
do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$;
alter default privileges revoke execute on functions from public;


-- Types, tables, views and functions, in the order in which they need each other

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);
CREATE OR REPLACE FUNCTION public.current_person()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.person', true), '')::uuid $function$;
CREATE OR REPLACE FUNCTION public.current_organization()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select nullif(current_setting('app.organization', true), '')::uuid $function$;
CREATE OR REPLACE FUNCTION public.current_organizations()
 RETURNS uuid[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select coalesce(nullif(current_setting('app.organizations', true), ''), '{}')::uuid[] $function$;
CREATE OR REPLACE FUNCTION public.set_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new is distinct from old then new.updated_at := now(); end if;
  return new;
end $function$;
CREATE OR REPLACE FUNCTION public.add_updated_at_trigger(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from information_schema.columns c
             where c.table_schema = 'public' and c.table_name = name and c.column_name = 'updated_at') then
    execute format('create trigger touch before update on %I for each row execute function set_updated_at()', name);
  end if;
end $function$;
CREATE OR REPLACE FUNCTION public.organization_table(name text, key text DEFAULT 'organization_id'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  execute format('create policy confined on %I to kontor_confined using (%I = (select current_organization()))', name, key);
  execute format('create policy across on %I for select to kontor_across using (%I = any ((select current_organizations())::uuid[]))', name, key);
  execute format('grant select, insert, update, delete on %I to kontor_confined', name);
  execute format('grant select on %I to kontor_across', name);
  if exists (select from information_schema.columns c
             where c.table_schema = 'public' and c.table_name = name and c.column_name = 'id' and c.data_type = 'uuid') then
    execute format('create function %I(row_id uuid) returns uuid language plpgsql stable security definer as
      $f$ begin return (select t.%I from public.%I t where t.id = row_id); end $f$', 'owner_of_' || name, key, name);
    execute format('grant execute on function %I(uuid) to kontor_confined', 'owner_of_' || name);
  end if;
  perform add_updated_at_trigger(name);
end $function$;
CREATE OR REPLACE FUNCTION public.person_table(name text, key text DEFAULT 'user_id'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  execute format('create policy confined on %I to kontor_confined using (%I = (select current_person()))', name, key);
  execute format('grant select, insert, update, delete on %I to kontor_confined', name);
  perform add_updated_at_trigger(name);
end $function$;
CREATE OR REPLACE FUNCTION public.system_table(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %I enable row level security, force row level security', name);
  execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
end $function$;
CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $function$;
CREATE OR REPLACE FUNCTION public.append_only(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('revoke update, delete, truncate on %I from kontor_confined, kontor_across', name);
  execute format('create trigger append_only before update or delete on %I for each row execute function refuse_change()', name);
end $function$;
create type member_role as enum ('EMPLOYEE', 'VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER');
create table users (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified_at timestamp with time zone,
  password_hash text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  locale text not null default 'en'::text,
  digest text not null default 'NONE'::text,
  confirm_first boolean not null default false,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_name_check CHECK ((name <> ''::text)),
  constraint users_email_check CHECK ((email <> ''::text)),
  constraint users_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'he'::text]))),
  constraint users_digest_check CHECK ((digest = ANY (ARRAY['NONE'::text, 'DAILY'::text, 'WEEKLY'::text]))),
  constraint confirmed_is_open CHECK ((NOT (confirm_first AND (email_verified_at IS NOT NULL))))
);
create table sessions (
  id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  signed_in_at timestamp with time zone not null default now(),
  last_seen_at timestamp with time zone not null default now(),
  ends_at timestamp with time zone not null,
  user_agent text,
  address text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_secret_hash_key UNIQUE (secret_hash)
);
create table organizations (
  id uuid not null,
  name text not null,
  country text not null,
  currency text not null,
  timezone text not null,
  registration_number text,
  tax_number text,
  address text,
  email text,
  phone text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  created_by uuid default current_person(),
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_name_check CHECK ((name <> ''::text)),
  constraint organizations_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
  constraint organizations_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_organizations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.id from public.organizations t where t.id = row_id); end $function$;
create table memberships (
  organization_id uuid not null default current_organization(),
  user_id uuid not null,
  role member_role not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint memberships_pkey PRIMARY KEY (organization_id, user_id)
);
create table api_keys (
  id uuid not null,
  user_id uuid not null default current_person(),
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  all_orgs boolean not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80))),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50)))
);
create table api_key_organizations (
  api_key_id uuid not null,
  organization_id uuid not null,
  user_id uuid not null default current_person(),
  constraint api_key_organizations_pkey PRIMARY KEY (api_key_id, organization_id)
);
create table api_key_calls (
  id uuid not null,
  api_key_id uuid not null,
  user_id uuid not null,
  method text not null,
  path text not null,
  feature text,
  verb text,
  status_code integer not null,
  error_code text,
  duration_ms integer not null,
  organization_id uuid,
  created_at timestamp with time zone not null,
  constraint api_key_calls_pkey PRIMARY KEY (api_key_id, created_at, id)
);
create table sign_in_failures (
  subject text not null,
  failures integer not null,
  since timestamp with time zone not null,
  blocked_until timestamp with time zone,
  constraint sign_in_failures_pkey PRIMARY KEY (subject)
);
create table audit_log (
  id uuid not null,
  organization_id uuid,
  user_id uuid,
  source text not null,
  api_key_id uuid,
  session_id uuid,
  run_id text,
  turn_id text,
  request_id text not null,
  operation text not null,
  object_id text,
  detail jsonb,
  created_at timestamp with time zone not null default now(),
  client_id text,
  automation_id uuid,
  constraint somebody_did_it CHECK (((user_id IS NOT NULL) OR (source = ANY (ARRAY['SYSTEM'::text, 'LINK'::text]))))
);
create table events (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  type text not null,
  payload jsonb not null,
  cause jsonb not null,
  created_at timestamp with time zone not null default now(),
  constraint events_pkey PRIMARY KEY (organization_id, id)
);
CREATE OR REPLACE FUNCTION public.owner_of_events(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.events t where t.id = row_id); end $function$;
create table idempotency_keys (
  user_id uuid not null default current_person(),
  principal text not null,
  organization_id uuid,
  key text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  sealed boolean not null default false,
  locked_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_principal_key_organization_id_key UNIQUE NULLS NOT DISTINCT (principal, key, organization_id)
);
create unlogged table rate_buckets (
  key text not null,
  tat timestamp with time zone not null,
  constraint rate_buckets_pkey PRIMARY KEY (key)
);
create unlogged table job_pressure (
  organization_id uuid not null,
  waiting integer not null,
  constraint job_pressure_pkey PRIMARY KEY (organization_id)
);
create table customers (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text,
  kind text not null,
  status text not null default 'ACTIVE'::text,
  default_currencies text[] not null,
  email text,
  phone text,
  address text,
  country text,
  registration_number text,
  notes text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  is_customer boolean not null default true,
  is_supplier boolean not null default false,
  import_id uuid,
  is_employee boolean not null default false,
  is_authority boolean not null default false,
  constraint customers_pkey PRIMARY KEY (organization_id, id),
  constraint customers_name_check CHECK ((name <> ''::text)),
  constraint customers_kind_check CHECK ((kind = ANY (ARRAY['ORGANIZATION'::text, 'INDIVIDUAL'::text]))),
  constraint customers_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'INACTIVE'::text])))
);
create table customer_recipients (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  customer_id uuid not null,
  email text not null,
  name text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint customer_recipients_pkey PRIMARY KEY (organization_id, id),
  constraint customer_recipients_email_check CHECK ((email <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_customer_recipients(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.customer_recipients t where t.id = row_id); end $function$;
create table bank_accounts (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  account_name text not null,
  bank_name text not null,
  currencies text[] not null,
  is_default boolean not null,
  account_number text,
  branch_code text,
  local_bank_code text,
  swift_code text,
  iban text,
  routing_number text,
  bank_address text,
  bank_country text,
  notes text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint bank_accounts_pkey PRIMARY KEY (organization_id, id),
  constraint bank_accounts_account_name_check CHECK ((account_name <> ''::text)),
  constraint bank_accounts_bank_name_check CHECK ((bank_name <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_bank_accounts(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.bank_accounts t where t.id = row_id); end $function$;
create table expense_categories (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  color text,
  is_default boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint expense_categories_pkey PRIMARY KEY (organization_id, id),
  constraint expense_categories_name_check CHECK ((name <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_expense_categories(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.expense_categories t where t.id = row_id); end $function$;
create table worker_heartbeats (
  pool_id text not null,
  process text not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  constraint worker_heartbeats_pkey PRIMARY KEY (pool_id)
);
create table failed_jobs (
  id uuid not null,
  organization_id uuid,
  job text not null,
  payload jsonb not null,
  attempts integer not null,
  error text not null,
  created_at timestamp with time zone not null default now(),
  constraint failed_jobs_pkey PRIMARY KEY (id)
);
create table leases (
  organization_id uuid not null default current_organization(),
  subject text not null,
  token bigint not null,
  holder text not null,
  expires_at timestamp with time zone not null,
  constraint leases_pkey PRIMARY KEY (organization_id, subject)
);
create table organization_keys (
  organization_id uuid not null,
  id uuid not null,
  wrapped bytea not null,
  kek_id text not null,
  uses bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  retired_at timestamp with time zone,
  lost_at timestamp with time zone,
  constraint organization_keys_pkey PRIMARY KEY (organization_id, id),
  constraint key_is_not_used_up CHECK (((uses >= 0) AND (uses <= '4294967296'::bigint))),
  constraint lost_key_is_retired CHECK (((lost_at IS NULL) OR (retired_at IS NOT NULL)))
);
create table secrets_canary (
  only_row boolean not null default true,
  wrapped bytea not null,
  kek_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint secrets_canary_pkey PRIMARY KEY (only_row),
  constraint secrets_canary_only_row_check CHECK (only_row)
);
create table secrets_root (
  only_row boolean not null default true,
  wrapped bytea not null,
  kek_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint secrets_root_pkey PRIMARY KEY (only_row),
  constraint secrets_root_only_row_check CHECK (only_row)
);
create table secrets_rotation (
  only_row boolean not null default true,
  started_at timestamp with time zone not null default now(),
  constraint secrets_rotation_pkey PRIMARY KEY (only_row),
  constraint secrets_rotation_only_row_check CHECK (only_row)
);
CREATE OR REPLACE FUNCTION public.secret_column(name text, secret text, worker_only boolean DEFAULT true)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  key_id text := secret || '_key_id';
  readable text;
begin
  execute format('alter table %1$I
    add constraint %4$I check (octet_length(%2$I) >= 113 and get_byte(%2$I, 0) = 1),
    add column %3$I uuid generated always as (encode(substring(%2$I from 2 for 16), ''hex'')::uuid) stored,
    add foreign key (organization_id, %3$I) references organization_keys (organization_id, id)',
    name, secret, key_id, format('%s_%s_is_sealed', name, secret));
  execute format('create index on %I (organization_id, %I)', name, key_id);
  if worker_only then
    select string_agg(quote_ident(a.attname), ', ') into readable from pg_attribute a
    where a.attrelid = format('public.%I', name)::regclass and a.attnum > 0 and not a.attisdropped
      and a.attname not in (secret, key_id) and has_column_privilege('kontor_confined', a.attrelid, a.attnum, 'select');
    execute format('revoke select on %I from kontor_confined, kontor_across', name);
    execute format('grant select (%s) on %I to kontor_confined, kontor_across', readable, name);
  end if;
end $function$;
create table mail_deliveries (
  organization_id uuid default current_organization(),
  id uuid not null,
  "to" text not null,
  subject text not null,
  template text not null,
  letter bytea,
  attachments jsonb not null default '[]'::jsonb,
  contents bytea not null default '\x'::bytea,
  status text not null default 'QUEUED'::text,
  attempts integer not null default 0,
  claimed_until timestamp with time zone,
  last_reason text,
  message_id text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  enclosures jsonb not null default '[]'::jsonb,
  follow_up jsonb,
  kept boolean not null default false,
  constraint mail_deliveries_organization_id_id_key UNIQUE NULLS NOT DISTINCT (organization_id, id),
  constraint mail_deliveries_to_check CHECK ((length("to") <= 1000)),
  constraint mail_deliveries_subject_check CHECK ((length(subject) <= 1000)),
  constraint mail_deliveries_template_check CHECK ((template <> ''::text)),
  constraint mail_deliveries_letter_check CHECK ((octet_length(letter) <= 4194304)),
  constraint mail_deliveries_contents_check CHECK ((octet_length(contents) <= 10485788)),
  constraint mail_deliveries_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'SENT'::text, 'FAILED'::text]))),
  constraint mail_deliveries_attempts_check CHECK ((attempts >= 0)),
  constraint mail_deliveries_check CHECK (((status = 'QUEUED'::text) = (letter IS NOT NULL))),
  constraint mail_deliveries_check1 CHECK (((status <> 'SENT'::text) OR (message_id IS NOT NULL))),
  constraint mail_deliveries_check2 CHECK (((status <> 'FAILED'::text) OR (last_reason IS NOT NULL))),
  constraint mail_deliveries_check3 CHECK (((NOT kept) OR (status = 'SENT'::text)))
);
CREATE OR REPLACE FUNCTION public.owner_of_mail_deliveries(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.mail_deliveries t where t.id = row_id); end $function$;
create table outbox (
  organization_id uuid default current_organization(),
  id uuid not null,
  message_id text not null,
  "to" text not null,
  subject text not null,
  text text not null,
  html text not null,
  headers jsonb not null,
  attachments jsonb not null,
  contents bytea not null,
  created_at timestamp with time zone not null default now(),
  holds_payroll boolean not null default false,
  constraint outbox_organization_id_message_id_key UNIQUE NULLS NOT DISTINCT (organization_id, message_id),
  constraint outbox_text_check CHECK ((length(text) <= 200000)),
  constraint outbox_html_check CHECK ((length(html) <= 500000)),
  constraint outbox_contents_check CHECK ((octet_length(contents) <= 15728640))
);
CREATE OR REPLACE FUNCTION public.owner_of_outbox(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.outbox t where t.id = row_id); end $function$;
create table files (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  file_name text not null,
  file_type text not null,
  declared_type text,
  file_size integer not null,
  sha256 text not null,
  storage_key text not null,
  purpose text not null default 'upload'::text,
  created_by uuid default current_person(),
  attached_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint files_pkey PRIMARY KEY (organization_id, id),
  constraint files_organization_id_storage_key_key UNIQUE (organization_id, storage_key),
  constraint files_file_name_check CHECK (((file_name <> ''::text) AND (length(file_name) <= 200) AND (file_name !~ '[/\\[:cntrl:]]'::text))),
  constraint files_file_type_check CHECK ((length(file_type) <= 255)),
  constraint files_declared_type_check CHECK ((length(declared_type) <= 255)),
  constraint files_file_size_check CHECK ((file_size > 0)),
  constraint files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint files_storage_key_check CHECK ((storage_key <> ''::text)),
  constraint files_purpose_check CHECK ((purpose ~ '^[a-z-]+$'::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_files(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.files t where t.id = row_id); end $function$;
create table file_home (
  single boolean not null default true,
  home text not null,
  constraint file_home_pkey PRIMARY KEY (single),
  constraint file_home_single_check CHECK (single),
  constraint file_home_home_check CHECK ((home ~ '^[0-9a-f]{12}$'::text))
);
create table schedule_marks (
  organization_id uuid not null,
  type text not null,
  period text not null,
  starts_at timestamp with time zone not null,
  fired_at timestamp with time zone not null,
  constraint schedule_marks_pkey PRIMARY KEY (organization_id, type),
  constraint schedule_marks_type_check CHECK ((type = ANY (ARRAY['schedule.hourly'::text, 'schedule.daily'::text, 'schedule.weekly'::text, 'schedule.monthly'::text]))),
  constraint schedule_marks_check CHECK ((starts_at <= fired_at))
);
create table invitations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  email text not null,
  role member_role not null,
  invited_by uuid,
  secret_hash bytea not null,
  expires_at timestamp with time zone not null default (now() + '7 days'::interval),
  accepted_at timestamp with time zone,
  accepted_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint invitations_pkey PRIMARY KEY (organization_id, id),
  constraint invitations_secret_hash_key UNIQUE (secret_hash),
  constraint invitations_email_check CHECK ((email <> ''::text)),
  constraint invitations_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
CREATE OR REPLACE FUNCTION public.owner_of_invitations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.invitations t where t.id = row_id); end $function$;
create table notifications (
  id uuid not null,
  user_id uuid not null,
  organization_id uuid,
  kind text not null,
  data jsonb not null,
  read_at timestamp with time zone,
  digested_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_kind_check CHECK ((kind <> ''::text))
);
create table digests (
  user_id uuid not null,
  day date not null,
  created_at timestamp with time zone not null default now(),
  constraint digests_pkey PRIMARY KEY (user_id, day)
);
CREATE OR REPLACE FUNCTION public.are_sales_tax_rates(rates jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when jsonb_typeof(rates) = 'array' then jsonb_array_length(rates) <= 500
      and not exists (select from jsonb_array_elements(rates) r where not coalesce(
        case when jsonb_typeof(r) = 'object' and jsonb_typeof(r -> 'rate') = 'number' then r ->> 'state' ~ '^[A-Z]{2}$'
          and (r ->> 'rate')::numeric between 0 and 100 and r ->> 'since' ~ '^\d{4}-\d{2}-\d{2}$' end, false))
      and not exists (select from jsonb_array_elements(rates) r group by r ->> 'state', r ->> 'since' having count(*) > 1)
    else false end
$function$;
create table organization_settings (
  organization_id uuid not null default current_organization(),
  sender_name text,
  default_tax_rate numeric(7,4),
  require_approval boolean not null default false,
  expense_approval_above_minor bigint,
  logo_file_id uuid,
  language text not null default 'en'::text,
  digest boolean not null default true,
  plan text not null default 'FREE'::text,
  updated_at timestamp with time zone not null default now(),
  locked_until date,
  clear_on_issue boolean not null default false,
  sales_tax_rates jsonb not null default '[]'::jsonb,
  automation_runs_kept_days integer not null default 180,
  constraint organization_settings_pkey PRIMARY KEY (organization_id),
  constraint organization_settings_sender_name_check CHECK ((sender_name <> ''::text)),
  constraint organization_settings_default_tax_rate_check CHECK (((default_tax_rate >= (0)::numeric) AND (default_tax_rate <= (100)::numeric))),
  constraint organization_settings_expense_approval_above_minor_check CHECK ((expense_approval_above_minor >= 0)),
  constraint organization_settings_language_check CHECK ((language = ANY (ARRAY['en'::text, 'he'::text]))),
  constraint sales_tax_rates_are_valid CHECK (are_sales_tax_rates(sales_tax_rates)),
  constraint organization_settings_automation_runs_kept_days_check CHECK (((automation_runs_kept_days >= 30) AND (automation_runs_kept_days <= 3650)))
);
create table document_numbering (
  organization_id uuid not null default current_organization(),
  document_type text not null,
  prefix text not null default ''::text,
  padding integer not null default 0,
  next_number bigint not null default 1,
  updated_at timestamp with time zone not null default now(),
  last_issue_date date,
  first_number bigint not null default 1,
  earlier_numbers bigint not null default 0,
  constraint document_numbering_pkey PRIMARY KEY (organization_id, document_type),
  constraint document_numbering_document_type_check CHECK ((document_type <> ''::text)),
  constraint document_numbering_prefix_check CHECK ((length(prefix) <= 20)),
  constraint document_numbering_padding_check CHECK (((padding >= 0) AND (padding <= 12))),
  constraint document_numbering_next_number_check CHECK ((next_number >= 1)),
  constraint document_numbering_first_number_check CHECK ((first_number >= 1)),
  constraint next_after_first CHECK ((next_number >= first_number))
);
create table oauth_clients (
  id text not null,
  metadata jsonb not null,
  secret_hash bytea,
  fetched_at timestamp with time zone,
  fresh_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint oauth_clients_pkey PRIMARY KEY (id),
  constraint oauth_clients_secret_hash_key UNIQUE (secret_hash),
  constraint oauth_clients_id_check CHECK (((length(id) >= 1) AND (length(id) <= 2048))),
  constraint oauth_clients_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  constraint oauth_clients_check CHECK (((fetched_at IS NULL) = (fresh_until IS NULL)))
);
create table connected_apps (
  id uuid not null,
  user_id uuid not null default current_person(),
  client_id text not null,
  client_name text not null,
  client_uri text,
  scopes text[] not null,
  resources text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  constraint connected_apps_pkey PRIMARY KEY (id),
  constraint connected_apps_client_name_check CHECK (((length(client_name) >= 1) AND (length(client_name) <= 200))),
  constraint connected_apps_scopes_check CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 50))),
  constraint connected_apps_resources_check CHECK (((cardinality(resources) >= 1) AND (cardinality(resources) <= 10)))
);
create table connected_app_organizations (
  app_id uuid not null,
  organization_id uuid not null,
  user_id uuid not null default current_person(),
  constraint connected_app_organizations_pkey PRIMARY KEY (app_id, organization_id)
);
create table oauth_tokens (
  kind text not null,
  secret_hash bytea not null,
  app_id uuid,
  payload jsonb not null,
  scopes text[],
  audience text,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint oauth_tokens_pkey PRIMARY KEY (secret_hash, kind),
  constraint oauth_tokens_kind_check CHECK ((kind = ANY (ARRAY['AuthorizationCode'::text, 'AccessToken'::text, 'RefreshToken'::text, 'Interaction'::text]))),
  constraint oauth_tokens_secret_hash_check CHECK ((octet_length(secret_hash) = 32)),
  constraint oauth_tokens_check CHECK (((kind = 'Interaction'::text) = (app_id IS NULL))),
  constraint oauth_tokens_check1 CHECK (((kind = 'AccessToken'::text) = ((scopes IS NOT NULL) AND (audience IS NOT NULL))))
);
create table account_links (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  email text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  constraint account_links_pkey PRIMARY KEY (token_hash),
  constraint account_links_user_id_purpose_key UNIQUE (user_id, purpose),
  constraint account_links_purpose_check CHECK ((purpose = ANY (ARRAY['RESET_PASSWORD'::text, 'VERIFY_EMAIL'::text, 'CHANGE_EMAIL'::text]))),
  constraint account_links_email_check CHECK ((email <> ''::text))
);
create table authenticators (
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamp with time zone,
  last_step bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  lost_at timestamp with time zone,
  constraint authenticators_pkey PRIMARY KEY (user_id)
);
create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash)
);
create table passkeys (
  id text not null,
  user_id uuid not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_id_check CHECK (((length(id) >= 1) AND (length(id) <= 1400))),
  constraint passkeys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);
create table passkey_challenges (
  challenge text not null,
  user_id uuid,
  expires_at timestamp with time zone not null default (now() + '00:05:00'::interval),
  constraint passkey_challenges_pkey PRIMARY KEY (challenge)
);
CREATE OR REPLACE FUNCTION public.major_units(minor bigint, digits smallint)
 RETURNS numeric
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select minor * 10::numeric ^ (-digits)::numeric $function$;
CREATE OR REPLACE FUNCTION public.status_rank(status text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select case status when 'DRAFT' then 1 when 'UNSENT' then 2 when 'SENT' then 3 when 'PAID' then 4 end $function$;
create table payments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  direction text not null default 'OUTGOING'::text,
  counterparty_id uuid,
  amount_minor bigint not null,
  allocated_minor bigint not null default 0,
  currency text not null,
  minor_digits smallint not null,
  paid_at date not null,
  method text,
  source text not null,
  voided_at timestamp with time zone,
  void_reason text,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  withheld_minor bigint not null default 0,
  reference text,
  details jsonb,
  bank_account_id uuid,
  refund_of uuid,
  refunded_minor bigint not null default 0,
  exchange_rate numeric,
  rate_currency text,
  rate_date date,
  refund_home_minor bigint,
  kind text not null default 'SALES'::text,
  voided_on date,
  constraint payments_pkey PRIMARY KEY (organization_id, id),
  constraint payments_direction_check CHECK ((direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint payments_currency_check CHECK ((currency <> ''::text)),
  constraint payments_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint allocated_within_payment CHECK (((allocated_minor >= 0) AND (refunded_minor >= 0) AND ((allocated_minor + refunded_minor) <= amount_minor))),
  constraint withheld_within_payment CHECK (((withheld_minor >= 0) AND (withheld_minor <= amount_minor) AND ((withheld_minor = 0) OR (source <> ALL (ARRAY['REFUND'::text, 'CREDIT_MEMO'::text]))))),
  constraint refund_names_payment CHECK (((source = 'REFUND'::text) = (refund_of IS NOT NULL))),
  constraint refund_stands_alone CHECK (((source <> 'REFUND'::text) OR ((allocated_minor = 0) AND (refunded_minor = 0)))),
  constraint refunded_payment_stays CHECK (((voided_at IS NULL) OR (refunded_minor = 0))),
  constraint payments_exchange_rate_check CHECK ((exchange_rate > (0)::numeric)),
  constraint payment_kind CHECK ((kind <> ''::text)),
  constraint payments_source_check CHECK ((source = ANY (ARRAY['DOCUMENT'::text, 'MARK_PAID'::text, 'PAYMENT'::text, 'CREDIT_MEMO'::text, 'REFUND'::text, 'ADVANCE'::text, 'NET'::text, 'STATUTORY'::text, 'LEAVE_CLAIM'::text]))),
  constraint payroll_source CHECK ((((kind = 'PAYSLIP'::text) = (source = ANY (ARRAY['ADVANCE'::text, 'NET'::text, 'STATUTORY'::text]))) AND ((kind = 'LEAVE_CLAIM'::text) = (source = 'LEAVE_CLAIM'::text)) AND ((source <> 'STATUTORY'::text) OR (counterparty_id IS NULL)) AND ((source <> ALL (ARRAY['ADVANCE'::text, 'NET'::text])) OR (counterparty_id IS NOT NULL))))
);
CREATE OR REPLACE FUNCTION public.is_receipt_by_law(document_type text, series text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select document_type = 'RECEIPT' or (document_type = 'INVOICE_RECEIPT' and series = 'RECEIPT')
$function$;
create table documents (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null default 'SALES'::text,
  direction text not null default 'OUTGOING'::text,
  document_type text not null,
  status text not null default 'DRAFT'::text,
  series text not null default ''::text,
  sequence bigint,
  number text,
  counterparty_id uuid,
  counterparty_name text not null default ''::text,
  bank_account_id uuid,
  currency text not null,
  minor_digits smallint not null,
  exchange_rate numeric,
  rate_currency text,
  rate_date date,
  issue_date date not null,
  issue_date_given boolean not null default false,
  due_date date,
  pay_until date,
  subtotal_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  paid_minor bigint not null default 0,
  tax_rate numeric(9,6),
  notes text,
  payment_method text,
  payment_date date,
  receipt_number text,
  in_dispute boolean not null default false,
  vat_allocation_number text,
  country_specific_data jsonb,
  generator_version text not null,
  source_document_id uuid,
  payment_id uuid,
  revision integer not null default 0,
  issued_at timestamp with time zone,
  sent_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  link_version integer not null default 1,
  credited_minor bigint not null default 0,
  converted_to_id uuid,
  given_rate numeric,
  given_rate_date date,
  country_rate numeric,
  country_rate_date date,
  goods_minor bigint not null default 0,
  constraint documents_pkey PRIMARY KEY (organization_id, id),
  constraint documents_direction_check CHECK ((direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint documents_document_type_check CHECK ((document_type <> ''::text)),
  constraint documents_currency_check CHECK ((currency <> ''::text)),
  constraint documents_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint documents_exchange_rate_check CHECK ((exchange_rate > (0)::numeric)),
  constraint rate_to_a_currency CHECK (((exchange_rate IS NULL) = (rate_currency IS NULL))),
  constraint documents_link_version_check CHECK ((link_version > 0)),
  constraint numbered_when_issued CHECK ((((sequence IS NULL) = (number IS NULL)) AND ((sequence IS NULL) OR (issued_at IS NOT NULL)))),
  constraint owed_or_nothing CHECK (((issued_at IS NULL) OR (total_minor >= 0))),
  constraint paid_within_total CHECK (((paid_minor >= 0) AND (credited_minor >= 0) AND ((paid_minor + credited_minor) <= GREATEST(total_minor, (0)::bigint)))),
  constraint closed_document_is_unpaid CHECK (((payment_id IS NOT NULL) OR (paid_minor = 0) OR ((cancelled_at IS NULL) AND (converted_to_id IS NULL)))),
  constraint closed_once CHECK (((cancelled_at IS NULL) OR (converted_to_id IS NULL))),
  constraint given_rate_positive CHECK ((given_rate > (0)::numeric)),
  constraint given_rate_has_date CHECK (((given_rate_date IS NULL) OR (given_rate IS NOT NULL))),
  constraint country_rate_positive CHECK ((country_rate > (0)::numeric)),
  constraint settled_when_paid CHECK (((status <> 'PAID'::text) OR (payment_id IS NOT NULL) OR (converted_to_id IS NOT NULL) OR (((paid_minor + credited_minor) = total_minor) AND ((paid_minor > 0) OR (total_minor = 0))))),
  constraint cancelled_type CHECK (((cancelled_at IS NULL) OR ((issued_at IS NOT NULL) AND ((document_type = 'PAYMENT_REQUEST'::text) OR is_receipt_by_law(document_type, series) OR ((kind = 'EXPENSE'::text) AND (document_type = 'CREDIT_MEMO'::text)) OR (kind = ANY (ARRAY['PAYSLIP'::text, 'LEAVE_CLAIM'::text])))))),
  constraint void_when_cancelled CHECK (((kind <> ALL (ARRAY['PAYSLIP'::text, 'LEAVE_CLAIM'::text])) OR ((status = 'VOID'::text) = (cancelled_at IS NOT NULL))))
);
create table document_lines (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  "position" integer not null,
  id text not null,
  item_id text,
  description text not null,
  quantity numeric(20,6) not null,
  unit_price numeric(24,6) not null,
  amount_minor bigint not null,
  tax_rate numeric(9,6),
  tax_category text,
  paid_minor bigint not null default 0,
  discount_percent numeric(9,6),
  discount_minor bigint,
  catalog_item_id uuid,
  constraint document_lines_pkey PRIMARY KEY (organization_id, document_id, id),
  constraint document_lines_description_check CHECK ((description <> ''::text)),
  constraint document_lines_quantity_check CHECK ((quantity >= (0)::numeric)),
  constraint document_lines_unit_price_check CHECK ((unit_price >= (0)::numeric)),
  constraint line_paid_within_amount CHECK (((paid_minor = 0) OR ((paid_minor >= 0) AND (paid_minor <= amount_minor)))),
  constraint line_discount CHECK (((num_nonnulls(discount_percent, discount_minor) <= 1) AND ((discount_percent IS NULL) OR ((discount_percent >= (0)::numeric) AND (discount_percent <= (100)::numeric))) AND ((discount_minor IS NULL) OR (discount_minor >= 0))))
);
create table allocations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payment_id uuid not null,
  document_id uuid not null,
  line_id text,
  amount_minor bigint not null,
  voided_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  is_credit boolean not null default false,
  booked_on date,
  document_home_minor bigint,
  payment_home_minor bigint,
  is_advance boolean not null default false,
  constraint allocations_pkey PRIMARY KEY (organization_id, id),
  constraint allocations_amount_minor_check CHECK ((amount_minor > 0))
);
CREATE OR REPLACE FUNCTION public.owner_of_allocations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.allocations t where t.id = row_id); end $function$;
create table document_events (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  document_id uuid not null,
  seq integer not null default 0,
  type text not null,
  actor_user_id uuid,
  payload jsonb,
  created_at timestamp with time zone not null default now(),
  prev_hash bytea not null default '\x'::bytea,
  hash bytea not null default '\x'::bytea,
  constraint document_events_pkey PRIMARY KEY (organization_id, id),
  constraint document_events_organization_id_document_id_seq_key UNIQUE (organization_id, document_id, seq),
  constraint document_events_type_check CHECK ((type <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_document_events(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.document_events t where t.id = row_id); end $function$;
create table exchange_rates (
  source text not null,
  currency text not null,
  date date not null,
  base text not null,
  rate numeric(24,12) not null,
  created_at timestamp with time zone not null default now(),
  constraint exchange_rates_pkey PRIMARY KEY (source, currency, date),
  constraint exchange_rates_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint exchange_rates_base_check CHECK ((base ~ '^[A-Z]{3}$'::text)),
  constraint exchange_rates_rate_check CHECK ((rate > (0)::numeric)),
  constraint base_is_one CHECK (((currency <> base) OR (rate = (1)::numeric))),
  constraint exchange_rates_source_check CHECK ((source = ANY (ARRAY['ECB'::text, 'BOI'::text, 'MAS'::text, 'BUNDLED'::text])))
);
create table sales_by_day (
  organization_id uuid not null,
  day date not null,
  sort text not null,
  status text not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  documents bigint not null,
  total_minor bigint not null,
  open_minor bigint not null,
  constraint sales_by_day_sort_check CHECK ((sort = ANY (ARRAY['SALE'::text, 'OTHER'::text, 'CREDIT'::text])))
);
create table sales_by_customer (
  organization_id uuid not null,
  year integer not null,
  counterparty_id uuid not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  documents bigint not null,
  total_minor bigint not null,
  credited_minor bigint not null
);
create table sales_by_customer_day (
  organization_id uuid not null,
  day date not null,
  counterparty_id uuid not null,
  currency text not null,
  total_minor bigint not null,
  credited_minor bigint not null
);
create table cash_by_day (
  organization_id uuid not null,
  day date not null,
  direction text not null,
  currency text not null,
  payments bigint not null,
  amount_minor bigint not null,
  rated_on date
);
create table document_mailings (
  organization_id uuid not null default current_organization(),
  mailing_id uuid not null,
  delivery_id uuid not null,
  document_id uuid not null,
  told_at timestamp with time zone,
  constraint document_mailings_pkey PRIMARY KEY (organization_id, mailing_id, delivery_id)
);
create table document_attachments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  document_id uuid not null,
  "position" smallint not null,
  file_id uuid not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint document_attachments_pkey PRIMARY KEY (organization_id, id),
  constraint document_attachments_organization_id_document_id_position_key UNIQUE (organization_id, document_id, "position"),
  constraint attachments_max CHECK ((("position" >= 1) AND ("position" <= 20)))
);
CREATE OR REPLACE FUNCTION public.owner_of_document_attachments(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.document_attachments t where t.id = row_id); end $function$;
create table overdue_marks (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  due_date date not null,
  created_at timestamp with time zone not null default now(),
  constraint overdue_marks_pkey PRIMARY KEY (organization_id, document_id, due_date)
);
create table document_counts (
  organization_id uuid not null default current_organization(),
  entry uuid not null default gen_random_uuid(),
  kind text not null,
  document_type text not null,
  status text not null,
  change integer not null,
  constraint document_counts_pkey PRIMARY KEY (organization_id, entry)
);
CREATE OR REPLACE FUNCTION public.search_grams(organization uuid, given text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  letters text[] := string_to_array(lower(given), null);
  seed bigint := uuid_hash_extended(organization, 0);
  grams bigint[] := '{}';
begin
  for place in 1 .. cardinality(letters) - 2 loop
    grams := grams || hashtextextended(letters[place] || letters[place + 1] || letters[place + 2], seed);
  end loop;
  return grams;
end $function$;
CREATE OR REPLACE FUNCTION public.trigger_types(blocks jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(array_agg(distinct block ->> 'ref') filter (where block ->> 'ref' is not null), '{}')
  from jsonb_array_elements(blocks) block where block ->> 'kind' = 'TRIGGER'
$function$;
CREATE OR REPLACE FUNCTION public.new_id()
 RETURNS uuid
 LANGUAGE sql
AS $function$
  select encode(set_byte(h.bytes, 6, (get_byte(h.bytes, 6) & 15) | 112), 'hex')::uuid
  from (select overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6) as bytes) h
$function$;
create table automations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  owner_user_id uuid not null default current_person(),
  name text not null,
  description text,
  status text not null default 'DRAFT'::text,
  blocks jsonb not null,
  edges jsonb not null,
  triggers text[] generated always as (trigger_types(blocks)) stored,
  enabled_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  graph_id uuid not null default new_id(),
  version integer not null default 1,
  saved_at timestamp with time zone,
  saved_by_user_id uuid,
  constraint automations_pkey PRIMARY KEY (organization_id, id),
  constraint automations_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint automations_description_check CHECK ((length(description) <= 2000)),
  constraint automations_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'ENABLED'::text, 'PAUSED'::text, 'PAUSED_NO_ACCESS'::text]))),
  constraint automations_blocks_check CHECK (((jsonb_typeof(blocks) = 'array'::text) AND (jsonb_array_length(blocks) <= 100))),
  constraint automations_edges_check CHECK (((jsonb_typeof(edges) = 'array'::text) AND (jsonb_array_length(edges) <= 300))),
  constraint automation_has_trigger CHECK (jsonb_path_exists(blocks, '$[*]?(@."kind" == "TRIGGER")'::jsonpath)),
  constraint armed_at_some_time CHECK (((status <> 'ENABLED'::text) OR (enabled_at IS NOT NULL))),
  constraint automations_version_check CHECK ((version >= 1))
);
CREATE OR REPLACE FUNCTION public.owner_of_automations(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automations t where t.id = row_id); end $function$;
create table automation_runs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  automation_id uuid not null,
  trigger_event_id uuid,
  trigger_type text,
  input jsonb not null,
  status text not null default 'RUNNING'::text,
  error text,
  depth integer not null,
  token bigint not null default 0,
  deadline timestamp with time zone,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  graph_id uuid,
  record_id text,
  place bigint not null generated always as identity,
  waiting_since timestamp with time zone,
  waits boolean not null default false,
  started_by uuid[] not null default '{}'::uuid[],
  constraint automation_runs_pkey PRIMARY KEY (organization_id, id),
  constraint one_run_per_event UNIQUE (organization_id, automation_id, trigger_event_id),
  constraint automation_runs_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint triggered_or_tried CHECK (((trigger_event_id IS NULL) = (trigger_type IS NULL))),
  constraint ended_at_some_time CHECK (((status = 'RUNNING'::text) = (finished_at IS NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_runs(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_runs t where t.id = row_id); end $function$;
create table automation_steps (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  run_id uuid not null,
  block_id text not null,
  element integer not null default '-1'::integer,
  ref text,
  feature text,
  status text not null,
  attempt integer not null default 1,
  input jsonb,
  output jsonb,
  error text,
  latency_ms integer,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  element_key text not null default ''::text,
  warnings jsonb,
  is_truncated boolean not null default false,
  waits_until timestamp with time zone,
  turn_at timestamp with time zone,
  turn_tokens integer,
  constraint automation_steps_pkey PRIMARY KEY (organization_id, id),
  constraint automation_steps_element_check CHECK ((element >= '-1'::integer)),
  constraint automation_steps_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'SKIPPED'::text]))),
  constraint automation_steps_attempt_check CHECK ((attempt >= 1)),
  constraint automation_steps_warnings_check CHECK ((jsonb_typeof(warnings) = 'array'::text)),
  constraint turn_is_whole CHECK ((((turn_at IS NULL) = (turn_tokens IS NULL)) AND (turn_tokens > 0))),
  constraint only_unfinished_steps_wait CHECK ((((waits_until IS NULL) OR (status = 'PENDING'::text)) AND ((turn_at IS NULL) OR (status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text])))))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_steps(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_steps t where t.id = row_id); end $function$;
create table automation_deliveries (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  step_id uuid not null,
  kind text not null,
  target text not null,
  attempt integer not null,
  outcome text not null default 'SENDING'::text,
  status integer,
  latency_ms integer,
  reason text,
  answer text,
  created_at timestamp with time zone not null default now(),
  webhook_id text,
  content_hash bytea,
  constraint automation_deliveries_pkey PRIMARY KEY (organization_id, id),
  constraint automation_deliveries_kind_check CHECK ((kind = ANY (ARRAY['WEBHOOK'::text, 'EMAIL'::text]))),
  constraint automation_deliveries_target_check CHECK ((length(target) <= 2048)),
  constraint automation_deliveries_attempt_check CHECK ((attempt >= 1)),
  constraint automation_deliveries_outcome_check CHECK ((outcome = ANY (ARRAY['SENDING'::text, 'DELIVERED'::text, 'FAILED'::text, 'REFUSED'::text, 'UNKNOWN'::text]))),
  constraint automation_deliveries_latency_ms_check CHECK ((latency_ms >= 0)),
  constraint automation_deliveries_reason_check CHECK ((length(reason) <= 1000)),
  constraint automation_deliveries_answer_check CHECK ((length(answer) <= 4096)),
  constraint a_failure_has_its_reason CHECK (((outcome <> ALL (ARRAY['FAILED'::text, 'REFUSED'::text, 'UNKNOWN'::text])) OR (reason IS NOT NULL))),
  constraint automation_deliveries_webhook_id_check CHECK ((length(webhook_id) <= 64)),
  constraint automation_deliveries_content_hash_check CHECK ((octet_length(content_hash) = 32))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_deliveries(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_deliveries t where t.id = row_id); end $function$;
create table webhook_secrets (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  secret bytea not null,
  created_at timestamp with time zone not null default now(),
  replaced_at timestamp with time zone,
  secret_key_id uuid generated always as ((encode(SUBSTRING(secret FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  constraint webhook_secrets_pkey PRIMARY KEY (organization_id, id),
  constraint webhook_secrets_secret_is_sealed CHECK (((octet_length(secret) >= 113) AND (get_byte(secret, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_webhook_secrets(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.webhook_secrets t where t.id = row_id); end $function$;
create table ledger_kinds (
  kind text not null,
  direction text not null,
  payment_direction text not null,
  document_types text[] not null,
  unbilled_types text[] not null default '{}'::text[],
  statuses text[] not null,
  draft_statuses text[] not null,
  payable_statuses text[] not null,
  transitions jsonb not null,
  open_status text,
  sent_status text,
  numbered boolean not null,
  frozen_when_final text[] not null,
  frozen_when_paid text[] not null,
  pays_lines boolean not null,
  counterparty_needed boolean not null,
  balance_account text not null,
  result_account text not null,
  final_events text[] not null default '{}'::text[],
  advances_account text not null default 'PREPAYMENTS'::text,
  constraint ledger_kinds_pkey PRIMARY KEY (kind),
  constraint ledger_kinds_kind_check CHECK ((kind <> ''::text)),
  constraint ledger_kinds_direction_check CHECK ((direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint ledger_kinds_payment_direction_check CHECK ((payment_direction = ANY (ARRAY['OUTGOING'::text, 'INCOMING'::text]))),
  constraint ledger_kinds_document_types_check CHECK ((cardinality(document_types) > 0)),
  constraint ledger_kinds_statuses_check CHECK ((cardinality(statuses) > 0)),
  constraint ledger_kinds_check CHECK ((draft_statuses <@ statuses)),
  constraint ledger_kinds_check1 CHECK ((payable_statuses <@ statuses)),
  constraint paid_status CHECK ((('PAID'::text = ANY (statuses)) = (open_status IS NOT NULL))),
  constraint open_status_of_kind CHECK ((array_remove(ARRAY[open_status, sent_status], NULL::text) <@ payable_statuses)),
  constraint one_direction CHECK ((payment_direction = direction)),
  constraint final_amounts_are_frozen CHECK ((frozen_when_final @> '{currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}'::text[])),
  constraint paid_currency_is_frozen CHECK (((NOT (draft_statuses && payable_statuses)) OR (frozen_when_paid @> '{currency,minor_digits}'::text[]))),
  constraint paid_lines_are_frozen CHECK (((NOT pays_lines) OR (NOT (draft_statuses && payable_statuses)) OR (frozen_when_paid @> '{lines}'::text[])))
);
create table automation_graphs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  automation_id uuid not null,
  blocks jsonb not null,
  edges jsonb not null,
  author_user_id uuid not null,
  scopes text[],
  api_key_id uuid,
  app_id uuid,
  client_id text,
  credential_status text,
  created_at timestamp with time zone not null default now(),
  superseded_at timestamp with time zone,
  version integer,
  superseded_version integer,
  constraint automation_graphs_pkey PRIMARY KEY (organization_id, id),
  constraint automation_graphs_credential_status_check CHECK ((credential_status = ANY (ARRAY['ACTIVE'::text, 'ENDED'::text, 'RELEASED'::text]))),
  constraint one_credential_of_graph CHECK (((num_nonnulls(api_key_id, client_id) =
CASE
    WHEN (credential_status IS NULL) THEN 0
    ELSE 1
END) AND ((scopes IS NULL) = (credential_status IS NULL)) AND ((app_id IS NULL) OR (client_id IS NOT NULL))))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_graphs(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_graphs t where t.id = row_id); end $function$;
create table mail_counts (
  subject text not null,
  hour timestamp with time zone not null,
  messages integer not null,
  constraint mail_counts_pkey PRIMARY KEY (subject, hour),
  constraint mail_counts_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 1000))),
  constraint mail_counts_messages_check CHECK ((messages > 0))
);
create table official_document_types (
  country text not null,
  registered boolean not null,
  document_type text not null,
  official_type text not null,
  series text not null,
  title_en text not null,
  title_he text not null,
  constraint official_document_types_pkey PRIMARY KEY (country, registered, document_type)
);
create table issued_copies (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  issuer jsonb not null,
  customer jsonb,
  bank_account jsonb,
  language text not null,
  registered boolean not null,
  official_type text not null,
  title jsonb not null,
  logo_file_id uuid,
  original_file_id uuid,
  original_sha256 text,
  created_at timestamp with time zone not null default now(),
  terms jsonb,
  constraint issued_copies_pkey PRIMARY KEY (organization_id, document_id),
  constraint issued_copies_language_check CHECK ((language = ANY (ARRAY['en'::text, 'he'::text]))),
  constraint issued_copies_original_sha256_check CHECK ((original_sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint original_has_hash CHECK (((original_file_id IS NULL) = (original_sha256 IS NULL)))
);
create table default_accounts (
  country text not null,
  code text not null,
  name text not null,
  name_he text not null,
  type text not null,
  purpose text,
  tax_categories text[] not null default '{}'::text[],
  categories text[] not null default '{}'::text[],
  constraint default_accounts_pkey PRIMARY KEY (country, code)
);
CREATE OR REPLACE FUNCTION public.fits_purpose(type text, purpose text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when purpose in ('CASH', 'RECEIVABLES', 'SUPPLIER_ADVANCES', 'INPUT_TAX', 'WITHHOLDING', 'STOCK') then type = 'ASSET'
    when purpose in ('PAYABLES', 'CUSTOMER_CREDITS', 'OUTPUT_TAX', 'WITHHOLDING_PAYABLE', 'UNBILLED', 'PAYROLL_PAYABLES', 'GOODS_RECEIVED') then type = 'LIABILITY'
    when purpose = 'OPENING_BALANCES' then type = 'EQUITY'
    when purpose = 'REVENUE' then type = 'INCOME'
    when purpose in ('EXPENSES', 'PAYROLL', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENTS') then type = 'EXPENSE'
    when purpose in ('EXCHANGE_DIFFERENCES', 'ROUNDING') then type in ('EXPENSE', 'INCOME')
    else true end
$function$;
create table accounts (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  code text not null,
  name text not null,
  name_he text,
  type text not null,
  purpose text,
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint accounts_pkey PRIMARY KEY (organization_id, id),
  constraint one_account_per_code UNIQUE (organization_id, code),
  constraint account_state UNIQUE (organization_id, id, type, active),
  constraint accounts_code_check CHECK ((code ~ '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$'::text)),
  constraint accounts_name_check CHECK ((name <> ''::text)),
  constraint accounts_name_he_check CHECK ((name_he <> ''::text)),
  constraint accounts_type_check CHECK ((type = ANY (ARRAY['ASSET'::text, 'LIABILITY'::text, 'EQUITY'::text, 'INCOME'::text, 'EXPENSE'::text]))),
  constraint accounts_purpose_check CHECK ((purpose <> ''::text)),
  constraint account_with_purpose_is_active CHECK (((purpose IS NULL) OR active)),
  constraint purpose_fits_type CHECK (((purpose IS NULL) OR fits_purpose(type, purpose)))
);
CREATE OR REPLACE FUNCTION public.owner_of_accounts(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.accounts t where t.id = row_id); end $function$;
create table account_mappings (
  organization_id uuid not null default current_organization(),
  entry uuid not null default gen_random_uuid(),
  account_id uuid not null,
  account_type text not null,
  account_active boolean not null default true,
  category_id uuid,
  bank_account_id uuid,
  tax_category text,
  constraint account_mappings_pkey PRIMARY KEY (organization_id, entry),
  constraint account_mappings_account_active_check CHECK (account_active),
  constraint account_mappings_tax_category_check CHECK ((tax_category ~ '^\S{1,20}$'::text)),
  constraint mapping_of_one_thing CHECK ((num_nonnulls(category_id, bank_account_id, tax_category) = 1)),
  constraint mapping_fits_account_type CHECK (
CASE
    WHEN (category_id IS NOT NULL) THEN (account_type = ANY (ARRAY['EXPENSE'::text, 'ASSET'::text]))
    WHEN (bank_account_id IS NOT NULL) THEN (account_type = ANY (ARRAY['ASSET'::text, 'LIABILITY'::text]))
    ELSE (account_type <> 'EQUITY'::text)
END)
);
create table journal_entries (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  number bigint not null default 0,
  kind text not null,
  date date not null,
  description text not null,
  reference text,
  currency text not null default ''::text,
  reverses_id uuid,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint journal_entries_pkey PRIMARY KEY (organization_id, id),
  constraint one_entry_per_number UNIQUE (organization_id, number),
  constraint one_reversal_per_entry UNIQUE (organization_id, reverses_id),
  constraint journal_entries_number_check CHECK ((number > 0)),
  constraint journal_entries_kind_check CHECK ((kind = ANY (ARRAY['MANUAL'::text, 'OPENING'::text]))),
  constraint journal_entries_description_check CHECK ((description <> ''::text)),
  constraint journal_entries_currency_check CHECK ((currency <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_journal_entries(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.journal_entries t where t.id = row_id); end $function$;
create table journal_entry_lines (
  organization_id uuid not null default current_organization(),
  entry_id uuid not null,
  "position" integer not null,
  account_id uuid not null,
  debit_minor bigint not null default 0,
  credit_minor bigint not null default 0,
  description text,
  constraint journal_entry_lines_pkey PRIMARY KEY (organization_id, entry_id, "position"),
  constraint journal_entry_lines_position_check CHECK (("position" > 0)),
  constraint debit_or_credit CHECK (((debit_minor >= 0) AND (credit_minor >= 0) AND ((debit_minor = 0) <> (credit_minor = 0))))
);
create table account_periods (
  organization_id uuid not null default current_organization(),
  subject text not null,
  first_day date not null,
  end_day date not null default 'infinity'::date,
  account_id uuid not null,
  constraint account_periods_pkey PRIMARY KEY (organization_id, subject, first_day),
  constraint account_periods_subject_check CHECK ((subject ~ '^(PURPOSE|BANK|CATEGORY|TAX):.'::text)),
  constraint period_has_days CHECK ((first_day < end_day))
);
create table expenses (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  title text,
  vendor text,
  supplier_id uuid,
  claimant_id uuid,
  category_id uuid,
  source text not null,
  charged_tax_minor bigint,
  deductible_tax_minor bigint,
  notes text,
  document_number text,
  vendor_tax_number text,
  allocation_number text,
  order_id uuid,
  email_message_id text,
  status_reason text,
  reviewed_by uuid,
  reviewed_at timestamp with time zone,
  claimed_by uuid[] not null default '{}'::uuid[],
  changed_by uuid,
  goods_minor bigint not null default 0,
  deleted_category_id uuid,
  entered_fields text[],
  entered_for uuid[] not null default '{}'::uuid[],
  changed_for uuid[] not null default '{}'::uuid[],
  amount_for uuid[] not null default '{}'::uuid[],
  constraint expenses_pkey PRIMARY KEY (organization_id, id),
  constraint expenses_source_check CHECK ((source = ANY (ARRAY['MANUAL'::text, 'SCAN'::text, 'EMAIL'::text]))),
  constraint expenses_charged_tax_minor_check CHECK ((charged_tax_minor >= 0)),
  constraint expenses_deductible_tax_minor_check CHECK ((deductible_tax_minor >= 0)),
  constraint expenses_document_number_check CHECK ((document_number <> ''::text)),
  constraint expenses_vendor_tax_number_check CHECK ((vendor_tax_number <> ''::text)),
  constraint expenses_allocation_number_check CHECK ((allocation_number <> ''::text)),
  constraint deductible_within_charged CHECK (((deductible_tax_minor IS NULL) OR (deductible_tax_minor <= COALESCE(charged_tax_minor, (0)::bigint)))),
  constraint expenses_goods_minor_check CHECK ((goods_minor >= 0))
);
CREATE OR REPLACE FUNCTION public.owner_of_expenses(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.expenses t where t.id = row_id); end $function$;
create table expense_splits (
  organization_id uuid not null default current_organization(),
  expense_id uuid not null,
  line_id text not null,
  category_id uuid,
  description text,
  amount_minor bigint not null,
  charged_tax_minor bigint,
  deleted_category_id uuid,
  constraint expense_splits_pkey PRIMARY KEY (organization_id, expense_id, line_id),
  constraint expense_splits_description_check CHECK ((description <> ''::text)),
  constraint expense_splits_amount_minor_check CHECK ((amount_minor > 0)),
  constraint expense_splits_charged_tax_minor_check CHECK ((charged_tax_minor >= 0))
);
create table expense_customers (
  organization_id uuid not null default current_organization(),
  expense_id uuid not null,
  customer_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint expense_customers_pkey PRIMARY KEY (organization_id, expense_id, customer_id)
);
create table scan_usage (
  organization_id uuid not null default current_organization(),
  period text not null,
  used integer not null,
  constraint scan_usage_pkey PRIMARY KEY (organization_id, period),
  constraint scan_usage_period_check CHECK ((period ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint scan_usage_used_check CHECK ((used >= 0))
);
create table expenses_by_vendor (
  organization_id uuid not null,
  day date not null,
  state text not null,
  vendor text not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  expenses bigint not null,
  total_minor bigint not null,
  constraint expenses_by_vendor_state_check CHECK ((state = ANY (ARRAY['APPROVED'::text, 'PENDING'::text])))
);
create type journal_part_line as (organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, direction text, times integer, line integer, account text, subject text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home text, exchange_rate numeric, rest text);
create table suppliers (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  tax_number text,
  gst_number text,
  payment_terms_days integer,
  default_category_id uuid,
  default_currency text,
  withholding_rate numeric(9,6),
  withholding_valid_until date,
  is1099 boolean not null default false,
  bank_name text,
  branch_code text,
  account_number text,
  account_name text,
  iban text,
  swift_code text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint suppliers_pkey PRIMARY KEY (organization_id, id),
  constraint suppliers_tax_number_check CHECK ((tax_number <> ''::text)),
  constraint suppliers_gst_number_check CHECK ((gst_number <> ''::text)),
  constraint suppliers_payment_terms_days_check CHECK (((payment_terms_days >= 0) AND (payment_terms_days <= 3650))),
  constraint suppliers_default_currency_check CHECK ((default_currency <> ''::text)),
  constraint suppliers_withholding_rate_check CHECK (((withholding_rate >= (0)::numeric) AND (withholding_rate <= (100)::numeric))),
  constraint suppliers_bank_name_check CHECK ((bank_name <> ''::text)),
  constraint suppliers_branch_code_check CHECK ((branch_code <> ''::text)),
  constraint suppliers_account_number_check CHECK ((account_number <> ''::text)),
  constraint suppliers_account_name_check CHECK ((account_name <> ''::text)),
  constraint suppliers_iban_check CHECK ((iban <> ''::text)),
  constraint suppliers_swift_code_check CHECK ((swift_code <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_suppliers(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.suppliers t where t.id = row_id); end $function$;
create table items (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  description text,
  sku text,
  barcode text,
  kind text not null,
  unit text,
  sale_price numeric(24,6),
  sale_currency text not null,
  purchase_price numeric(24,6),
  purchase_currency text not null,
  tax_rate numeric(9,6),
  tax_category text,
  tracked boolean not null,
  tracked_since timestamp with time zone,
  low_stock_threshold numeric(20,6),
  active boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint items_pkey PRIMARY KEY (organization_id, id),
  constraint items_name_check CHECK ((name <> ''::text)),
  constraint items_sku_check CHECK ((sku <> ''::text)),
  constraint items_barcode_check CHECK ((barcode <> ''::text)),
  constraint items_kind_check CHECK ((kind = ANY (ARRAY['GOODS'::text, 'SERVICE'::text]))),
  constraint items_unit_check CHECK ((unit <> ''::text)),
  constraint items_sale_price_check CHECK ((sale_price >= (0)::numeric)),
  constraint items_sale_currency_check CHECK ((sale_currency <> ''::text)),
  constraint items_purchase_price_check CHECK ((purchase_price >= (0)::numeric)),
  constraint items_purchase_currency_check CHECK ((purchase_currency <> ''::text)),
  constraint items_tax_rate_check CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric))),
  constraint items_tax_category_check CHECK ((tax_category <> ''::text)),
  constraint items_low_stock_threshold_check CHECK ((low_stock_threshold >= (0)::numeric)),
  constraint only_goods_are_tracked CHECK (((NOT tracked) OR (kind = 'GOODS'::text)))
);
CREATE OR REPLACE FUNCTION public.owner_of_items(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.items t where t.id = row_id); end $function$;
create table orders (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null,
  status text not null default 'DRAFT'::text,
  number bigint,
  order_number text,
  counterparty_id uuid not null,
  counterparty_name text not null default ''::text,
  currency text not null,
  minor_digits smallint not null,
  order_date date not null,
  expected_date date,
  reference text,
  notes text,
  subtotal_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  opened_at timestamp with time zone,
  ended_at timestamp with time zone,
  end_reason text,
  sent_at timestamp with time zone,
  created_by uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  clears_unbilled boolean not null default false,
  cleared_account text,
  cleared_minor bigint not null default 0,
  cleared_currency text,
  constraint orders_pkey PRIMARY KEY (organization_id, id),
  constraint one_order_per_number UNIQUE (organization_id, kind, number),
  constraint orders_kind_check CHECK ((kind = ANY (ARRAY['SALES'::text, 'PURCHASE'::text]))),
  constraint orders_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'OPEN'::text, 'PARTIALLY_RECEIVED'::text, 'RECEIVED'::text, 'CLOSED'::text, 'CANCELLED'::text]))),
  constraint orders_currency_check CHECK ((currency <> ''::text)),
  constraint orders_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint orders_reference_check CHECK ((reference <> ''::text)),
  constraint orders_subtotal_minor_check CHECK ((subtotal_minor >= 0)),
  constraint orders_tax_minor_check CHECK ((tax_minor >= 0)),
  constraint orders_total_minor_check CHECK ((total_minor >= 0)),
  constraint orders_end_reason_check CHECK ((end_reason <> ''::text)),
  constraint numbered_when_open CHECK ((((number IS NULL) = (opened_at IS NULL)) AND ((number IS NULL) = (order_number IS NULL)) AND ((number IS NOT NULL) OR (status = ANY (ARRAY['DRAFT'::text, 'CANCELLED'::text]))) AND ((number IS NULL) OR (status <> 'DRAFT'::text)))),
  constraint ended_when_over CHECK (((ended_at IS NULL) = (status <> ALL (ARRAY['CLOSED'::text, 'CANCELLED'::text])))),
  constraint orders_cleared_account_check CHECK ((cleared_account = ANY (ARRAY['EXCHANGE_DIFFERENCES'::text, 'COST_OF_GOODS_SOLD'::text]))),
  constraint orders_cleared_currency_check CHECK ((cleared_currency <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_orders(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.orders t where t.id = row_id); end $function$;
create table order_lines (
  organization_id uuid not null default current_organization(),
  order_id uuid not null,
  id text not null,
  "position" integer not null,
  item_id uuid,
  description text not null,
  quantity numeric(20,6) not null,
  unit_price numeric(24,6) not null,
  amount_minor bigint not null,
  tax_rate numeric(9,6),
  tax_category text,
  fulfilled_quantity numeric(20,6) not null default 0,
  extra_quantity numeric(20,6) not null default 0,
  returned_quantity numeric(20,6) not null default 0,
  untracked_quantity numeric(20,6) not null default 0,
  constraint order_lines_pkey PRIMARY KEY (organization_id, order_id, id),
  constraint order_lines_description_check CHECK ((description <> ''::text)),
  constraint order_lines_quantity_check CHECK ((quantity > (0)::numeric)),
  constraint order_lines_unit_price_check CHECK ((unit_price >= (0)::numeric)),
  constraint order_lines_amount_minor_check CHECK ((amount_minor >= 0)),
  constraint order_lines_tax_rate_check CHECK (((tax_rate >= (0)::numeric) AND (tax_rate <= (100)::numeric))),
  constraint fulfilled_within_order CHECK (((fulfilled_quantity >= (0)::numeric) AND (extra_quantity >= (0)::numeric) AND (fulfilled_quantity <= (quantity + extra_quantity))))
);
create table order_fulfilments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  delivery_id uuid not null,
  order_id uuid not null,
  line_id text not null,
  quantity numeric(20,6) not null,
  extra_quantity numeric(20,6) not null default 0,
  date date not null,
  note text,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint order_fulfilments_pkey PRIMARY KEY (organization_id, id),
  constraint order_fulfilments_quantity_check CHECK ((quantity > (0)::numeric)),
  constraint order_fulfilments_check CHECK (((extra_quantity >= (0)::numeric) AND (extra_quantity <= quantity))),
  constraint order_fulfilments_note_check CHECK ((note <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_order_fulfilments(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.order_fulfilments t where t.id = row_id); end $function$;
create table order_invoice_lines (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  document_line_id text not null,
  order_id uuid not null,
  line_id text not null,
  constraint order_invoice_lines_pkey PRIMARY KEY (organization_id, document_id, document_line_id)
);
create table order_counters (
  organization_id uuid not null default current_organization(),
  kind text not null,
  next_number bigint not null default 1,
  constraint order_counters_pkey PRIMARY KEY (organization_id, kind),
  constraint order_counters_kind_check CHECK ((kind = ANY (ARRAY['SALES'::text, 'PURCHASE'::text]))),
  constraint order_counters_next_number_check CHECK ((next_number >= 1))
);
create table stock_levels (
  organization_id uuid not null default current_organization(),
  item_id uuid not null,
  quantity numeric(20,6) not null default 0,
  value_minor bigint not null default 0,
  unit_cost numeric(30,12),
  home_currency text not null,
  movements bigint not null default 0,
  constraint stock_levels_pkey PRIMARY KEY (organization_id, item_id)
);
create table stock_movements (
  organization_id uuid not null default current_organization(),
  id uuid not null default new_id(),
  item_id uuid not null,
  sequence bigint not null default 0,
  kind text not null,
  quantity numeric(20,6) not null,
  date date not null,
  given_cost numeric(30,12),
  value_minor bigint not null default 0,
  difference_minor bigint not null default 0,
  home_currency text not null default ''::text,
  reason text,
  reference text,
  source text not null default 'MANUAL'::text,
  order_id uuid,
  order_line_id text,
  delivery_id uuid,
  document_id uuid,
  document_line_id text,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint stock_movements_pkey PRIMARY KEY (organization_id, id),
  constraint one_movement_per_sequence UNIQUE (organization_id, item_id, sequence),
  constraint stock_movements_kind_check CHECK ((kind = ANY (ARRAY['IN'::text, 'OUT'::text, 'ADJUST'::text]))),
  constraint stock_movements_given_cost_check CHECK ((given_cost >= (0)::numeric)),
  constraint stock_movements_reason_check CHECK ((reason <> ''::text)),
  constraint stock_movements_reference_check CHECK ((reference <> ''::text)),
  constraint stock_movements_source_check CHECK ((source = ANY (ARRAY['MANUAL'::text, 'OPENING'::text, 'ORDER'::text, 'DOCUMENT'::text]))),
  constraint direction_of_movement CHECK (
CASE kind
    WHEN 'IN'::text THEN (quantity > (0)::numeric)
    WHEN 'OUT'::text THEN (quantity < (0)::numeric)
    ELSE (quantity <> (0)::numeric)
END),
  constraint adjustment_has_reason CHECK (((kind <> 'ADJUST'::text) OR (reason IS NOT NULL))),
  constraint source_of_movement CHECK (
CASE source
    WHEN 'ORDER'::text THEN (order_id IS NOT NULL)
    WHEN 'DOCUMENT'::text THEN (document_id IS NOT NULL)
    ELSE ((order_id IS NULL) AND (document_id IS NULL))
END)
);
CREATE OR REPLACE FUNCTION public.owner_of_stock_movements(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.stock_movements t where t.id = row_id); end $function$;
create unlogged table journal_sums (
  organization_id uuid not null default current_organization(),
  day date not null,
  basis text not null,
  account_id uuid,
  home_currency text not null,
  face_currency text not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  lines bigint not null,
  constraint journal_sums_basis_check CHECK ((basis = ANY (ARRAY['ACCRUAL'::text, 'CASH'::text])))
);
create unlogged table journal_results (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  day date not null,
  account_id uuid not null,
  home_currency text not null,
  face_currency text not null,
  home_minor bigint not null
);
create unlogged table journal_sums_state (
  organization_id uuid not null default current_organization(),
  upto date not null,
  version text not null,
  constraint journal_sums_state_pkey PRIMARY KEY (organization_id)
);
create unlogged table journal_marks (
  organization_id uuid not null default current_organization(),
  day date not null,
  transaction xid8 not null default pg_current_xact_id(),
  constraint journal_marks_pkey PRIMARY KEY (organization_id, day, transaction)
);
create table period_locks (
  organization_id uuid not null default current_organization(),
  id uuid not null default new_id(),
  last_day date not null,
  locked_by uuid,
  locked_at timestamp with time zone not null default now(),
  summed_up_at timestamp with time zone,
  constraint period_locks_pkey PRIMARY KEY (organization_id, id),
  constraint one_lock_per_day UNIQUE (organization_id, last_day)
);
CREATE OR REPLACE FUNCTION public.owner_of_period_locks(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.period_locks t where t.id = row_id); end $function$;
create table locked_balances (
  organization_id uuid not null default current_organization(),
  lock_id uuid not null,
  account_id uuid not null,
  currency text not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  constraint locked_balances_pkey PRIMARY KEY (organization_id, lock_id, account_id, currency)
);
create table imports (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null,
  file_name text not null,
  file_size bigint not null,
  sha256 text not null,
  row_count integer not null,
  created_count integer not null,
  updated_count integer not null,
  unchanged_count integer not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint imports_pkey PRIMARY KEY (organization_id, id),
  constraint imports_file_name_check CHECK ((file_name <> ''::text)),
  constraint imports_file_size_check CHECK ((file_size > 0)),
  constraint imports_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint imports_created_count_check CHECK ((created_count >= 0)),
  constraint imports_updated_count_check CHECK ((updated_count >= 0)),
  constraint imports_unchanged_count_check CHECK ((unchanged_count >= 0)),
  constraint every_row_counts_once CHECK ((row_count = ((created_count + updated_count) + unchanged_count))),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['CUSTOMERS'::text, 'SUPPLIERS'::text, 'ITEMS'::text, 'OPENING_BALANCES'::text, 'EMPLOYEES'::text])))
);
CREATE OR REPLACE FUNCTION public.owner_of_imports(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.imports t where t.id = row_id); end $function$;
create table scans (
  organization_id uuid not null default current_organization(),
  attachment_id uuid not null,
  expense_id uuid not null,
  status text not null,
  provider_id text not null,
  extracted jsonb not null default '{}'::jsonb,
  error text,
  duplicate_of_id uuid,
  charged_period text,
  processing_ms integer not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint scans_pkey PRIMARY KEY (organization_id, attachment_id),
  constraint scans_status_check CHECK ((status = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text]))),
  constraint scans_provider_id_check CHECK ((provider_id <> ''::text)),
  constraint scans_charged_period_check CHECK ((charged_period ~ '^\d{4}-(0[1-9]|1[0-2])$'::text)),
  constraint scans_processing_ms_check CHECK ((processing_ms >= 0)),
  constraint failed_scans_say_why CHECK (((status = 'FAILED'::text) = (error IS NOT NULL))),
  constraint completed_scans_are_charged CHECK (((status = 'FAILED'::text) OR (charged_period IS NOT NULL)))
);
create table scanned_documents (
  organization_id uuid not null default current_organization(),
  vendor_key text not null,
  document_number text not null,
  expense_id uuid not null,
  constraint scanned_documents_pkey PRIMARY KEY (organization_id, vendor_key, document_number),
  constraint scanned_documents_vendor_key_check CHECK ((vendor_key <> ''::text)),
  constraint scanned_documents_document_number_check CHECK ((document_number <> ''::text))
);
create table supplier_aliases (
  organization_id uuid not null default current_organization(),
  alias text not null,
  supplier_id uuid not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint supplier_aliases_pkey PRIMARY KEY (organization_id, alias),
  constraint supplier_aliases_alias_check CHECK ((alias <> ''::text))
);
create table scan_batches (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  completed_at timestamp with time zone,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint scan_batches_pkey PRIMARY KEY (organization_id, id),
  constraint scan_batches_total_check CHECK (((total >= 1) AND (total <= 100))),
  constraint scan_batches_done_check CHECK ((done >= 0)),
  constraint scan_batches_failed_check CHECK ((failed >= 0)),
  constraint scan_batch_counts CHECK (((done + failed) <= total)),
  constraint scan_batch_ends_with_its_last_file CHECK ((((done + failed) = total) = (completed_at IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_scan_batches(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.scan_batches t where t.id = row_id); end $function$;
create table scan_batch_files (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  batch_id uuid not null,
  "position" integer not null,
  attachment_id uuid not null,
  expense_id uuid not null,
  status text not null default 'WAITING'::text,
  error text,
  duplicate_of_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint scan_batch_files_pkey PRIMARY KEY (organization_id, id),
  constraint scan_batch_files_differ UNIQUE (organization_id, batch_id, attachment_id),
  constraint scan_batch_files_position_check CHECK ((("position" >= 0) AND ("position" <= 99))),
  constraint scan_batch_files_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'COMPLETED'::text, 'FAILED'::text]))),
  constraint failed_scan_batch_files_say_why CHECK (((status = 'FAILED'::text) = (error IS NOT NULL))),
  constraint scanned_duplicates_failed CHECK (((status = 'FAILED'::text) OR (duplicate_of_id IS NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_scan_batch_files(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.scan_batch_files t where t.id = row_id); end $function$;
create table mail_connections (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  provider text not null,
  enabled boolean not null default true,
  host text,
  port integer,
  use_tls boolean not null default true,
  username text,
  password bytea,
  tokens bytea,
  token_expires_at timestamp with time zone,
  folder_or_label text,
  subject_filter text,
  sender_whitelist text[] not null default '{}'::text[],
  auto_poll_enabled boolean not null default false,
  poll_interval_days integer not null default 1,
  next_poll_on date,
  retry_at timestamp with time zone,
  failures integer not null default 0,
  last_polled_at timestamp with time zone,
  attention text,
  auto_scan_automation_id uuid,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  password_key_id uuid generated always as ((encode(SUBSTRING(password FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  tokens_key_id uuid generated always as ((encode(SUBSTRING(tokens FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  refreshing_until timestamp with time zone,
  constraint mail_connections_pkey PRIMARY KEY (organization_id, id),
  constraint mail_connections_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint mail_connections_provider_check CHECK ((provider = ANY (ARRAY['GMAIL'::text, 'OUTLOOK'::text, 'IMAP'::text, 'POP3'::text]))),
  constraint mail_connections_host_check CHECK (((length(host) >= 1) AND (length(host) <= 253))),
  constraint mail_connections_port_check CHECK (((port >= 1) AND (port <= 65535))),
  constraint mail_connections_username_check CHECK (((length(username) >= 1) AND (length(username) <= 320))),
  constraint mail_connections_folder_or_label_check CHECK (((length(folder_or_label) >= 1) AND (length(folder_or_label) <= 500))),
  constraint mail_connections_subject_filter_check CHECK (((length(subject_filter) >= 1) AND (length(subject_filter) <= 500))),
  constraint mail_connections_sender_whitelist_check CHECK ((cardinality(sender_whitelist) <= 200)),
  constraint mail_connections_poll_interval_days_check CHECK (((poll_interval_days >= 1) AND (poll_interval_days <= 365))),
  constraint mail_connections_failures_check CHECK ((failures >= 0)),
  constraint deleted_mail_connections_have_no_secrets CHECK (((deleted_at IS NULL) OR ((password IS NULL) AND (tokens IS NULL)))),
  constraint mail_tokens_are_of_a_provider CHECK (((tokens IS NULL) OR (provider = ANY (ARRAY['GMAIL'::text, 'OUTLOOK'::text])))),
  constraint mail_connections_password_is_sealed CHECK (((octet_length(password) >= 113) AND (get_byte(password, 0) = 1))),
  constraint mail_connections_tokens_is_sealed CHECK (((octet_length(tokens) >= 113) AND (get_byte(tokens, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_mail_connections(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.mail_connections t where t.id = row_id); end $function$;
create table ingestion_runs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  connection_id uuid not null,
  status text not null default 'PENDING'::text,
  date_from timestamp with time zone not null,
  date_to timestamp with time zone not null,
  emails_scanned integer not null default 0,
  emails_detected integer not null default 0,
  expenses_created integer not null default 0,
  error_message text,
  started_at timestamp with time zone not null default now(),
  claimed_at timestamp with time zone,
  last_progress_at timestamp with time zone,
  completed_at timestamp with time zone,
  lease uuid,
  lease_until timestamp with time zone,
  resumed integer not null default 0,
  is_automatic boolean not null default false,
  is_continued boolean not null default false,
  created_by uuid default current_person(),
  updated_at timestamp with time zone not null default now(),
  constraint ingestion_runs_pkey PRIMARY KEY (organization_id, id),
  constraint ingestion_runs_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'DONE'::text, 'ERROR'::text, 'MANUAL_STOP'::text]))),
  constraint ingestion_window CHECK ((date_from <= date_to)),
  constraint ended_ingestion_runs CHECK (((status = ANY (ARRAY['DONE'::text, 'ERROR'::text, 'MANUAL_STOP'::text])) = (completed_at IS NOT NULL))),
  constraint running_ingestion_runs_have_a_lease CHECK (((status <> 'RUNNING'::text) OR ((lease IS NOT NULL) AND (lease_until IS NOT NULL)))),
  constraint failed_ingestion_runs_say_why CHECK (((status = 'ERROR'::text) = (error_message IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_ingestion_runs(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.ingestion_runs t where t.id = row_id); end $function$;
create table mail_messages (
  organization_id uuid not null default current_organization(),
  key text not null,
  message_id text,
  subject text,
  outcome text not null,
  reason text,
  is_detected boolean not null,
  expense_id uuid,
  connection_id uuid not null,
  received_at timestamp with time zone,
  is_retried boolean not null default false,
  attempts integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint mail_messages_pkey PRIMARY KEY (organization_id, key),
  constraint mail_messages_key_check CHECK (((length(key) >= 1) AND (length(key) <= 100))),
  constraint mail_messages_message_id_check CHECK ((length(message_id) <= 1000)),
  constraint mail_messages_subject_check CHECK ((length(subject) <= 1000)),
  constraint mail_messages_outcome_check CHECK ((outcome = ANY (ARRAY['CREATED'::text, 'DUPLICATE'::text, 'SKIPPED_NOT_EXPENSE'::text, 'DROPPED_NO_DATA'::text, 'FAILED'::text]))),
  constraint mail_messages_reason_check CHECK ((length(reason) <= 2000)),
  constraint mail_messages_attempts_check CHECK ((attempts >= 1)),
  constraint mail_failures_are_retried CHECK (((NOT is_retried) OR (outcome = 'FAILED'::text)))
);
create table mail_places (
  organization_id uuid not null default current_organization(),
  connection_id uuid not null,
  folder text not null,
  place text not null,
  key text not null,
  created_at timestamp with time zone not null default now(),
  constraint mail_places_pkey PRIMARY KEY (organization_id, connection_id, folder, place),
  constraint mail_places_place_check CHECK ((length(place) <= 1000))
);
create table mail_documents (
  organization_id uuid not null default current_organization(),
  hash text not null,
  message_key text not null,
  created_at timestamp with time zone not null default now(),
  constraint mail_documents_pkey PRIMARY KEY (organization_id, hash),
  constraint mail_documents_hash_check CHECK (((length(hash) >= 1) AND (length(hash) <= 200)))
);
create table ingestion_messages (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  run_id uuid not null,
  folder text not null,
  place text not null,
  message_id text not null,
  subject text,
  outcome text not null,
  reason text,
  is_detected boolean not null,
  expense_id uuid,
  processed_at timestamp with time zone not null default now(),
  constraint ingestion_messages_pkey PRIMARY KEY (organization_id, id),
  constraint one_outcome_per_message UNIQUE (organization_id, run_id, folder, place),
  constraint ingestion_messages_place_check CHECK ((length(place) <= 1000)),
  constraint ingestion_messages_message_id_check CHECK ((length(message_id) <= 1000)),
  constraint ingestion_messages_subject_check CHECK ((length(subject) <= 1000)),
  constraint ingestion_messages_outcome_check CHECK ((outcome = ANY (ARRAY['CREATED'::text, 'DUPLICATE'::text, 'SKIPPED_NOT_EXPENSE'::text, 'DROPPED_NO_DATA'::text, 'FAILED'::text]))),
  constraint ingestion_messages_reason_check CHECK ((length(reason) <= 2000)),
  constraint created_messages_are_detected CHECK (((outcome <> 'CREATED'::text) OR is_detected))
);
CREATE OR REPLACE FUNCTION public.owner_of_ingestion_messages(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.ingestion_messages t where t.id = row_id); end $function$;
create table mail_connects (
  organization_id uuid not null default current_organization(),
  state_hash bytea not null,
  provider text not null,
  name text not null,
  user_id uuid not null default current_person(),
  session_id uuid not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '00:10:00'::interval),
  constraint mail_connects_pkey PRIMARY KEY (organization_id, state_hash),
  constraint mail_connects_state_hash_check CHECK ((octet_length(state_hash) = 32)),
  constraint mail_connects_provider_check CHECK ((provider = ANY (ARRAY['GMAIL'::text, 'OUTLOOK'::text]))),
  constraint mail_connects_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint mail_connects_end_soon CHECK ((expires_at <= (created_at + '00:10:00'::interval)))
);
create table tax_authority_connections (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  integration_id text not null,
  environment text not null default 'sandbox'::text,
  credentials bytea not null,
  tokens bytea,
  refreshing_until timestamp with time zone,
  state_hash bytea,
  state_until timestamp with time zone,
  is_validated boolean not null default false,
  last_validated_at timestamp with time zone,
  validation_error text,
  failure_notified_at timestamp with time zone,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  credentials_key_id uuid generated always as ((encode(SUBSTRING(credentials FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  tokens_key_id uuid generated always as ((encode(SUBSTRING(tokens FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  constraint tax_authority_connections_pkey PRIMARY KEY (organization_id, id),
  constraint one_connection_per_integration UNIQUE (organization_id, integration_id),
  constraint tax_authority_connections_integration_id_check CHECK ((integration_id = ANY (ARRAY['il-ita-invoices'::text, 'sg-invoicenow'::text]))),
  constraint tax_authority_connections_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint validated_or_failed CHECK (((NOT is_validated) OR ((last_validated_at IS NOT NULL) AND (validation_error IS NULL)))),
  constraint tax_authority_connections_credentials_is_sealed CHECK (((octet_length(credentials) >= 113) AND (get_byte(credentials, 0) = 1))),
  constraint tax_authority_connections_tokens_is_sealed CHECK (((octet_length(tokens) >= 113) AND (get_byte(tokens, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_tax_authority_connections(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.tax_authority_connections t where t.id = row_id); end $function$;
create table clearances (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  authority text not null,
  environment text,
  status text not null default 'PENDING'::text,
  request jsonb,
  attempts integer not null default 0,
  claimed_until timestamp with time zone,
  next_attempt_at timestamp with time zone,
  submitted_at timestamp with time zone not null default now(),
  decided_at timestamp with time zone,
  number text,
  source text,
  reasons jsonb not null default '[]'::jsonb,
  error text,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint clearances_pkey PRIMARY KEY (organization_id, document_id),
  constraint clearances_authority_check CHECK ((authority <> ''::text)),
  constraint clearances_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint clearances_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'ERROR'::text]))),
  constraint clearances_attempts_check CHECK ((attempts >= 0)),
  constraint clearances_source_check CHECK ((source = ANY (ARRAY['AUTHORITY'::text, 'MANUAL'::text]))),
  constraint clearances_error_check CHECK ((error <> ''::text)),
  constraint approved_with_number CHECK ((((status = 'APPROVED'::text) = (number IS NOT NULL)) AND ((number IS NULL) = (source IS NULL)))),
  constraint decided_with_time CHECK (((status = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text])) = (decided_at IS NOT NULL))),
  constraint rejected_with_reasons CHECK (((status <> 'REJECTED'::text) OR ((error IS NOT NULL) AND (jsonb_array_length(reasons) > 0)))),
  constraint failed_with_error CHECK (((status <> 'ERROR'::text) OR (error IS NOT NULL))),
  constraint request_names_document CHECK (((request IS NULL) OR ((request ->> 'invoice_id'::text) = (document_id)::text))),
  constraint approved_after_request CHECK (((source IS DISTINCT FROM 'AUTHORITY'::text) OR (request IS NOT NULL))),
  constraint clearances_number_check CHECK ((number ~
CASE
    WHEN (authority = 'sg-invoicenow'::text) THEN '^[0-9A-Za-z][0-9A-Za-z._:-]{0,99}$'::text
    ELSE '^[0-9]+$'::text
END))
);
create table employees (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  user_id uuid,
  employee_number text,
  job_title text,
  id_number text,
  email text,
  phone text,
  address text,
  notes text,
  start_date date not null,
  end_date date,
  currency text not null,
  payslip_language text,
  bank_name text,
  bank_code text,
  branch_code text,
  account_number text,
  account_name text,
  account_type text,
  iban text,
  swift_code text,
  routing_number text,
  opening jsonb,
  import_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint employees_pkey PRIMARY KEY (organization_id, id),
  constraint one_employee_per_user UNIQUE (organization_id, user_id),
  constraint one_employee_per_number UNIQUE (organization_id, employee_number),
  constraint employees_employee_number_check CHECK ((employee_number <> ''::text)),
  constraint employees_job_title_check CHECK ((job_title <> ''::text)),
  constraint employees_id_number_check CHECK ((id_number <> ''::text)),
  constraint employees_email_check CHECK ((email <> ''::text)),
  constraint employees_phone_check CHECK ((phone <> ''::text)),
  constraint employees_address_check CHECK ((address <> ''::text)),
  constraint employees_notes_check CHECK ((notes <> ''::text)),
  constraint employees_currency_check CHECK ((currency <> ''::text)),
  constraint employees_payslip_language_check CHECK ((payslip_language = ANY (ARRAY['en'::text, 'he'::text, 'both'::text]))),
  constraint employees_bank_name_check CHECK ((bank_name <> ''::text)),
  constraint employees_bank_code_check CHECK ((bank_code <> ''::text)),
  constraint employees_branch_code_check CHECK ((branch_code <> ''::text)),
  constraint employees_account_number_check CHECK ((account_number <> ''::text)),
  constraint employees_account_name_check CHECK ((account_name <> ''::text)),
  constraint employees_account_type_check CHECK ((account_type = ANY (ARRAY['CHECKING'::text, 'SAVINGS'::text]))),
  constraint employees_iban_check CHECK ((iban <> ''::text)),
  constraint employees_swift_code_check CHECK ((swift_code <> ''::text)),
  constraint employees_routing_number_check CHECK ((routing_number <> ''::text)),
  constraint employees_opening_check CHECK ((jsonb_typeof(opening) = 'object'::text)),
  constraint employed_before_leaving CHECK ((end_date >= start_date))
);
CREATE OR REPLACE FUNCTION public.owner_of_employees(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.employees t where t.id = row_id); end $function$;
create table employee_terms (
  organization_id uuid not null default current_organization(),
  employee_id uuid not null,
  since date not null,
  wage_minor bigint not null,
  facts jsonb not null default '{}'::jsonb,
  changed_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint employee_terms_pkey PRIMARY KEY (organization_id, employee_id, since),
  constraint employee_terms_wage_minor_check CHECK ((wage_minor >= 0)),
  constraint employee_terms_facts_check CHECK ((jsonb_typeof(facts) = 'object'::text))
);
create table payslips (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  employee_id uuid not null,
  month date not null,
  period_start date not null,
  period_end date not null,
  is_final boolean not null,
  gross_minor bigint not null,
  reimbursements_minor bigint not null,
  deductions_minor bigint not null,
  net_minor bigint not null,
  contributions_minor bigint not null,
  wage_minor bigint not null,
  tables text not null,
  facts jsonb not null,
  bases jsonb not null,
  corrections jsonb not null default '{}'::jsonb,
  inputs jsonb not null,
  work jsonb,
  warnings jsonb not null default '[]'::jsonb,
  terms_at timestamp with time zone not null,
  computed_at timestamp with time zone not null default now(),
  voided_at timestamp with time zone,
  constraint payslips_pkey PRIMARY KEY (organization_id, id),
  constraint payslips_reimbursements_minor_check CHECK ((reimbursements_minor >= 0)),
  constraint payslips_wage_minor_check CHECK ((wage_minor >= 0)),
  constraint payslips_tables_check CHECK ((tables <> ''::text)),
  constraint payslip_of_month CHECK (((month = (date_trunc('month'::text, (month)::timestamp with time zone))::date) AND ((period_start >= month) AND (period_start <= period_end)) AND (period_end < ((month + '1 mon'::interval))::date))),
  constraint net_is_gross_less_deductions CHECK (((net_minor = (gross_minor - deductions_minor)) AND (net_minor >= 0)))
);
CREATE OR REPLACE FUNCTION public.owner_of_payslips(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.payslips t where t.id = row_id); end $function$;
create table payslip_lines (
  organization_id uuid not null default current_organization(),
  payslip_id uuid not null,
  "position" smallint not null,
  kind text not null,
  code text not null,
  description text not null,
  amount_minor bigint not null,
  corrects date,
  steps jsonb not null default '[]'::jsonb,
  constraint payslip_lines_pkey PRIMARY KEY (organization_id, payslip_id, "position"),
  constraint payslip_lines_kind_check CHECK ((kind = ANY (ARRAY['EARNING'::text, 'REIMBURSEMENT'::text, 'DEDUCTION'::text, 'CONTRIBUTION'::text]))),
  constraint payslip_lines_code_check CHECK ((code <> ''::text)),
  constraint payslip_lines_description_check CHECK ((description <> ''::text))
);
create table payslip_consents (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payslip_id uuid not null,
  affirmed boolean not null,
  consented_at timestamp with time zone,
  attachment_id uuid,
  final_authorized boolean not null,
  applied_minor bigint not null,
  rule text not null,
  created_by uuid default current_person(),
  created_at timestamp with time zone not null default now(),
  constraint payslip_consents_pkey PRIMARY KEY (organization_id, id),
  constraint payslip_consents_applied_minor_check CHECK ((applied_minor >= 0))
);
CREATE OR REPLACE FUNCTION public.owner_of_payslip_consents(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.payslip_consents t where t.id = row_id); end $function$;
create table leave_claims (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payslip_id uuid not null,
  scheme text not null,
  covers_until date not null,
  constraint leave_claims_pkey PRIMARY KEY (organization_id, id),
  constraint leave_claims_scheme_check CHECK ((scheme <> ''::text))
);
CREATE OR REPLACE FUNCTION public.owner_of_leave_claims(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.leave_claims t where t.id = row_id); end $function$;
create table received_einvoices (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  environment text not null,
  access_point_id text not null,
  sender text,
  outcome text not null,
  reason text,
  expense_id uuid,
  received_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  constraint received_einvoices_pkey PRIMARY KEY (organization_id, id),
  constraint received_einvoices_are_taken_once UNIQUE (organization_id, environment, access_point_id),
  constraint received_einvoices_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'production'::text]))),
  constraint received_einvoices_access_point_id_check CHECK (((length(access_point_id) >= 1) AND (length(access_point_id) <= 200))),
  constraint received_einvoices_sender_check CHECK ((length(sender) <= 200)),
  constraint received_einvoices_outcome_check CHECK ((outcome = ANY (ARRAY['CREATED'::text, 'UNREAD'::text, 'DUPLICATE'::text]))),
  constraint received_einvoices_reason_check CHECK ((length(reason) <= 2000)),
  constraint received_einvoices_say_why CHECK (((outcome = 'CREATED'::text) OR (reason IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_received_einvoices(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.received_einvoices t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.reads_payroll()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(current_setting('app.payroll', true), '') = 'all'
$function$;
CREATE OR REPLACE FUNCTION public.reads_own_payroll()
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select coalesce(current_setting('app.payroll', true), '') in ('all', 'own')
$function$;
CREATE OR REPLACE FUNCTION public.payroll_table(name text, own text, commands text DEFAULT 'all'::text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create policy payroll on %I as restrictive for %s to kontor_confined, kontor_across using ((select current_user = %L or reads_payroll()) or %s)',
    name, commands, current_user, own);
end $function$;
create table automation_secrets (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  value bytea not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  value_key_id uuid generated always as ((encode(SUBSTRING(value FROM 2 FOR 16), 'hex'::text))::uuid) stored,
  constraint automation_secrets_pkey PRIMARY KEY (organization_id, id),
  constraint automation_secrets_organization_id_name_key UNIQUE (organization_id, name),
  constraint automation_secrets_name_check CHECK ((name ~ '^[A-Z][A-Z0-9_]{0,63}$'::text)),
  constraint automation_secrets_value_is_sealed CHECK (((octet_length(value) >= 113) AND (get_byte(value, 0) = 1)))
);
CREATE OR REPLACE FUNCTION public.owner_of_automation_secrets(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.automation_secrets t where t.id = row_id); end $function$;
CREATE OR REPLACE FUNCTION public.own_table(name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform organization_table(name);
  -- The owner of the tables has both roles too.
  execute format('create policy own on %I as restrictive to kontor_confined, kontor_across using ((select current_user = %L) or user_id = (select current_person()))',
    name, current_user);
end $function$;
create table companion_sessions (
  organization_id uuid not null default current_organization(),
  key uuid not null,
  user_id uuid not null default current_person(),
  id text not null,
  title text not null,
  icon text,
  archived boolean not null default false,
  last_seq bigint not null default 0,
  last_index integer not null default 0,
  memory jsonb,
  last_activity_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint companion_sessions_pkey PRIMARY KEY (organization_id, key),
  constraint one_session_per_id UNIQUE (user_id, id),
  constraint companion_sessions_id_check CHECK ((id ~ '^[A-Za-z0-9_-]{1,64}$'::text)),
  constraint companion_sessions_title_check CHECK (((length(title) >= 1) AND (length(title) <= 200))),
  constraint companion_sessions_icon_check CHECK (((length(icon) >= 1) AND (length(icon) <= 100)))
);
create table companion_turns (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  user_id uuid not null default current_person(),
  number integer not null,
  source text not null,
  credential_hash bytea,
  confirms_step_id uuid,
  status text not null default 'RUNNING'::text,
  lease uuid,
  held_until timestamp with time zone,
  error text,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  fed_by text[] not null default '{}'::text[],
  fed_role member_role,
  fed_scopes text[],
  constraint companion_turns_pkey PRIMARY KEY (organization_id, id),
  constraint one_turn_per_number UNIQUE (organization_id, session_key, number),
  constraint companion_turns_source_check CHECK ((source = ANY (ARRAY['SESSION'::text, 'API_KEY'::text, 'OAUTH'::text]))),
  constraint companion_turns_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'CANCELLED'::text]))),
  constraint companion_turns_error_check CHECK ((length(error) <= 2000)),
  constraint held_turns CHECK (((lease IS NULL) = (held_until IS NULL))),
  constraint ended_turns CHECK (((status = 'RUNNING'::text) = (finished_at IS NULL))),
  constraint failed_turns_say_why CHECK (((status <> 'FAILED'::text) OR (error IS NOT NULL))),
  constraint ended_turns_have_no_credential CHECK (((status = 'RUNNING'::text) OR (credential_hash IS NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_companion_turns(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.companion_turns t where t.id = row_id); end $function$;
create table companion_messages (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  user_id uuid not null default current_person(),
  turn_id uuid,
  role text not null,
  index integer not null,
  text text,
  attachments jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint companion_messages_pkey PRIMARY KEY (organization_id, id),
  constraint one_message_per_index UNIQUE (organization_id, session_key, index),
  constraint companion_messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text]))),
  constraint companion_messages_attachments_check CHECK (((attachments IS NULL) OR (jsonb_typeof(attachments) = 'array'::text)))
);
CREATE OR REPLACE FUNCTION public.owner_of_companion_messages(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.companion_messages t where t.id = row_id); end $function$;
create table companion_steps (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  turn_id uuid not null,
  executed_by_turn_id uuid,
  user_id uuid not null default current_person(),
  kind text not null,
  ref text,
  parent_id uuid,
  "order" integer not null,
  input jsonb,
  output jsonb,
  status text not null,
  error text,
  expires_at timestamp with time zone,
  interrupted boolean not null default false,
  created_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  constraint companion_steps_pkey PRIMARY KEY (organization_id, id),
  constraint companion_steps_kind_check CHECK ((kind = ANY (ARRAY['TOOL'::text, 'AGENT'::text, 'WORKFLOW'::text, 'TEXT'::text]))),
  constraint companion_steps_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'RUNNING'::text, 'SUCCEEDED'::text, 'FAILED'::text, 'SKIPPED'::text]))),
  constraint companion_steps_error_check CHECK ((length(error) <= 2000)),
  constraint pending_steps_expire CHECK (((status <> 'PENDING'::text) OR (expires_at IS NOT NULL))),
  constraint ended_steps CHECK (((status = ANY (ARRAY['SUCCEEDED'::text, 'FAILED'::text, 'SKIPPED'::text])) = (finished_at IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_companion_steps(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.companion_steps t where t.id = row_id); end $function$;
create table companion_events (
  organization_id uuid not null default current_organization(),
  session_key uuid not null,
  seq bigint not null,
  user_id uuid not null default current_person(),
  turn_id uuid not null,
  kind text not null,
  step_id uuid,
  delta text,
  data jsonb,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint companion_events_pkey PRIMARY KEY (organization_id, session_key, seq),
  constraint companion_events_kind_check CHECK ((kind = ANY (ARRAY['token'::text, 'step'::text, 'turn'::text]))),
  constraint tokens_have_text CHECK (((kind = 'token'::text) = (delta IS NOT NULL)))
);
create table companion_usage (
  organization_id uuid not null default current_organization(),
  day date not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  updated_at timestamp with time zone not null default now(),
  constraint companion_usage_pkey PRIMARY KEY (organization_id, day),
  constraint companion_usage_input_tokens_check CHECK ((input_tokens >= 0)),
  constraint companion_usage_output_tokens_check CHECK ((output_tokens >= 0)),
  constraint companion_usage_cost_micros_check CHECK ((cost_micros >= 0))
);
create table backup_outcomes (
  outcome text not null,
  ended_at timestamp with time zone not null,
  bytes bigint,
  missing_files bigint,
  reason text,
  notified_at timestamp with time zone,
  constraint backup_outcomes_pkey PRIMARY KEY (outcome),
  constraint backup_outcomes_outcome_check CHECK ((outcome = ANY (ARRAY['GOOD'::text, 'FAILED'::text]))),
  constraint backup_outcomes_bytes_check CHECK ((bytes >= 0)),
  constraint backup_outcomes_missing_files_check CHECK ((missing_files >= 0))
);
create table changes (
  organization_id uuid not null,
  resource text not null,
  object_id uuid not null,
  change text not null,
  user_id uuid,
  created_at timestamp with time zone not null default now(),
  constraint changes_resource_check CHECK ((resource <> ''::text)),
  constraint changes_change_check CHECK ((change = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text])))
);
create table preferences (
  user_id uuid not null,
  value jsonb not null default '{}'::jsonb,
  updated_at timestamp with time zone not null default now(),
  constraint preferences_pkey PRIMARY KEY (user_id),
  constraint preferences_value_check CHECK ((jsonb_typeof(value) = 'object'::text)),
  constraint preferences_within_64_kib CHECK ((octet_length((value)::text) <= 65536))
);
create table views (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  user_id uuid not null default current_person(),
  name text not null,
  screen text not null,
  search text not null default ''::text,
  shared boolean not null default false,
  "position" integer not null default 0,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint views_pkey PRIMARY KEY (id),
  constraint views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint views_screen_check CHECK ((screen ~ '^[a-z][a-z0-9/-]{0,59}$'::text)),
  constraint views_search_check CHECK ((length(search) <= 4000))
);
CREATE OR REPLACE FUNCTION public.owner_of_views(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.views t where t.id = row_id); end $function$;
create type result_line as (organization_id uuid, document_id uuid, event text, day date, direction text, account text, account_id uuid, subject text, home_currency text, face_currency text, home_minor bigint);
create unlogged table journal_results_by_day (
  organization_id uuid not null default current_organization(),
  day date not null,
  kind text not null,
  document_type text not null,
  account_id uuid,
  category_id uuid,
  home_currency text not null,
  face_currency text not null,
  is_plain boolean not null,
  net_minor bigint not null,
  tax_minor bigint not null,
  goods_minor bigint not null,
  rounding_minor bigint not null,
  document_ids uuid[] not null,
  counterparty_ids uuid[] not null,
  nets bigint[] not null,
  taxes bigint[] not null,
  goods bigint[] not null,
  roundings bigint[] not null
);
alter table journal_results_by_day alter column document_ids set storage external;
alter table journal_results_by_day alter column counterparty_ids set storage external;
create unlogged table journal_taxes_by_day (
  organization_id uuid not null default current_organization(),
  day date not null,
  direction text not null,
  rate numeric,
  category text,
  home_currency text not null,
  face_currency text not null,
  is_credit boolean not null,
  is_plain boolean not null,
  is_divided boolean not null,
  charged_minor bigint,
  gross_minor bigint,
  base_minor bigint not null,
  tax_minor bigint not null,
  document_ids uuid[] not null
);
alter table journal_taxes_by_day alter column document_ids set storage external;
create table planned_payments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  counterparty_id uuid,
  currency text not null,
  minor_digits smallint not null,
  amount_minor bigint not null,
  withheld_minor bigint not null default 0,
  due_on date not null,
  method text,
  reference text,
  details jsonb not null,
  bank_account_id uuid,
  shares jsonb not null default '[]'::jsonb,
  receipt text not null default 'NONE'::text,
  status text not null default 'PLANNED'::text,
  problem text,
  created_by uuid not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint planned_payments_pkey PRIMARY KEY (organization_id, id),
  constraint planned_payments_currency_check CHECK ((currency <> ''::text)),
  constraint planned_payments_minor_digits_check CHECK (((minor_digits >= 0) AND (minor_digits <= 4))),
  constraint planned_payments_amount_minor_check CHECK ((amount_minor > 0)),
  constraint planned_payments_check CHECK (((withheld_minor >= 0) AND (withheld_minor <= amount_minor))),
  constraint planned_payments_shares_check CHECK ((jsonb_typeof(shares) = 'array'::text)),
  constraint planned_payments_receipt_check CHECK ((receipt = ANY (ARRAY['NONE'::text, 'WITH_TAX'::text, 'TAX_FREE'::text]))),
  constraint planned_payments_status_check CHECK ((status = ANY (ARRAY['PLANNED'::text, 'RECORDED'::text, 'CANCELLED'::text]))),
  constraint planned_receipt_names_customer CHECK (((receipt = 'NONE'::text) OR (counterparty_id IS NOT NULL)))
);
CREATE OR REPLACE FUNCTION public.owner_of_planned_payments(row_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
AS $function$ begin return (select t.organization_id from public.planned_payments t where t.id = row_id); end $function$;
create table former_addresses (
  user_id uuid not null,
  email text not null,
  changed_at timestamp with time zone not null default now(),
  constraint former_addresses_pkey PRIMARY KEY (user_id, email)
);
create table function_files (
  name text not null,
  checksum text not null,
  version text not null,
  applied_at timestamp with time zone not null default now(),
  constraint function_files_pkey PRIMARY KEY (name)
);
create table graphile_worker.migrations (
  id integer not null,
  ts timestamp with time zone not null default now(),
  breaking boolean not null default false,
  constraint migrations_pkey PRIMARY KEY (id)
);
create table graphile_worker._private_known_crontabs (
  identifier text constraint known_crontabs_identifier_not_null not null,
  known_since timestamp with time zone constraint known_crontabs_known_since_not_null not null,
  last_execution timestamp with time zone,
  constraint known_crontabs_pkey PRIMARY KEY (identifier)
);
create table graphile_worker._private_job_queues (
  id integer constraint job_queues_id_not_null not null generated always as identity (sequence name graphile_worker.job_queues_id_seq),
  queue_name text constraint job_queues_queue_name_not_null1 not null,
  locked_at timestamp with time zone,
  locked_by text,
  is_available boolean constraint job_queues_is_available_not_null not null generated always as ((locked_at IS NULL)) stored,
  constraint job_queues_pkey1 PRIMARY KEY (id),
  constraint job_queues_queue_name_key UNIQUE (queue_name),
  constraint job_queues_queue_name_check CHECK ((length(queue_name) <= 128))
);
create table graphile_worker._private_tasks (
  id integer constraint tasks_id_not_null not null generated always as identity (sequence name graphile_worker.tasks_id_seq),
  identifier text constraint tasks_identifier_not_null not null,
  constraint tasks_pkey PRIMARY KEY (id),
  constraint tasks_identifier_key UNIQUE (identifier),
  constraint tasks_identifier_check CHECK ((length(identifier) <= 128))
);
create table graphile_worker._private_jobs (
  id bigint constraint jobs_id_not_null1 not null generated always as identity (sequence name graphile_worker.jobs_id_seq1),
  job_queue_id integer,
  task_id integer constraint jobs_task_id_not_null not null,
  payload json constraint jobs_payload_not_null1 not null default '{}'::json,
  priority smallint constraint jobs_priority_not_null1 not null default 0,
  run_at timestamp with time zone constraint jobs_run_at_not_null1 not null default now(),
  attempts smallint constraint jobs_attempts_not_null1 not null default 0,
  max_attempts smallint constraint jobs_max_attempts_not_null1 not null default 25,
  last_error text,
  created_at timestamp with time zone constraint jobs_created_at_not_null1 not null default now(),
  updated_at timestamp with time zone constraint jobs_updated_at_not_null1 not null default now(),
  key text,
  locked_at timestamp with time zone,
  locked_by text,
  revision integer constraint jobs_revision_not_null1 not null default 0,
  flags jsonb,
  is_available boolean constraint jobs_is_available_not_null not null generated always as (((locked_at IS NULL) AND (attempts < max_attempts))) stored,
  constraint jobs_pkey1 PRIMARY KEY (id),
  constraint jobs_key_key1 UNIQUE (key),
  constraint jobs_max_attempts_check CHECK ((max_attempts >= 1)),
  constraint jobs_key_check CHECK (((length(key) > 0) AND (length(key) <= 512)))
);
create type graphile_worker.job_spec as (identifier text, payload json, queue_name text, run_at timestamp with time zone, max_attempts smallint, job_key text, priority smallint, flags text[]);
CREATE OR REPLACE FUNCTION graphile_worker.add_job(identifier text, payload json DEFAULT NULL::json, queue_name text DEFAULT NULL::text, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, max_attempts integer DEFAULT NULL::integer, job_key text DEFAULT NULL::text, priority integer DEFAULT NULL::integer, flags text[] DEFAULT NULL::text[], job_key_mode text DEFAULT 'replace'::text)
 RETURNS graphile_worker._private_jobs
 LANGUAGE plpgsql
AS $function$
declare
  v_job "graphile_worker"._private_jobs;
begin
  if (job_key is null or job_key_mode is null or job_key_mode in ('replace', 'preserve_run_at')) then
    select * into v_job
    from "graphile_worker".add_jobs(
      ARRAY[(
        identifier,
        payload,
        queue_name,
        run_at,
        max_attempts::smallint,
        job_key,
        priority::smallint,
        flags
      )::"graphile_worker".job_spec],
      (job_key_mode = 'preserve_run_at')
    )
    limit 1;
    return v_job;
  elsif job_key_mode = 'unsafe_dedupe' then
    -- Ensure all the tasks exist
    insert into "graphile_worker"._private_tasks as tasks (identifier)
    values (add_job.identifier)
    on conflict do nothing;
    -- Ensure all the queues exist
    if add_job.queue_name is not null then
      insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
      values (add_job.queue_name)
      on conflict do nothing;
    end if;
    -- Insert job, but if one already exists then do nothing, even if the
    -- existing job has already started (and thus represents an out-of-date
    -- world state). This is dangerous because it means that whatever state
    -- change triggered this add_job may not be acted upon (since it happened
    -- after the existing job started executing, but no further job is being
    -- scheduled), but it is useful in very rare circumstances for
    -- de-duplication. If in doubt, DO NOT USE THIS.
    insert into "graphile_worker"._private_jobs as jobs (
      job_queue_id,
      task_id,
      payload,
      run_at,
      max_attempts,
      key,
      priority,
      flags
    )
      select
        job_queues.id,
        tasks.id,
        coalesce(add_job.payload, '{}'::json),
        coalesce(add_job.run_at, now()),
        coalesce(add_job.max_attempts::smallint, 25::smallint),
        add_job.job_key,
        coalesce(add_job.priority::smallint, 0::smallint),
        (
          select jsonb_object_agg(flag, true)
          from unnest(add_job.flags) as item(flag)
        )
      from "graphile_worker"._private_tasks as tasks
      left join "graphile_worker"._private_job_queues as job_queues
      on job_queues.queue_name = add_job.queue_name
      where tasks.identifier = add_job.identifier
    on conflict (key)
      -- Bump the updated_at so that there's something to return
      do update set
        revision = jobs.revision + 1,
        updated_at = now()
      returning *
      into v_job;
    if v_job.revision = 0 then
      perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":1}');
    end if;
    return v_job;
  else
    raise exception 'Invalid job_key_mode value, expected ''replace'', ''preserve_run_at'' or ''unsafe_dedupe''.' using errcode = 'GWBKM';
  end if;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.add_jobs(specs graphile_worker.job_spec[], job_key_preserve_run_at boolean DEFAULT false)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE plpgsql
AS $function$
begin
  -- Ensure all the tasks exist
  insert into "graphile_worker"._private_tasks as tasks (identifier)
  select distinct spec.identifier
  from unnest(specs) spec
  on conflict do nothing;
  -- Ensure all the queues exist
  insert into "graphile_worker"._private_job_queues as job_queues (queue_name)
  select distinct spec.queue_name
  from unnest(specs) spec
  where spec.queue_name is not null
  on conflict do nothing;
  -- Ensure any locked jobs have their key cleared - in the case of locked
  -- existing job create a new job instead as it must have already started
  -- executing (i.e. it's world state is out of date, and the fact add_job
  -- has been called again implies there's new information that needs to be
  -- acted upon).
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  from unnest(specs) spec
  where spec.job_key is not null
  and jobs.key = spec.job_key
  and is_available is not true;

  -- WARNING: this count is not 100% accurate; 'on conflict' clause will cause it to be an overestimate
  perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":' || array_length(specs, 1)::text || '}');

  -- TODO: is there a risk that a conflict could occur depending on the
  -- isolation level?
  return query insert into "graphile_worker"._private_jobs as jobs (
    job_queue_id,
    task_id,
    payload,
    run_at,
    max_attempts,
    key,
    priority,
    flags
  )
    select
      job_queues.id,
      tasks.id,
      coalesce(spec.payload, '{}'::json),
      coalesce(spec.run_at, now()),
      coalesce(spec.max_attempts, 25),
      spec.job_key,
      coalesce(spec.priority, 0),
      (
        select jsonb_object_agg(flag, true)
        from unnest(spec.flags) as item(flag)
      )
    from unnest(specs) spec
    inner join "graphile_worker"._private_tasks as tasks
    on tasks.identifier = spec.identifier
    left join "graphile_worker"._private_job_queues as job_queues
    on job_queues.queue_name = spec.queue_name
  on conflict (key) do update set
    job_queue_id = excluded.job_queue_id,
    task_id = excluded.task_id,
    payload =
      case
      when json_typeof(jobs.payload) = 'array' and json_typeof(excluded.payload) = 'array' then
        (jobs.payload::jsonb || excluded.payload::jsonb)::json
      else
        excluded.payload
      end,
    max_attempts = excluded.max_attempts,
    run_at = (case
      when job_key_preserve_run_at is true and jobs.attempts = 0 then jobs.run_at
      else excluded.run_at
    end),
    priority = excluded.priority,
    revision = jobs.revision + 1,
    flags = excluded.flags,
    -- always reset error/retry state
    attempts = 0,
    last_error = null,
    updated_at = now()
  where jobs.locked_at is null
  returning *;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.complete_jobs(job_ids bigint[])
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  delete from "graphile_worker"._private_jobs as jobs
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < now() - interval '4 hours'
    )
    returning *;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.force_unlock_workers(worker_ids text[])
 RETURNS void
 LANGUAGE sql
AS $function$
update "graphile_worker"._private_jobs as jobs
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
update "graphile_worker"._private_job_queues as job_queues
set locked_at = null, locked_by = null
where locked_by = any(worker_ids);
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.permanently_fail_jobs(job_ids bigint[], error_message text DEFAULT NULL::text)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  update "graphile_worker"._private_jobs as jobs
    set
      last_error = coalesce(error_message, 'Manually marked as failed'),
      attempts = max_attempts,
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.remove_job(job_key text)
 RETURNS graphile_worker._private_jobs
 LANGUAGE plpgsql
 STRICT
AS $function$
declare
  v_job "graphile_worker"._private_jobs;
begin
  -- Delete job if not locked
  delete from "graphile_worker"._private_jobs as jobs
    where key = job_key
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
  returning * into v_job;
  if not (v_job is null) then
    perform pg_notify('jobs:insert', '{"r":' || random()::text || ',"count":-1}');
    return v_job;
  end if;
  -- Otherwise prevent job from retrying, and clear the key
  update "graphile_worker"._private_jobs as jobs
  set
    key = null,
    attempts = jobs.max_attempts,
    updated_at = now()
  where key = job_key
  returning * into v_job;
  return v_job;
end;
$function$;
CREATE OR REPLACE FUNCTION graphile_worker.reschedule_jobs(job_ids bigint[], run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, priority integer DEFAULT NULL::integer, attempts integer DEFAULT NULL::integer, max_attempts integer DEFAULT NULL::integer)
 RETURNS SETOF graphile_worker._private_jobs
 LANGUAGE sql
AS $function$
  update "graphile_worker"._private_jobs as jobs
    set
      run_at = coalesce(reschedule_jobs.run_at, jobs.run_at),
      priority = coalesce(reschedule_jobs.priority::smallint, jobs.priority),
      attempts = coalesce(reschedule_jobs.attempts::smallint, jobs.attempts),
      max_attempts = coalesce(reschedule_jobs.max_attempts::smallint, jobs.max_attempts),
      updated_at = now()
    where id = any(job_ids)
    and (
      locked_at is null
    or
      locked_at < NOW() - interval '4 hours'
    )
    returning *;
$function$;
create view graphile_worker.jobs as
 SELECT jobs.id,
    job_queues.queue_name,
    tasks.identifier AS task_identifier,
    jobs.priority,
    jobs.run_at,
    jobs.attempts,
    jobs.max_attempts,
    jobs.last_error,
    jobs.created_at,
    jobs.updated_at,
    jobs.key,
    jobs.locked_at,
    jobs.locked_by,
    jobs.revision,
    jobs.flags
   FROM ((graphile_worker._private_jobs jobs
     JOIN graphile_worker._private_tasks tasks ON ((tasks.id = jobs.task_id)))
     LEFT JOIN graphile_worker._private_job_queues job_queues ON ((job_queues.id = jobs.job_queue_id)));


-- Rows that migrations insert

insert into ledger_kinds (kind, direction, payment_direction, document_types, unbilled_types, statuses, draft_statuses, payable_statuses, transitions, open_status, sent_status, numbered, frozen_when_final, frozen_when_paid, pays_lines, counterparty_needed, balance_account, result_account, final_events, advances_account) overriding system value values
  ('SALES', 'OUTGOING', 'OUTGOING', '{INVOICE,RECEIPT,INVOICE_RECEIPT,PAYMENT_REQUEST,CREDIT_MEMO,DEBIT_MEMO}', '{RECEIPT,PAYMENT_REQUEST}', '{DRAFT,UNSENT,SENT,PAID}', '{DRAFT}', '{UNSENT,SENT,PAID}', '{"PAID": [], "SENT": ["PAID"], "DRAFT": ["UNSENT", "SENT", "PAID"], "UNSENT": ["SENT", "PAID"]}', 'UNSENT', 'SENT', 'true', '{document_type,counterparty_id,counterparty_name,currency,minor_digits,exchange_rate,rate_currency,rate_date,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{}', 'false', 'true', 'RECEIVABLES', 'REVENUE', '{invoice.issued,receipt.issued}', 'PREPAYMENTS'),
  ('EXPENSE', 'INCOMING', 'INCOMING', '{EXPENSE,CREDIT_MEMO}', '{}', '{DRAFT,PENDING_REVIEW,APPROVED,REJECTED}', '{DRAFT,PENDING_REVIEW,REJECTED}', '{DRAFT,PENDING_REVIEW,APPROVED}', '{"DRAFT": ["PENDING_REVIEW", "APPROVED", "REJECTED"], "APPROVED": ["PENDING_REVIEW"], "REJECTED": ["DRAFT"], "PENDING_REVIEW": ["DRAFT", "APPROVED", "REJECTED"]}', null, null, 'false', '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{counterparty_id,currency,minor_digits}', 'false', 'false', 'PAYABLES', 'EXPENSES', '{expense.approved,expense.credited}', 'PREPAYMENTS'),
  ('PAYSLIP', 'INCOMING', 'INCOMING', '{PAYSLIP}', '{}', '{DRAFT,APPROVED,PAID,VOID}', '{DRAFT}', '{DRAFT,APPROVED,PAID}', '{"PAID": ["VOID"], "VOID": [], "DRAFT": ["APPROVED", "PAID"], "APPROVED": ["PAID", "VOID"]}', 'APPROVED', null, 'false', '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{counterparty_id,currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}', 'true', 'true', 'PAYROLL_PAYABLES', 'PAYROLL', '{payslip.approved}', 'PAYROLL_PAYABLES'),
  ('LEAVE_CLAIM', 'OUTGOING', 'OUTGOING', '{LEAVE_CLAIM}', '{}', '{DRAFT,OPEN,PAID,VOID}', '{DRAFT}', '{DRAFT,OPEN,PAID}', '{"OPEN": ["PAID", "VOID"], "PAID": [], "VOID": [], "DRAFT": ["OPEN"]}', 'OPEN', null, 'false', '{document_type,counterparty_id,currency,minor_digits,issue_date,subtotal_minor,tax_minor,total_minor,tax_rate,source_document_id,payment_id,lines}', '{counterparty_id,currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}', 'false', 'true', 'PAYROLL_PAYABLES', 'PAYROLL', '{}', 'PAYROLL_PAYABLES');
insert into official_document_types (country, registered, document_type, official_type, series, title_en, title_he) overriding system value values
  ('IL', 'true', 'INVOICE', '305', 'INVOICE', 'Tax Invoice', 'חשבונית מס'),
  ('IL', 'true', 'INVOICE_RECEIPT', '320', 'INVOICE_RECEIPT', 'Tax Invoice / Receipt', 'חשבונית מס / קבלה'),
  ('IL', 'true', 'RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', 'true', 'PAYMENT_REQUEST', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', 'true', 'CREDIT_MEMO', '330', 'CREDIT_MEMO', 'Credit Tax Invoice', 'חשבונית מס זיכוי'),
  ('IL', 'true', 'DEBIT_MEMO', '305', 'INVOICE', 'Tax Invoice', 'חשבונית מס'),
  ('IL', 'false', 'INVOICE', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', 'false', 'INVOICE_RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', 'false', 'RECEIPT', '400', 'RECEIPT', 'Receipt', 'קבלה'),
  ('IL', 'false', 'PAYMENT_REQUEST', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('IL', 'false', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Notice', 'הודעת זיכוי'),
  ('IL', 'false', 'DEBIT_MEMO', '300', 'PAYMENT_REQUEST', 'Transaction Invoice', 'חשבונית עסקה'),
  ('SG', 'true', 'INVOICE', 'INVOICE', 'INVOICE', 'Tax Invoice', 'Tax Invoice'),
  ('SG', 'true', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Tax Invoice / Receipt', 'Tax Invoice / Receipt'),
  ('SG', 'true', 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('SG', 'true', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('SG', 'true', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Note', 'Credit Note'),
  ('SG', 'true', 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Note', 'Debit Note'),
  ('SG', 'false', 'INVOICE', 'INVOICE', 'INVOICE', 'Invoice', 'Invoice'),
  ('SG', 'false', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Invoice / Receipt', 'Invoice / Receipt'),
  ('SG', 'false', 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('SG', 'false', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('SG', 'false', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Note', 'Credit Note'),
  ('SG', 'false', 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Note', 'Debit Note'),
  ('US', 'true', 'INVOICE', 'INVOICE', 'INVOICE', 'Invoice', 'Invoice'),
  ('US', 'true', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'INVOICE_RECEIPT', 'Invoice / Receipt', 'Invoice / Receipt'),
  ('US', 'true', 'RECEIPT', 'RECEIPT', 'RECEIPT', 'Receipt', 'Receipt'),
  ('US', 'true', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'PAYMENT_REQUEST', 'Payment Request', 'Payment Request'),
  ('US', 'true', 'CREDIT_MEMO', 'CREDIT_MEMO', 'CREDIT_MEMO', 'Credit Memo', 'Credit Memo'),
  ('US', 'true', 'DEBIT_MEMO', 'DEBIT_MEMO', 'DEBIT_MEMO', 'Debit Memo', 'Debit Memo');
insert into default_accounts (country, code, name, name_he, type, purpose, tax_categories, categories) overriding system value values
  ('IL', '1000', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH', '{}', '{}'),
  ('IL', '1010', 'Petty cash', 'קופה קטנה', 'ASSET', null, '{}', '{}'),
  ('IL', '1020', 'Cheques for collection', 'שיקים לגבייה', 'ASSET', null, '{}', '{}'),
  ('IL', '1100', 'Trade receivables', 'לקוחות', 'ASSET', 'RECEIVABLES', '{}', '{}'),
  ('IL', '1200', 'Advances to suppliers', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES', '{}', '{}'),
  ('IL', '1300', 'Input VAT', 'מע"מ תשומות', 'ASSET', 'INPUT_TAX', '{}', '{}'),
  ('IL', '1310', 'Input VAT on equipment', 'מע"מ תשומות ציוד', 'ASSET', null, '{}', '{}'),
  ('IL', '1320', 'Tax withheld by customers', 'ניכוי מס במקור מלקוחות', 'ASSET', 'WITHHOLDING', '{}', '{}'),
  ('IL', '1330', 'Income tax advances', 'מקדמות מס הכנסה', 'ASSET', null, '{}', '{}'),
  ('IL', '1400', 'Prepaid expenses', 'הוצאות מראש', 'ASSET', null, '{}', '{}'),
  ('IL', '1500', 'Equipment', 'ציוד', 'ASSET', null, '{}', '{}'),
  ('IL', '1590', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null, '{}', '{}'),
  ('IL', '2000', 'Trade payables', 'ספקים', 'LIABILITY', 'PAYABLES', '{}', '{}'),
  ('IL', '2100', 'Customer credits and advances', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS', '{}', '{}'),
  ('IL', '2200', 'Output VAT', 'מע"מ עסקאות', 'LIABILITY', 'OUTPUT_TAX', '{}', '{}'),
  ('IL', '2210', 'VAT payable', 'מע"מ לתשלום', 'LIABILITY', null, '{}', '{}'),
  ('IL', '2300', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED', '{}', '{}'),
  ('IL', '2400', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES', '{}', '{}'),
  ('IL', '2410', 'National Insurance payable', 'ביטוח לאומי לשלם', 'LIABILITY', null, '{}', '{}'),
  ('IL', '2500', 'Loans', 'הלוואות', 'LIABILITY', null, '{}', '{}'),
  ('IL', '3000', 'Share capital', 'הון מניות', 'EQUITY', null, '{}', '{}'),
  ('IL', '3100', 'Retained earnings', 'עודפים', 'EQUITY', null, '{}', '{}'),
  ('IL', '3200', 'Drawings of owners', 'משיכות בעלים', 'EQUITY', null, '{}', '{}'),
  ('IL', '3900', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES', '{}', '{}'),
  ('IL', '4000', 'Sales', 'הכנסות ממכירות ושירותים', 'INCOME', 'REVENUE', '{}', '{}'),
  ('IL', '4900', 'Other income', 'הכנסות אחרות', 'INCOME', null, '{}', '{}'),
  ('IL', '4910', 'Interest income', 'הכנסות ריבית', 'INCOME', null, '{}', '{}'),
  ('IL', '6000', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES', '{}', '{}'),
  ('IL', '6080', 'Depreciation', 'פחת', 'EXPENSE', null, '{}', '{}'),
  ('IL', '6100', 'Wages', 'שכר עבודה', 'EXPENSE', 'PAYROLL', '{}', '{}'),
  ('IL', '6110', 'Social insurance of employees', 'הוצאות סוציאליות', 'EXPENSE', null, '{}', '{}'),
  ('IL', '7000', 'Bank charges', 'עמלות בנק', 'EXPENSE', null, '{}', '{}'),
  ('IL', '7010', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null, '{}', '{}'),
  ('IL', '7100', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES', '{}', '{}'),
  ('IL', '7900', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING', '{}', '{}'),
  ('IL', '8000', 'Income tax', 'מס הכנסה', 'EXPENSE', null, '{}', '{}'),
  ('SG', '200', 'Sales', 'מכירות', 'INCOME', 'REVENUE', '{}', '{}'),
  ('SG', '260', 'Other income', 'הכנסות אחרות', 'INCOME', null, '{}', '{}'),
  ('SG', '270', 'Interest income', 'הכנסות ריבית', 'INCOME', null, '{}', '{}'),
  ('SG', '404', 'Bank fees', 'עמלות בנק', 'EXPENSE', null, '{}', '{}'),
  ('SG', '416', 'Depreciation', 'פחת', 'EXPENSE', null, '{}', '{}'),
  ('SG', '429', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES', '{}', '{}'),
  ('SG', '437', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null, '{}', '{}'),
  ('SG', '477', 'Salaries', 'שכר עבודה', 'EXPENSE', 'PAYROLL', '{}', '{}'),
  ('SG', '478', 'CPF contributions', 'הפרשות CPF', 'EXPENSE', null, '{}', '{}'),
  ('SG', '497', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES', '{}', '{}'),
  ('SG', '505', 'Corporate tax', 'מס חברות', 'EXPENSE', null, '{}', '{}'),
  ('SG', '600', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH', '{}', '{}'),
  ('SG', '605', 'Petty cash', 'קופה קטנה', 'ASSET', null, '{}', '{}'),
  ('SG', '610', 'Accounts receivable', 'לקוחות', 'ASSET', 'RECEIVABLES', '{}', '{}'),
  ('SG', '620', 'Prepayments to suppliers', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES', '{}', '{}'),
  ('SG', '625', 'Tax withheld by customers', 'מס שנוכה במקור מלקוחות', 'ASSET', 'WITHHOLDING', '{}', '{}'),
  ('SG', '640', 'GST input tax', 'GST תשומות', 'ASSET', 'INPUT_TAX', '{}', '{}'),
  ('SG', '710', 'Office equipment', 'ציוד משרדי', 'ASSET', null, '{}', '{}'),
  ('SG', '711', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null, '{}', '{}'),
  ('SG', '800', 'Accounts payable', 'ספקים', 'LIABILITY', 'PAYABLES', '{}', '{}'),
  ('SG', '805', 'Customer credits and deposits', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS', '{}', '{}'),
  ('SG', '810', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED', '{}', '{}'),
  ('SG', '820', 'GST output tax', 'GST עסקאות', 'LIABILITY', 'OUTPUT_TAX', '{}', '{}'),
  ('SG', '825', 'CPF payable', 'CPF לתשלום', 'LIABILITY', null, '{}', '{}'),
  ('SG', '830', 'Income tax payable', 'מס הכנסה לשלם', 'LIABILITY', null, '{}', '{}'),
  ('SG', '840', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES', '{}', '{}'),
  ('SG', '860', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING', '{}', '{}'),
  ('SG', '900', 'Loans', 'הלוואות', 'LIABILITY', null, '{}', '{}'),
  ('SG', '950', 'Share capital', 'הון מניות', 'EQUITY', null, '{}', '{}'),
  ('SG', '960', 'Retained earnings', 'עודפים', 'EQUITY', null, '{}', '{}'),
  ('SG', '970', 'Funds of the owner', 'חשבון בעלים', 'EQUITY', null, '{}', '{}'),
  ('SG', '999', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES', '{}', '{}'),
  ('US', '1000', 'Cash and bank', 'מזומנים ובנקים', 'ASSET', 'CASH', '{}', '{}'),
  ('US', '1050', 'Petty cash', 'קופה קטנה', 'ASSET', null, '{}', '{}'),
  ('IL', '6010', 'Office', 'הוצאות משרד', 'EXPENSE', null, '{}', '{Office}'),
  ('IL', '6020', 'Software', 'תוכנה', 'EXPENSE', null, '{}', '{Software}'),
  ('IL', '5000', 'Cost of sales', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD', '{}', '{}'),
  ('SG', '630', 'Inventory', 'מלאי', 'ASSET', 'STOCK', '{}', '{}'),
  ('SG', '310', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD', '{}', '{}'),
  ('US', '1200', 'Accounts receivable', 'לקוחות', 'ASSET', 'RECEIVABLES', '{}', '{}'),
  ('US', '1400', 'Advances to vendors', 'מקדמות לספקים', 'ASSET', 'SUPPLIER_ADVANCES', '{}', '{}'),
  ('US', '1410', 'Prepaid expenses', 'הוצאות מראש', 'ASSET', null, '{}', '{}'),
  ('US', '1450', 'Recoverable tax on purchases', 'מס תשומות', 'ASSET', 'INPUT_TAX', '{}', '{}'),
  ('US', '1460', 'Tax withheld by customers', 'מס שנוכה במקור מלקוחות', 'ASSET', 'WITHHOLDING', '{}', '{}'),
  ('US', '1500', 'Equipment', 'ציוד', 'ASSET', null, '{}', '{}'),
  ('US', '1590', 'Accumulated depreciation', 'פחת נצבר', 'ASSET', null, '{}', '{}'),
  ('US', '2000', 'Accounts payable', 'ספקים', 'LIABILITY', 'PAYABLES', '{}', '{}'),
  ('US', '2100', 'Customer credits and deposits', 'יתרות זכות ומקדמות מלקוחות', 'LIABILITY', 'CUSTOMER_CREDITS', '{}', '{}'),
  ('US', '2200', 'Sales tax payable', 'מס מכירה לשלם', 'LIABILITY', 'OUTPUT_TAX', '{}', '{}'),
  ('US', '2250', 'Payment requests not invoiced', 'דרישות תשלום שטרם חויבו', 'LIABILITY', 'UNBILLED', '{}', '{}'),
  ('US', '2300', 'Wages payable', 'שכר לשלם', 'LIABILITY', 'PAYROLL_PAYABLES', '{}', '{}'),
  ('US', '2310', 'Payroll taxes payable', 'מסי שכר לשלם', 'LIABILITY', null, '{}', '{}'),
  ('US', '2400', 'Credit cards', 'כרטיסי אשראי', 'LIABILITY', null, '{}', '{}'),
  ('US', '2500', 'Loans', 'הלוואות', 'LIABILITY', null, '{}', '{}'),
  ('US', '3000', 'Common stock', 'הון מניות', 'EQUITY', null, '{}', '{}'),
  ('US', '3100', 'Retained earnings', 'עודפים', 'EQUITY', null, '{}', '{}'),
  ('US', '3200', 'Distributions to owners', 'משיכות בעלים', 'EQUITY', null, '{}', '{}'),
  ('US', '3900', 'Opening balances', 'יתרות פתיחה', 'EQUITY', 'OPENING_BALANCES', '{}', '{}'),
  ('US', '4000', 'Sales', 'מכירות', 'INCOME', 'REVENUE', '{}', '{}'),
  ('US', '4900', 'Other income', 'הכנסות אחרות', 'INCOME', null, '{}', '{}'),
  ('US', '6000', 'General expenses', 'הוצאות כלליות', 'EXPENSE', 'EXPENSES', '{}', '{}'),
  ('US', '6020', 'Bank charges', 'עמלות בנק', 'EXPENSE', null, '{}', '{}'),
  ('US', '6030', 'Depreciation', 'פחת', 'EXPENSE', null, '{}', '{}'),
  ('US', '6100', 'Wages', 'שכר עבודה', 'EXPENSE', 'PAYROLL', '{}', '{}'),
  ('US', '6110', 'Payroll taxes', 'מסי שכר', 'EXPENSE', null, '{}', '{}'),
  ('US', '7000', 'Interest expense', 'הוצאות ריבית', 'EXPENSE', null, '{}', '{}'),
  ('US', '7100', 'Exchange differences', 'הפרשי שער', 'EXPENSE', 'EXCHANGE_DIFFERENCES', '{}', '{}'),
  ('US', '7900', 'Rounding', 'הפרשי עיגול', 'EXPENSE', 'ROUNDING', '{}', '{}'),
  ('US', '8000', 'Income taxes', 'מסי הכנסה', 'EXPENSE', null, '{}', '{}'),
  ('IL', '4010', 'Sales at zero rate and exempt', 'הכנסות פטורות ובשיעור אפס', 'INCOME', null, '{ZR,Z,ZERO,ZERO_RATE,ZERO_RATED,EXEMPT,E}', '{}'),
  ('SG', '210', 'Zero-rated and exempt sales', 'מכירות בשיעור אפס ופטורות', 'INCOME', null, '{ZR,ES33,ESN33}', '{}'),
  ('US', '4100', 'Non-taxable sales', 'מכירות שאינן חייבות במס', 'INCOME', null, '{EXEMPT,RESALE,NON_TAXABLE,NONTAXABLE}', '{}'),
  ('IL', '6030', 'Travel', 'נסיעות', 'EXPENSE', null, '{}', '{Travel}'),
  ('IL', '6040', 'Meals and refreshments', 'כיבוד ואירוח', 'EXPENSE', null, '{}', '{Meals}'),
  ('IL', '6050', 'Marketing', 'פרסום ושיווק', 'EXPENSE', null, '{}', '{Marketing}'),
  ('IL', '6060', 'Professional services', 'שירותים מקצועיים', 'EXPENSE', null, '{}', '{"Professional services"}'),
  ('IL', '6070', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null, '{}', '{"Rent and utilities"}'),
  ('SG', '400', 'Advertising', 'פרסום ושיווק', 'EXPENSE', null, '{}', '{Marketing}'),
  ('SG', '412', 'Consulting and accounting', 'שירותים מקצועיים', 'EXPENSE', null, '{}', '{"Professional services"}'),
  ('SG', '420', 'Entertainment', 'כיבוד ואירוח', 'EXPENSE', null, '{}', '{Meals}'),
  ('SG', '453', 'Office expenses', 'הוצאות משרד', 'EXPENSE', null, '{}', '{Office}'),
  ('SG', '463', 'Software and IT', 'תוכנה ומחשוב', 'EXPENSE', null, '{}', '{Software}'),
  ('SG', '469', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null, '{}', '{"Rent and utilities"}'),
  ('SG', '493', 'Travel', 'נסיעות', 'EXPENSE', null, '{}', '{Travel}'),
  ('US', '6010', 'Advertising', 'פרסום ושיווק', 'EXPENSE', null, '{}', '{Marketing}'),
  ('US', '6040', 'Meals', 'כיבוד ואירוח', 'EXPENSE', null, '{}', '{Meals}'),
  ('US', '6050', 'Office', 'הוצאות משרד', 'EXPENSE', null, '{}', '{Office}'),
  ('US', '6060', 'Professional fees', 'שירותים מקצועיים', 'EXPENSE', null, '{}', '{"Professional services"}'),
  ('US', '6070', 'Rent and utilities', 'שכירות ואחזקה', 'EXPENSE', null, '{}', '{"Rent and utilities"}'),
  ('US', '6080', 'Software', 'תוכנה', 'EXPENSE', null, '{}', '{Software}'),
  ('US', '6090', 'Travel', 'נסיעות', 'EXPENSE', null, '{}', '{Travel}'),
  ('IL', '2220', 'Tax withheld from suppliers', 'ניכוי מס במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE', '{}', '{}'),
  ('SG', '835', 'Tax withheld from suppliers', 'מס שנוכה במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE', '{}', '{}'),
  ('US', '2320', 'Tax withheld from vendors', 'מס שנוכה במקור מספקים', 'LIABILITY', 'WITHHOLDING_PAYABLE', '{}', '{}'),
  ('IL', '1600', 'Stock', 'מלאי', 'ASSET', 'STOCK', '{}', '{}'),
  ('IL', '2050', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED', '{}', '{}'),
  ('IL', '5100', 'Stock adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS', '{}', '{}'),
  ('SG', '802', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED', '{}', '{}'),
  ('SG', '320', 'Inventory adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS', '{}', '{}'),
  ('US', '1300', 'Inventory', 'מלאי', 'ASSET', 'STOCK', '{}', '{}'),
  ('US', '2050', 'Goods received, not billed', 'טובין שהתקבלו וטרם חויבו', 'LIABILITY', 'GOODS_RECEIVED', '{}', '{}'),
  ('US', '5000', 'Cost of goods sold', 'עלות המכר', 'EXPENSE', 'COST_OF_GOODS_SOLD', '{}', '{}'),
  ('US', '5100', 'Inventory adjustments', 'התאמות מלאי', 'EXPENSE', 'STOCK_ADJUSTMENTS', '{}', '{}');
insert into graphile_worker.migrations (id, breaking) overriding system value values
  ('1', 'true'),
  ('2', 'false'),
  ('3', 'true'),
  ('4', 'false'),
  ('5', 'false'),
  ('6', 'false'),
  ('7', 'false'),
  ('8', 'false'),
  ('9', 'false'),
  ('10', 'false'),
  ('11', 'true'),
  ('12', 'false'),
  ('13', 'true'),
  ('14', 'true'),
  ('15', 'false'),
  ('16', 'true'),
  ('17', 'false'),
  ('18', 'false'),
  ('19', 'true');


-- Indexes and keys, in the order in which the migrations made them

CREATE UNIQUE INDEX one_user_per_email ON public.users USING btree (lower(email));
CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);
CREATE INDEX organizations_registration_number_country_idx ON public.organizations USING btree (registration_number, country) WHERE (registration_number IS NOT NULL);
CREATE INDEX memberships_user_id_idx ON public.memberships USING btree (user_id);
CREATE INDEX api_keys_user_id_created_at_idx ON public.api_keys USING btree (user_id, created_at);
CREATE INDEX api_key_organizations_organization_id_user_id_idx ON public.api_key_organizations USING btree (organization_id, user_id);
CREATE INDEX audit_log_organization_id_created_at_id_idx ON public.audit_log USING btree (organization_id, created_at DESC, id DESC) WHERE (organization_id IS NOT NULL);
CREATE INDEX audit_log_user_id_created_at_id_idx ON public.audit_log USING btree (user_id, created_at DESC, id DESC) WHERE (organization_id IS NULL);
CREATE INDEX idempotency_keys_created_at_idx ON public.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_user_id_idx ON public.idempotency_keys USING btree (user_id);
CREATE INDEX idempotency_keys_organization_id_idx ON public.idempotency_keys USING btree (organization_id);
CREATE INDEX rate_buckets_tat_idx ON public.rate_buckets USING btree (tat);
CREATE INDEX customers_id_idx ON public.customers USING btree (id);
CREATE UNIQUE INDEX one_recipient_per_email ON public.customer_recipients USING btree (organization_id, customer_id, lower(email));
CREATE INDEX bank_accounts_id_idx ON public.bank_accounts USING btree (id);
CREATE UNIQUE INDEX one_default_bank_account ON public.bank_accounts USING btree (organization_id) WHERE is_default;
CREATE INDEX expense_categories_id_idx ON public.expense_categories USING btree (id);
CREATE INDEX expense_categories_organization_id_lower_id_idx ON public.expense_categories USING btree (organization_id, lower(name), id);
CREATE INDEX failed_jobs_organization_id_idx ON public.failed_jobs USING btree (organization_id);
CREATE INDEX failed_jobs_created_at_idx ON public.failed_jobs USING btree (created_at);
CREATE INDEX failed_jobs_job_idx ON public.failed_jobs USING btree (job);
CREATE UNIQUE INDEX one_current_key ON public.organization_keys USING btree (organization_id) WHERE (retired_at IS NULL);
CREATE INDEX organization_keys_kek_id_idx ON public.organization_keys USING btree (kek_id);
CREATE INDEX organization_keys_retired_at_idx ON public.organization_keys USING btree (retired_at) WHERE (retired_at IS NOT NULL);
CREATE INDEX mail_deliveries_id_idx ON public.mail_deliveries USING btree (id);
CREATE INDEX mail_deliveries_organization_id_created_at_id_idx ON public.mail_deliveries USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX mail_deliveries_status_idx ON public.mail_deliveries USING btree (status) WHERE (status <> 'SENT'::text);
CREATE INDEX mail_deliveries_created_at_idx ON public.mail_deliveries USING btree (created_at) WHERE (status = 'QUEUED'::text);
CREATE INDEX mail_deliveries_created_at_idx1 ON public.mail_deliveries USING btree (created_at) WHERE (status <> 'QUEUED'::text);
CREATE INDEX outbox_id_idx ON public.outbox USING btree (id);
CREATE INDEX outbox_organization_id_created_at_id_idx ON public.outbox USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX files_id_idx ON public.files USING btree (id);
CREATE INDEX files_storage_key_idx ON public.files USING btree (storage_key);
CREATE INDEX files_created_by_idx ON public.files USING btree (created_by);
CREATE INDEX users_id_idx ON public.users USING btree (id) WHERE (digest <> 'NONE'::text);
CREATE INDEX audit_log_organization_id_user_id_created_at_id_idx ON public.audit_log USING btree (organization_id, user_id, created_at DESC, id DESC) WHERE (organization_id IS NOT NULL);
CREATE INDEX audit_log_organization_id_object_id_created_at_id_idx ON public.audit_log USING btree (organization_id, object_id, created_at DESC, id DESC) WHERE (organization_id IS NOT NULL);
CREATE UNIQUE INDEX one_invitation_per_address ON public.invitations USING btree (organization_id, lower(email)) WHERE (accepted_at IS NULL);
CREATE INDEX invitations_organization_id_created_at_id_idx ON public.invitations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX invitations_invited_by_idx ON public.invitations USING btree (invited_by);
CREATE INDEX invitations_accepted_by_idx ON public.invitations USING btree (accepted_by);
CREATE INDEX invitations_expires_at_idx ON public.invitations USING btree (expires_at);
CREATE INDEX notifications_user_id_created_at_id_idx ON public.notifications USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX notifications_user_id_idx ON public.notifications USING btree (user_id) WHERE (read_at IS NULL);
CREATE INDEX notifications_organization_id_user_id_idx ON public.notifications USING btree (organization_id, user_id);
CREATE INDEX notifications_created_at_idx ON public.notifications USING btree (created_at);
CREATE INDEX digests_created_at_idx ON public.digests USING btree (created_at);
CREATE INDEX organization_settings_organization_id_logo_file_id_idx ON public.organization_settings USING btree (organization_id, logo_file_id);
CREATE INDEX oauth_clients_created_at_idx ON public.oauth_clients USING btree (created_at);
CREATE INDEX connected_apps_user_id_created_at_idx ON public.connected_apps USING btree (user_id, created_at);
CREATE INDEX connected_apps_client_id_idx ON public.connected_apps USING btree (client_id);
CREATE INDEX connected_apps_expires_at_idx ON public.connected_apps USING btree (expires_at);
CREATE INDEX connected_app_organizations_organization_id_user_id_idx ON public.connected_app_organizations USING btree (organization_id, user_id);
CREATE INDEX oauth_tokens_app_id_idx ON public.oauth_tokens USING btree (app_id);
CREATE INDEX oauth_tokens_expires_at_idx ON public.oauth_tokens USING btree (expires_at);
CREATE INDEX account_links_expires_at_idx ON public.account_links USING btree (expires_at);
CREATE INDEX passkeys_user_id_idx ON public.passkeys USING btree (user_id);
CREATE INDEX passkey_challenges_expires_at_idx ON public.passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_user_id_idx ON public.passkey_challenges USING btree (user_id);
CREATE INDEX payments_id_idx ON public.payments USING btree (id);
CREATE INDEX payments_organization_id_counterparty_id_idx ON public.payments USING btree (organization_id, counterparty_id);
CREATE INDEX payments_organization_id_paid_at_id_idx ON public.payments USING btree (organization_id, paid_at, id);
CREATE INDEX documents_id_idx ON public.documents USING btree (id);
CREATE INDEX documents_organization_id_counterparty_id_issue_date_id_idx ON public.documents USING btree (organization_id, counterparty_id, issue_date, id);
CREATE INDEX documents_organization_id_bank_account_id_idx ON public.documents USING btree (organization_id, bank_account_id);
CREATE INDEX documents_organization_id_source_document_id_idx ON public.documents USING btree (organization_id, source_document_id);
CREATE INDEX documents_organization_id_payment_id_idx ON public.documents USING btree (organization_id, payment_id);
CREATE INDEX documents_organization_id_issue_date_id_idx ON public.documents USING btree (organization_id, issue_date, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_due_date_id_idx ON public.documents USING btree (organization_id, due_date, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_due_date_id_idx1 ON public.documents USING btree (organization_id, due_date DESC NULLS LAST, id DESC) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_major_units_id_idx ON public.documents USING btree (organization_id, major_units(total_minor, minor_digits), id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_status_rank_issue_date_id_idx ON public.documents USING btree (organization_id, status_rank(status), issue_date, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_sequence_id_idx ON public.documents USING btree (organization_id, sequence, id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_sequence_id_idx1 ON public.documents USING btree (organization_id, sequence DESC NULLS LAST, id DESC) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_lower_id_idx ON public.documents USING btree (organization_id, lower(counterparty_name), id) WHERE (kind = 'SALES'::text);
CREATE INDEX documents_organization_id_issue_date_id_idx1 ON public.documents USING btree (organization_id, issue_date, id) WHERE ((kind = 'SALES'::text) AND in_dispute);
CREATE INDEX allocations_organization_id_payment_id_idx ON public.allocations USING btree (organization_id, payment_id);
CREATE INDEX allocations_organization_id_document_id_idx ON public.allocations USING btree (organization_id, document_id);
CREATE INDEX exchange_rates_source_date_idx ON public.exchange_rates USING btree (source, date);
CREATE INDEX sales_by_day_organization_id_day_sort_status_currency_idx ON public.sales_by_day USING btree (organization_id, day, sort, status, currency);
CREATE INDEX sales_by_customer_organization_id_year_counterparty_id_curr_idx ON public.sales_by_customer USING btree (organization_id, year, counterparty_id, currency);
CREATE INDEX sales_by_customer_day_organization_id_counterparty_id_day_c_idx ON public.sales_by_customer_day USING btree (organization_id, counterparty_id, day, currency);
CREATE INDEX cash_by_day_organization_id_day_direction_currency_idx ON public.cash_by_day USING btree (organization_id, day, direction, currency);
CREATE INDEX documents_organization_id_due_date_id_idx2 ON public.documents USING btree (organization_id, due_date, id) WHERE ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])));
CREATE INDEX document_mailings_organization_id_document_id_idx ON public.document_mailings USING btree (organization_id, document_id);
CREATE INDEX document_events_organization_id_document_id_created_at_idx ON public.document_events USING btree (organization_id, document_id, created_at) WHERE (type = 'VIEWED'::text);
CREATE INDEX document_attachments_id_idx ON public.document_attachments USING btree (id);
CREATE INDEX document_attachments_organization_id_file_id_idx ON public.document_attachments USING btree (organization_id, file_id);
CREATE INDEX document_attachments_created_by_idx ON public.document_attachments USING btree (created_by);
CREATE INDEX documents_organization_id_issue_date_idx ON public.documents USING btree (organization_id, issue_date) WHERE (rate_date IS NOT NULL);
CREATE INDEX open_documents_by_due_date ON public.documents USING btree (due_date, organization_id) WHERE (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text]));
CREATE INDEX search_documents ON public.documents USING gin (search_grams(organization_id, ((((COALESCE(number, ''::text) || ' '::text) || counterparty_name) || ' '::text) || COALESCE(notes, ''::text)))) WITH (gin_pending_list_limit='256') WHERE (kind = 'SALES'::text);
CREATE INDEX automations_id_idx ON public.automations USING btree (id);
CREATE INDEX automations_owner_user_id_idx ON public.automations USING btree (owner_user_id);
CREATE INDEX automations_organization_id_created_at_id_idx ON public.automations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX armed_automations ON public.automations USING btree (organization_id) WHERE (status = 'ENABLED'::text);
CREATE INDEX armed_automations_by_trigger ON public.automations USING gin (triggers) WHERE (status = 'ENABLED'::text);
CREATE INDEX automation_runs_organization_id_automation_id_started_at_id_idx ON public.automation_runs USING btree (organization_id, automation_id, started_at DESC, id DESC);
CREATE INDEX automation_runs_organization_id_trigger_event_id_idx ON public.automation_runs USING btree (organization_id, trigger_event_id);
CREATE INDEX automation_runs_id_idx ON public.automation_runs USING btree (id);
CREATE INDEX automation_steps_id_idx ON public.automation_steps USING btree (id);
CREATE INDEX running_automations ON public.automation_runs USING btree (organization_id, id) WHERE (status = 'RUNNING'::text);
CREATE INDEX automation_deliveries_id_idx ON public.automation_deliveries USING btree (id);
CREATE INDEX automation_deliveries_organization_id_step_id_idx ON public.automation_deliveries USING btree (organization_id, step_id);
CREATE INDEX automation_deliveries_organization_id_created_at_id_idx ON public.automation_deliveries USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX automation_deliveries_created_at_idx ON public.automation_deliveries USING btree (created_at);
CREATE INDEX webhook_secrets_id_idx ON public.webhook_secrets USING btree (id);
CREATE INDEX webhook_secrets_replaced_at_idx ON public.webhook_secrets USING btree (replaced_at) WHERE (replaced_at IS NOT NULL);
CREATE UNIQUE INDEX one_webhook_secret_and_one_before ON public.webhook_secrets USING btree (organization_id, ((replaced_at IS NULL)));
CREATE INDEX webhook_secrets_organization_id_secret_key_id_idx ON public.webhook_secrets USING btree (organization_id, secret_key_id);
CREATE INDEX automation_graphs_organization_id_automation_id_idx ON public.automation_graphs USING btree (organization_id, automation_id);
CREATE INDEX automation_graphs_api_key_id_idx ON public.automation_graphs USING btree (api_key_id) WHERE (credential_status = 'ACTIVE'::text);
CREATE INDEX automation_graphs_app_id_idx ON public.automation_graphs USING btree (app_id) WHERE (credential_status = 'ACTIVE'::text);
CREATE INDEX automation_graphs_superseded_at_idx ON public.automation_graphs USING btree (superseded_at);
CREATE INDEX automations_organization_id_graph_id_idx ON public.automations USING btree (organization_id, graph_id);
CREATE INDEX automation_runs_organization_id_graph_id_idx ON public.automation_runs USING btree (organization_id, graph_id);
CREATE INDEX mail_counts_hour_idx ON public.mail_counts USING btree (hour);
CREATE INDEX organizations_created_by_idx ON public.organizations USING btree (created_by);
CREATE INDEX issued_copies_organization_id_original_file_id_idx ON public.issued_copies USING btree (organization_id, original_file_id);
CREATE UNIQUE INDEX one_document_per_number ON public.documents USING btree (organization_id, kind, COALESCE(NULLIF(series, ''::text), document_type), sequence) WHERE (sequence IS NOT NULL);
CREATE UNIQUE INDEX one_printed_number ON public.documents USING btree (organization_id, kind, series, number) WHERE (series <> ''::text);
CREATE INDEX earlier_printed_numbers ON public.documents USING btree (organization_id, number) WHERE ((series = ''::text) AND (sequence IS NOT NULL));
CREATE INDEX documents_organization_id_converted_to_id_idx ON public.documents USING btree (organization_id, converted_to_id) WHERE (converted_to_id IS NOT NULL);
CREATE INDEX payments_organization_id_refund_of_idx ON public.payments USING btree (organization_id, refund_of) WHERE (refund_of IS NOT NULL);
CREATE INDEX payments_organization_id_bank_account_id_idx ON public.payments USING btree (organization_id, bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE UNIQUE INDEX one_receipt_per_payment ON public.documents USING btree (organization_id, payment_id) WHERE ((document_type = 'RECEIPT'::text) AND (payment_id IS NOT NULL) AND (cancelled_at IS NULL));
CREATE UNIQUE INDEX one_account_per_purpose ON public.accounts USING btree (organization_id, purpose) WHERE (purpose IS NOT NULL);
CREATE INDEX accounts_id_idx ON public.accounts USING btree (id);
CREATE UNIQUE INDEX one_account_per_category ON public.account_mappings USING btree (organization_id, category_id) WHERE (category_id IS NOT NULL);
CREATE UNIQUE INDEX one_account_per_bank_account ON public.account_mappings USING btree (organization_id, bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE UNIQUE INDEX one_account_per_tax_category ON public.account_mappings USING btree (organization_id, tax_category, account_type) WHERE (tax_category IS NOT NULL);
CREATE INDEX account_mappings_organization_id_account_id_idx ON public.account_mappings USING btree (organization_id, account_id);
CREATE INDEX journal_entries_id_idx ON public.journal_entries USING btree (id);
CREATE INDEX journal_entries_organization_id_date_number_idx ON public.journal_entries USING btree (organization_id, date, number);
CREATE INDEX journal_entry_lines_organization_id_account_id_idx ON public.journal_entry_lines USING btree (organization_id, account_id);
CREATE INDEX documents_organization_id_issue_date_idx1 ON public.documents USING btree (organization_id, issue_date) WHERE (kind <> 'SALES'::text);
CREATE INDEX cancelled_documents ON public.documents USING btree (organization_id, cancelled_at) WHERE (cancelled_at IS NOT NULL);
CREATE INDEX voided_payments ON public.payments USING btree (organization_id, voided_at) WHERE (voided_at IS NOT NULL);
CREATE INDEX voided_allocations ON public.allocations USING btree (organization_id, voided_at) WHERE (voided_at IS NOT NULL);
CREATE INDEX api_key_calls_created_at_idx ON public.api_key_calls USING brin (created_at);
CREATE INDEX account_periods_organization_id_account_id_idx ON public.account_periods USING btree (organization_id, account_id);
CREATE INDEX allocations_by_day ON public.allocations USING btree (organization_id, booked_on, id);
CREATE INDEX expenses_id_idx ON public.expenses USING btree (id);
CREATE INDEX expenses_organization_id_lower_id_idx ON public.expenses USING btree (organization_id, lower(vendor), id);
CREATE INDEX expenses_organization_id_lower_id_idx1 ON public.expenses USING btree (organization_id, lower(vendor) DESC NULLS LAST, id DESC);
CREATE INDEX expenses_organization_id_category_id_idx ON public.expenses USING btree (organization_id, category_id);
CREATE INDEX expenses_organization_id_supplier_id_idx ON public.expenses USING btree (organization_id, supplier_id);
CREATE INDEX expenses_organization_id_claimant_id_idx ON public.expenses USING btree (organization_id, claimant_id) WHERE (claimant_id IS NOT NULL);
CREATE INDEX expenses_reviewed_by_idx ON public.expenses USING btree (reviewed_by);
CREATE INDEX search_expenses ON public.expenses USING gin (search_grams(organization_id, ((((((COALESCE(title, ''::text) || ' '::text) || COALESCE(vendor, ''::text)) || ' '::text) || COALESCE(notes, ''::text)) || ' '::text) || COALESCE(document_number, ''::text)))) WITH (gin_pending_list_limit='256');
CREATE INDEX documents_organization_id_issue_date_id_idx2 ON public.documents USING btree (organization_id, issue_date, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX documents_organization_id_created_at_id_idx ON public.documents USING btree (organization_id, created_at, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX documents_organization_id_major_units_id_idx1 ON public.documents USING btree (organization_id, major_units(total_minor, minor_digits), id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX documents_organization_id_status_issue_date_id_idx ON public.documents USING btree (organization_id, status, issue_date, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX expense_splits_organization_id_category_id_idx ON public.expense_splits USING btree (organization_id, category_id);
CREATE INDEX expense_customers_organization_id_customer_id_expense_id_idx ON public.expense_customers USING btree (organization_id, customer_id, expense_id);
CREATE INDEX payments_organization_id_kind_paid_at_id_idx ON public.payments USING btree (organization_id, kind, paid_at, id);
CREATE INDEX expenses_by_vendor_organization_id_day_state_vendor_currenc_idx ON public.expenses_by_vendor USING btree (organization_id, day, state, vendor, currency);
CREATE INDEX customers_organization_id_registration_number_idx ON public.customers USING btree (organization_id, registration_number) WHERE (registration_number IS NOT NULL);
CREATE INDEX expenses_changed_by_idx ON public.expenses USING btree (changed_by);
CREATE INDEX expenses_organization_id_document_number_idx ON public.expenses USING btree (organization_id, document_number) WHERE (document_number IS NOT NULL);
CREATE INDEX suppliers_id_idx ON public.suppliers USING btree (id);
CREATE INDEX suppliers_organization_id_default_category_id_idx ON public.suppliers USING btree (organization_id, default_category_id);
CREATE INDEX customers_organization_id_created_at_id_idx ON public.customers USING btree (organization_id, created_at, id) WHERE is_customer;
CREATE INDEX customers_organization_id_updated_at_id_idx ON public.customers USING btree (organization_id, updated_at, id) WHERE is_customer;
CREATE INDEX customers_organization_id_lower_id_idx ON public.customers USING btree (organization_id, lower(name), id);
CREATE INDEX customers_organization_id_lower_id_idx2 ON public.customers USING btree (organization_id, lower(email), id) WHERE is_customer;
CREATE INDEX customers_organization_id_lower_id_idx3 ON public.customers USING btree (organization_id, lower(email) DESC NULLS LAST, id DESC) WHERE is_customer;
CREATE INDEX customers_organization_id_created_at_id_idx1 ON public.customers USING btree (organization_id, created_at, id) WHERE is_supplier;
CREATE INDEX customers_organization_id_updated_at_id_idx1 ON public.customers USING btree (organization_id, updated_at, id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx4 ON public.customers USING btree (organization_id, lower(name), id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx6 ON public.customers USING btree (organization_id, lower(email), id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx7 ON public.customers USING btree (organization_id, lower(email) DESC NULLS LAST, id DESC) WHERE is_supplier;
CREATE INDEX items_id_idx ON public.items USING btree (id);
CREATE UNIQUE INDEX one_item_per_sku ON public.items USING btree (organization_id, lower(sku)) WHERE (sku IS NOT NULL);
CREATE INDEX items_organization_id_barcode_idx ON public.items USING btree (organization_id, barcode) WHERE (barcode IS NOT NULL);
CREATE INDEX items_organization_id_lower_id_idx ON public.items USING btree (organization_id, lower(name), id);
CREATE INDEX items_organization_id_lower_id_idx1 ON public.items USING btree (organization_id, lower(sku), id);
CREATE INDEX items_organization_id_created_at_id_idx ON public.items USING btree (organization_id, created_at, id);
CREATE INDEX items_organization_id_updated_at_id_idx ON public.items USING btree (organization_id, updated_at, id);
CREATE INDEX search_items ON public.items USING gin (search_grams(organization_id, ((((((name || ' '::text) || COALESCE(sku, ''::text)) || ' '::text) || COALESCE(barcode, ''::text)) || ' '::text) || COALESCE(description, ''::text)))) WITH (gin_pending_list_limit='256');
CREATE INDEX document_lines_organization_id_catalog_item_id_idx ON public.document_lines USING btree (organization_id, catalog_item_id) WHERE (catalog_item_id IS NOT NULL);
CREATE INDEX orders_id_idx ON public.orders USING btree (id);
CREATE INDEX orders_created_by_idx ON public.orders USING btree (created_by);
CREATE INDEX orders_organization_id_order_date_id_idx ON public.orders USING btree (organization_id, order_date, id);
CREATE INDEX orders_organization_id_kind_order_date_id_idx ON public.orders USING btree (organization_id, kind, order_date, id);
CREATE INDEX orders_organization_id_status_order_date_id_idx ON public.orders USING btree (organization_id, status, order_date, id);
CREATE INDEX orders_organization_id_created_at_id_idx ON public.orders USING btree (organization_id, created_at, id);
CREATE INDEX orders_organization_id_lower_id_idx ON public.orders USING btree (organization_id, lower(counterparty_name), id);
CREATE INDEX orders_organization_id_counterparty_id_kind_status_idx ON public.orders USING btree (organization_id, counterparty_id, kind, status);
CREATE INDEX search_orders ON public.orders USING gin (search_grams(organization_id, ((((((COALESCE(order_number, ''::text) || ' '::text) || counterparty_name) || ' '::text) || COALESCE(reference, ''::text)) || ' '::text) || COALESCE(notes, ''::text)))) WITH (gin_pending_list_limit='256');
CREATE INDEX order_lines_organization_id_item_id_idx ON public.order_lines USING btree (organization_id, item_id);
CREATE INDEX order_fulfilments_organization_id_order_id_line_id_idx ON public.order_fulfilments USING btree (organization_id, order_id, line_id);
CREATE INDEX order_fulfilments_created_by_idx ON public.order_fulfilments USING btree (created_by);
CREATE INDEX order_invoice_lines_organization_id_order_id_line_id_idx ON public.order_invoice_lines USING btree (organization_id, order_id, line_id);
CREATE INDEX stock_movements_id_idx ON public.stock_movements USING btree (id);
CREATE INDEX stock_movements_created_by_idx ON public.stock_movements USING btree (created_by);
CREATE INDEX stock_movements_organization_id_date_id_idx ON public.stock_movements USING btree (organization_id, date, id);
CREATE INDEX stock_movements_organization_id_item_id_date_id_idx ON public.stock_movements USING btree (organization_id, item_id, date, id);
CREATE INDEX stock_movements_organization_id_order_id_order_line_id_idx ON public.stock_movements USING btree (organization_id, order_id, order_line_id) WHERE (order_id IS NOT NULL);
CREATE INDEX stock_movements_organization_id_document_id_document_line_i_idx ON public.stock_movements USING btree (organization_id, document_id, document_line_id) WHERE (document_id IS NOT NULL);
CREATE INDEX expenses_organization_id_order_id_idx ON public.expenses USING btree (organization_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX cleared_orders ON public.orders USING btree (organization_id, ended_at) WHERE (cleared_minor <> 0);
CREATE INDEX journal_sums_organization_id_basis_day_idx ON public.journal_sums USING btree (organization_id, basis, day);
CREATE INDEX journal_results_organization_id_document_id_idx ON public.journal_results USING btree (organization_id, document_id);
CREATE INDEX journal_results_organization_id_day_idx ON public.journal_results USING btree (organization_id, day);
CREATE INDEX open_payments ON public.payments USING btree (organization_id, id) WHERE ((voided_at IS NULL) AND (refund_of IS NULL) AND (amount_minor > (allocated_minor + refunded_minor)));
CREATE INDEX period_locks_locked_by_idx ON public.period_locks USING btree (locked_by);
CREATE INDEX locked_balances_organization_id_account_id_idx ON public.locked_balances USING btree (organization_id, account_id);
CREATE INDEX imports_id_idx ON public.imports USING btree (id);
CREATE INDEX imports_created_by_idx ON public.imports USING btree (created_by);
CREATE INDEX imports_organization_id_created_at_id_idx ON public.imports USING btree (organization_id, created_at, id);
CREATE INDEX customers_organization_id_import_id_idx ON public.customers USING btree (organization_id, import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX partly_settled_documents ON public.documents USING btree (organization_id, kind, id) WHERE ((issued_at IS NOT NULL) AND (payment_id IS NULL) AND ((paid_minor + credited_minor) > 0) AND (total_minor > (paid_minor + credited_minor)));
CREATE INDEX counted_documents ON public.documents USING btree (organization_id, counterparty_id) WHERE ((kind = 'SALES'::text) AND (cancelled_at IS NULL) AND (converted_to_id IS NULL));
CREATE INDEX scans_organization_id_expense_id_idx ON public.scans USING btree (organization_id, expense_id);
CREATE INDEX scans_organization_id_charged_period_idx ON public.scans USING btree (organization_id, charged_period) WHERE (charged_period IS NOT NULL);
CREATE INDEX scans_created_by_idx ON public.scans USING btree (created_by);
CREATE INDEX scanned_documents_organization_id_expense_id_idx ON public.scanned_documents USING btree (organization_id, expense_id);
CREATE INDEX supplier_aliases_organization_id_supplier_id_idx ON public.supplier_aliases USING btree (organization_id, supplier_id);
CREATE INDEX supplier_aliases_created_by_idx ON public.supplier_aliases USING btree (created_by);
CREATE INDEX files_organization_id_sha256_idx ON public.files USING btree (organization_id, sha256);
CREATE INDEX scan_batches_id_idx ON public.scan_batches USING btree (id);
CREATE INDEX scan_batches_created_by_idx ON public.scan_batches USING btree (created_by);
CREATE INDEX scan_batches_organization_id_created_at_id_idx ON public.scan_batches USING btree (organization_id, created_at, id);
CREATE INDEX scan_batch_files_id_idx ON public.scan_batch_files USING btree (id);
CREATE INDEX scan_batch_files_created_at_idx ON public.scan_batch_files USING btree (created_at) WHERE (status = 'WAITING'::text);
CREATE INDEX mail_connections_organization_id_password_key_id_idx ON public.mail_connections USING btree (organization_id, password_key_id);
CREATE INDEX mail_connections_organization_id_tokens_key_id_idx ON public.mail_connections USING btree (organization_id, tokens_key_id);
CREATE INDEX mail_connections_id_idx ON public.mail_connections USING btree (id);
CREATE INDEX mail_connections_created_by_idx ON public.mail_connections USING btree (created_by);
CREATE INDEX mail_connections_organization_id_auto_scan_automation_id_idx ON public.mail_connections USING btree (organization_id, auto_scan_automation_id);
CREATE INDEX mail_connections_organization_id_created_at_id_idx ON public.mail_connections USING btree (organization_id, created_at, id);
CREATE INDEX mail_connections_next_poll_on_idx ON public.mail_connections USING btree (next_poll_on) WHERE (auto_poll_enabled AND enabled AND (deleted_at IS NULL));
CREATE INDEX ingestion_runs_id_idx ON public.ingestion_runs USING btree (id);
CREATE INDEX ingestion_runs_created_by_idx ON public.ingestion_runs USING btree (created_by);
CREATE INDEX ingestion_runs_organization_id_started_at_id_idx ON public.ingestion_runs USING btree (organization_id, started_at, id);
CREATE INDEX ingestion_runs_organization_id_connection_id_started_at_idx ON public.ingestion_runs USING btree (organization_id, connection_id, started_at);
CREATE INDEX ingestion_runs_started_at_idx ON public.ingestion_runs USING btree (started_at) WHERE (completed_at IS NULL);
CREATE INDEX mail_messages_organization_id_expense_id_idx ON public.mail_messages USING btree (organization_id, expense_id);
CREATE INDEX mail_messages_organization_id_connection_id_idx ON public.mail_messages USING btree (organization_id, connection_id);
CREATE INDEX mail_messages_organization_id_connection_id_received_at_idx ON public.mail_messages USING btree (organization_id, connection_id, received_at) WHERE is_retried;
CREATE INDEX mail_places_organization_id_key_idx ON public.mail_places USING btree (organization_id, key);
CREATE INDEX mail_documents_organization_id_message_key_idx ON public.mail_documents USING btree (organization_id, message_key);
CREATE INDEX ingestion_messages_organization_id_run_id_id_idx ON public.ingestion_messages USING btree (organization_id, run_id, id);
CREATE INDEX ingestion_messages_organization_id_expense_id_idx ON public.ingestion_messages USING btree (organization_id, expense_id);
CREATE INDEX ingestion_messages_id_idx ON public.ingestion_messages USING btree (id);
CREATE INDEX mail_connects_expires_at_idx ON public.mail_connects USING btree (expires_at);
CREATE INDEX mail_connects_user_id_idx ON public.mail_connects USING btree (user_id);
CREATE INDEX mail_connects_session_id_idx ON public.mail_connects USING btree (session_id);
CREATE UNIQUE INDEX one_connection_per_connected_mailbox ON public.mail_connections USING btree (organization_id, provider, lower(username)) WHERE (tokens IS NOT NULL);
CREATE INDEX tax_authority_connections_organization_id_credentials_key_i_idx ON public.tax_authority_connections USING btree (organization_id, credentials_key_id);
CREATE INDEX tax_authority_connections_organization_id_tokens_key_id_idx ON public.tax_authority_connections USING btree (organization_id, tokens_key_id);
CREATE INDEX tax_authority_connections_id_idx ON public.tax_authority_connections USING btree (id);
CREATE INDEX tax_authority_connections_created_by_idx ON public.tax_authority_connections USING btree (created_by);
CREATE UNIQUE INDEX one_document_per_allocation_number ON public.clearances USING btree (organization_id, authority, environment, number) WHERE (source = 'AUTHORITY'::text);
CREATE INDEX clearances_created_by_idx ON public.clearances USING btree (created_by);
CREATE INDEX clearances_submitted_at_idx ON public.clearances USING btree (submitted_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'ERROR'::text]));
CREATE INDEX payroll_payments ON public.payments USING btree (organization_id, counterparty_id, id) WHERE (kind = 'PAYSLIP'::text);
CREATE INDEX employees_id_idx ON public.employees USING btree (id);
CREATE INDEX employees_organization_id_start_date_id_idx ON public.employees USING btree (organization_id, start_date, id);
CREATE INDEX employees_organization_id_import_id_idx ON public.employees USING btree (organization_id, import_id) WHERE (import_id IS NOT NULL);
CREATE INDEX employee_terms_changed_by_idx ON public.employee_terms USING btree (changed_by);
CREATE INDEX payslips_id_idx ON public.payslips USING btree (id);
CREATE INDEX payslips_organization_id_employee_id_month_idx ON public.payslips USING btree (organization_id, employee_id, month);
CREATE INDEX payslips_organization_id_month_employee_id_idx ON public.payslips USING btree (organization_id, month, employee_id);
CREATE UNIQUE INDEX one_payslip_per_month ON public.payslips USING btree (organization_id, employee_id, month) WHERE (voided_at IS NULL);
CREATE INDEX payslip_consents_organization_id_payslip_id_idx ON public.payslip_consents USING btree (organization_id, payslip_id);
CREATE INDEX payslip_consents_organization_id_attachment_id_idx ON public.payslip_consents USING btree (organization_id, attachment_id) WHERE (attachment_id IS NOT NULL);
CREATE INDEX payslip_consents_created_by_idx ON public.payslip_consents USING btree (created_by);
CREATE INDEX leave_claims_id_idx ON public.leave_claims USING btree (id);
CREATE INDEX leave_claims_organization_id_payslip_id_idx ON public.leave_claims USING btree (organization_id, payslip_id);
CREATE INDEX received_einvoices_id_idx ON public.received_einvoices USING btree (id);
CREATE UNIQUE INDEX one_received_einvoice_per_expense ON public.received_einvoices USING btree (organization_id, expense_id) WHERE (outcome <> 'DUPLICATE'::text);
CREATE INDEX received_einvoices_organization_id_expense_id_idx ON public.received_einvoices USING btree (organization_id, expense_id);
alter table only automation_steps add constraint one_step_per_element UNIQUE (organization_id, run_id, block_id, element_key);
CREATE INDEX running_of_record ON public.automation_runs USING btree (organization_id, automation_id, record_id, place) WHERE ((status = 'RUNNING'::text) AND (record_id IS NOT NULL));
CREATE INDEX automation_secrets_id_idx ON public.automation_secrets USING btree (id);
CREATE INDEX automation_secrets_organization_id_value_key_id_idx ON public.automation_secrets USING btree (organization_id, value_key_id);
CREATE INDEX failed_or_cancelled_runs ON public.automation_runs USING btree (organization_id, automation_id, status, started_at DESC, id DESC) WHERE (status = ANY (ARRAY['FAILED'::text, 'CANCELLED'::text]));
CREATE INDEX companion_sessions_user_id_idx ON public.companion_sessions USING btree (user_id);
CREATE INDEX companion_sessions_organization_id_user_id_last_activity_at_idx ON public.companion_sessions USING btree (organization_id, user_id, last_activity_at DESC, key);
CREATE INDEX companion_turns_id_idx ON public.companion_turns USING btree (id);
CREATE INDEX companion_turns_user_id_idx ON public.companion_turns USING btree (user_id);
CREATE INDEX running_turns ON public.companion_turns USING btree (started_at) WHERE (status = 'RUNNING'::text);
CREATE INDEX companion_messages_user_id_idx ON public.companion_messages USING btree (user_id);
CREATE INDEX companion_messages_organization_id_turn_id_idx ON public.companion_messages USING btree (organization_id, turn_id);
CREATE INDEX companion_steps_user_id_idx ON public.companion_steps USING btree (user_id);
CREATE INDEX companion_steps_organization_id_session_key_created_at_id_idx ON public.companion_steps USING btree (organization_id, session_key, created_at DESC, id DESC);
CREATE INDEX companion_steps_organization_id_turn_id_idx ON public.companion_steps USING btree (organization_id, turn_id);
CREATE INDEX companion_steps_organization_id_executed_by_turn_id_idx ON public.companion_steps USING btree (organization_id, executed_by_turn_id) WHERE (executed_by_turn_id IS NOT NULL);
CREATE INDEX pending_steps ON public.companion_steps USING btree (expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX companion_events_user_id_idx ON public.companion_events USING btree (user_id);
CREATE INDEX companion_events_organization_id_turn_id_seq_idx ON public.companion_events USING btree (organization_id, turn_id, seq);
CREATE INDEX audit_log_organization_id_api_key_id_created_at_id_idx ON public.audit_log USING btree (organization_id, api_key_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (api_key_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_client_id_created_at_id_idx ON public.audit_log USING btree (organization_id, client_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (client_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_run_id_created_at_id_idx ON public.audit_log USING btree (organization_id, run_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (run_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_turn_id_created_at_id_idx ON public.audit_log USING btree (organization_id, turn_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (turn_id IS NOT NULL));
CREATE INDEX audit_log_organization_id_automation_id_created_at_id_idx ON public.audit_log USING btree (organization_id, automation_id, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (automation_id IS NOT NULL));
CREATE UNIQUE INDEX one_failure_notice_a_day ON public.notifications USING btree (user_id, ((data ->> 'automationId'::text)), (((created_at AT TIME ZONE 'UTC'::text))::date)) WHERE (kind = 'AUTOMATION_FAILED'::text);
CREATE INDEX owed_by_customer ON public.documents USING btree (organization_id, counterparty_id) WHERE ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])));
CREATE INDEX expenses_by_creator ON public.documents USING btree (organization_id, created_by, issue_date, id) WHERE (kind = 'EXPENSE'::text);
CREATE INDEX changes_organization_id_created_at_idx ON public.changes USING btree (organization_id, created_at);
CREATE INDEX changes_created_at_idx ON public.changes USING brin (created_at);
CREATE INDEX search_payments ON public.payments USING gin (search_grams(organization_id, reference)) WITH (gin_pending_list_limit='256') WHERE ((kind = 'SALES'::text) AND (reference IS NOT NULL));
CREATE INDEX views_organization_id_screen_position_created_at_id_idx ON public.views USING btree (organization_id, screen, "position", created_at, id);
CREATE INDEX views_organization_id_user_id_idx ON public.views USING btree (organization_id, user_id);
CREATE INDEX views_user_id_idx ON public.views USING btree (user_id);
CREATE INDEX audit_log_organization_id_source_created_at_id_idx ON public.audit_log USING btree (organization_id, source, created_at DESC, id DESC) WHERE ((organization_id IS NOT NULL) AND (source <> 'API_KEY'::text));
CREATE INDEX journal_results_by_day_organization_id_day_idx ON public.journal_results_by_day USING btree (organization_id, day);
CREATE INDEX journal_taxes_by_day_organization_id_day_idx ON public.journal_taxes_by_day USING btree (organization_id, day);
CREATE INDEX untouched_documents ON public.documents USING btree (organization_id, kind, (
CASE
    WHEN (due_date IS NULL) THEN issue_date
    ELSE due_date
END), id) INCLUDE (counterparty_id, issue_date, due_date, total_minor, in_dispute, currency, rate_currency, exchange_rate) WHERE ((issued_at IS NOT NULL) AND (payment_id IS NULL) AND (total_minor > 0) AND ((paid_minor + credited_minor) = 0) AND (cancelled_at IS NULL) AND ((kind = 'EXPENSE'::text) OR ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])) AND (document_type <> 'RECEIPT'::text) AND (converted_to_id IS NULL))));
CREATE INDEX untouched_documents_by_party ON public.documents USING btree (organization_id, kind, counterparty_id) WHERE ((issued_at IS NOT NULL) AND (payment_id IS NULL) AND (total_minor > 0) AND ((paid_minor + credited_minor) = 0) AND (cancelled_at IS NULL) AND ((kind = 'EXPENSE'::text) OR ((kind = 'SALES'::text) AND (direction = 'OUTGOING'::text) AND (status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])) AND (document_type <> 'RECEIPT'::text) AND (converted_to_id IS NULL))));
CREATE INDEX paid_unapproved_expenses ON public.documents USING btree (organization_id, id) WHERE ((kind = 'EXPENSE'::text) AND (status = ANY (ARRAY['DRAFT'::text, 'PENDING_REVIEW'::text, 'REJECTED'::text])) AND (paid_minor > 0));
CREATE INDEX planned_payments_id_idx ON public.planned_payments USING btree (id);
CREATE INDEX planned_payments_organization_id_due_on_id_idx ON public.planned_payments USING btree (organization_id, due_on, id);
CREATE INDEX planned_payments_due_on_idx ON public.planned_payments USING btree (due_on) WHERE (status = 'PLANNED'::text);
CREATE INDEX planned_payments_organization_id_counterparty_id_idx ON public.planned_payments USING btree (organization_id, counterparty_id) WHERE (counterparty_id IS NOT NULL);
CREATE INDEX planned_payments_organization_id_bank_account_id_idx ON public.planned_payments USING btree (organization_id, bank_account_id) WHERE (bank_account_id IS NOT NULL);
CREATE INDEX planned_payments_shares_idx ON public.planned_payments USING gin (shares jsonb_path_ops) WHERE (status = 'PLANNED'::text);
CREATE INDEX former_addresses_lower_idx ON public.former_addresses USING btree (lower(email));
CREATE INDEX open_sales ON public.sales_by_day USING btree (organization_id, currency) WHERE ((status = ANY (ARRAY['UNSENT'::text, 'SENT'::text])) AND (open_minor <> 0));
CREATE INDEX jobs_main_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id, job_queue_id) WHERE (is_available = true);
CREATE INDEX jobs_no_queue_index ON graphile_worker._private_jobs USING btree (priority, run_at) INCLUDE (id, task_id) WHERE ((is_available = true) AND (job_queue_id IS NULL));


-- Foreign keys, in the order in which the migrations made them

alter table only sessions
  add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only memberships
  add constraint memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only api_keys
  add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only api_key_organizations
  add constraint api_key_organizations_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  add constraint api_key_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint api_key_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE;
alter table only events
  add constraint events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only idempotency_keys
  add constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only customers
  add constraint customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only customer_recipients
  add constraint customer_recipients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint customer_recipients_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE;
alter table only bank_accounts
  add constraint bank_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only expense_categories
  add constraint expense_categories_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only failed_jobs
  add constraint failed_jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only leases
  add constraint leases_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only organization_keys
  add constraint organization_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only mail_deliveries
  add constraint mail_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only outbox
  add constraint outbox_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only files
  add constraint files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint files_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only schedule_marks
  add constraint schedule_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only invitations
  add constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only notifications
  add constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint notifications_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE;
alter table only digests
  add constraint digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only organization_settings
  add constraint organization_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint organization_settings_organization_id_logo_file_id_fkey FOREIGN KEY (organization_id, logo_file_id) REFERENCES files(organization_id, id) ON DELETE SET NULL (logo_file_id);
alter table only document_numbering
  add constraint document_numbering_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only connected_apps
  add constraint connected_apps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint connected_apps_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id);
alter table only connected_app_organizations
  add constraint connected_app_organizations_app_id_fkey FOREIGN KEY (app_id) REFERENCES connected_apps(id) ON DELETE CASCADE,
  add constraint connected_app_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint connected_app_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE;
alter table only oauth_tokens
  add constraint oauth_tokens_app_id_fkey FOREIGN KEY (app_id) REFERENCES connected_apps(id) ON DELETE CASCADE;
alter table only account_links
  add constraint account_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only authenticators
  add constraint authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only recovery_codes
  add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only passkeys
  add constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only passkey_challenges
  add constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only payments
  add constraint payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payment_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id);
alter table only documents
  add constraint documents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  add constraint documents_organization_id_bank_account_id_fkey FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id) ON DELETE SET NULL (bank_account_id),
  add constraint documents_organization_id_source_document_id_fkey FOREIGN KEY (organization_id, source_document_id) REFERENCES documents(organization_id, id),
  add constraint documents_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id);
alter table only document_lines
  add constraint document_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_lines_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE;
alter table only allocations
  add constraint allocations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint allocations_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  add constraint allocations_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id);
alter table only document_events
  add constraint document_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only sales_by_day
  add constraint sales_by_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only sales_by_customer
  add constraint sales_by_customer_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only sales_by_customer_day
  add constraint sales_by_customer_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only cash_by_day
  add constraint cash_by_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only document_mailings
  add constraint document_mailings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_mailings_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE;
alter table only document_attachments
  add constraint document_attachments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint document_attachments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint document_attachments_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint document_attachments_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES files(organization_id, id);
alter table only overdue_marks
  add constraint overdue_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint overdue_marks_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id);
alter table only document_counts
  add constraint document_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only automations
  add constraint automations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automations_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only automation_runs
  add constraint automation_runs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_runs_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE,
  add constraint automation_runs_organization_id_trigger_event_id_fkey FOREIGN KEY (organization_id, trigger_event_id) REFERENCES events(organization_id, id);
alter table only automation_steps
  add constraint automation_steps_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES automation_runs(organization_id, id) ON DELETE CASCADE;
alter table only automation_deliveries
  add constraint automation_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_deliveries_organization_id_step_id_fkey FOREIGN KEY (organization_id, step_id) REFERENCES automation_steps(organization_id, id) ON DELETE CASCADE;
alter table only webhook_secrets
  add constraint webhook_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint webhook_secrets_organization_id_secret_key_id_fkey FOREIGN KEY (organization_id, secret_key_id) REFERENCES organization_keys(organization_id, id);
alter table only automation_graphs
  add constraint automation_graphs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_graphs_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE;
alter table only automations
  add constraint current_graph FOREIGN KEY (organization_id, graph_id) REFERENCES automation_graphs(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
alter table only automation_runs
  add constraint graph_of_run FOREIGN KEY (organization_id, graph_id) REFERENCES automation_graphs(organization_id, id) DEFERRABLE INITIALLY DEFERRED;
alter table only organizations
  add constraint organizations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only issued_copies
  add constraint issued_copies_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id),
  add constraint issued_copies_organization_id_original_file_id_fkey FOREIGN KEY (organization_id, original_file_id) REFERENCES files(organization_id, id);
alter table only documents
  add constraint documents_converted_to_id_fkey FOREIGN KEY (organization_id, converted_to_id) REFERENCES documents(organization_id, id);
alter table only payments
  add constraint payment_bank_account FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id),
  add constraint refunded_payment FOREIGN KEY (organization_id, refund_of) REFERENCES payments(organization_id, id);
alter table only accounts
  add constraint accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only account_mappings
  add constraint account_mappings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mapped_account_is_active FOREIGN KEY (organization_id, account_id, account_type, account_active) REFERENCES accounts(organization_id, id, type, active),
  add constraint account_mappings_organization_id_category_id_fkey FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE CASCADE,
  add constraint account_mappings_organization_id_bank_account_id_fkey FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id) ON DELETE CASCADE;
alter table only journal_entries
  add constraint journal_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint journal_entries_organization_id_reverses_id_fkey FOREIGN KEY (organization_id, reverses_id) REFERENCES journal_entries(organization_id, id);
alter table only journal_entry_lines
  add constraint journal_entry_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint journal_entry_lines_organization_id_entry_id_fkey FOREIGN KEY (organization_id, entry_id) REFERENCES journal_entries(organization_id, id) ON DELETE CASCADE,
  add constraint journal_entry_lines_organization_id_account_id_fkey FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id);
alter table only account_periods
  add constraint account_periods_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint account_periods_organization_id_account_id_fkey FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id);
alter table only expenses
  add constraint expenses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint expenses_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint expense_document FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint expense_supplier FOREIGN KEY (organization_id, supplier_id) REFERENCES customers(organization_id, id),
  add constraint expense_claimant FOREIGN KEY (organization_id, claimant_id) REFERENCES customers(organization_id, id),
  add constraint expense_category FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (category_id);
alter table only expense_splits
  add constraint expense_splits_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint expense_splits_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE,
  add constraint expense_splits_organization_id_expense_id_line_id_fkey FOREIGN KEY (organization_id, expense_id, line_id) REFERENCES document_lines(organization_id, document_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  add constraint expense_splits_organization_id_category_id_fkey FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (category_id);
alter table only expense_customers
  add constraint expense_customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint expense_customers_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE,
  add constraint expense_customer FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE;
alter table only scan_usage
  add constraint scan_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only expenses_by_vendor
  add constraint expenses_by_vendor_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only expenses
  add constraint expenses_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only suppliers
  add constraint suppliers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint supplier_counterparty FOREIGN KEY (organization_id, id) REFERENCES customers(organization_id, id) ON DELETE CASCADE,
  add constraint supplier_category FOREIGN KEY (organization_id, default_category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (default_category_id);
alter table only items
  add constraint items_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only document_lines
  add constraint line_item FOREIGN KEY (organization_id, catalog_item_id) REFERENCES items(organization_id, id);
alter table only orders
  add constraint orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint orders_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint order_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id);
alter table only order_lines
  add constraint order_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint line_of_order FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id) ON DELETE CASCADE,
  add constraint order_line_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id);
alter table only order_fulfilments
  add constraint order_fulfilments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint order_fulfilments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint order_fulfilments_organization_id_order_id_line_id_fkey FOREIGN KEY (organization_id, order_id, line_id) REFERENCES order_lines(organization_id, order_id, id) ON DELETE CASCADE;
alter table only order_invoice_lines
  add constraint order_invoice_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint order_invoice_lines_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint order_invoice_lines_organization_id_order_id_line_id_fkey FOREIGN KEY (organization_id, order_id, line_id) REFERENCES order_lines(organization_id, order_id, id);
alter table only order_counters
  add constraint order_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only stock_levels
  add constraint stock_levels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint level_of_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id) ON DELETE CASCADE;
alter table only stock_movements
  add constraint stock_movements_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint stock_movements_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint movement_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id),
  add constraint stock_movements_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  add constraint stock_movements_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id);
alter table only expenses
  add constraint expense_order FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id);
alter table only period_locks
  add constraint period_locks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint period_locks_locked_by_fkey FOREIGN KEY (locked_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only locked_balances
  add constraint locked_balances_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint balance_of_lock FOREIGN KEY (organization_id, lock_id) REFERENCES period_locks(organization_id, id) ON DELETE CASCADE,
  add constraint balance_of_account FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id);
alter table only imports
  add constraint imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint imports_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only customers
  add constraint customer_import FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id);
alter table only scans
  add constraint scans_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint scans_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only scanned_documents
  add constraint scanned_documents_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE;
alter table only supplier_aliases
  add constraint supplier_aliases_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint supplier_aliases_organization_id_supplier_id_fkey FOREIGN KEY (organization_id, supplier_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE;
alter table only scan_batches
  add constraint scan_batches_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint scan_batches_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL;
alter table only scan_batch_files
  add constraint scan_batch_files_organization_id_batch_id_fkey FOREIGN KEY (organization_id, batch_id) REFERENCES scan_batches(organization_id, id) ON DELETE CASCADE;
alter table only mail_connections
  add constraint mail_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mail_connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint mail_connections_organization_id_auto_scan_automation_id_fkey FOREIGN KEY (organization_id, auto_scan_automation_id) REFERENCES automations(organization_id, id) ON DELETE SET NULL (auto_scan_automation_id),
  add constraint mail_connections_organization_id_password_key_id_fkey FOREIGN KEY (organization_id, password_key_id) REFERENCES organization_keys(organization_id, id),
  add constraint mail_connections_organization_id_tokens_key_id_fkey FOREIGN KEY (organization_id, tokens_key_id) REFERENCES organization_keys(organization_id, id);
alter table only ingestion_runs
  add constraint ingestion_runs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint ingestion_runs_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE;
alter table only mail_messages
  add constraint mail_messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mail_messages_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE,
  add constraint mail_messages_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id);
alter table only mail_places
  add constraint mail_places_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE,
  add constraint mail_places_organization_id_key_fkey FOREIGN KEY (organization_id, key) REFERENCES mail_messages(organization_id, key) ON DELETE CASCADE;
alter table only mail_documents
  add constraint mail_documents_organization_id_message_key_fkey FOREIGN KEY (organization_id, message_key) REFERENCES mail_messages(organization_id, key) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
alter table only ingestion_messages
  add constraint ingestion_messages_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES ingestion_runs(organization_id, id) ON DELETE CASCADE,
  add constraint ingestion_messages_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id);
alter table only mail_connects
  add constraint mail_connects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint mail_connects_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint mail_connects_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;
alter table only tax_authority_connections
  add constraint tax_authority_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint tax_authority_connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint tax_authority_connections_organization_id_credentials_key__fkey FOREIGN KEY (organization_id, credentials_key_id) REFERENCES organization_keys(organization_id, id),
  add constraint tax_authority_connections_organization_id_tokens_key_id_fkey FOREIGN KEY (organization_id, tokens_key_id) REFERENCES organization_keys(organization_id, id);
alter table only clearances
  add constraint clearances_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint clearances_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE;
alter table only employees
  add constraint employees_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint employee_counterparty FOREIGN KEY (organization_id, id) REFERENCES customers(organization_id, id),
  add constraint employee_user FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE SET NULL (user_id),
  add constraint employee_import FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id);
alter table only employee_terms
  add constraint employee_terms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint employee_terms_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint employee_terms_organization_id_employee_id_fkey FOREIGN KEY (organization_id, employee_id) REFERENCES employees(organization_id, id) ON DELETE CASCADE;
alter table only payslips
  add constraint payslips_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payslip_document FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint payslip_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employees(organization_id, id);
alter table only payslip_lines
  add constraint payslip_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payslip_lines_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE;
alter table only payslip_consents
  add constraint payslip_consents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint payslip_consents_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  add constraint payslip_consents_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE,
  add constraint payslip_consents_organization_id_attachment_id_fkey FOREIGN KEY (organization_id, attachment_id) REFERENCES document_attachments(organization_id, id);
alter table only leave_claims
  add constraint leave_claims_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint leave_claims_organization_id_id_fkey FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  add constraint leave_claims_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE;
alter table only received_einvoices
  add constraint received_einvoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint received_einvoices_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id);
alter table only automation_secrets
  add constraint automation_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint automation_secrets_organization_id_value_key_id_fkey FOREIGN KEY (organization_id, value_key_id) REFERENCES organization_keys(organization_id, id);
alter table only companion_sessions
  add constraint companion_sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint companion_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only companion_turns
  add constraint companion_turns_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_turns_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE;
alter table only companion_messages
  add constraint companion_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_messages_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  add constraint companion_messages_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE;
alter table only companion_steps
  add constraint companion_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_steps_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  add constraint companion_steps_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE,
  add constraint companion_steps_organization_id_executed_by_turn_id_fkey FOREIGN KEY (organization_id, executed_by_turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE;
alter table only companion_events
  add constraint companion_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  add constraint companion_events_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  add constraint companion_events_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE;
alter table only companion_usage
  add constraint companion_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only changes
  add constraint changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE;
alter table only preferences
  add constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only views
  add constraint views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table only planned_payments
  add constraint planned_payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  add constraint planned_payment_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  add constraint planned_payment_bank_account FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id);
alter table only former_addresses
  add constraint former_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;


-- Statistics over several columns

CREATE STATISTICS public.settled_documents ON (paid_minor + credited_minor) FROM documents;


-- Triggers

CREATE TRIGGER touch BEFORE UPDATE ON public.users FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.organizations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.memberships FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER touch BEFORE UPDATE ON public.customers FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.customer_recipients FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.bank_accounts FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.expense_categories FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.mail_deliveries FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.invitations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.organization_settings FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.document_numbering FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.documents FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.document_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.exchange_rates FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.overdue_marks FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER touch BEFORE UPDATE ON public.automations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.accounts FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.journal_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.journal_entry_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER touch BEFORE UPDATE ON public.suppliers FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.items FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.order_fulfilments FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON public.stock_movements FOR EACH ROW WHEN ((pg_trigger_depth() = 0)) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER touch BEFORE UPDATE ON public.imports FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.scans FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.scan_batches FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.scan_batch_files FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.mail_connections FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.ingestion_runs FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.mail_messages FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.tax_authority_connections FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.clearances FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.employees FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.employee_terms FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.automation_secrets FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_sessions FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_turns FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_messages FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_steps FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_events FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.companion_usage FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.preferences FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.views FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER touch BEFORE UPDATE ON public.planned_payments FOR EACH ROW EXECUTE FUNCTION set_updated_at();


-- Row security

alter table users enable row level security, force row level security;
alter table sessions enable row level security, force row level security;
alter table organizations enable row level security, force row level security;
alter table memberships enable row level security, force row level security;
alter table api_keys enable row level security, force row level security;
alter table api_key_organizations enable row level security, force row level security;
alter table api_key_calls enable row level security, force row level security;
alter table sign_in_failures enable row level security, force row level security;
alter table audit_log enable row level security, force row level security;
alter table events enable row level security, force row level security;
alter table idempotency_keys enable row level security, force row level security;
alter table rate_buckets enable row level security, force row level security;
alter table job_pressure enable row level security, force row level security;
alter table customers enable row level security, force row level security;
alter table customer_recipients enable row level security, force row level security;
alter table bank_accounts enable row level security, force row level security;
alter table expense_categories enable row level security, force row level security;
alter table worker_heartbeats enable row level security, force row level security;
alter table failed_jobs enable row level security, force row level security;
alter table leases enable row level security, force row level security;
alter table organization_keys enable row level security, force row level security;
alter table secrets_canary enable row level security, force row level security;
alter table secrets_root enable row level security, force row level security;
alter table secrets_rotation enable row level security, force row level security;
alter table mail_deliveries enable row level security, force row level security;
alter table outbox enable row level security, force row level security;
alter table files enable row level security, force row level security;
alter table file_home enable row level security, force row level security;
alter table schedule_marks enable row level security, force row level security;
alter table invitations enable row level security, force row level security;
alter table notifications enable row level security, force row level security;
alter table digests enable row level security, force row level security;
alter table organization_settings enable row level security, force row level security;
alter table document_numbering enable row level security, force row level security;
alter table oauth_clients enable row level security, force row level security;
alter table connected_apps enable row level security, force row level security;
alter table connected_app_organizations enable row level security, force row level security;
alter table oauth_tokens enable row level security, force row level security;
alter table account_links enable row level security, force row level security;
alter table authenticators enable row level security, force row level security;
alter table recovery_codes enable row level security, force row level security;
alter table passkeys enable row level security, force row level security;
alter table passkey_challenges enable row level security, force row level security;
alter table payments enable row level security, force row level security;
alter table documents enable row level security, force row level security;
alter table document_lines enable row level security, force row level security;
alter table allocations enable row level security, force row level security;
alter table document_events enable row level security, force row level security;
alter table exchange_rates enable row level security, force row level security;
alter table sales_by_day enable row level security, force row level security;
alter table sales_by_customer enable row level security, force row level security;
alter table sales_by_customer_day enable row level security, force row level security;
alter table cash_by_day enable row level security, force row level security;
alter table document_mailings enable row level security, force row level security;
alter table document_attachments enable row level security, force row level security;
alter table overdue_marks enable row level security, force row level security;
alter table document_counts enable row level security, force row level security;
alter table automations enable row level security, force row level security;
alter table automation_runs enable row level security, force row level security;
alter table automation_steps enable row level security, force row level security;
alter table automation_deliveries enable row level security, force row level security;
alter table webhook_secrets enable row level security, force row level security;
alter table ledger_kinds enable row level security, force row level security;
alter table automation_graphs enable row level security, force row level security;
alter table mail_counts enable row level security, force row level security;
alter table official_document_types enable row level security, force row level security;
alter table issued_copies enable row level security, force row level security;
alter table default_accounts enable row level security, force row level security;
alter table accounts enable row level security, force row level security;
alter table account_mappings enable row level security, force row level security;
alter table journal_entries enable row level security, force row level security;
alter table journal_entry_lines enable row level security, force row level security;
alter table account_periods enable row level security, force row level security;
alter table expenses enable row level security, force row level security;
alter table expense_splits enable row level security, force row level security;
alter table expense_customers enable row level security, force row level security;
alter table scan_usage enable row level security, force row level security;
alter table expenses_by_vendor enable row level security, force row level security;
alter table suppliers enable row level security, force row level security;
alter table items enable row level security, force row level security;
alter table orders enable row level security, force row level security;
alter table order_lines enable row level security, force row level security;
alter table order_fulfilments enable row level security, force row level security;
alter table order_invoice_lines enable row level security, force row level security;
alter table order_counters enable row level security, force row level security;
alter table stock_levels enable row level security, force row level security;
alter table stock_movements enable row level security, force row level security;
alter table journal_sums enable row level security, force row level security;
alter table journal_results enable row level security, force row level security;
alter table journal_sums_state enable row level security, force row level security;
alter table journal_marks enable row level security, force row level security;
alter table period_locks enable row level security, force row level security;
alter table locked_balances enable row level security, force row level security;
alter table imports enable row level security, force row level security;
alter table scans enable row level security, force row level security;
alter table scanned_documents enable row level security, force row level security;
alter table supplier_aliases enable row level security, force row level security;
alter table scan_batches enable row level security, force row level security;
alter table scan_batch_files enable row level security, force row level security;
alter table mail_connections enable row level security, force row level security;
alter table ingestion_runs enable row level security, force row level security;
alter table mail_messages enable row level security, force row level security;
alter table mail_places enable row level security, force row level security;
alter table mail_documents enable row level security, force row level security;
alter table ingestion_messages enable row level security, force row level security;
alter table mail_connects enable row level security, force row level security;
alter table tax_authority_connections enable row level security, force row level security;
alter table clearances enable row level security, force row level security;
alter table employees enable row level security, force row level security;
alter table employee_terms enable row level security, force row level security;
alter table payslips enable row level security, force row level security;
alter table payslip_lines enable row level security, force row level security;
alter table payslip_consents enable row level security, force row level security;
alter table leave_claims enable row level security, force row level security;
alter table received_einvoices enable row level security, force row level security;
alter table automation_secrets enable row level security, force row level security;
alter table companion_sessions enable row level security, force row level security;
alter table companion_turns enable row level security, force row level security;
alter table companion_messages enable row level security, force row level security;
alter table companion_steps enable row level security, force row level security;
alter table companion_events enable row level security, force row level security;
alter table companion_usage enable row level security, force row level security;
alter table backup_outcomes enable row level security, force row level security;
alter table changes enable row level security, force row level security;
alter table preferences enable row level security, force row level security;
alter table views enable row level security, force row level security;
alter table journal_results_by_day enable row level security, force row level security;
alter table journal_taxes_by_day enable row level security, force row level security;
alter table planned_payments enable row level security, force row level security;
alter table former_addresses enable row level security, force row level security;
alter table function_files enable row level security, force row level security;
alter table graphile_worker._private_known_crontabs enable row level security;
alter table graphile_worker._private_job_queues enable row level security;
alter table graphile_worker._private_tasks enable row level security;
alter table graphile_worker._private_jobs enable row level security;
create policy system on users to current_user using (true) with check (true);
create policy confined on users to kontor_confined using ((id = ( SELECT current_person() AS current_person)));
create policy system on sessions to current_user using (true) with check (true);
create policy confined on sessions to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on organizations to current_user using (true) with check (true);
create policy confined on organizations to kontor_confined using ((id = ( SELECT current_organization() AS current_organization)));
create policy across on organizations for select to kontor_across using ((id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on memberships to current_user using (true) with check (true);
create policy confined on memberships to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on memberships for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on api_keys to current_user using (true) with check (true);
create policy confined on api_keys to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on api_key_organizations to current_user using (true) with check (true);
create policy confined on api_key_organizations to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on api_key_calls to current_user using (true) with check (true);
create policy confined on api_key_calls to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on sign_in_failures to current_user using (true) with check (true);
create policy system on audit_log to current_user using (true) with check (true);
create policy own_organization on audit_log for select to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy system on events to current_user using (true) with check (true);
create policy confined on events to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization))) with check ((organization_id = current_organization()));
create policy across on events for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on idempotency_keys to current_user using (true) with check (true);
create policy confined on idempotency_keys to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on rate_buckets to current_user using (true) with check (true);
create policy system on job_pressure to current_user using (true) with check (true);
create policy system on customers to current_user using (true) with check (true);
create policy confined on customers to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on customers for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on customer_recipients to current_user using (true) with check (true);
create policy confined on customer_recipients to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on customer_recipients for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on bank_accounts to current_user using (true) with check (true);
create policy confined on bank_accounts to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on bank_accounts for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expense_categories to current_user using (true) with check (true);
create policy confined on expense_categories to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expense_categories for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on worker_heartbeats to current_user using (true) with check (true);
create policy system on failed_jobs to current_user using (true) with check (true);
create policy system on leases to current_user using (true) with check (true);
create policy confined on leases to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on leases for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on organization_keys to current_user using (true) with check (true);
create policy system on secrets_canary to current_user using (true) with check (true);
create policy system on secrets_root to current_user using (true) with check (true);
create policy system on secrets_rotation to current_user using (true) with check (true);
create policy system on mail_deliveries to current_user using (true) with check (true);
create policy confined on mail_deliveries to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_deliveries for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on outbox to current_user using (true) with check (true);
create policy confined on outbox to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on outbox for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on files to current_user using (true) with check (true);
create policy confined on files to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on files for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on file_home to current_user using (true) with check (true);
create policy system on schedule_marks to current_user using (true) with check (true);
create policy colleagues on users for select to kontor_confined, kontor_across using (((EXISTS ( SELECT
   FROM memberships m
  WHERE (m.user_id = users.id))) OR (EXISTS ( SELECT
   FROM audit_log a
  WHERE (a.user_id = users.id)))));
create policy across on audit_log for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on invitations to current_user using (true) with check (true);
create policy confined on invitations to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on invitations for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on notifications to current_user using (true) with check (true);
create policy confined on notifications to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy to_colleagues on notifications for insert to kontor_confined with check ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy system on digests to current_user using (true) with check (true);
create policy system on organization_settings to current_user using (true) with check (true);
create policy confined on organization_settings to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on organization_settings for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_numbering to current_user using (true) with check (true);
create policy confined on document_numbering to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_numbering for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on oauth_clients to current_user using (true) with check (true);
create policy system on connected_apps to current_user using (true) with check (true);
create policy confined on connected_apps to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on connected_app_organizations to current_user using (true) with check (true);
create policy confined on connected_app_organizations to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on oauth_tokens to current_user using (true) with check (true);
create policy system on account_links to current_user using (true) with check (true);
create policy system on authenticators to current_user using (true) with check (true);
create policy system on recovery_codes to current_user using (true) with check (true);
create policy system on passkeys to current_user using (true) with check (true);
create policy system on passkey_challenges to current_user using (true) with check (true);
create policy system on payments to current_user using (true) with check (true);
create policy confined on payments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on documents to current_user using (true) with check (true);
create policy confined on documents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on documents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_lines to current_user using (true) with check (true);
create policy confined on document_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on allocations to current_user using (true) with check (true);
create policy confined on allocations to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on allocations for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_events to current_user using (true) with check (true);
create policy confined on document_events to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_events for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on exchange_rates to current_user using (true) with check (true);
create policy readable on exchange_rates for select to kontor_confined, kontor_across using (((( SELECT current_organization() AS current_organization) IS NOT NULL) OR (( SELECT current_person() AS current_person) IS NOT NULL)));
create policy system on sales_by_day to current_user using (true) with check (true);
create policy confined on sales_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on sales_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on sales_by_customer to current_user using (true) with check (true);
create policy confined on sales_by_customer to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on sales_by_customer for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on sales_by_customer_day to current_user using (true) with check (true);
create policy confined on sales_by_customer_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on sales_by_customer_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on cash_by_day to current_user using (true) with check (true);
create policy confined on cash_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on cash_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_mailings to current_user using (true) with check (true);
create policy confined on document_mailings to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_mailings for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_attachments to current_user using (true) with check (true);
create policy confined on document_attachments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_attachments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on overdue_marks to current_user using (true) with check (true);
create policy confined on overdue_marks to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on overdue_marks for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on document_counts to current_user using (true) with check (true);
create policy confined on document_counts to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on document_counts for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automations to current_user using (true) with check (true);
create policy confined on automations to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automations for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automation_runs to current_user using (true) with check (true);
create policy confined on automation_runs to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_runs for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automation_steps to current_user using (true) with check (true);
create policy confined on automation_steps to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_steps for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on automation_deliveries to current_user using (true) with check (true);
create policy confined on automation_deliveries to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_deliveries for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on webhook_secrets to current_user using (true) with check (true);
create policy confined on webhook_secrets to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on webhook_secrets for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on ledger_kinds to current_user using (true) with check (true);
create policy system on automation_graphs to current_user using (true) with check (true);
create policy confined on automation_graphs to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_graphs for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_counts to current_user using (true) with check (true);
create policy system on official_document_types to current_user using (true) with check (true);
create policy system on issued_copies to current_user using (true) with check (true);
create policy confined on issued_copies to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on issued_copies for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on default_accounts to current_user using (true) with check (true);
create policy system on accounts to current_user using (true) with check (true);
create policy confined on accounts to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on accounts for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on account_mappings to current_user using (true) with check (true);
create policy confined on account_mappings to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on account_mappings for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_entries to current_user using (true) with check (true);
create policy confined on journal_entries to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_entries for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_entry_lines to current_user using (true) with check (true);
create policy confined on journal_entry_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_entry_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on account_periods to current_user using (true) with check (true);
create policy confined on account_periods to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on account_periods for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expenses to current_user using (true) with check (true);
create policy confined on expenses to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expenses for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expense_splits to current_user using (true) with check (true);
create policy confined on expense_splits to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expense_splits for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expense_customers to current_user using (true) with check (true);
create policy confined on expense_customers to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expense_customers for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scan_usage to current_user using (true) with check (true);
create policy confined on scan_usage to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scan_usage for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on expenses_by_vendor to current_user using (true) with check (true);
create policy confined on expenses_by_vendor to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on expenses_by_vendor for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on suppliers to current_user using (true) with check (true);
create policy confined on suppliers to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on suppliers for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on items to current_user using (true) with check (true);
create policy confined on items to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on items for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on orders to current_user using (true) with check (true);
create policy confined on orders to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on orders for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_lines to current_user using (true) with check (true);
create policy confined on order_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_fulfilments to current_user using (true) with check (true);
create policy confined on order_fulfilments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_fulfilments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_invoice_lines to current_user using (true) with check (true);
create policy confined on order_invoice_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_invoice_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on order_counters to current_user using (true) with check (true);
create policy confined on order_counters to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on order_counters for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on stock_levels to current_user using (true) with check (true);
create policy confined on stock_levels to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on stock_levels for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on stock_movements to current_user using (true) with check (true);
create policy confined on stock_movements to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on stock_movements for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_sums to current_user using (true) with check (true);
create policy confined on journal_sums to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_sums for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_results to current_user using (true) with check (true);
create policy confined on journal_results to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_results for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_sums_state to current_user using (true) with check (true);
create policy confined on journal_sums_state to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_sums_state for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_marks to current_user using (true) with check (true);
create policy confined on journal_marks to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_marks for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on period_locks to current_user using (true) with check (true);
create policy confined on period_locks to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on period_locks for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on locked_balances to current_user using (true) with check (true);
create policy confined on locked_balances to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on locked_balances for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on imports to current_user using (true) with check (true);
create policy confined on imports to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on imports for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scans to current_user using (true) with check (true);
create policy confined on scans to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scans for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scanned_documents to current_user using (true) with check (true);
create policy confined on scanned_documents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scanned_documents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on supplier_aliases to current_user using (true) with check (true);
create policy confined on supplier_aliases to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on supplier_aliases for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scan_batches to current_user using (true) with check (true);
create policy confined on scan_batches to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scan_batches for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on scan_batch_files to current_user using (true) with check (true);
create policy confined on scan_batch_files to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on scan_batch_files for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_connections to current_user using (true) with check (true);
create policy confined on mail_connections to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_connections for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on ingestion_runs to current_user using (true) with check (true);
create policy confined on ingestion_runs to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on ingestion_runs for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_messages to current_user using (true) with check (true);
create policy confined on mail_messages to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_messages for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_places to current_user using (true) with check (true);
create policy confined on mail_places to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_places for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_documents to current_user using (true) with check (true);
create policy confined on mail_documents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_documents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on ingestion_messages to current_user using (true) with check (true);
create policy confined on ingestion_messages to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on ingestion_messages for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on mail_connects to current_user using (true) with check (true);
create policy confined on mail_connects to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on mail_connects for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on tax_authority_connections to current_user using (true) with check (true);
create policy confined on tax_authority_connections to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on tax_authority_connections for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on clearances to current_user using (true) with check (true);
create policy confined on clearances to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on clearances for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on employees to current_user using (true) with check (true);
create policy confined on employees to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on employees for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on employee_terms to current_user using (true) with check (true);
create policy confined on employee_terms to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on employee_terms for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on payslips to current_user using (true) with check (true);
create policy confined on payslips to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payslips for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on payslip_lines to current_user using (true) with check (true);
create policy confined on payslip_lines to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payslip_lines for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on payslip_consents to current_user using (true) with check (true);
create policy confined on payslip_consents to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on payslip_consents for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on leave_claims to current_user using (true) with check (true);
create policy confined on leave_claims to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on leave_claims for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on received_einvoices to current_user using (true) with check (true);
create policy confined on received_einvoices to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on received_einvoices for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy payroll on employees as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (user_id = ( SELECT current_person() AS current_person)))));
create policy payroll on employee_terms as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (employee_id IN ( SELECT e.id
   FROM employees e
  WHERE (e.user_id = ( SELECT current_person() AS current_person)))))));
create policy payroll on payslips as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (employee_id IN ( SELECT e.id
   FROM employees e
  WHERE (e.user_id = ( SELECT current_person() AS current_person)))))));
create policy payroll on payslip_lines as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (( SELECT reads_own_payroll() AS reads_own_payroll) AND (payslip_id IN ( SELECT p.id
   FROM (payslips p
     JOIN employees e ON ((e.id = p.employee_id)))
  WHERE (e.user_id = ( SELECT current_person() AS current_person)))))));
create policy payroll on payslip_consents as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR false));
create policy payroll on leave_claims as restrictive to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR false));
create policy payroll on files as restrictive for select to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (purpose <> 'payroll'::text)));
create policy payroll on outbox as restrictive for select to kontor_confined, kontor_across using ((( SELECT ((CURRENT_USER = '{owner}'::name) OR reads_payroll())) OR (NOT holds_payroll)));
create policy system on automation_secrets to current_user using (true) with check (true);
create policy confined on automation_secrets to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on automation_secrets for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on companion_sessions to current_user using (true) with check (true);
create policy confined on companion_sessions to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_sessions for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_sessions as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_turns to current_user using (true) with check (true);
create policy confined on companion_turns to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_turns for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_turns as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_messages to current_user using (true) with check (true);
create policy confined on companion_messages to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_messages for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_messages as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_steps to current_user using (true) with check (true);
create policy confined on companion_steps to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_steps for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_steps as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_events to current_user using (true) with check (true);
create policy confined on companion_events to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_events for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own on companion_events as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on companion_usage to current_user using (true) with check (true);
create policy confined on companion_usage to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on companion_usage for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy used on api_keys for select to kontor_across using ((EXISTS ( SELECT
   FROM audit_log a
  WHERE (a.api_key_id = api_keys.id))));
create policy used on connected_apps for select to kontor_across using ((EXISTS ( SELECT
   FROM audit_log a
  WHERE (a.client_id = connected_apps.client_id))));
create policy system on backup_outcomes to current_user using (true) with check (true);
create policy system on changes to current_user using (true) with check (true);
create policy confined on changes to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on changes for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy confined on preferences to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on preferences to current_user using (true) with check (true);
create policy system on views to current_user using (true) with check (true);
create policy confined on views to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on views for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own_or_shared on views as restrictive to kontor_confined, kontor_across using ((( SELECT (CURRENT_USER = '{owner}'::name)) OR shared OR (user_id = ( SELECT current_person() AS current_person))));
create policy system on journal_results_by_day to current_user using (true) with check (true);
create policy confined on journal_results_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_results_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on journal_taxes_by_day to current_user using (true) with check (true);
create policy confined on journal_taxes_by_day to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on journal_taxes_by_day for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy own_deed on audit_log for insert to kontor_confined with check (((NOT (user_id IS DISTINCT FROM current_person())) AND (NOT (organization_id IS DISTINCT FROM current_organization())) AND ((user_id IS NOT NULL) OR ((source = 'LINK'::text) AND (organization_id IS NOT NULL)))));
create policy system on planned_payments to current_user using (true) with check (true);
create policy confined on planned_payments to kontor_confined using ((organization_id = ( SELECT current_organization() AS current_organization)));
create policy across on planned_payments for select to kontor_across using ((organization_id = ANY (( SELECT current_organizations() AS current_organizations)::uuid[])));
create policy system on former_addresses to current_user using (true) with check (true);
create policy confined on former_addresses to kontor_confined using ((user_id = ( SELECT current_person() AS current_person)));
create policy system on function_files to current_user using (true) with check (true);


-- Grants

grant delete, insert, select, update on sessions to kontor_confined;
grant delete, insert, select, update on organizations to kontor_confined;
grant select on organizations to kontor_across;
grant delete, insert, select on memberships to kontor_confined;
grant select on memberships to kontor_across;
grant delete, insert, select, update on api_keys to kontor_confined;
grant delete, insert, select, update on api_key_organizations to kontor_confined;
grant select on api_key_calls to kontor_confined;
grant insert, select on audit_log to kontor_confined;
grant select on audit_log to kontor_across;
grant insert, select on events to kontor_confined;
grant select on events to kontor_across;
grant delete, insert, select, update on idempotency_keys to kontor_confined;
grant delete, insert, select, update on customers to kontor_confined;
grant select on customers to kontor_across;
grant delete, insert, select, update on customer_recipients to kontor_confined;
grant select on customer_recipients to kontor_across;
grant delete, insert, select, update on bank_accounts to kontor_confined;
grant select on bank_accounts to kontor_across;
grant delete, insert, select, update on expense_categories to kontor_confined;
grant select on expense_categories to kontor_across;
grant delete, insert, select, update on leases to kontor_confined;
grant select on leases to kontor_across;
grant insert, select on mail_deliveries to kontor_confined;
grant select on mail_deliveries to kontor_across;
grant select on outbox to kontor_across;
grant select on outbox to kontor_confined;
grant delete, insert, select on files to kontor_confined;
grant select on files to kontor_across;
grant delete on invitations to kontor_confined;
grant select on notifications to kontor_confined;
grant select on organization_settings to kontor_across;
grant select on organization_settings to kontor_confined;
grant select on document_numbering to kontor_across;
grant select on document_numbering to kontor_confined;
grant select on connected_apps to kontor_confined;
grant select on connected_app_organizations to kontor_confined;
grant select on payments to kontor_across;
grant select on payments to kontor_confined;
grant delete, select on documents to kontor_confined;
grant select on documents to kontor_across;
grant delete, select on document_lines to kontor_confined;
grant select on document_lines to kontor_across;
grant select on allocations to kontor_across;
grant select on allocations to kontor_confined;
grant select on document_events to kontor_across;
grant select on document_events to kontor_confined;
grant select on exchange_rates to kontor_across;
grant select on exchange_rates to kontor_confined;
grant select on sales_by_day to kontor_across;
grant select on sales_by_day to kontor_confined;
grant select on sales_by_customer to kontor_across;
grant select on sales_by_customer to kontor_confined;
grant select on sales_by_customer_day to kontor_across;
grant select on sales_by_customer_day to kontor_confined;
grant select on cash_by_day to kontor_across;
grant select on cash_by_day to kontor_confined;
grant insert, select on document_mailings to kontor_confined;
grant select on document_mailings to kontor_across;
grant insert, select on document_attachments to kontor_confined;
grant select on document_attachments to kontor_across;
grant insert, select on overdue_marks to kontor_confined;
grant select on overdue_marks to kontor_across;
grant select on document_counts to kontor_across;
grant select on document_counts to kontor_confined;
grant delete, insert, select on automations to kontor_confined;
grant select on automations to kontor_across;
grant delete, insert, select, update on automation_runs to kontor_confined;
grant select on automation_runs to kontor_across;
grant delete, insert, select, update on automation_steps to kontor_confined;
grant select on automation_steps to kontor_across;
grant insert, select on automation_deliveries to kontor_confined;
grant select on automation_deliveries to kontor_across;
grant delete, insert, select, update on webhook_secrets to kontor_confined;
grant select on webhook_secrets to kontor_across;
grant select on automation_graphs to kontor_across;
grant select on automation_graphs to kontor_confined;
grant select on issued_copies to kontor_across;
grant select on issued_copies to kontor_confined;
grant select on accounts to kontor_across;
grant select on accounts to kontor_confined;
grant delete, insert, select, update on account_mappings to kontor_confined;
grant select on account_mappings to kontor_across;
grant select on journal_entries to kontor_across;
grant select on journal_entries to kontor_confined;
grant insert, select on journal_entry_lines to kontor_confined;
grant select on journal_entry_lines to kontor_across;
grant select on account_periods to kontor_across;
grant select on account_periods to kontor_confined;
grant delete, insert, select, update on expenses to kontor_confined;
grant select on expenses to kontor_across;
grant delete, insert, select, update on expense_splits to kontor_confined;
grant select on expense_splits to kontor_across;
grant delete, insert, select, update on expense_customers to kontor_confined;
grant select on expense_customers to kontor_across;
grant select on scan_usage to kontor_across;
grant select on scan_usage to kontor_confined;
grant select on expenses_by_vendor to kontor_across;
grant select on expenses_by_vendor to kontor_confined;
grant delete, insert, select, update on suppliers to kontor_confined;
grant select on suppliers to kontor_across;
grant delete, insert, select, update on items to kontor_confined;
grant select on items to kontor_across;
grant delete, insert, select, update on orders to kontor_confined;
grant select on orders to kontor_across;
grant delete, select on order_lines to kontor_confined;
grant select on order_lines to kontor_across;
grant insert, select on order_fulfilments to kontor_confined;
grant select on order_fulfilments to kontor_across;
grant insert, select on order_invoice_lines to kontor_confined;
grant select on order_invoice_lines to kontor_across;
grant select on order_counters to kontor_across;
grant select on order_counters to kontor_confined;
grant select on stock_levels to kontor_across;
grant select on stock_levels to kontor_confined;
grant select on stock_movements to kontor_across;
grant select on stock_movements to kontor_confined;
grant delete, insert, select, update on journal_sums to kontor_confined;
grant select on journal_sums to kontor_across;
grant delete, insert, select, update on journal_results to kontor_confined;
grant select on journal_results to kontor_across;
grant delete, insert, select, update on journal_sums_state to kontor_confined;
grant select on journal_sums_state to kontor_across;
grant delete, select on journal_marks to kontor_confined;
grant select on journal_marks to kontor_across;
grant select on period_locks to kontor_across;
grant select on period_locks to kontor_confined;
grant insert, select on locked_balances to kontor_confined;
grant select on locked_balances to kontor_across;
grant insert, select on imports to kontor_confined;
grant select on imports to kontor_across;
grant insert, select, update on scans to kontor_confined;
grant select on scans to kontor_across;
grant delete, insert, select on scanned_documents to kontor_confined;
grant select on scanned_documents to kontor_across;
grant delete, insert, select, update on supplier_aliases to kontor_confined;
grant select on supplier_aliases to kontor_across;
grant select on scan_batches to kontor_across;
grant select on scan_batches to kontor_confined;
grant select on scan_batch_files to kontor_across;
grant select on scan_batch_files to kontor_confined;
grant delete, insert, select, update on mail_connections to kontor_confined;
grant select on ingestion_runs to kontor_across;
grant select on ingestion_runs to kontor_confined;
grant delete, insert, select, update on mail_messages to kontor_confined;
grant select on mail_messages to kontor_across;
grant delete, insert, select, update on mail_places to kontor_confined;
grant select on mail_places to kontor_across;
grant delete, insert, select, update on mail_documents to kontor_confined;
grant select on mail_documents to kontor_across;
grant insert, select on ingestion_messages to kontor_confined;
grant select on ingestion_messages to kontor_across;
grant delete on mail_connects to kontor_confined;
grant delete, insert, select on tax_authority_connections to kontor_confined;
grant select on tax_authority_connections to kontor_across;
grant insert, select, update on clearances to kontor_confined;
grant select on clearances to kontor_across;
grant delete, insert, select, update on employees to kontor_confined;
grant select on employees to kontor_across;
grant delete, insert, select, update on employee_terms to kontor_confined;
grant select on employee_terms to kontor_across;
grant delete, insert, select on payslips to kontor_confined;
grant select on payslips to kontor_across;
grant delete, insert, select, update on payslip_lines to kontor_confined;
grant select on payslip_lines to kontor_across;
grant insert, select on payslip_consents to kontor_confined;
grant select on payslip_consents to kontor_across;
grant delete, insert, select, update on leave_claims to kontor_confined;
grant select on leave_claims to kontor_across;
grant insert, select on received_einvoices to kontor_confined;
grant select on received_einvoices to kontor_across;
grant delete, insert, select, update on automation_secrets to kontor_confined;
grant select on automation_secrets to kontor_across;
grant delete, insert, select, update on companion_sessions to kontor_confined;
grant select on companion_sessions to kontor_across;
grant delete, insert, select, update on companion_turns to kontor_confined;
grant select on companion_turns to kontor_across;
grant delete, insert, select, update on companion_messages to kontor_confined;
grant select on companion_messages to kontor_across;
grant delete, insert, select, update on companion_steps to kontor_confined;
grant select on companion_steps to kontor_across;
grant delete, insert, select, update on companion_events to kontor_confined;
grant select on companion_events to kontor_across;
grant delete, insert, select, update on companion_usage to kontor_confined;
grant select on companion_usage to kontor_across;
grant select on changes to kontor_across;
grant select on changes to kontor_confined;
grant select on preferences to kontor_confined;
grant delete, insert, select, update on views to kontor_confined;
grant select on views to kontor_across;
grant delete, insert, select, update on journal_results_by_day to kontor_confined;
grant select on journal_results_by_day to kontor_across;
grant delete, insert, select, update on journal_taxes_by_day to kontor_confined;
grant select on journal_taxes_by_day to kontor_across;
grant insert, select on planned_payments to kontor_confined;
grant select on planned_payments to kontor_across;
grant select (id, name, email) on users to kontor_across;
grant select (id, name, email, email_verified_at, disabled_at, created_at, updated_at, locale, digest) on users to kontor_confined;
grant update (name, locale, digest) on users to kontor_confined;
grant update (role) on memberships to kontor_confined;
grant select (id, name, prefix) on api_keys to kontor_across;
grant update (letter, contents, status, attempts, claimed_until, last_reason, message_id, kept) on mail_deliveries to kontor_confined;
grant update (attached_at) on files to kontor_confined;
grant insert (organization_id, id, email, role, invited_by, secret_hash) on invitations to kontor_confined;
grant select (organization_id, id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at) on invitations to kontor_across;
grant select (organization_id, id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at) on invitations to kontor_confined;
grant update (role, invited_by, secret_hash, expires_at) on invitations to kontor_confined;
grant insert (id, user_id, organization_id, kind, data) on notifications to kontor_confined;
grant update (read_at) on notifications to kontor_confined;
grant insert (organization_id, sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest, locked_until, clear_on_issue, sales_tax_rates, automation_runs_kept_days) on organization_settings to kontor_confined;
grant update (sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest, locked_until, clear_on_issue, sales_tax_rates, automation_runs_kept_days) on organization_settings to kontor_confined;
grant insert (organization_id, document_type, prefix, padding, first_number) on document_numbering to kontor_confined;
grant update (prefix, padding, first_number) on document_numbering to kontor_confined;
grant select (client_id, client_name, created_at) on connected_apps to kontor_across;
grant update (revoked_at) on connected_apps to kontor_confined;
grant insert (organization_id, id, direction, counterparty_id, amount_minor, currency, minor_digits, paid_at, method, source, created_by, withheld_minor, reference, details, bank_account_id, refund_of, exchange_rate, rate_date, kind) on payments to kontor_confined;
grant update (voided_at, void_reason) on payments to kontor_confined;
grant insert (organization_id, id, kind, direction, document_type, status, counterparty_id, bank_account_id, currency, minor_digits, issue_date, issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes, payment_method, payment_date, country_specific_data, generator_version, source_document_id, payment_id, created_by, given_rate, given_rate_date) on documents to kontor_confined;
grant update (document_type, status, counterparty_id, bank_account_id, currency, minor_digits, issue_date, issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes, payment_method, payment_date, receipt_number, in_dispute, vat_allocation_number, country_specific_data, generator_version, revision, sent_at, cancelled_at, link_version, given_rate, given_rate_date) on documents to kontor_confined;
grant insert (organization_id, document_id, "position", id, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category, discount_percent, discount_minor, catalog_item_id) on document_lines to kontor_confined;
grant update ("position", item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category, discount_percent, discount_minor, catalog_item_id) on document_lines to kontor_confined;
grant insert (organization_id, id, payment_id, document_id, line_id, amount_minor) on allocations to kontor_confined;
grant update (voided_at) on allocations to kontor_confined;
grant insert (organization_id, id, document_id, type, actor_user_id, payload) on document_events to kontor_confined;
grant update (told_at) on document_mailings to kontor_confined;
grant update (name, description, status, blocks, edges, enabled_at) on automations to kontor_confined;
grant update (outcome, status, latency_ms, reason, answer) on automation_deliveries to kontor_confined;
grant update (original_file_id, original_sha256) on issued_copies to kontor_confined;
grant insert (organization_id, id, code, name, name_he, type, active) on accounts to kontor_confined;
grant update (code, name, name_he, purpose, active) on accounts to kontor_confined;
grant insert (organization_id, id, kind, date, description, reference, reverses_id) on journal_entries to kontor_confined;
grant insert (entered_fields, entered_for, amount_for) on expenses to kontor_confined;
grant update (entered_fields, changed_for, amount_for) on expenses to kontor_confined;
grant insert (organization_id, order_id, id, "position", item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category) on order_lines to kontor_confined;
grant insert (organization_id, id, item_id, kind, quantity, date, given_cost, reason, reference, source) on stock_movements to kontor_confined;
grant update (summed_up_at) on period_locks to kontor_confined;
grant insert (id, total) on scan_batches to kontor_confined;
grant insert (id, batch_id, "position", attachment_id, expense_id) on scan_batch_files to kontor_confined;
grant update (status, error, duplicate_of_id) on scan_batch_files to kontor_confined;
grant insert (id, connection_id, date_from, date_to, is_continued) on ingestion_runs to kontor_confined;
grant update (status, error_message, claimed_at, last_progress_at, completed_at, lease, lease_until, resumed) on ingestion_runs to kontor_confined;
grant insert (state_hash, provider, name, session_id) on mail_connects to kontor_confined;
grant select (organization_id, state_hash, provider, name, user_id, session_id, expires_at) on mail_connects to kontor_confined;
grant update (tokens, refreshing_until, state_hash, state_until, is_validated, last_validated_at, validation_error, failure_notified_at) on tax_authority_connections to kontor_confined;
grant update (period_start, period_end, is_final, gross_minor, reimbursements_minor, deductions_minor, net_minor, contributions_minor, wage_minor, tables, facts, bases, corrections, inputs, work, warnings, terms_at, computed_at) on payslips to kontor_confined;
grant insert (user_id, value) on preferences to kontor_confined;
grant update (value) on preferences to kontor_confined;
grant update (status, problem) on planned_payments to kontor_confined;
grant execute on function current_person() to kontor_across, kontor_confined;
grant execute on function current_organization() to kontor_across, kontor_confined;
grant execute on function current_organizations() to kontor_across, kontor_confined;
grant execute on function owner_of_organizations(uuid) to kontor_confined;
grant execute on function owner_of_events(uuid) to kontor_confined;
grant execute on function owner_of_customer_recipients(uuid) to kontor_confined;
grant execute on function owner_of_bank_accounts(uuid) to kontor_confined;
grant execute on function owner_of_expense_categories(uuid) to kontor_confined;
grant execute on function owner_of_mail_deliveries(uuid) to kontor_confined;
grant execute on function owner_of_outbox(uuid) to kontor_confined;
grant execute on function owner_of_files(uuid) to kontor_confined;
grant execute on function owner_of_invitations(uuid) to kontor_confined;
grant execute on function major_units(bigint,smallint) to kontor_across, kontor_confined;
grant execute on function status_rank(text) to kontor_across, kontor_confined;
grant execute on function owner_of_allocations(uuid) to kontor_confined;
grant execute on function owner_of_document_events(uuid) to kontor_confined;
grant execute on function owner_of_document_attachments(uuid) to kontor_confined;
grant execute on function search_grams(uuid,text) to kontor_across, kontor_confined;
grant execute on function trigger_types(jsonb) to kontor_across, kontor_confined;
grant execute on function owner_of_automations(uuid) to kontor_confined;
grant execute on function owner_of_automation_runs(uuid) to kontor_confined;
grant execute on function owner_of_automation_steps(uuid) to kontor_confined;
grant execute on function new_id() to kontor_confined;
grant execute on function owner_of_automation_deliveries(uuid) to kontor_confined;
grant execute on function owner_of_webhook_secrets(uuid) to kontor_confined;
grant execute on function owner_of_automation_graphs(uuid) to kontor_confined;
grant execute on function owner_of_accounts(uuid) to kontor_confined;
grant execute on function owner_of_journal_entries(uuid) to kontor_confined;
grant execute on function is_receipt_by_law(text,text) to kontor_across, kontor_confined;
grant execute on function fits_purpose(text,text) to kontor_confined;
grant execute on function owner_of_expenses(uuid) to kontor_confined;
grant execute on function owner_of_suppliers(uuid) to kontor_confined;
grant execute on function owner_of_items(uuid) to kontor_confined;
grant execute on function owner_of_orders(uuid) to kontor_confined;
grant execute on function owner_of_order_fulfilments(uuid) to kontor_confined;
grant execute on function owner_of_stock_movements(uuid) to kontor_confined;
grant execute on function owner_of_period_locks(uuid) to kontor_confined;
grant execute on function owner_of_imports(uuid) to kontor_confined;
grant execute on function owner_of_scan_batches(uuid) to kontor_confined;
grant execute on function owner_of_scan_batch_files(uuid) to kontor_confined;
grant execute on function owner_of_mail_connections(uuid) to kontor_confined;
grant execute on function owner_of_ingestion_runs(uuid) to kontor_confined;
grant execute on function owner_of_ingestion_messages(uuid) to kontor_confined;
grant execute on function owner_of_tax_authority_connections(uuid) to kontor_confined;
grant execute on function are_sales_tax_rates(jsonb) to kontor_across, kontor_confined;
grant execute on function owner_of_employees(uuid) to kontor_confined;
grant execute on function owner_of_payslips(uuid) to kontor_confined;
grant execute on function owner_of_payslip_consents(uuid) to kontor_confined;
grant execute on function owner_of_leave_claims(uuid) to kontor_confined;
grant execute on function owner_of_received_einvoices(uuid) to kontor_confined;
grant execute on function reads_payroll() to kontor_across, kontor_confined;
grant execute on function reads_own_payroll() to kontor_across, kontor_confined;
grant execute on function owner_of_automation_secrets(uuid) to kontor_confined;
grant execute on function owner_of_companion_turns(uuid) to kontor_confined;
grant execute on function owner_of_companion_messages(uuid) to kontor_confined;
grant execute on function owner_of_companion_steps(uuid) to kontor_confined;
grant execute on function owner_of_views(uuid) to kontor_confined;
grant execute on function owner_of_planned_payments(uuid) to kontor_confined;

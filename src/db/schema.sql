-- The schema as all migrations leave it, for reading. Written by `npm run schema`; never edit or run it.
-- "owner" stands for the role that owns the database. kontor_confined and kontor_across are the roles of requests.
-- Bodies and grants of functions stand in src/db/functions, in the file that follows each of them here.


-- Types

create type journal_part_line as (organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, direction text, times integer, line integer, account text, subject text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home text, exchange_rate numeric, rest text);

create type member_role as enum ('EMPLOYEE', 'VIEWER', 'CONTRIBUTOR', 'MANAGER', 'OWNER');

create type result_line as (organization_id uuid, document_id uuid, event text, day date, direction text, account text, account_id uuid, subject text, home_currency text, face_currency text, home_minor bigint);


-- Tables

create table migrations (
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now(),
  constraint migrations_pkey PRIMARY KEY (name)
);

create table users (
  id uuid not null,
  name text not null,
  email text not null,
  email_verified_at timestamptz,
  password_hash text,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  locale text not null default 'en',
  digest text not null default 'NONE',
  confirm_first boolean not null default false,
  constraint users_pkey PRIMARY KEY (id),
  constraint confirmed_is_open CHECK (NOT (confirm_first AND email_verified_at IS NOT NULL)),
  constraint users_digest_check CHECK (digest = ANY (ARRAY['NONE', 'DAILY', 'WEEKLY'])),
  constraint users_email_check CHECK (email <> ''),
  constraint users_locale_check CHECK (locale = ANY (ARRAY['en', 'he'])),
  constraint users_name_check CHECK (name <> '')
);
CREATE UNIQUE INDEX one_user_per_email ON users USING btree (lower(email));
CREATE INDEX users_id_idx ON users USING btree (id) WHERE digest <> 'NONE';
CREATE TRIGGER keep_former_address AFTER UPDATE OF email ON users FOR EACH ROW WHEN (lower(old.email) <> lower(new.email)) EXECUTE FUNCTION keep_former_address();
CREATE TRIGGER touch BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table users enable row level security, force row level security;
create policy colleagues on users for select to kontor_across, kontor_confined using ((EXISTS ( SELECT FROM memberships m WHERE m.user_id = users.id)) OR (EXISTS ( SELECT FROM audit_log a WHERE a.user_id = users.id)));
create policy confined on users to kontor_confined using (id = (SELECT current_person()));
create policy system on users to owner using (true) with check (true);
grant select (id, name, email) on users to kontor_across;
grant select (id, name, email, email_verified_at, disabled_at, created_at, updated_at, locale, digest), update (name, locale, digest) on users to kontor_confined;

create table sessions (
  id uuid not null,
  user_id uuid not null,
  secret_hash bytea not null,
  signed_in_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ends_at timestamptz not null,
  user_agent text,
  address text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_secret_hash_key UNIQUE (secret_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_user_id_idx ON sessions USING btree (user_id);
CREATE TRIGGER refuse_session_before_confirmation BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION refuse_session_before_confirmation();
alter table sessions enable row level security, force row level security;
create policy confined on sessions to kontor_confined using (user_id = (SELECT current_person()));
create policy system on sessions to owner using (true) with check (true);
grant select, insert, update, delete on sessions to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by uuid default current_person(),
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_country_check CHECK (country ~ '^[A-Z]{2}$'),
  constraint organizations_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  constraint organizations_name_check CHECK (name <> ''),
  constraint organizations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX organizations_created_by_idx ON organizations USING btree (created_by);
CREATE INDEX organizations_registration_number_country_idx ON organizations USING btree (registration_number, country) WHERE registration_number IS NOT NULL;
CREATE TRIGGER add_default_accounts AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION add_default_accounts();
CREATE TRIGGER check_period AFTER UPDATE OF timezone, currency ON organizations FOR EACH ROW WHEN (old.timezone <> new.timezone OR old.currency <> new.currency) EXECUTE FUNCTION check_period_of_organization();
CREATE TRIGGER guard_main_currency BEFORE UPDATE OF currency ON organizations FOR EACH ROW WHEN (old.currency <> new.currency) EXECUTE FUNCTION guard_main_currency();
CREATE TRIGGER mark_organization AFTER UPDATE ON organizations FOR EACH ROW WHEN (old.currency IS DISTINCT FROM new.currency OR old.timezone IS DISTINCT FROM new.timezone) EXECUTE FUNCTION mark_organization();
CREATE CONSTRAINT TRIGGER organization_has_owner AFTER INSERT ON organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_owner();
CREATE TRIGGER remove_marks AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION mark_organization();
CREATE TRIGGER touch BEFORE UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table organizations enable row level security, force row level security;
create policy across on organizations for select to kontor_across using (id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on organizations to kontor_confined using (id = (SELECT current_organization()));
create policy system on organizations to owner using (true) with check (true);
grant select on organizations to kontor_across;
grant select, insert, update, delete on organizations to kontor_confined;

create table memberships (
  organization_id uuid not null default current_organization(),
  user_id uuid not null,
  role member_role not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint memberships_pkey PRIMARY KEY (organization_id, user_id),
  constraint memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX memberships_user_id_idx ON memberships USING btree (user_id);
CREATE CONSTRAINT TRIGGER organization_has_owner AFTER DELETE OR UPDATE ON memberships DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_owner();
CREATE TRIGGER record_change AFTER INSERT OR DELETE OR UPDATE ON memberships FOR EACH ROW EXECUTE FUNCTION record_change_of_member();
CREATE TRIGGER role_within_reach BEFORE INSERT OR DELETE OR UPDATE ON memberships FOR EACH ROW WHEN (current_person() IS NOT NULL) EXECUTE FUNCTION refuse_role_above_own();
CREATE TRIGGER touch BEFORE UPDATE ON memberships FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table memberships enable row level security, force row level security;
create policy across on memberships for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on memberships to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on memberships to owner using (true) with check (true);
grant select on memberships to kontor_across;
grant select, insert, delete on memberships to kontor_confined;
grant update (role) on memberships to kontor_confined;

create table api_keys (
  id uuid not null,
  user_id uuid not null default current_person(),
  name text not null,
  prefix text not null,
  secret_hash bytea not null,
  scopes text[] not null,
  all_orgs boolean not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now(),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_secret_hash_key UNIQUE (secret_hash),
  constraint api_keys_name_check CHECK (length(name) >= 1 AND length(name) <= 80),
  constraint api_keys_scopes_check CHECK (cardinality(scopes) >= 1 AND cardinality(scopes) <= 50),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_user_id_created_at_idx ON api_keys USING btree (user_id, created_at);
CREATE TRIGGER delete_calls AFTER DELETE ON api_keys REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION delete_calls_of_keys();
CREATE TRIGGER end_credentials AFTER UPDATE OF revoked_at, expires_at ON api_keys FOR EACH ROW WHEN (new.revoked_at IS DISTINCT FROM old.revoked_at OR new.expires_at IS DISTINCT FROM old.expires_at) EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER end_credentials_of_deleted AFTER DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
alter table api_keys enable row level security, force row level security;
create policy confined on api_keys to kontor_confined using (user_id = (SELECT current_person()));
create policy system on api_keys to owner using (true) with check (true);
create policy used on api_keys for select to kontor_across using ((EXISTS ( SELECT FROM audit_log a WHERE a.api_key_id = api_keys.id)));
grant select, insert, update, delete on api_keys to kontor_confined;
grant select (id, name, prefix) on api_keys to kontor_across;

create table api_key_organizations (
  api_key_id uuid not null,
  organization_id uuid not null,
  user_id uuid not null default current_person(),
  constraint api_key_organizations_pkey PRIMARY KEY (api_key_id, organization_id),
  constraint api_key_organizations_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint api_key_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint api_key_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX api_key_organizations_organization_id_user_id_idx ON api_key_organizations USING btree (organization_id, user_id);
CREATE TRIGGER end_credentials AFTER DELETE ON api_key_organizations FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
alter table api_key_organizations enable row level security, force row level security;
create policy confined on api_key_organizations to kontor_confined using (user_id = (SELECT current_person()));
create policy system on api_key_organizations to owner using (true) with check (true);
grant select, insert, update, delete on api_key_organizations to kontor_confined;

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
  created_at timestamptz not null,
  constraint api_key_calls_pkey PRIMARY KEY (api_key_id, created_at, id)
);
CREATE INDEX api_key_calls_created_at_idx ON api_key_calls USING brin (created_at);
CREATE TRIGGER require_keys AFTER INSERT ON api_key_calls REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_keys_of_calls();
alter table api_key_calls enable row level security, force row level security;
create policy confined on api_key_calls to kontor_confined using (user_id = (SELECT current_person()));
create policy system on api_key_calls to owner using (true) with check (true);
grant select on api_key_calls to kontor_confined;

create table sign_in_failures (
  subject text not null,
  failures integer not null,
  since timestamptz not null,
  blocked_until timestamptz,
  constraint sign_in_failures_pkey PRIMARY KEY (subject)
);
alter table sign_in_failures enable row level security, force row level security;
create policy system on sign_in_failures to owner using (true) with check (true);

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
  created_at timestamptz not null default now(),
  client_id text,
  automation_id uuid,
  constraint somebody_did_it CHECK (user_id IS NOT NULL OR (source = ANY (ARRAY['SYSTEM', 'LINK'])))
);
CREATE INDEX audit_log_organization_id_api_key_id_created_at_id_idx ON audit_log USING btree (organization_id, api_key_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL AND api_key_id IS NOT NULL;
CREATE INDEX audit_log_organization_id_automation_id_created_at_id_idx ON audit_log USING btree (organization_id, automation_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL AND automation_id IS NOT NULL;
CREATE INDEX audit_log_organization_id_client_id_created_at_id_idx ON audit_log USING btree (organization_id, client_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL AND client_id IS NOT NULL;
CREATE INDEX audit_log_organization_id_created_at_id_idx ON audit_log USING btree (organization_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL;
CREATE INDEX audit_log_organization_id_object_id_created_at_id_idx ON audit_log USING btree (organization_id, object_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL;
CREATE INDEX audit_log_organization_id_run_id_created_at_id_idx ON audit_log USING btree (organization_id, run_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL AND run_id IS NOT NULL;
CREATE INDEX audit_log_organization_id_source_created_at_id_idx ON audit_log USING btree (organization_id, source, created_at DESC, id DESC) WHERE organization_id IS NOT NULL AND source <> 'API_KEY';
CREATE INDEX audit_log_organization_id_turn_id_created_at_id_idx ON audit_log USING btree (organization_id, turn_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL AND turn_id IS NOT NULL;
CREATE INDEX audit_log_organization_id_user_id_created_at_id_idx ON audit_log USING btree (organization_id, user_id, created_at DESC, id DESC) WHERE organization_id IS NOT NULL;
CREATE INDEX audit_log_user_id_created_at_id_idx ON audit_log USING btree (user_id, created_at DESC, id DESC) WHERE organization_id IS NULL;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table audit_log enable row level security, force row level security;
create policy across on audit_log for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy own_deed on audit_log for insert to kontor_confined with check (NOT user_id IS DISTINCT FROM current_person() AND NOT organization_id IS DISTINCT FROM current_organization() AND (user_id IS NOT NULL OR source = 'LINK' AND organization_id IS NOT NULL));
create policy own_organization on audit_log for select to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on audit_log to owner using (true) with check (true);
grant select on audit_log to kontor_across;
grant select, insert on audit_log to kontor_confined;

create table events (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  type text not null,
  payload jsonb not null,
  cause jsonb not null,
  created_at timestamptz not null default now(),
  constraint events_pkey PRIMARY KEY (organization_id, id),
  constraint events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER start_automations AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION start_automations();
alter table events enable row level security, force row level security;
create policy across on events for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on events to kontor_confined using (organization_id = (SELECT current_organization())) with check (organization_id = current_organization());
create policy system on events to owner using (true) with check (true);
grant select on events to kontor_across;
grant select, insert on events to kontor_confined;

create table idempotency_keys (
  user_id uuid not null default current_person(),
  principal text not null,
  organization_id uuid,
  key text not null,
  fingerprint bytea not null,
  status integer,
  body text,
  sealed boolean not null default false,
  locked_until timestamptz,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_principal_key_organization_id_key UNIQUE NULLS NOT DISTINCT (principal, key, organization_id),
  constraint idempotency_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint idempotency_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_created_at_idx ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_organization_id_idx ON idempotency_keys USING btree (organization_id);
CREATE INDEX idempotency_keys_user_id_idx ON idempotency_keys USING btree (user_id);
alter table idempotency_keys enable row level security, force row level security;
create policy confined on idempotency_keys to kontor_confined using (user_id = (SELECT current_person()));
create policy system on idempotency_keys to owner using (true) with check (true);
grant select, insert, update, delete on idempotency_keys to kontor_confined;

create unlogged table rate_buckets (
  key text not null,
  tat timestamptz not null,
  constraint rate_buckets_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_buckets_tat_idx ON rate_buckets USING btree (tat);
alter table rate_buckets enable row level security, force row level security;
create policy system on rate_buckets to owner using (true) with check (true);

create unlogged table job_pressure (
  organization_id uuid not null,
  waiting integer not null,
  constraint job_pressure_pkey PRIMARY KEY (organization_id)
);
alter table job_pressure enable row level security, force row level security;
create policy system on job_pressure to owner using (true) with check (true);

create table customers (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text,
  kind text not null,
  status text not null default 'ACTIVE',
  default_currencies text[] not null,
  email text,
  phone text,
  address text,
  country text,
  registration_number text,
  notes text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_customer boolean not null default true,
  is_supplier boolean not null default false,
  import_id uuid,
  is_employee boolean not null default false,
  is_authority boolean not null default false,
  constraint customers_pkey PRIMARY KEY (organization_id, id),
  constraint customers_kind_check CHECK (kind = ANY (ARRAY['ORGANIZATION', 'INDIVIDUAL'])),
  constraint customers_name_check CHECK (name <> ''),
  constraint customers_status_check CHECK (status = ANY (ARRAY['PENDING', 'ACTIVE', 'INACTIVE'])),
  constraint customer_import FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id),
  constraint customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX customers_id_idx ON customers USING btree (id);
CREATE INDEX customers_organization_id_created_at_id_idx ON customers USING btree (organization_id, created_at, id) WHERE is_customer;
CREATE INDEX customers_organization_id_created_at_id_idx1 ON customers USING btree (organization_id, created_at, id) WHERE is_supplier;
CREATE INDEX customers_organization_id_import_id_idx ON customers USING btree (organization_id, import_id) WHERE import_id IS NOT NULL;
CREATE INDEX customers_organization_id_lower_id_idx ON customers USING btree (organization_id, lower(name), id);
CREATE INDEX customers_organization_id_lower_id_idx2 ON customers USING btree (organization_id, lower(email), id) WHERE is_customer;
CREATE INDEX customers_organization_id_lower_id_idx3 ON customers USING btree (organization_id, lower(email) DESC NULLS LAST, id DESC) WHERE is_customer;
CREATE INDEX customers_organization_id_lower_id_idx4 ON customers USING btree (organization_id, lower(name), id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx6 ON customers USING btree (organization_id, lower(email), id) WHERE is_supplier;
CREATE INDEX customers_organization_id_lower_id_idx7 ON customers USING btree (organization_id, lower(email) DESC NULLS LAST, id DESC) WHERE is_supplier;
CREATE INDEX customers_organization_id_registration_number_idx ON customers USING btree (organization_id, registration_number) WHERE registration_number IS NOT NULL;
CREATE INDEX customers_organization_id_updated_at_id_idx ON customers USING btree (organization_id, updated_at, id) WHERE is_customer;
CREATE INDEX customers_organization_id_updated_at_id_idx1 ON customers USING btree (organization_id, updated_at, id) WHERE is_supplier;
CREATE TRIGGER guard_own_record BEFORE UPDATE OF email ON customers FOR EACH ROW WHEN (old.email IS DISTINCT FROM new.email) EXECUTE FUNCTION guard_own_record();
CREATE TRIGGER guard_party BEFORE UPDATE OF is_customer ON customers FOR EACH ROW WHEN (old.is_customer AND NOT new.is_customer) EXECUTE FUNCTION guard_party();
CREATE TRIGGER touch BEFORE UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER update_drafts_of_counterparty AFTER UPDATE OF name, email ON customers FOR EACH ROW WHEN (COALESCE(old.name, old.email, '') <> COALESCE(new.name, new.email, '')) EXECUTE FUNCTION update_drafts_of_counterparty();
alter table customers enable row level security, force row level security;
create policy across on customers for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on customers to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on customers to owner using (true) with check (true);
grant select on customers to kontor_across;
grant select, insert, update, delete on customers to kontor_confined;

create table customer_recipients (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  customer_id uuid not null,
  email text not null,
  name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint customer_recipients_pkey PRIMARY KEY (organization_id, id),
  constraint customer_recipients_email_check CHECK (email <> ''),
  constraint customer_recipients_organization_id_customer_id_fkey FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE,
  constraint customer_recipients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_recipient_per_email ON customer_recipients USING btree (organization_id, customer_id, lower(email));
CREATE TRIGGER touch BEFORE UPDATE ON customer_recipients FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table customer_recipients enable row level security, force row level security;
create policy across on customer_recipients for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on customer_recipients to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on customer_recipients to owner using (true) with check (true);
grant select on customer_recipients to kontor_across;
grant select, insert, update, delete on customer_recipients to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint bank_accounts_pkey PRIMARY KEY (organization_id, id),
  constraint bank_accounts_account_name_check CHECK (account_name <> ''),
  constraint bank_accounts_bank_name_check CHECK (bank_name <> ''),
  constraint bank_accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX bank_accounts_id_idx ON bank_accounts USING btree (id);
CREATE UNIQUE INDEX one_default_bank_account ON bank_accounts USING btree (organization_id) WHERE is_default;
CREATE TRIGGER touch BEFORE UPDATE ON bank_accounts FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table bank_accounts enable row level security, force row level security;
create policy across on bank_accounts for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on bank_accounts to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on bank_accounts to owner using (true) with check (true);
grant select on bank_accounts to kontor_across;
grant select, insert, update, delete on bank_accounts to kontor_confined;

create table expense_categories (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  color text,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint expense_categories_pkey PRIMARY KEY (organization_id, id),
  constraint expense_categories_name_check CHECK (name <> ''),
  constraint expense_categories_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX expense_categories_id_idx ON expense_categories USING btree (id);
CREATE INDEX expense_categories_organization_id_lower_id_idx ON expense_categories USING btree (organization_id, lower(name), id);
CREATE TRIGGER map_first_category AFTER INSERT ON expense_categories FOR EACH ROW WHEN (new.is_default) EXECUTE FUNCTION map_first_category();
CREATE TRIGGER touch BEFORE UPDATE ON expense_categories FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table expense_categories enable row level security, force row level security;
create policy across on expense_categories for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on expense_categories to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on expense_categories to owner using (true) with check (true);
grant select on expense_categories to kontor_across;
grant select, insert, update, delete on expense_categories to kontor_confined;

create table worker_heartbeats (
  pool_id text not null,
  process text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  constraint worker_heartbeats_pkey PRIMARY KEY (pool_id)
);
alter table worker_heartbeats enable row level security, force row level security;
create policy system on worker_heartbeats to owner using (true) with check (true);

create table failed_jobs (
  id uuid not null,
  organization_id uuid,
  job text not null,
  payload jsonb not null,
  attempts integer not null,
  error text not null,
  created_at timestamptz not null default now(),
  constraint failed_jobs_pkey PRIMARY KEY (id),
  constraint failed_jobs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX failed_jobs_created_at_idx ON failed_jobs USING btree (created_at);
CREATE INDEX failed_jobs_job_idx ON failed_jobs USING btree (job);
CREATE INDEX failed_jobs_organization_id_idx ON failed_jobs USING btree (organization_id);
alter table failed_jobs enable row level security, force row level security;
create policy system on failed_jobs to owner using (true) with check (true);

create table leases (
  organization_id uuid not null default current_organization(),
  subject text not null,
  token bigint not null,
  holder text not null,
  expires_at timestamptz not null,
  constraint leases_pkey PRIMARY KEY (organization_id, subject),
  constraint leases_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table leases enable row level security, force row level security;
create policy across on leases for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on leases to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on leases to owner using (true) with check (true);
grant select on leases to kontor_across;
grant select, insert, update, delete on leases to kontor_confined;

create table organization_keys (
  organization_id uuid not null,
  id uuid not null,
  wrapped bytea not null,
  kek_id text not null,
  uses bigint not null default 0,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  lost_at timestamptz,
  constraint organization_keys_pkey PRIMARY KEY (organization_id, id),
  constraint key_is_not_used_up CHECK (uses >= 0 AND uses <= '4294967296'::bigint),
  constraint lost_key_is_retired CHECK (lost_at IS NULL OR retired_at IS NOT NULL),
  constraint organization_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_current_key ON organization_keys USING btree (organization_id) WHERE retired_at IS NULL;
CREATE INDEX organization_keys_kek_id_idx ON organization_keys USING btree (kek_id);
CREATE INDEX organization_keys_retired_at_idx ON organization_keys USING btree (retired_at) WHERE retired_at IS NOT NULL;
alter table organization_keys enable row level security, force row level security;
create policy system on organization_keys to owner using (true) with check (true);

create table secrets_canary (
  only_row boolean not null default true,
  wrapped bytea not null,
  kek_id text not null,
  created_at timestamptz not null default now(),
  constraint secrets_canary_pkey PRIMARY KEY (only_row),
  constraint secrets_canary_only_row_check CHECK (only_row)
);
alter table secrets_canary enable row level security, force row level security;
create policy system on secrets_canary to owner using (true) with check (true);

create table secrets_root (
  only_row boolean not null default true,
  wrapped bytea not null,
  kek_id text not null,
  created_at timestamptz not null default now(),
  constraint secrets_root_pkey PRIMARY KEY (only_row),
  constraint secrets_root_only_row_check CHECK (only_row)
);
alter table secrets_root enable row level security, force row level security;
create policy system on secrets_root to owner using (true) with check (true);

create table secrets_rotation (
  only_row boolean not null default true,
  started_at timestamptz not null default now(),
  constraint secrets_rotation_pkey PRIMARY KEY (only_row),
  constraint secrets_rotation_only_row_check CHECK (only_row)
);
alter table secrets_rotation enable row level security, force row level security;
create policy system on secrets_rotation to owner using (true) with check (true);

create table mail_deliveries (
  organization_id uuid default current_organization(),
  id uuid not null,
  "to" text not null,
  subject text not null,
  template text not null,
  letter bytea,
  attachments jsonb not null default '[]'::jsonb,
  contents bytea not null default '\x'::bytea,
  status text not null default 'QUEUED',
  attempts integer not null default 0,
  claimed_until timestamptz,
  last_reason text,
  message_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  enclosures jsonb not null default '[]'::jsonb,
  follow_up jsonb,
  kept boolean not null default false,
  constraint mail_deliveries_organization_id_id_key UNIQUE NULLS NOT DISTINCT (organization_id, id),
  constraint mail_deliveries_attempts_check CHECK (attempts >= 0),
  constraint mail_deliveries_check CHECK ((status = 'QUEUED') = (letter IS NOT NULL)),
  constraint mail_deliveries_check1 CHECK (status <> 'SENT' OR message_id IS NOT NULL),
  constraint mail_deliveries_check2 CHECK (status <> 'FAILED' OR last_reason IS NOT NULL),
  constraint mail_deliveries_check3 CHECK (NOT kept OR status = 'SENT'),
  constraint mail_deliveries_contents_check CHECK (octet_length(contents) <= 10485788),
  constraint mail_deliveries_letter_check CHECK (octet_length(letter) <= 4194304),
  constraint mail_deliveries_status_check CHECK (status = ANY (ARRAY['QUEUED', 'SENT', 'FAILED'])),
  constraint mail_deliveries_subject_check CHECK (length(subject) <= 1000),
  constraint mail_deliveries_template_check CHECK (template <> ''),
  constraint mail_deliveries_to_check CHECK (length("to") <= 1000),
  constraint mail_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mail_deliveries_created_at_idx ON mail_deliveries USING btree (created_at) WHERE status = 'QUEUED';
CREATE INDEX mail_deliveries_created_at_idx1 ON mail_deliveries USING btree (created_at) WHERE status <> 'QUEUED';
CREATE INDEX mail_deliveries_id_idx ON mail_deliveries USING btree (id);
CREATE INDEX mail_deliveries_organization_id_created_at_id_idx ON mail_deliveries USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX mail_deliveries_status_idx ON mail_deliveries USING btree (status) WHERE status <> 'SENT';
CREATE TRIGGER by_a_job BEFORE UPDATE ON mail_deliveries FOR EACH ROW WHEN (current_person() IS NOT NULL) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER count_queued_mail AFTER INSERT ON mail_deliveries FOR EACH ROW WHEN (new.organization_id IS NOT NULL AND new.status = 'QUEUED' AND current_person() IS NOT NULL) EXECUTE FUNCTION count_queued_mail();
CREATE TRIGGER final BEFORE UPDATE ON mail_deliveries FOR EACH ROW WHEN (old.status <> 'QUEUED') EXECUTE FUNCTION refuse_change();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OF status ON mail_deliveries FOR EACH ROW EXECUTE FUNCTION record_change('mail');
CREATE TRIGGER touch BEFORE UPDATE ON mail_deliveries FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table mail_deliveries enable row level security, force row level security;
create policy across on mail_deliveries for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on mail_deliveries to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on mail_deliveries to owner using (true) with check (true);
grant select on mail_deliveries to kontor_across;
grant select, insert on mail_deliveries to kontor_confined;
grant update (letter, contents, status, attempts, claimed_until, last_reason, message_id, kept) on mail_deliveries to kontor_confined;

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
  created_at timestamptz not null default now(),
  holds_payroll boolean not null default false,
  constraint outbox_organization_id_message_id_key UNIQUE NULLS NOT DISTINCT (organization_id, message_id),
  constraint outbox_contents_check CHECK (octet_length(contents) <= 15728640),
  constraint outbox_html_check CHECK (length(html) <= 500000),
  constraint outbox_text_check CHECK (length(text) <= 200000),
  constraint outbox_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX outbox_id_idx ON outbox USING btree (id);
CREATE INDEX outbox_organization_id_created_at_id_idx ON outbox USING btree (organization_id, created_at DESC, id DESC);
CREATE TRIGGER record_change AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION record_change('mail');
alter table outbox enable row level security, force row level security;
create policy across on outbox for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on outbox to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on outbox as restrictive for select to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR NOT holds_payroll);
create policy system on outbox to owner using (true) with check (true);
grant select on outbox to kontor_across;
grant select on outbox to kontor_confined;

create table files (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  file_name text not null,
  file_type text not null,
  declared_type text,
  file_size integer not null,
  sha256 text not null,
  storage_key text not null,
  purpose text not null default 'upload',
  created_by uuid default current_person(),
  attached_at timestamptz,
  created_at timestamptz not null default now(),
  constraint files_pkey PRIMARY KEY (organization_id, id),
  constraint files_organization_id_storage_key_key UNIQUE (organization_id, storage_key),
  constraint files_declared_type_check CHECK (length(declared_type) <= 255),
  constraint files_file_name_check CHECK (file_name <> '' AND length(file_name) <= 200 AND file_name !~ '[/\\[:cntrl:]]'),
  constraint files_file_size_check CHECK (file_size > 0),
  constraint files_file_type_check CHECK (length(file_type) <= 255),
  constraint files_purpose_check CHECK (purpose ~ '^[a-z-]+$'),
  constraint files_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  constraint files_storage_key_check CHECK (storage_key <> ''),
  constraint files_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint files_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX files_created_by_idx ON files USING btree (created_by);
CREATE INDEX files_id_idx ON files USING btree (id);
CREATE INDEX files_organization_id_sha256_idx ON files USING btree (organization_id, sha256);
CREATE INDEX files_storage_key_idx ON files USING btree (storage_key);
alter table files enable row level security, force row level security;
create policy across on files for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on files to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on files as restrictive for select to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR purpose <> 'payroll');
create policy system on files to owner using (true) with check (true);
grant select on files to kontor_across;
grant select, insert, delete on files to kontor_confined;
grant update (attached_at) on files to kontor_confined;

create table file_home (
  single boolean not null default true,
  home text not null,
  constraint file_home_pkey PRIMARY KEY (single),
  constraint file_home_home_check CHECK (home ~ '^[0-9a-f]{12}$'),
  constraint file_home_single_check CHECK (single)
);
alter table file_home enable row level security, force row level security;
create policy system on file_home to owner using (true) with check (true);

create table schedule_marks (
  organization_id uuid not null,
  type text not null,
  period text not null,
  starts_at timestamptz not null,
  fired_at timestamptz not null,
  constraint schedule_marks_pkey PRIMARY KEY (organization_id, type),
  constraint schedule_marks_check CHECK (starts_at <= fired_at),
  constraint schedule_marks_type_check CHECK (type = ANY (ARRAY['schedule.hourly', 'schedule.daily', 'schedule.weekly', 'schedule.monthly'])),
  constraint schedule_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table schedule_marks enable row level security, force row level security;
create policy system on schedule_marks to owner using (true) with check (true);

create table invitations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  email text not null,
  role member_role not null,
  invited_by uuid,
  secret_hash bytea not null,
  expires_at timestamptz not null default now() + '7 days'::interval,
  accepted_at timestamptz,
  accepted_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint invitations_pkey PRIMARY KEY (organization_id, id),
  constraint invitations_secret_hash_key UNIQUE (secret_hash),
  constraint invitations_email_check CHECK (email <> ''),
  constraint invitations_secret_hash_check CHECK (octet_length(secret_hash) = 32),
  constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX invitations_accepted_by_idx ON invitations USING btree (accepted_by);
CREATE INDEX invitations_expires_at_idx ON invitations USING btree (expires_at);
CREATE INDEX invitations_invited_by_idx ON invitations USING btree (invited_by);
CREATE INDEX invitations_organization_id_created_at_id_idx ON invitations USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX one_invitation_per_address ON invitations USING btree (organization_id, lower(email)) WHERE accepted_at IS NULL;
CREATE TRIGGER record_change AFTER UPDATE ON invitations FOR EACH ROW EXECUTE FUNCTION record_change('invitations');
CREATE TRIGGER role_within_reach BEFORE INSERT OR UPDATE OF role ON invitations FOR EACH ROW WHEN (current_person() IS NOT NULL) EXECUTE FUNCTION refuse_role_above_own();
CREATE TRIGGER touch BEFORE UPDATE ON invitations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table invitations enable row level security, force row level security;
create policy across on invitations for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on invitations to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on invitations to owner using (true) with check (true);
grant delete on invitations to kontor_confined;
grant select (organization_id, id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at) on invitations to kontor_across;
grant insert (organization_id, id, email, role, invited_by, secret_hash), select (organization_id, id, email, role, invited_by, expires_at, accepted_at, created_at, updated_at), update (role, invited_by, secret_hash, expires_at) on invitations to kontor_confined;

create table notifications (
  id uuid not null,
  user_id uuid not null,
  organization_id uuid,
  kind text not null,
  data jsonb not null,
  read_at timestamptz,
  digested_at timestamptz,
  created_at timestamptz not null default now(),
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_kind_check CHECK (kind <> ''),
  constraint notifications_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE,
  constraint notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX notifications_created_at_idx ON notifications USING btree (created_at);
CREATE INDEX notifications_organization_id_user_id_idx ON notifications USING btree (organization_id, user_id);
CREATE INDEX notifications_user_id_created_at_id_idx ON notifications USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX notifications_user_id_idx ON notifications USING btree (user_id) WHERE read_at IS NULL;
CREATE UNIQUE INDEX one_failure_notice_a_day ON notifications USING btree (user_id, (data ->> 'automationId'), ((created_at AT TIME ZONE 'UTC')::date)) WHERE kind = 'AUTOMATION_FAILED';
CREATE TRIGGER record_change AFTER INSERT ON notifications FOR EACH ROW EXECUTE FUNCTION record_notification();
alter table notifications enable row level security, force row level security;
create policy confined on notifications to kontor_confined using (user_id = (SELECT current_person()));
create policy system on notifications to owner using (true) with check (true);
create policy to_colleagues on notifications for insert to kontor_confined with check (organization_id = (SELECT current_organization()));
grant select on notifications to kontor_confined;
grant insert (id, user_id, organization_id, kind, data), update (read_at) on notifications to kontor_confined;

create table digests (
  user_id uuid not null,
  day date not null,
  created_at timestamptz not null default now(),
  constraint digests_pkey PRIMARY KEY (user_id, day),
  constraint digests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX digests_created_at_idx ON digests USING btree (created_at);
alter table digests enable row level security, force row level security;
create policy system on digests to owner using (true) with check (true);

create table organization_settings (
  organization_id uuid not null default current_organization(),
  sender_name text,
  default_tax_rate numeric(7,4),
  require_approval boolean not null default false,
  expense_approval_above_minor bigint,
  logo_file_id uuid,
  language text not null default 'en',
  digest boolean not null default true,
  plan text not null default 'FREE',
  updated_at timestamptz not null default now(),
  locked_until date,
  clear_on_issue boolean not null default false,
  sales_tax_rates jsonb not null default '[]'::jsonb,
  automation_runs_kept_days integer not null default 180,
  constraint organization_settings_pkey PRIMARY KEY (organization_id),
  constraint organization_settings_automation_runs_kept_days_check CHECK (automation_runs_kept_days >= 30 AND automation_runs_kept_days <= 3650),
  constraint organization_settings_default_tax_rate_check CHECK (default_tax_rate >= 0::numeric AND default_tax_rate <= 100::numeric),
  constraint organization_settings_expense_approval_above_minor_check CHECK (expense_approval_above_minor >= 0),
  constraint organization_settings_language_check CHECK (language = ANY (ARRAY['en', 'he'])),
  constraint organization_settings_sender_name_check CHECK (sender_name <> ''),
  constraint sales_tax_rates_are_valid CHECK (are_sales_tax_rates(sales_tax_rates)),
  constraint organization_settings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint organization_settings_organization_id_logo_file_id_fkey FOREIGN KEY (organization_id, logo_file_id) REFERENCES files(organization_id, id) ON DELETE SET NULL (logo_file_id)
);
CREATE INDEX organization_settings_organization_id_logo_file_id_idx ON organization_settings USING btree (organization_id, logo_file_id);
CREATE TRIGGER follow_period_lock AFTER UPDATE OF locked_until ON organization_settings FOR EACH ROW WHEN (old.locked_until IS DISTINCT FROM new.locked_until) EXECUTE FUNCTION follow_period_lock();
CREATE TRIGGER follow_period_lock_of_new AFTER INSERT ON organization_settings FOR EACH ROW WHEN (new.locked_until IS NOT NULL) EXECUTE FUNCTION follow_period_lock();
CREATE TRIGGER guard_approval_rule BEFORE UPDATE OF require_approval, expense_approval_above_minor ON organization_settings FOR EACH ROW WHEN (old.require_approval AND (NOT new.require_approval OR COALESCE(new.expense_approval_above_minor, 0::bigint) > COALESCE(old.expense_approval_above_minor, 0::bigint))) EXECUTE FUNCTION guard_approval_rule();
CREATE TRIGGER guard_period_lock BEFORE UPDATE OF locked_until ON organization_settings FOR EACH ROW WHEN (old.locked_until IS DISTINCT FROM new.locked_until) EXECUTE FUNCTION guard_period_lock();
CREATE TRIGGER guard_period_lock_of_new BEFORE INSERT ON organization_settings FOR EACH ROW WHEN (new.locked_until IS NOT NULL) EXECUTE FUNCTION guard_period_lock();
CREATE TRIGGER touch BEFORE UPDATE ON organization_settings FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table organization_settings enable row level security, force row level security;
create policy across on organization_settings for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on organization_settings to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on organization_settings to owner using (true) with check (true);
grant select on organization_settings to kontor_across;
grant select on organization_settings to kontor_confined;
grant insert (organization_id, sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest, locked_until, clear_on_issue, sales_tax_rates, automation_runs_kept_days), update (sender_name, default_tax_rate, require_approval, expense_approval_above_minor, logo_file_id, language, digest, locked_until, clear_on_issue, sales_tax_rates, automation_runs_kept_days) on organization_settings to kontor_confined;

create table document_numbering (
  organization_id uuid not null default current_organization(),
  document_type text not null,
  prefix text not null default '',
  padding integer not null default 0,
  next_number bigint not null default 1,
  updated_at timestamptz not null default now(),
  last_issue_date date,
  first_number bigint not null default 1,
  earlier_numbers bigint not null default 0,
  constraint document_numbering_pkey PRIMARY KEY (organization_id, document_type),
  constraint document_numbering_document_type_check CHECK (document_type <> ''),
  constraint document_numbering_first_number_check CHECK (first_number >= 1),
  constraint document_numbering_next_number_check CHECK (next_number >= 1),
  constraint document_numbering_padding_check CHECK (padding >= 0 AND padding <= 12),
  constraint document_numbering_prefix_check CHECK (length(prefix) <= 20),
  constraint next_after_first CHECK (next_number >= first_number),
  constraint document_numbering_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE CONSTRAINT TRIGGER check_formats_of_series AFTER INSERT OR UPDATE OF prefix, padding ON document_numbering DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_formats_of_series();
CREATE TRIGGER guard_format_of_issued BEFORE INSERT OR UPDATE OF prefix, padding ON document_numbering FOR EACH ROW EXECUTE FUNCTION guard_format_of_issued();
CREATE TRIGGER guard_numbering BEFORE INSERT OR UPDATE OF prefix, padding, first_number ON document_numbering FOR EACH ROW EXECUTE FUNCTION guard_numbering();
CREATE TRIGGER guard_prefix BEFORE INSERT OR UPDATE OF prefix ON document_numbering FOR EACH ROW EXECUTE FUNCTION guard_prefix();
CREATE TRIGGER touch BEFORE UPDATE ON document_numbering FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table document_numbering enable row level security, force row level security;
create policy across on document_numbering for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on document_numbering to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on document_numbering to owner using (true) with check (true);
grant select on document_numbering to kontor_across;
grant select on document_numbering to kontor_confined;
grant insert (organization_id, document_type, prefix, padding, first_number), update (prefix, padding, first_number) on document_numbering to kontor_confined;

create table oauth_clients (
  id text not null,
  metadata jsonb not null,
  secret_hash bytea,
  fetched_at timestamptz,
  fresh_until timestamptz,
  created_at timestamptz not null default now(),
  constraint oauth_clients_pkey PRIMARY KEY (id),
  constraint oauth_clients_secret_hash_key UNIQUE (secret_hash),
  constraint oauth_clients_check CHECK ((fetched_at IS NULL) = (fresh_until IS NULL)),
  constraint oauth_clients_id_check CHECK (length(id) >= 1 AND length(id) <= 2048),
  constraint oauth_clients_secret_hash_check CHECK (octet_length(secret_hash) = 32)
);
CREATE INDEX oauth_clients_created_at_idx ON oauth_clients USING btree (created_at);
alter table oauth_clients enable row level security, force row level security;
create policy system on oauth_clients to owner using (true) with check (true);

create table connected_apps (
  id uuid not null,
  user_id uuid not null default current_person(),
  client_id text not null,
  client_name text not null,
  client_uri text,
  scopes text[] not null,
  resources text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint connected_apps_pkey PRIMARY KEY (id),
  constraint connected_apps_client_name_check CHECK (length(client_name) >= 1 AND length(client_name) <= 200),
  constraint connected_apps_resources_check CHECK (cardinality(resources) >= 1 AND cardinality(resources) <= 10),
  constraint connected_apps_scopes_check CHECK (cardinality(scopes) >= 1 AND cardinality(scopes) <= 50),
  constraint connected_apps_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id),
  constraint connected_apps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX connected_apps_client_id_idx ON connected_apps USING btree (client_id);
CREATE INDEX connected_apps_expires_at_idx ON connected_apps USING btree (expires_at);
CREATE INDEX connected_apps_user_id_created_at_idx ON connected_apps USING btree (user_id, created_at);
CREATE TRIGGER end_credentials AFTER UPDATE OF revoked_at, expires_at ON connected_apps FOR EACH ROW WHEN (new.revoked_at IS DISTINCT FROM old.revoked_at OR new.expires_at < old.expires_at) EXECUTE FUNCTION end_credentials_of_row();
CREATE TRIGGER end_credentials_of_deleted AFTER DELETE ON connected_apps FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
alter table connected_apps enable row level security, force row level security;
create policy confined on connected_apps to kontor_confined using (user_id = (SELECT current_person()));
create policy system on connected_apps to owner using (true) with check (true);
create policy used on connected_apps for select to kontor_across using ((EXISTS ( SELECT FROM audit_log a WHERE a.client_id = connected_apps.client_id)));
grant select on connected_apps to kontor_confined;
grant select (client_id, client_name, created_at) on connected_apps to kontor_across;
grant update (revoked_at) on connected_apps to kontor_confined;

create table connected_app_organizations (
  app_id uuid not null,
  organization_id uuid not null,
  user_id uuid not null default current_person(),
  constraint connected_app_organizations_pkey PRIMARY KEY (app_id, organization_id),
  constraint connected_app_organizations_app_id_fkey FOREIGN KEY (app_id) REFERENCES connected_apps(id) ON DELETE CASCADE,
  constraint connected_app_organizations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint connected_app_organizations_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX connected_app_organizations_organization_id_user_id_idx ON connected_app_organizations USING btree (organization_id, user_id);
CREATE TRIGGER end_credentials AFTER DELETE ON connected_app_organizations FOR EACH ROW EXECUTE FUNCTION end_credentials_of_row();
alter table connected_app_organizations enable row level security, force row level security;
create policy confined on connected_app_organizations to kontor_confined using (user_id = (SELECT current_person()));
create policy system on connected_app_organizations to owner using (true) with check (true);
grant select on connected_app_organizations to kontor_confined;

create table oauth_tokens (
  kind text not null,
  secret_hash bytea not null,
  app_id uuid,
  payload jsonb not null,
  scopes text[],
  audience text,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint oauth_tokens_pkey PRIMARY KEY (secret_hash, kind),
  constraint oauth_tokens_check CHECK ((kind = 'Interaction') = (app_id IS NULL)),
  constraint oauth_tokens_check1 CHECK ((kind = 'AccessToken') = (scopes IS NOT NULL AND audience IS NOT NULL)),
  constraint oauth_tokens_kind_check CHECK (kind = ANY (ARRAY['AuthorizationCode', 'AccessToken', 'RefreshToken', 'Interaction'])),
  constraint oauth_tokens_secret_hash_check CHECK (octet_length(secret_hash) = 32),
  constraint oauth_tokens_app_id_fkey FOREIGN KEY (app_id) REFERENCES connected_apps(id) ON DELETE CASCADE
);
CREATE INDEX oauth_tokens_app_id_idx ON oauth_tokens USING btree (app_id);
CREATE INDEX oauth_tokens_expires_at_idx ON oauth_tokens USING btree (expires_at);
CREATE TRIGGER prolong AFTER INSERT ON oauth_tokens FOR EACH ROW WHEN (new.app_id IS NOT NULL) EXECUTE FUNCTION extend_connected_app();
alter table oauth_tokens enable row level security, force row level security;
create policy system on oauth_tokens to owner using (true) with check (true);

create table account_links (
  token_hash bytea not null,
  user_id uuid not null,
  purpose text not null,
  email text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint account_links_pkey PRIMARY KEY (token_hash),
  constraint account_links_user_id_purpose_key UNIQUE (user_id, purpose),
  constraint account_links_email_check CHECK (email <> ''),
  constraint account_links_purpose_check CHECK (purpose = ANY (ARRAY['RESET_PASSWORD', 'VERIFY_EMAIL', 'CHANGE_EMAIL'])),
  constraint account_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX account_links_expires_at_idx ON account_links USING btree (expires_at);
alter table account_links enable row level security, force row level security;
create policy system on account_links to owner using (true) with check (true);

create table authenticators (
  user_id uuid not null,
  secret text not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  lost_at timestamptz,
  constraint authenticators_pkey PRIMARY KEY (user_id),
  constraint authenticators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table authenticators enable row level security, force row level security;
create policy system on authenticators to owner using (true) with check (true);

create table recovery_codes (
  user_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
alter table recovery_codes enable row level security, force row level security;
create policy system on recovery_codes to owner using (true) with check (true);

create table passkeys (
  id text not null,
  user_id uuid not null,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_id_check CHECK (length(id) >= 1 AND length(id) <= 1400),
  constraint passkeys_name_check CHECK (length(name) >= 1 AND length(name) <= 80),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user_id_idx ON passkeys USING btree (user_id);
alter table passkeys enable row level security, force row level security;
create policy system on passkeys to owner using (true) with check (true);

create table passkey_challenges (
  challenge text not null,
  user_id uuid,
  expires_at timestamptz not null default now() + '00:05:00'::interval,
  constraint passkey_challenges_pkey PRIMARY KEY (challenge),
  constraint passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkey_challenges_expires_at_idx ON passkey_challenges USING btree (expires_at);
CREATE INDEX passkey_challenges_user_id_idx ON passkey_challenges USING btree (user_id);
alter table passkey_challenges enable row level security, force row level security;
create policy system on passkey_challenges to owner using (true) with check (true);

create table payments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  direction text not null default 'OUTGOING',
  counterparty_id uuid,
  amount_minor bigint not null,
  allocated_minor bigint not null default 0,
  currency text not null,
  minor_digits smallint not null,
  paid_at date not null,
  method text,
  source text not null,
  voided_at timestamptz,
  void_reason text,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
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
  kind text not null default 'SALES',
  voided_on date,
  constraint payments_pkey PRIMARY KEY (organization_id, id),
  constraint allocated_within_payment CHECK (allocated_minor >= 0 AND refunded_minor >= 0 AND (allocated_minor + refunded_minor) <= amount_minor),
  constraint payment_kind CHECK (kind <> ''),
  constraint payments_amount_minor_check CHECK (amount_minor > 0),
  constraint payments_currency_check CHECK (currency <> ''),
  constraint payments_direction_check CHECK (direction = ANY (ARRAY['OUTGOING', 'INCOMING'])),
  constraint payments_exchange_rate_check CHECK (exchange_rate > 0::numeric),
  constraint payments_minor_digits_check CHECK (minor_digits >= 0 AND minor_digits <= 4),
  constraint payments_source_check CHECK (source = ANY (ARRAY['DOCUMENT', 'MARK_PAID', 'PAYMENT', 'CREDIT_MEMO', 'REFUND', 'ADVANCE', 'NET', 'STATUTORY', 'LEAVE_CLAIM'])),
  constraint payroll_source CHECK ((kind = 'PAYSLIP') = (source = ANY (ARRAY['ADVANCE', 'NET', 'STATUTORY'])) AND (kind = 'LEAVE_CLAIM') = (source = 'LEAVE_CLAIM') AND (source <> 'STATUTORY' OR counterparty_id IS NULL) AND ((source <> ALL (ARRAY['ADVANCE', 'NET'])) OR counterparty_id IS NOT NULL)),
  constraint refund_names_payment CHECK ((source = 'REFUND') = (refund_of IS NOT NULL)),
  constraint refund_stands_alone CHECK (source <> 'REFUND' OR allocated_minor = 0 AND refunded_minor = 0),
  constraint refunded_payment_stays CHECK (voided_at IS NULL OR refunded_minor = 0),
  constraint withheld_within_payment CHECK (withheld_minor >= 0 AND withheld_minor <= amount_minor AND (withheld_minor = 0 OR (source <> ALL (ARRAY['REFUND', 'CREDIT_MEMO'])))),
  constraint payment_bank_account FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id),
  constraint payment_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  constraint payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint refunded_payment FOREIGN KEY (organization_id, refund_of) REFERENCES payments(organization_id, id)
);
CREATE INDEX open_payments ON payments USING btree (organization_id, id) WHERE voided_at IS NULL AND refund_of IS NULL AND amount_minor > (allocated_minor + refunded_minor);
CREATE INDEX payments_id_idx ON payments USING btree (id);
CREATE INDEX payments_organization_id_bank_account_id_idx ON payments USING btree (organization_id, bank_account_id) WHERE bank_account_id IS NOT NULL;
CREATE INDEX payments_organization_id_counterparty_id_idx ON payments USING btree (organization_id, counterparty_id);
CREATE INDEX payments_organization_id_kind_paid_at_id_idx ON payments USING btree (organization_id, kind, paid_at, id);
CREATE INDEX payments_organization_id_paid_at_id_idx ON payments USING btree (organization_id, paid_at, id);
CREATE INDEX payments_organization_id_refund_of_idx ON payments USING btree (organization_id, refund_of) WHERE refund_of IS NOT NULL;
CREATE INDEX payroll_payments ON payments USING btree (organization_id, counterparty_id, id) WHERE kind = 'PAYSLIP';
CREATE INDEX search_payments ON payments USING gin (search_grams(organization_id, reference)) WITH (gin_pending_list_limit='256') WHERE kind = 'SALES' AND reference IS NOT NULL;
CREATE INDEX voided_payments ON payments USING btree (organization_id, voided_at) WHERE voided_at IS NOT NULL;
CREATE TRIGGER apply_refund_of_new AFTER INSERT ON payments FOR EACH ROW WHEN (new.refund_of IS NOT NULL) EXECUTE FUNCTION apply_refund();
CREATE TRIGGER apply_refund_of_voided AFTER UPDATE OF voided_at ON payments FOR EACH ROW WHEN (new.refund_of IS NOT NULL AND old.voided_at IS NULL AND new.voided_at IS NOT NULL) EXECUTE FUNCTION apply_refund();
CREATE TRIGGER check_period_of_changed AFTER UPDATE ON payments FOR EACH ROW WHEN (old.voided_at IS DISTINCT FROM new.voided_at OR old.paid_at <> new.paid_at OR new.source <> 'CREDIT_MEMO' AND (old.amount_minor <> new.amount_minor OR old.withheld_minor <> new.withheld_minor OR old.currency <> new.currency OR old.exchange_rate IS DISTINCT FROM new.exchange_rate OR old.rate_currency IS DISTINCT FROM new.rate_currency OR old.bank_account_id IS DISTINCT FROM new.bank_account_id OR old.refund_home_minor IS DISTINCT FROM new.refund_home_minor)) EXECUTE FUNCTION check_period_of_payment();
CREATE TRIGGER check_period_of_new AFTER INSERT ON payments FOR EACH ROW EXECUTE FUNCTION check_period_of_payment();
CREATE TRIGGER date_void BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.voided_at IS NULL AND new.voided_at IS NOT NULL) EXECUTE FUNCTION date_void();
CREATE TRIGGER follow_credit AFTER UPDATE OF allocated_minor, refunded_minor ON payments FOR EACH ROW WHEN (new.source = 'CREDIT_MEMO' AND (old.amount_minor = (old.allocated_minor + old.refunded_minor)) <> (new.amount_minor = (new.allocated_minor + new.refunded_minor))) EXECUTE FUNCTION follow_credit();
CREATE TRIGGER mark_changed_payment AFTER UPDATE ON payments FOR EACH ROW WHEN (old.paid_at IS DISTINCT FROM new.paid_at OR old.source IS DISTINCT FROM new.source OR old.voided_at IS DISTINCT FROM new.voided_at OR old.direction IS DISTINCT FROM new.direction OR old.amount_minor IS DISTINCT FROM new.amount_minor OR old.withheld_minor IS DISTINCT FROM new.withheld_minor OR old.currency IS DISTINCT FROM new.currency OR old.exchange_rate IS DISTINCT FROM new.exchange_rate OR old.rate_currency IS DISTINCT FROM new.rate_currency OR old.bank_account_id IS DISTINCT FROM new.bank_account_id OR old.refund_of IS DISTINCT FROM new.refund_of OR old.refund_home_minor IS DISTINCT FROM new.refund_home_minor) EXECUTE FUNCTION mark_changed_payment();
CREATE TRIGGER mark_payment AFTER INSERT ON payments FOR EACH ROW WHEN (new.source <> 'CREDIT_MEMO') EXECUTE FUNCTION mark_payment();
CREATE TRIGGER refuse_future_payment BEFORE INSERT OR UPDATE OF paid_at ON payments FOR EACH ROW WHEN (new.source <> 'CREDIT_MEMO' AND new.paid_at >= (now() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION refuse_future_payment();
CREATE TRIGGER refuse_unvoiding BEFORE UPDATE ON payments FOR EACH ROW WHEN (old.voided_at IS NOT NULL AND new.voided_at IS DISTINCT FROM old.voided_at) EXECUTE FUNCTION refuse_unvoiding();
CREATE TRIGGER set_payment_rate BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION set_payment_rate();
CREATE TRIGGER touch BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER update_cash_totals_of_new AFTER INSERT ON payments FOR EACH ROW WHEN (new.source <> 'CREDIT_MEMO' AND new.voided_at IS NULL) EXECUTE FUNCTION update_cash_totals();
CREATE TRIGGER update_cash_totals_of_voided AFTER UPDATE OF voided_at ON payments FOR EACH ROW WHEN (new.source <> 'CREDIT_MEMO' AND old.voided_at IS NULL AND new.voided_at IS NOT NULL) EXECUTE FUNCTION update_cash_totals();
CREATE TRIGGER void_allocations AFTER UPDATE OF voided_at ON payments FOR EACH ROW WHEN (old.voided_at IS NULL AND new.voided_at IS NOT NULL) EXECUTE FUNCTION void_allocations();
alter table payments enable row level security, force row level security;
create policy across on payments for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on payments to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on payments to owner using (true) with check (true);
grant select on payments to kontor_across;
grant select on payments to kontor_confined;
grant insert (organization_id, id, direction, counterparty_id, amount_minor, currency, minor_digits, paid_at, method, source, created_by, withheld_minor, reference, details, bank_account_id, refund_of, exchange_rate, rate_date, kind), update (voided_at, void_reason) on payments to kontor_confined;

create table documents (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null default 'SALES',
  direction text not null default 'OUTGOING',
  document_type text not null,
  status text not null default 'DRAFT',
  series text not null default '',
  sequence bigint,
  number text,
  counterparty_id uuid,
  counterparty_name text not null default '',
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
  issued_at timestamptz,
  sent_at timestamptz,
  cancelled_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  link_version integer not null default 1,
  credited_minor bigint not null default 0,
  converted_to_id uuid,
  given_rate numeric,
  given_rate_date date,
  country_rate numeric,
  country_rate_date date,
  goods_minor bigint not null default 0,
  constraint documents_pkey PRIMARY KEY (organization_id, id),
  constraint cancelled_type CHECK (cancelled_at IS NULL OR issued_at IS NOT NULL AND (document_type = 'PAYMENT_REQUEST' OR is_receipt_by_law(document_type, series) OR kind = 'EXPENSE' AND document_type = 'CREDIT_MEMO' OR (kind = ANY (ARRAY['PAYSLIP', 'LEAVE_CLAIM'])))),
  constraint closed_document_is_unpaid CHECK (payment_id IS NOT NULL OR paid_minor = 0 OR cancelled_at IS NULL AND converted_to_id IS NULL),
  constraint closed_once CHECK (cancelled_at IS NULL OR converted_to_id IS NULL),
  constraint country_rate_positive CHECK (country_rate > 0::numeric),
  constraint documents_currency_check CHECK (currency <> ''),
  constraint documents_direction_check CHECK (direction = ANY (ARRAY['OUTGOING', 'INCOMING'])),
  constraint documents_document_type_check CHECK (document_type <> ''),
  constraint documents_exchange_rate_check CHECK (exchange_rate > 0::numeric),
  constraint documents_link_version_check CHECK (link_version > 0),
  constraint documents_minor_digits_check CHECK (minor_digits >= 0 AND minor_digits <= 4),
  constraint given_rate_has_date CHECK (given_rate_date IS NULL OR given_rate IS NOT NULL),
  constraint given_rate_positive CHECK (given_rate > 0::numeric),
  constraint numbered_when_issued CHECK ((sequence IS NULL) = (number IS NULL) AND (sequence IS NULL OR issued_at IS NOT NULL)),
  constraint owed_or_nothing CHECK (issued_at IS NULL OR total_minor >= 0),
  constraint paid_within_total CHECK (paid_minor >= 0 AND credited_minor >= 0 AND (paid_minor + credited_minor) <= GREATEST(total_minor, 0::bigint)),
  constraint rate_to_a_currency CHECK ((exchange_rate IS NULL) = (rate_currency IS NULL)),
  constraint settled_when_paid CHECK (status <> 'PAID' OR payment_id IS NOT NULL OR converted_to_id IS NOT NULL OR (paid_minor + credited_minor) = total_minor AND (paid_minor > 0 OR total_minor = 0)),
  constraint void_when_cancelled CHECK ((kind <> ALL (ARRAY['PAYSLIP', 'LEAVE_CLAIM'])) OR (status = 'VOID') = (cancelled_at IS NOT NULL)),
  constraint document_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  constraint documents_converted_to_id_fkey FOREIGN KEY (organization_id, converted_to_id) REFERENCES documents(organization_id, id),
  constraint documents_organization_id_bank_account_id_fkey FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id) ON DELETE SET NULL (bank_account_id),
  constraint documents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint documents_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id),
  constraint documents_organization_id_source_document_id_fkey FOREIGN KEY (organization_id, source_document_id) REFERENCES documents(organization_id, id)
);
CREATE INDEX cancelled_documents ON documents USING btree (organization_id, cancelled_at) WHERE cancelled_at IS NOT NULL;
CREATE INDEX counted_documents ON documents USING btree (organization_id, counterparty_id) WHERE kind = 'SALES' AND cancelled_at IS NULL AND converted_to_id IS NULL;
CREATE INDEX documents_id_idx ON documents USING btree (id);
CREATE INDEX documents_organization_id_bank_account_id_idx ON documents USING btree (organization_id, bank_account_id);
CREATE INDEX documents_organization_id_converted_to_id_idx ON documents USING btree (organization_id, converted_to_id) WHERE converted_to_id IS NOT NULL;
CREATE INDEX documents_organization_id_counterparty_id_issue_date_id_idx ON documents USING btree (organization_id, counterparty_id, issue_date, id);
CREATE INDEX documents_organization_id_created_at_id_idx ON documents USING btree (organization_id, created_at, id) WHERE kind = 'EXPENSE';
CREATE INDEX documents_organization_id_due_date_id_idx ON documents USING btree (organization_id, due_date, id) WHERE kind = 'SALES';
CREATE INDEX documents_organization_id_due_date_id_idx1 ON documents USING btree (organization_id, due_date DESC NULLS LAST, id DESC) WHERE kind = 'SALES';
CREATE INDEX documents_organization_id_due_date_id_idx2 ON documents USING btree (organization_id, due_date, id) WHERE kind = 'SALES' AND direction = 'OUTGOING' AND (status = ANY (ARRAY['UNSENT', 'SENT']));
CREATE INDEX documents_organization_id_issue_date_id_idx ON documents USING btree (organization_id, issue_date, id) WHERE kind = 'SALES';
CREATE INDEX documents_organization_id_issue_date_id_idx1 ON documents USING btree (organization_id, issue_date, id) WHERE kind = 'SALES' AND in_dispute;
CREATE INDEX documents_organization_id_issue_date_id_idx2 ON documents USING btree (organization_id, issue_date, id) WHERE kind = 'EXPENSE';
CREATE INDEX documents_organization_id_issue_date_idx ON documents USING btree (organization_id, issue_date) WHERE rate_date IS NOT NULL;
CREATE INDEX documents_organization_id_issue_date_idx1 ON documents USING btree (organization_id, issue_date) WHERE kind <> 'SALES';
CREATE INDEX documents_organization_id_lower_id_idx ON documents USING btree (organization_id, lower(counterparty_name), id) WHERE kind = 'SALES';
CREATE INDEX documents_organization_id_major_units_id_idx ON documents USING btree (organization_id, major_units(total_minor, minor_digits), id) WHERE kind = 'SALES';
CREATE INDEX documents_organization_id_major_units_id_idx1 ON documents USING btree (organization_id, major_units(total_minor, minor_digits), id) WHERE kind = 'EXPENSE';
CREATE INDEX documents_organization_id_payment_id_idx ON documents USING btree (organization_id, payment_id);
CREATE INDEX documents_organization_id_sequence_id_idx ON documents USING btree (organization_id, sequence, id) WHERE kind = 'SALES';
CREATE INDEX documents_organization_id_sequence_id_idx1 ON documents USING btree (organization_id, sequence DESC NULLS LAST, id DESC) WHERE kind = 'SALES';
CREATE INDEX documents_organization_id_source_document_id_idx ON documents USING btree (organization_id, source_document_id);
CREATE INDEX documents_organization_id_status_issue_date_id_idx ON documents USING btree (organization_id, status, issue_date, id) WHERE kind = 'EXPENSE';
CREATE INDEX documents_organization_id_status_rank_issue_date_id_idx ON documents USING btree (organization_id, status_rank(status), issue_date, id) WHERE kind = 'SALES';
CREATE INDEX earlier_printed_numbers ON documents USING btree (organization_id, number) WHERE series = '' AND sequence IS NOT NULL;
CREATE INDEX expenses_by_creator ON documents USING btree (organization_id, created_by, issue_date, id) WHERE kind = 'EXPENSE';
CREATE UNIQUE INDEX one_document_per_number ON documents USING btree (organization_id, kind, COALESCE(NULLIF(series, ''), document_type), sequence) WHERE sequence IS NOT NULL;
CREATE UNIQUE INDEX one_printed_number ON documents USING btree (organization_id, kind, series, number) WHERE series <> '';
CREATE UNIQUE INDEX one_receipt_per_payment ON documents USING btree (organization_id, payment_id) WHERE document_type = 'RECEIPT' AND payment_id IS NOT NULL AND cancelled_at IS NULL;
CREATE INDEX open_documents_by_due_date ON documents USING btree (due_date, organization_id) WHERE status = ANY (ARRAY['UNSENT', 'SENT']);
CREATE INDEX owed_by_customer ON documents USING btree (organization_id, counterparty_id) WHERE kind = 'SALES' AND direction = 'OUTGOING' AND (status = ANY (ARRAY['UNSENT', 'SENT']));
CREATE INDEX paid_unapproved_expenses ON documents USING btree (organization_id, id) WHERE kind = 'EXPENSE' AND (status = ANY (ARRAY['DRAFT', 'PENDING_REVIEW', 'REJECTED'])) AND paid_minor > 0;
CREATE INDEX partly_settled_documents ON documents USING btree (organization_id, kind, id) WHERE issued_at IS NOT NULL AND payment_id IS NULL AND (paid_minor + credited_minor) > 0 AND total_minor > (paid_minor + credited_minor);
CREATE INDEX search_documents ON documents USING gin (search_grams(organization_id, (((COALESCE(number, '') || ' ') || counterparty_name) || ' ') || COALESCE(notes, ''))) WITH (gin_pending_list_limit='256') WHERE kind = 'SALES';
CREATE INDEX untouched_documents ON documents USING btree (organization_id, kind, (
CASE
    WHEN due_date IS NULL THEN issue_date
    ELSE due_date
END), id) INCLUDE (counterparty_id, issue_date, due_date, total_minor, in_dispute, currency, rate_currency, exchange_rate) WHERE issued_at IS NOT NULL AND payment_id IS NULL AND total_minor > 0 AND (paid_minor + credited_minor) = 0 AND cancelled_at IS NULL AND (kind = 'EXPENSE' OR kind = 'SALES' AND direction = 'OUTGOING' AND (status = ANY (ARRAY['UNSENT', 'SENT'])) AND document_type <> 'RECEIPT' AND converted_to_id IS NULL);
CREATE INDEX untouched_documents_by_party ON documents USING btree (organization_id, kind, counterparty_id) WHERE issued_at IS NOT NULL AND payment_id IS NULL AND total_minor > 0 AND (paid_minor + credited_minor) = 0 AND cancelled_at IS NULL AND (kind = 'EXPENSE' OR kind = 'SALES' AND direction = 'OUTGOING' AND (status = ANY (ARRAY['UNSENT', 'SENT'])) AND document_type <> 'RECEIPT' AND converted_to_id IS NULL);
CREATE STATISTICS public.settled_documents ON (paid_minor + credited_minor) FROM documents;
CREATE CONSTRAINT TRIGGER amounts_match_when_final AFTER UPDATE ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.issued_at IS NULL AND new.issued_at IS NOT NULL) EXECUTE FUNCTION require_matching_amounts();
CREATE CONSTRAINT TRIGGER amounts_match_when_new AFTER INSERT ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.issued_at IS NOT NULL) EXECUTE FUNCTION require_matching_amounts();
CREATE TRIGGER book_allocations_when_final AFTER UPDATE ON documents FOR EACH ROW WHEN (old.issued_at IS NULL AND new.issued_at IS NOT NULL AND new.paid_minor > 0) EXECUTE FUNCTION book_allocations_when_final();
CREATE TRIGGER check_period_of_changed AFTER UPDATE ON documents FOR EACH ROW WHEN ((old.issued_at IS NULL) <> (new.issued_at IS NULL) OR new.issued_at IS NOT NULL AND (old.cancelled_at IS DISTINCT FROM new.cancelled_at OR old.issue_date <> new.issue_date OR old.document_type <> new.document_type OR old.currency <> new.currency OR old.subtotal_minor <> new.subtotal_minor OR old.tax_minor <> new.tax_minor OR old.total_minor <> new.total_minor OR old.exchange_rate IS DISTINCT FROM new.exchange_rate OR old.rate_currency IS DISTINCT FROM new.rate_currency OR old.payment_id IS DISTINCT FROM new.payment_id OR old.source_document_id IS DISTINCT FROM new.source_document_id)) EXECUTE FUNCTION check_period_of_document();
CREATE TRIGGER check_period_of_new AFTER INSERT ON documents FOR EACH ROW WHEN (new.issued_at IS NOT NULL) EXECUTE FUNCTION check_period_of_document();
CREATE TRIGGER clear_goods_of_new_credit AFTER INSERT ON documents FOR EACH ROW WHEN (new.goods_minor <> 0) EXECUTE FUNCTION clear_goods_of_credit();
CREATE TRIGGER clear_goods_of_voided_credit AFTER UPDATE ON documents FOR EACH ROW WHEN (new.goods_minor <> 0 AND old.cancelled_at IS DISTINCT FROM new.cancelled_at) EXECUTE FUNCTION clear_goods_of_credit();
CREATE TRIGGER copy_issued_document_of_new AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND new.issued_at IS NOT NULL) EXECUTE FUNCTION copy_issued_document();
CREATE TRIGGER copy_issued_document_when_final AFTER UPDATE ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND old.issued_at IS NULL AND new.issued_at IS NOT NULL) EXECUTE FUNCTION copy_issued_document();
CREATE TRIGGER count_documents AFTER INSERT OR DELETE ON documents FOR EACH ROW EXECUTE FUNCTION count_documents();
CREATE TRIGGER count_moved_documents AFTER UPDATE ON documents FOR EACH ROW WHEN (old.document_type <> new.document_type OR old.status <> new.status) EXECUTE FUNCTION count_documents();
CREATE TRIGGER follow_allocation_number AFTER UPDATE OF vat_allocation_number ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND new.vat_allocation_number IS DISTINCT FROM old.vat_allocation_number) EXECUTE FUNCTION follow_allocation_number();
CREATE TRIGGER forget_deleted_category AFTER UPDATE ON documents FOR EACH ROW WHEN (new.kind = 'EXPENSE' AND old.issued_at IS NOT NULL AND new.issued_at IS NULL) EXECUTE FUNCTION forget_deleted_category();
CREATE TRIGGER guard_cancelled_credit AFTER UPDATE OF cancelled_at ON documents FOR EACH ROW WHEN (new.document_type = 'CREDIT_MEMO' AND old.cancelled_at IS NULL AND new.cancelled_at IS NOT NULL) EXECUTE FUNCTION guard_cancelled_credit();
CREATE TRIGGER guard_document BEFORE INSERT OR UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION guard_document();
CREATE TRIGGER guard_goods_of_credit BEFORE UPDATE OF goods_minor ON documents FOR EACH ROW WHEN (new.goods_minor IS DISTINCT FROM old.goods_minor) EXECUTE FUNCTION guard_goods_of_credit();
CREATE TRIGGER guard_legal_content BEFORE UPDATE ON documents FOR EACH ROW WHEN (old.cancelled_at IS NOT NULL AND new.cancelled_at IS DISTINCT FROM old.cancelled_at OR old.converted_to_id IS NOT NULL AND new.converted_to_id IS DISTINCT FROM old.converted_to_id OR old.issued_at IS NOT NULL AND (((old.document_type = ANY (ARRAY['CREDIT_MEMO', 'DEBIT_MEMO'])) OR old.document_type = 'RECEIPT' AND old.payment_id IS NOT NULL) AND new.notes IS DISTINCT FROM old.notes OR (old.document_type = ANY (ARRAY['RECEIPT', 'INVOICE_RECEIPT'])) AND ((new.country_specific_data -> 'withholdingTax') IS DISTINCT FROM (old.country_specific_data -> 'withholdingTax') OR (new.country_specific_data -> 'withheldAmount') IS DISTINCT FROM (old.country_specific_data -> 'withheldAmount')))) EXECUTE FUNCTION guard_legal_content();
CREATE TRIGGER guard_memo BEFORE INSERT ON documents FOR EACH ROW WHEN ((new.document_type = ANY (ARRAY['CREDIT_MEMO', 'DEBIT_MEMO'])) AND new.source_document_id IS NOT NULL) EXECUTE FUNCTION guard_memo();
CREATE TRIGGER keep_fixed_rates BEFORE UPDATE ON documents FOR EACH ROW WHEN (old.issued_at IS NOT NULL AND (new.issued_at IS NULL OR new.given_rate IS DISTINCT FROM old.given_rate OR new.given_rate_date IS DISTINCT FROM old.given_rate_date OR new.country_rate IS DISTINCT FROM old.country_rate OR new.country_rate_date IS DISTINCT FROM old.country_rate_date)) EXECUTE FUNCTION keep_fixed_rates();
CREATE TRIGGER link_memo_to_order AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND new.document_type = 'CREDIT_MEMO' AND new.source_document_id IS NOT NULL) EXECUTE FUNCTION link_memo_to_order();
CREATE TRIGGER mark_changed_document AFTER UPDATE ON documents FOR EACH ROW WHEN (
        CASE
            WHEN old.issued_at IS NULL THEN new.issued_at IS NOT NULL AND (new.paid_minor > 0 OR new.credited_minor > 0)
            ELSE new.issued_at IS NULL OR old.kind IS DISTINCT FROM new.kind OR old.direction IS DISTINCT FROM new.direction OR old.document_type IS DISTINCT FROM new.document_type OR old.currency IS DISTINCT FROM new.currency OR old.issue_date IS DISTINCT FROM new.issue_date OR old.subtotal_minor IS DISTINCT FROM new.subtotal_minor OR old.tax_minor IS DISTINCT FROM new.tax_minor OR old.total_minor IS DISTINCT FROM new.total_minor OR old.exchange_rate IS DISTINCT FROM new.exchange_rate OR old.rate_currency IS DISTINCT FROM new.rate_currency OR old.tax_rate IS DISTINCT FROM new.tax_rate OR old.source_document_id IS DISTINCT FROM new.source_document_id OR old.payment_id IS DISTINCT FROM new.payment_id OR old.cancelled_at IS DISTINCT FROM new.cancelled_at OR old.converted_to_id IS DISTINCT FROM new.converted_to_id
        END) EXECUTE FUNCTION mark_changed_document();
CREATE TRIGGER mark_issued_of_new AFTER INSERT ON documents FOR EACH ROW WHEN (new.issued_at IS NOT NULL) EXECUTE FUNCTION mark_issued();
CREATE TRIGGER mark_issued_when_final AFTER UPDATE ON documents FOR EACH ROW WHEN (old.issued_at IS NULL AND new.issued_at IS NOT NULL AND new.paid_minor = 0 AND new.credited_minor = 0) EXECUTE FUNCTION mark_issued();
CREATE CONSTRAINT TRIGGER move_stock_of_issued AFTER UPDATE ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.kind = 'SALES' AND (new.document_type = ANY (ARRAY['INVOICE', 'INVOICE_RECEIPT', 'CREDIT_MEMO'])) AND (old.issued_at IS NULL AND new.issued_at IS NOT NULL OR old.cancelled_at IS NULL AND new.cancelled_at IS NOT NULL)) EXECUTE FUNCTION move_stock_of_document();
CREATE CONSTRAINT TRIGGER move_stock_of_new AFTER INSERT ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.kind = 'SALES' AND new.issued_at IS NOT NULL AND (new.document_type = ANY (ARRAY['INVOICE', 'INVOICE_RECEIPT', 'CREDIT_MEMO']))) EXECUTE FUNCTION move_stock_of_document();
CREATE TRIGGER note_customer AFTER INSERT OR UPDATE OF counterparty_id ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND new.counterparty_id IS NOT NULL) EXECUTE FUNCTION note_customer();
CREATE TRIGGER record_change AFTER UPDATE ON documents FOR EACH ROW WHEN (current_person() IS NULL) EXECUTE FUNCTION record_change_of_document();
CREATE TRIGGER refuse_deleting_final BEFORE DELETE ON documents FOR EACH ROW WHEN (old.issued_at IS NOT NULL) EXECUTE FUNCTION refuse_deleting_final();
CREATE TRIGGER refuse_future_expense_of_new AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'EXPENSE' AND new.issued_at IS NOT NULL AND new.issue_date >= (now() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION refuse_future_expense();
CREATE TRIGGER refuse_future_expense_when_final AFTER UPDATE ON documents FOR EACH ROW WHEN (new.kind = 'EXPENSE' AND old.issued_at IS NULL AND new.issued_at IS NOT NULL AND new.issue_date >= (now() AT TIME ZONE 'UTC')::date) EXECUTE FUNCTION refuse_future_expense();
CREATE TRIGGER refuse_second_statement AFTER INSERT ON documents FOR EACH ROW WHEN (new.document_type = 'RECEIPT' AND new.payment_id IS NOT NULL) EXECUTE FUNCTION refuse_second_statement();
CREATE TRIGGER require_draft_fits BEFORE INSERT OR UPDATE OF given_rate, currency, subtotal_minor, tax_minor, total_minor ON documents FOR EACH ROW WHEN (new.issued_at IS NULL AND new.given_rate IS NOT NULL) EXECUTE FUNCTION require_draft_fits();
CREATE TRIGGER set_credit_rate AFTER INSERT ON documents FOR EACH ROW WHEN (new.document_type = 'CREDIT_MEMO' AND new.payment_id IS NOT NULL AND new.rate_currency <> new.currency) EXECUTE FUNCTION set_credit_rate();
CREATE TRIGGER set_exchange_rate_of_new BEFORE INSERT ON documents FOR EACH ROW WHEN (new.issued_at IS NOT NULL) EXECUTE FUNCTION set_exchange_rate();
CREATE TRIGGER set_exchange_rate_when_final BEFORE UPDATE ON documents FOR EACH ROW WHEN (old.issued_at IS NULL AND new.issued_at IS NOT NULL) EXECUTE FUNCTION set_exchange_rate();
CREATE TRIGGER set_goods_of_credit BEFORE INSERT ON documents FOR EACH ROW WHEN (new.kind = 'EXPENSE' AND new.document_type = 'CREDIT_MEMO' AND new.source_document_id IS NOT NULL) EXECUTE FUNCTION set_goods_of_credit();
CREATE CONSTRAINT TRIGGER set_goods_of_expense AFTER UPDATE ON documents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.kind = 'EXPENSE' AND new.document_type = 'EXPENSE' AND (old.issued_at IS NULL) <> (new.issued_at IS NULL)) EXECUTE FUNCTION set_goods_of_expense();
CREATE TRIGGER submit_on_issue_of_new AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND new.issued_at IS NOT NULL AND (new.document_type = ANY (ARRAY['INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO', 'CREDIT_MEMO']))) EXECUTE FUNCTION submit_on_issue();
CREATE TRIGGER submit_on_issue_when_final AFTER UPDATE ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND old.issued_at IS NULL AND new.issued_at IS NOT NULL AND new.vat_allocation_number IS NULL AND (new.document_type = ANY (ARRAY['INVOICE', 'INVOICE_RECEIPT', 'DEBIT_MEMO', 'CREDIT_MEMO']))) EXECUTE FUNCTION submit_on_issue();
CREATE TRIGGER touch BEFORE UPDATE ON documents FOR EACH ROW EXECUTE FUNCTION set_updated_at();
CREATE TRIGGER update_expense_totals_of_changed AFTER UPDATE ON documents FOR EACH ROW WHEN (new.kind = 'EXPENSE' AND (old.status IS DISTINCT FROM new.status OR old.total_minor IS DISTINCT FROM new.total_minor OR old.currency IS DISTINCT FROM new.currency OR old.issue_date IS DISTINCT FROM new.issue_date OR old.exchange_rate IS DISTINCT FROM new.exchange_rate OR old.cancelled_at IS DISTINCT FROM new.cancelled_at)) EXECUTE FUNCTION update_expense_totals();
CREATE TRIGGER update_expense_totals_of_deleted AFTER DELETE ON documents FOR EACH ROW WHEN (old.kind = 'EXPENSE') EXECUTE FUNCTION update_expense_totals();
CREATE TRIGGER update_expense_totals_of_new AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'EXPENSE') EXECUTE FUNCTION update_expense_totals();
CREATE TRIGGER update_sales_totals_of_changed AFTER UPDATE ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND new.direction = 'OUTGOING' AND new.payment_id IS NULL AND (old.status IS DISTINCT FROM new.status OR old.document_type IS DISTINCT FROM new.document_type OR old.counterparty_id IS DISTINCT FROM new.counterparty_id OR old.currency IS DISTINCT FROM new.currency OR old.exchange_rate IS DISTINCT FROM new.exchange_rate OR old.issue_date IS DISTINCT FROM new.issue_date OR old.total_minor IS DISTINCT FROM new.total_minor OR old.paid_minor IS DISTINCT FROM new.paid_minor OR old.credited_minor IS DISTINCT FROM new.credited_minor OR old.cancelled_at IS DISTINCT FROM new.cancelled_at OR old.converted_to_id IS DISTINCT FROM new.converted_to_id)) EXECUTE FUNCTION update_sales_totals();
CREATE TRIGGER update_sales_totals_of_deleted AFTER DELETE ON documents FOR EACH ROW WHEN (old.kind = 'SALES' AND old.direction = 'OUTGOING') EXECUTE FUNCTION update_sales_totals();
CREATE TRIGGER update_sales_totals_of_new AFTER INSERT ON documents FOR EACH ROW WHEN (new.kind = 'SALES' AND new.direction = 'OUTGOING') EXECUTE FUNCTION update_sales_totals();
CREATE TRIGGER void_payslip AFTER UPDATE OF cancelled_at ON documents FOR EACH ROW WHEN (new.kind = 'PAYSLIP' AND old.cancelled_at IS NULL AND new.cancelled_at IS NOT NULL) EXECUTE FUNCTION follow_document_of_payslip();
alter table documents enable row level security, force row level security;
create policy across on documents for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on documents to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on documents to owner using (true) with check (true);
grant select on documents to kontor_across;
grant select, delete on documents to kontor_confined;
grant insert (organization_id, id, kind, direction, document_type, status, counterparty_id, bank_account_id, currency, minor_digits, issue_date, issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes, payment_method, payment_date, country_specific_data, generator_version, source_document_id, payment_id, created_by, given_rate, given_rate_date), update (document_type, status, counterparty_id, bank_account_id, currency, minor_digits, issue_date, issue_date_given, due_date, pay_until, subtotal_minor, tax_minor, total_minor, tax_rate, notes, payment_method, payment_date, receipt_number, in_dispute, vat_allocation_number, country_specific_data, generator_version, revision, sent_at, cancelled_at, link_version, given_rate, given_rate_date) on documents to kontor_confined;

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
  constraint document_lines_description_check CHECK (description <> ''),
  constraint document_lines_quantity_check CHECK (quantity >= 0::numeric),
  constraint document_lines_unit_price_check CHECK (unit_price >= 0::numeric),
  constraint line_discount CHECK (num_nonnulls(discount_percent, discount_minor) <= 1 AND (discount_percent IS NULL OR discount_percent >= 0::numeric AND discount_percent <= 100::numeric) AND (discount_minor IS NULL OR discount_minor >= 0)),
  constraint line_paid_within_amount CHECK (paid_minor = 0 OR paid_minor >= 0 AND paid_minor <= amount_minor),
  constraint document_lines_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  constraint document_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint line_item FOREIGN KEY (organization_id, catalog_item_id) REFERENCES items(organization_id, id)
);
CREATE INDEX document_lines_organization_id_catalog_item_id_idx ON document_lines USING btree (organization_id, catalog_item_id) WHERE catalog_item_id IS NOT NULL;
CREATE TRIGGER guard_lines BEFORE INSERT OR DELETE OR UPDATE ON document_lines FOR EACH ROW EXECUTE FUNCTION guard_lines();
alter table document_lines enable row level security, force row level security;
create policy across on document_lines for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on document_lines to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on document_lines to owner using (true) with check (true);
grant select on document_lines to kontor_across;
grant select, delete on document_lines to kontor_confined;
grant insert (organization_id, document_id, "position", id, item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category, discount_percent, discount_minor, catalog_item_id), update ("position", item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category, discount_percent, discount_minor, catalog_item_id) on document_lines to kontor_confined;

create table allocations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payment_id uuid not null,
  document_id uuid not null,
  line_id text,
  amount_minor bigint not null,
  voided_at timestamptz,
  created_at timestamptz not null default now(),
  is_credit boolean not null default false,
  booked_on date,
  document_home_minor bigint,
  payment_home_minor bigint,
  is_advance boolean not null default false,
  constraint allocations_pkey PRIMARY KEY (organization_id, id),
  constraint allocations_amount_minor_check CHECK (amount_minor > 0),
  constraint allocations_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id),
  constraint allocations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint allocations_organization_id_payment_id_fkey FOREIGN KEY (organization_id, payment_id) REFERENCES payments(organization_id, id)
);
CREATE INDEX allocations_by_day ON allocations USING btree (organization_id, booked_on, id);
CREATE INDEX allocations_organization_id_document_id_idx ON allocations USING btree (organization_id, document_id);
CREATE INDEX allocations_organization_id_payment_id_idx ON allocations USING btree (organization_id, payment_id);
CREATE INDEX voided_allocations ON allocations USING btree (organization_id, voided_at) WHERE voided_at IS NOT NULL;
CREATE TRIGGER apply_allocation AFTER INSERT OR UPDATE ON allocations FOR EACH ROW EXECUTE FUNCTION apply_allocation();
CREATE TRIGGER book_allocation BEFORE INSERT ON allocations FOR EACH ROW EXECUTE FUNCTION book_allocation();
CREATE TRIGGER check_period_of_changed AFTER UPDATE ON allocations FOR EACH ROW WHEN (old.voided_at IS DISTINCT FROM new.voided_at OR old.booked_on IS DISTINCT FROM new.booked_on OR old.amount_minor <> new.amount_minor OR old.document_home_minor IS DISTINCT FROM new.document_home_minor OR old.payment_home_minor IS DISTINCT FROM new.payment_home_minor) EXECUTE FUNCTION check_period_of_allocation();
CREATE TRIGGER check_period_of_new AFTER INSERT ON allocations FOR EACH ROW EXECUTE FUNCTION check_period_of_allocation();
CREATE TRIGGER hold_to_customer AFTER INSERT ON allocations REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold_to_customer();
CREATE TRIGGER mark_allocation AFTER INSERT ON allocations FOR EACH ROW EXECUTE FUNCTION mark_allocation();
CREATE TRIGGER mark_changed_allocation AFTER UPDATE ON allocations FOR EACH ROW WHEN (old.* IS DISTINCT FROM new.*) EXECUTE FUNCTION mark_allocation();
CREATE TRIGGER mark_credit BEFORE INSERT ON allocations FOR EACH ROW EXECUTE FUNCTION mark_credit();
CREATE TRIGGER refuse_credit_on_receipt AFTER INSERT ON allocations FOR EACH ROW EXECUTE FUNCTION refuse_credit_on_receipt();
CREATE TRIGGER refuse_reallocating BEFORE UPDATE ON allocations FOR EACH ROW WHEN (old.voided_at IS NOT NULL AND new.voided_at IS DISTINCT FROM old.voided_at) EXECUTE FUNCTION refuse_reallocating();
CREATE TRIGGER refuse_second_statement AFTER INSERT ON allocations FOR EACH ROW EXECUTE FUNCTION refuse_second_statement();
alter table allocations enable row level security, force row level security;
create policy across on allocations for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on allocations to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on allocations to owner using (true) with check (true);
grant select on allocations to kontor_across;
grant select on allocations to kontor_confined;
grant insert (organization_id, id, payment_id, document_id, line_id, amount_minor), update (voided_at) on allocations to kontor_confined;

create table document_events (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  document_id uuid not null,
  seq integer not null default 0,
  type text not null,
  actor_user_id uuid,
  payload jsonb,
  created_at timestamptz not null default now(),
  prev_hash bytea not null default '\x'::bytea,
  hash bytea not null default '\x'::bytea,
  constraint document_events_pkey PRIMARY KEY (organization_id, id),
  constraint document_events_organization_id_document_id_seq_key UNIQUE (organization_id, document_id, seq),
  constraint document_events_type_check CHECK (type <> ''),
  constraint document_events_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX document_events_organization_id_document_id_created_at_idx ON document_events USING btree (organization_id, document_id, created_at) WHERE type = 'VIEWED';
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON document_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_to_history BEFORE INSERT ON document_events FOR EACH ROW EXECUTE FUNCTION append_to_history();
alter table document_events enable row level security, force row level security;
create policy across on document_events for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on document_events to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on document_events to owner using (true) with check (true);
grant select on document_events to kontor_across;
grant select on document_events to kontor_confined;
grant insert (organization_id, id, document_id, type, actor_user_id, payload) on document_events to kontor_confined;

create table exchange_rates (
  source text not null,
  currency text not null,
  date date not null,
  base text not null,
  rate numeric(24,12) not null,
  created_at timestamptz not null default now(),
  constraint exchange_rates_pkey PRIMARY KEY (source, currency, date),
  constraint base_is_one CHECK (currency <> base OR rate = 1::numeric),
  constraint exchange_rates_base_check CHECK (base ~ '^[A-Z]{3}$'),
  constraint exchange_rates_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  constraint exchange_rates_rate_check CHECK (rate > 0::numeric),
  constraint exchange_rates_source_check CHECK (source = ANY (ARRAY['ECB', 'BOI', 'MAS', 'BUNDLED']))
);
CREATE INDEX exchange_rates_source_date_idx ON exchange_rates USING btree (source, date);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON exchange_rates FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table exchange_rates enable row level security, force row level security;
create policy readable on exchange_rates for select to kontor_across, kontor_confined using ((SELECT current_organization()) IS NOT NULL OR (SELECT current_person()) IS NOT NULL);
create policy system on exchange_rates to owner using (true) with check (true);
grant select on exchange_rates to kontor_across;
grant select on exchange_rates to kontor_confined;

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
  constraint sales_by_day_sort_check CHECK (sort = ANY (ARRAY['SALE', 'OTHER', 'CREDIT'])),
  constraint sales_by_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX open_sales ON sales_by_day USING btree (organization_id, currency) WHERE (status = ANY (ARRAY['UNSENT', 'SENT'])) AND open_minor <> 0;
CREATE INDEX sales_by_day_organization_id_day_sort_status_currency_idx ON sales_by_day USING btree (organization_id, day, sort, status, currency);
alter table sales_by_day enable row level security, force row level security;
create policy across on sales_by_day for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on sales_by_day to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on sales_by_day to owner using (true) with check (true);
grant select on sales_by_day to kontor_across;
grant select on sales_by_day to kontor_confined;

create table sales_by_customer (
  organization_id uuid not null,
  year integer not null,
  counterparty_id uuid not null,
  currency text not null,
  fixed_rate numeric not null,
  rate_currency text not null,
  documents bigint not null,
  total_minor bigint not null,
  credited_minor bigint not null,
  constraint sales_by_customer_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX sales_by_customer_organization_id_year_counterparty_id_curr_idx ON sales_by_customer USING btree (organization_id, year, counterparty_id, currency);
alter table sales_by_customer enable row level security, force row level security;
create policy across on sales_by_customer for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on sales_by_customer to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on sales_by_customer to owner using (true) with check (true);
grant select on sales_by_customer to kontor_across;
grant select on sales_by_customer to kontor_confined;

create table sales_by_customer_day (
  organization_id uuid not null,
  day date not null,
  counterparty_id uuid not null,
  currency text not null,
  total_minor bigint not null,
  credited_minor bigint not null,
  constraint sales_by_customer_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX sales_by_customer_day_organization_id_counterparty_id_day_c_idx ON sales_by_customer_day USING btree (organization_id, counterparty_id, day, currency);
alter table sales_by_customer_day enable row level security, force row level security;
create policy across on sales_by_customer_day for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on sales_by_customer_day to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on sales_by_customer_day to owner using (true) with check (true);
grant select on sales_by_customer_day to kontor_across;
grant select on sales_by_customer_day to kontor_confined;

create table cash_by_day (
  organization_id uuid not null,
  day date not null,
  direction text not null,
  currency text not null,
  payments bigint not null,
  amount_minor bigint not null,
  rated_on date,
  constraint cash_by_day_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX cash_by_day_organization_id_day_direction_currency_idx ON cash_by_day USING btree (organization_id, day, direction, currency);
alter table cash_by_day enable row level security, force row level security;
create policy across on cash_by_day for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on cash_by_day to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on cash_by_day to owner using (true) with check (true);
grant select on cash_by_day to kontor_across;
grant select on cash_by_day to kontor_confined;

create table document_mailings (
  organization_id uuid not null default current_organization(),
  mailing_id uuid not null,
  delivery_id uuid not null,
  document_id uuid not null,
  told_at timestamptz,
  constraint document_mailings_pkey PRIMARY KEY (organization_id, mailing_id, delivery_id),
  constraint document_mailings_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  constraint document_mailings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX document_mailings_organization_id_document_id_idx ON document_mailings USING btree (organization_id, document_id);
alter table document_mailings enable row level security, force row level security;
create policy across on document_mailings for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on document_mailings to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on document_mailings to owner using (true) with check (true);
grant select on document_mailings to kontor_across;
grant select, insert on document_mailings to kontor_confined;
grant update (told_at) on document_mailings to kontor_confined;

create table document_attachments (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  document_id uuid not null,
  "position" smallint not null,
  file_id uuid not null,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  constraint document_attachments_pkey PRIMARY KEY (organization_id, id),
  constraint document_attachments_organization_id_document_id_position_key UNIQUE (organization_id, document_id, "position"),
  constraint attachments_max CHECK ("position" >= 1 AND "position" <= 20),
  constraint document_attachments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint document_attachments_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  constraint document_attachments_organization_id_file_id_fkey FOREIGN KEY (organization_id, file_id) REFERENCES files(organization_id, id),
  constraint document_attachments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX document_attachments_created_by_idx ON document_attachments USING btree (created_by);
CREATE INDEX document_attachments_id_idx ON document_attachments USING btree (id);
CREATE INDEX document_attachments_organization_id_file_id_idx ON document_attachments USING btree (organization_id, file_id);
alter table document_attachments enable row level security, force row level security;
create policy across on document_attachments for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on document_attachments to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on document_attachments to owner using (true) with check (true);
grant select on document_attachments to kontor_across;
grant select, insert on document_attachments to kontor_confined;

create table overdue_marks (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  due_date date not null,
  created_at timestamptz not null default now(),
  constraint overdue_marks_pkey PRIMARY KEY (organization_id, document_id, due_date),
  constraint overdue_marks_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id),
  constraint overdue_marks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON overdue_marks FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table overdue_marks enable row level security, force row level security;
create policy across on overdue_marks for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on overdue_marks to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on overdue_marks to owner using (true) with check (true);
grant select on overdue_marks to kontor_across;
grant select, insert on overdue_marks to kontor_confined;

create table document_counts (
  organization_id uuid not null default current_organization(),
  entry uuid not null default gen_random_uuid(),
  kind text not null,
  document_type text not null,
  status text not null,
  change integer not null,
  constraint document_counts_pkey PRIMARY KEY (organization_id, entry),
  constraint document_counts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table document_counts enable row level security, force row level security;
create policy across on document_counts for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on document_counts to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on document_counts to owner using (true) with check (true);
grant select on document_counts to kontor_across;
grant select on document_counts to kontor_confined;

create table automations (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  owner_user_id uuid not null default current_person(),
  name text not null,
  description text,
  status text not null default 'DRAFT',
  blocks jsonb not null,
  edges jsonb not null,
  triggers text[] generated always as (trigger_types(blocks)) stored,
  enabled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  graph_id uuid not null default new_id(),
  version integer not null default 1,
  saved_at timestamptz,
  saved_by_user_id uuid,
  constraint automations_pkey PRIMARY KEY (organization_id, id),
  constraint armed_at_some_time CHECK (status <> 'ENABLED' OR enabled_at IS NOT NULL),
  constraint automation_has_trigger CHECK (jsonb_path_exists(blocks, '$[*]?(@."kind" == "TRIGGER")'::jsonpath)),
  constraint automations_blocks_check CHECK (jsonb_typeof(blocks) = 'array' AND jsonb_array_length(blocks) <= 100),
  constraint automations_description_check CHECK (length(description) <= 2000),
  constraint automations_edges_check CHECK (jsonb_typeof(edges) = 'array' AND jsonb_array_length(edges) <= 300),
  constraint automations_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint automations_status_check CHECK (status = ANY (ARRAY['DRAFT', 'ENABLED', 'PAUSED', 'PAUSED_NO_ACCESS'])),
  constraint automations_version_check CHECK (version >= 1),
  constraint automations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint automations_owner_user_id_fkey FOREIGN KEY (owner_user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint current_graph FOREIGN KEY (organization_id, graph_id) REFERENCES automation_graphs(organization_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX armed_automations ON automations USING btree (organization_id) WHERE status = 'ENABLED';
CREATE INDEX armed_automations_by_trigger ON automations USING gin (triggers) WHERE status = 'ENABLED';
CREATE INDEX automations_id_idx ON automations USING btree (id);
CREATE INDEX automations_organization_id_created_at_id_idx ON automations USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX automations_organization_id_graph_id_idx ON automations USING btree (organization_id, graph_id);
CREATE INDEX automations_owner_user_id_idx ON automations USING btree (owner_user_id);
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, blocks, edges ON automations FOR EACH ROW EXECUTE FUNCTION raise_version();
CREATE TRIGGER record_change AFTER UPDATE OF status ON automations FOR EACH ROW WHEN (current_person() IS NULL AND old.status <> new.status) EXECUTE FUNCTION record_change('automations');
CREATE TRIGGER replace_graph BEFORE UPDATE OF blocks, edges ON automations FOR EACH ROW EXECUTE FUNCTION replace_graph();
CREATE TRIGGER require_valid_credential AFTER UPDATE OF status ON automations FOR EACH ROW WHEN (new.status = 'ENABLED' AND old.status <> 'ENABLED') EXECUTE FUNCTION require_valid_credential();
CREATE TRIGGER save_graph AFTER INSERT OR UPDATE OF blocks, edges ON automations FOR EACH ROW EXECUTE FUNCTION save_graph();
CREATE TRIGGER touch BEFORE UPDATE ON automations FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table automations enable row level security, force row level security;
create policy across on automations for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on automations to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on automations to owner using (true) with check (true);
grant select on automations to kontor_across;
grant select, insert, delete on automations to kontor_confined;
grant update (name, description, status, blocks, edges, enabled_at) on automations to kontor_confined;

create table automation_runs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  automation_id uuid not null,
  trigger_event_id uuid,
  trigger_type text,
  input jsonb not null,
  status text not null default 'RUNNING',
  error text,
  depth integer not null,
  token bigint not null default 0,
  deadline timestamptz,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  graph_id uuid,
  record_id text,
  place bigint not null generated always as identity,
  waiting_since timestamptz,
  waits boolean not null default false,
  started_by uuid[] not null default '{}'::uuid[],
  constraint automation_runs_pkey PRIMARY KEY (organization_id, id),
  constraint one_run_per_event UNIQUE (organization_id, automation_id, trigger_event_id),
  constraint automation_runs_status_check CHECK (status = ANY (ARRAY['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'])),
  constraint ended_at_some_time CHECK ((status = 'RUNNING') = (finished_at IS NULL)),
  constraint triggered_or_tried CHECK ((trigger_event_id IS NULL) = (trigger_type IS NULL)),
  constraint automation_runs_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE,
  constraint automation_runs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint automation_runs_organization_id_trigger_event_id_fkey FOREIGN KEY (organization_id, trigger_event_id) REFERENCES events(organization_id, id),
  constraint graph_of_run FOREIGN KEY (organization_id, graph_id) REFERENCES automation_graphs(organization_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX automation_runs_id_idx ON automation_runs USING btree (id);
CREATE INDEX automation_runs_organization_id_automation_id_started_at_id_idx ON automation_runs USING btree (organization_id, automation_id, started_at DESC, id DESC);
CREATE INDEX automation_runs_organization_id_graph_id_idx ON automation_runs USING btree (organization_id, graph_id);
CREATE INDEX automation_runs_organization_id_trigger_event_id_idx ON automation_runs USING btree (organization_id, trigger_event_id);
CREATE INDEX failed_or_cancelled_runs ON automation_runs USING btree (organization_id, automation_id, status, started_at DESC, id DESC) WHERE status = ANY (ARRAY['FAILED', 'CANCELLED']);
CREATE INDEX running_automations ON automation_runs USING btree (organization_id, id) WHERE status = 'RUNNING';
CREATE INDEX running_of_record ON automation_runs USING btree (organization_id, automation_id, record_id, place) WHERE status = 'RUNNING' AND record_id IS NOT NULL;
CREATE TRIGGER adopt_graph BEFORE INSERT ON automation_runs FOR EACH ROW WHEN (new.graph_id IS NULL) EXECUTE FUNCTION adopt_graph();
CREATE TRIGGER adopt_graph_again BEFORE UPDATE OF status ON automation_runs FOR EACH ROW WHEN (new.status = 'RUNNING' AND old.status <> 'RUNNING') EXECUTE FUNCTION adopt_graph();
CREATE CONSTRAINT TRIGGER end_steps AFTER UPDATE OF status ON automation_runs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.status = 'RUNNING' AND (new.status = ANY (ARRAY['SUCCEEDED', 'FAILED']))) EXECUTE FUNCTION end_steps();
CREATE TRIGGER record_end AFTER UPDATE OF status ON automation_runs FOR EACH ROW WHEN (old.status = 'RUNNING' AND new.status <> 'RUNNING') EXECUTE FUNCTION record_change('automation_runs');
CREATE TRIGGER start_next_of_record AFTER UPDATE OF status ON automation_runs FOR EACH ROW WHEN (old.status = 'RUNNING' AND new.status <> 'RUNNING' AND new.record_id IS NOT NULL AND (new.status <> 'CANCELLED' OR current_setting('app.stopped_automation', true) IS DISTINCT FROM new.automation_id::text)) EXECUTE FUNCTION start_next_of_record();
alter table automation_runs enable row level security, force row level security;
create policy across on automation_runs for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on automation_runs to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on automation_runs to owner using (true) with check (true);
grant select on automation_runs to kontor_across;
grant select, insert, update, delete on automation_runs to kontor_confined;

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
  started_at timestamptz,
  finished_at timestamptz,
  element_key text not null default '',
  warnings jsonb,
  is_truncated boolean not null default false,
  waits_until timestamptz,
  turn_at timestamptz,
  turn_tokens integer,
  constraint automation_steps_pkey PRIMARY KEY (organization_id, id),
  constraint one_step_per_element UNIQUE (organization_id, run_id, block_id, element_key),
  constraint automation_steps_attempt_check CHECK (attempt >= 1),
  constraint automation_steps_element_check CHECK (element >= '-1'::integer),
  constraint automation_steps_status_check CHECK (status = ANY (ARRAY['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED'])),
  constraint automation_steps_warnings_check CHECK (jsonb_typeof(warnings) = 'array'),
  constraint only_unfinished_steps_wait CHECK ((waits_until IS NULL OR status = 'PENDING') AND (turn_at IS NULL OR (status = ANY (ARRAY['PENDING', 'RUNNING'])))),
  constraint turn_is_whole CHECK ((turn_at IS NULL) = (turn_tokens IS NULL) AND turn_tokens > 0),
  constraint automation_steps_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES automation_runs(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX automation_steps_id_idx ON automation_steps USING btree (id);
CREATE TRIGGER clear_turn BEFORE UPDATE OF status ON automation_steps FOR EACH ROW WHEN (new.status <> 'PENDING' AND (new.waits_until IS NOT NULL OR new.turn_at IS NOT NULL)) EXECUTE FUNCTION clear_turn();
CREATE TRIGGER succeeded_step_stays BEFORE UPDATE ON automation_steps FOR EACH ROW WHEN (old.status = 'SUCCEEDED') EXECUTE FUNCTION refuse_change_of_succeeded_step();
alter table automation_steps enable row level security, force row level security;
create policy across on automation_steps for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on automation_steps to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on automation_steps to owner using (true) with check (true);
grant select on automation_steps to kontor_across;
grant select, insert, update, delete on automation_steps to kontor_confined;

create table automation_deliveries (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  step_id uuid not null,
  kind text not null,
  target text not null,
  attempt integer not null,
  outcome text not null default 'SENDING',
  status integer,
  latency_ms integer,
  reason text,
  answer text,
  created_at timestamptz not null default now(),
  webhook_id text,
  content_hash bytea,
  constraint automation_deliveries_pkey PRIMARY KEY (organization_id, id),
  constraint a_failure_has_its_reason CHECK ((outcome <> ALL (ARRAY['FAILED', 'REFUSED', 'UNKNOWN'])) OR reason IS NOT NULL),
  constraint automation_deliveries_answer_check CHECK (length(answer) <= 4096),
  constraint automation_deliveries_attempt_check CHECK (attempt >= 1),
  constraint automation_deliveries_content_hash_check CHECK (octet_length(content_hash) = 32),
  constraint automation_deliveries_kind_check CHECK (kind = ANY (ARRAY['WEBHOOK', 'EMAIL'])),
  constraint automation_deliveries_latency_ms_check CHECK (latency_ms >= 0),
  constraint automation_deliveries_outcome_check CHECK (outcome = ANY (ARRAY['SENDING', 'DELIVERED', 'FAILED', 'REFUSED', 'UNKNOWN'])),
  constraint automation_deliveries_reason_check CHECK (length(reason) <= 1000),
  constraint automation_deliveries_target_check CHECK (length(target) <= 2048),
  constraint automation_deliveries_webhook_id_check CHECK (length(webhook_id) <= 64),
  constraint automation_deliveries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint automation_deliveries_organization_id_step_id_fkey FOREIGN KEY (organization_id, step_id) REFERENCES automation_steps(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX automation_deliveries_created_at_idx ON automation_deliveries USING btree (created_at);
CREATE INDEX automation_deliveries_id_idx ON automation_deliveries USING btree (id);
CREATE INDEX automation_deliveries_organization_id_created_at_id_idx ON automation_deliveries USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX automation_deliveries_organization_id_step_id_idx ON automation_deliveries USING btree (organization_id, step_id);
CREATE TRIGGER count_automation_mail AFTER INSERT ON automation_deliveries FOR EACH ROW WHEN (new.kind = 'EMAIL') EXECUTE FUNCTION count_automation_mail();
CREATE TRIGGER final BEFORE UPDATE ON automation_deliveries FOR EACH ROW WHEN (old.outcome <> ALL (ARRAY['SENDING', 'UNKNOWN'])) EXECUTE FUNCTION refuse_change();
alter table automation_deliveries enable row level security, force row level security;
create policy across on automation_deliveries for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on automation_deliveries to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on automation_deliveries to owner using (true) with check (true);
grant select on automation_deliveries to kontor_across;
grant select, insert on automation_deliveries to kontor_confined;
grant update (outcome, status, latency_ms, reason, answer) on automation_deliveries to kontor_confined;

create table webhook_secrets (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  secret bytea not null,
  created_at timestamptz not null default now(),
  replaced_at timestamptz,
  secret_key_id uuid generated always as (encode(SUBSTRING(secret FROM 2 FOR 16), 'hex')::uuid) stored,
  constraint webhook_secrets_pkey PRIMARY KEY (organization_id, id),
  constraint webhook_secrets_secret_is_sealed CHECK (octet_length(secret) >= 113 AND get_byte(secret, 0) = 1),
  constraint webhook_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint webhook_secrets_organization_id_secret_key_id_fkey FOREIGN KEY (organization_id, secret_key_id) REFERENCES organization_keys(organization_id, id)
);
CREATE UNIQUE INDEX one_webhook_secret_and_one_before ON webhook_secrets USING btree (organization_id, (replaced_at IS NULL));
CREATE INDEX webhook_secrets_id_idx ON webhook_secrets USING btree (id);
CREATE INDEX webhook_secrets_organization_id_secret_key_id_idx ON webhook_secrets USING btree (organization_id, secret_key_id);
CREATE INDEX webhook_secrets_replaced_at_idx ON webhook_secrets USING btree (replaced_at) WHERE replaced_at IS NOT NULL;
alter table webhook_secrets enable row level security, force row level security;
create policy across on webhook_secrets for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on webhook_secrets to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on webhook_secrets to owner using (true) with check (true);
grant select on webhook_secrets to kontor_across;
grant select, insert, update, delete on webhook_secrets to kontor_confined;

create table ledger_kinds (
  kind text not null,
  direction text not null,
  payment_direction text not null,
  document_types text[] not null,
  unbilled_types text[] not null default '{}'[],
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
  final_events text[] not null default '{}'[],
  advances_account text not null default 'PREPAYMENTS',
  constraint ledger_kinds_pkey PRIMARY KEY (kind),
  constraint final_amounts_are_frozen CHECK (frozen_when_final @> '{currency,minor_digits,subtotal_minor,tax_minor,total_minor,lines}'[]),
  constraint ledger_kinds_check CHECK (draft_statuses <@ statuses),
  constraint ledger_kinds_check1 CHECK (payable_statuses <@ statuses),
  constraint ledger_kinds_direction_check CHECK (direction = ANY (ARRAY['OUTGOING', 'INCOMING'])),
  constraint ledger_kinds_document_types_check CHECK (cardinality(document_types) > 0),
  constraint ledger_kinds_kind_check CHECK (kind <> ''),
  constraint ledger_kinds_payment_direction_check CHECK (payment_direction = ANY (ARRAY['OUTGOING', 'INCOMING'])),
  constraint ledger_kinds_statuses_check CHECK (cardinality(statuses) > 0),
  constraint one_direction CHECK (payment_direction = direction),
  constraint open_status_of_kind CHECK (array_remove(ARRAY[open_status, sent_status], NULL::text) <@ payable_statuses),
  constraint paid_currency_is_frozen CHECK (NOT draft_statuses && payable_statuses OR frozen_when_paid @> '{currency,minor_digits}'[]),
  constraint paid_lines_are_frozen CHECK (NOT pays_lines OR NOT draft_statuses && payable_statuses OR frozen_when_paid @> '{lines}'[]),
  constraint paid_status CHECK (('PAID' = ANY (statuses)) = (open_status IS NOT NULL))
);
alter table ledger_kinds enable row level security, force row level security;
create policy system on ledger_kinds to owner using (true) with check (true);

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
  created_at timestamptz not null default now(),
  superseded_at timestamptz,
  version integer,
  superseded_version integer,
  constraint automation_graphs_pkey PRIMARY KEY (organization_id, id),
  constraint automation_graphs_credential_status_check CHECK (credential_status = ANY (ARRAY['ACTIVE', 'ENDED', 'RELEASED'])),
  constraint one_credential_of_graph CHECK (num_nonnulls(api_key_id, client_id) =
CASE
    WHEN credential_status IS NULL THEN 0
    ELSE 1
END AND (scopes IS NULL) = (credential_status IS NULL) AND (app_id IS NULL OR client_id IS NOT NULL)),
  constraint automation_graphs_organization_id_automation_id_fkey FOREIGN KEY (organization_id, automation_id) REFERENCES automations(organization_id, id) ON DELETE CASCADE,
  constraint automation_graphs_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX automation_graphs_api_key_id_idx ON automation_graphs USING btree (api_key_id) WHERE credential_status = 'ACTIVE';
CREATE INDEX automation_graphs_app_id_idx ON automation_graphs USING btree (app_id) WHERE credential_status = 'ACTIVE';
CREATE INDEX automation_graphs_organization_id_automation_id_idx ON automation_graphs USING btree (organization_id, automation_id);
CREATE INDEX automation_graphs_superseded_at_idx ON automation_graphs USING btree (superseded_at);
alter table automation_graphs enable row level security, force row level security;
create policy across on automation_graphs for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on automation_graphs to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on automation_graphs to owner using (true) with check (true);
grant select on automation_graphs to kontor_across;
grant select on automation_graphs to kontor_confined;

create table mail_counts (
  subject text not null,
  hour timestamptz not null,
  messages integer not null,
  constraint mail_counts_pkey PRIMARY KEY (subject, hour),
  constraint mail_counts_messages_check CHECK (messages > 0),
  constraint mail_counts_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 1000)
);
CREATE INDEX mail_counts_hour_idx ON mail_counts USING btree (hour);
alter table mail_counts enable row level security, force row level security;
create policy system on mail_counts to owner using (true) with check (true);

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
alter table official_document_types enable row level security, force row level security;
create policy system on official_document_types to owner using (true) with check (true);

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
  created_at timestamptz not null default now(),
  terms jsonb,
  constraint issued_copies_pkey PRIMARY KEY (organization_id, document_id),
  constraint issued_copies_language_check CHECK (language = ANY (ARRAY['en', 'he'])),
  constraint issued_copies_original_sha256_check CHECK (original_sha256 ~ '^[0-9a-f]{64}$'),
  constraint original_has_hash CHECK ((original_file_id IS NULL) = (original_sha256 IS NULL)),
  constraint issued_copies_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id),
  constraint issued_copies_organization_id_original_file_id_fkey FOREIGN KEY (organization_id, original_file_id) REFERENCES files(organization_id, id)
);
CREATE INDEX issued_copies_organization_id_original_file_id_idx ON issued_copies USING btree (organization_id, original_file_id);
CREATE TRIGGER guard_issued_copy BEFORE DELETE OR UPDATE ON issued_copies FOR EACH ROW EXECUTE FUNCTION guard_issued_copy();
alter table issued_copies enable row level security, force row level security;
create policy across on issued_copies for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on issued_copies to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on issued_copies to owner using (true) with check (true);
grant select on issued_copies to kontor_across;
grant select on issued_copies to kontor_confined;
grant update (original_file_id, original_sha256) on issued_copies to kontor_confined;

create table default_accounts (
  country text not null,
  code text not null,
  name text not null,
  name_he text not null,
  type text not null,
  purpose text,
  tax_categories text[] not null default '{}'[],
  categories text[] not null default '{}'[],
  constraint default_accounts_pkey PRIMARY KEY (country, code)
);
alter table default_accounts enable row level security, force row level security;
create policy system on default_accounts to owner using (true) with check (true);

create table accounts (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  code text not null,
  name text not null,
  name_he text,
  type text not null,
  purpose text,
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint accounts_pkey PRIMARY KEY (organization_id, id),
  constraint account_state UNIQUE (organization_id, id, type, active),
  constraint one_account_per_code UNIQUE (organization_id, code),
  constraint account_with_purpose_is_active CHECK (purpose IS NULL OR active),
  constraint accounts_code_check CHECK (code ~ '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$'),
  constraint accounts_name_check CHECK (name <> ''),
  constraint accounts_name_he_check CHECK (name_he <> ''),
  constraint accounts_purpose_check CHECK (purpose <> ''),
  constraint accounts_type_check CHECK (type = ANY (ARRAY['ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE'])),
  constraint purpose_fits_type CHECK (purpose IS NULL OR fits_purpose(type, purpose)),
  constraint accounts_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX accounts_id_idx ON accounts USING btree (id);
CREATE UNIQUE INDEX one_account_per_purpose ON accounts USING btree (organization_id, purpose) WHERE purpose IS NOT NULL;
CREATE TRIGGER control_account AFTER UPDATE OF purpose ON accounts FOR EACH ROW WHEN (new.purpose IS NOT NULL) EXECUTE FUNCTION require_no_control_account();
CREATE TRIGGER date_purpose AFTER UPDATE OF purpose ON accounts FOR EACH ROW WHEN (old.purpose IS DISTINCT FROM new.purpose) EXECUTE FUNCTION date_purpose();
CREATE TRIGGER date_purpose_of_new AFTER INSERT ON accounts FOR EACH ROW WHEN (new.purpose IS NOT NULL) EXECUTE FUNCTION date_purpose();
CREATE TRIGGER guard_account_code BEFORE INSERT OR UPDATE OF code ON accounts FOR EACH ROW EXECUTE FUNCTION guard_account_code();
CREATE CONSTRAINT TRIGGER purpose_has_account AFTER UPDATE ON accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.purpose IS NOT NULL AND old.purpose IS DISTINCT FROM new.purpose) EXECUTE FUNCTION require_account_of_purpose();
CREATE TRIGGER touch BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table accounts enable row level security, force row level security;
create policy across on accounts for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on accounts to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on accounts to owner using (true) with check (true);
grant select on accounts to kontor_across;
grant select on accounts to kontor_confined;
grant insert (organization_id, id, code, name, name_he, type, active), update (code, name, name_he, purpose, active) on accounts to kontor_confined;

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
  constraint account_mappings_tax_category_check CHECK (tax_category ~ '^\S{1,20}$'),
  constraint mapping_fits_account_type CHECK (
CASE
    WHEN category_id IS NOT NULL THEN account_type = ANY (ARRAY['EXPENSE', 'ASSET'])
    WHEN bank_account_id IS NOT NULL THEN account_type = ANY (ARRAY['ASSET', 'LIABILITY'])
    ELSE account_type <> 'EQUITY'
END),
  constraint mapping_of_one_thing CHECK (num_nonnulls(category_id, bank_account_id, tax_category) = 1),
  constraint account_mappings_organization_id_bank_account_id_fkey FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id) ON DELETE CASCADE,
  constraint account_mappings_organization_id_category_id_fkey FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE CASCADE,
  constraint account_mappings_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint mapped_account_is_active FOREIGN KEY (organization_id, account_id, account_type, account_active) REFERENCES accounts(organization_id, id, type, active)
);
CREATE INDEX account_mappings_organization_id_account_id_idx ON account_mappings USING btree (organization_id, account_id);
CREATE UNIQUE INDEX one_account_per_bank_account ON account_mappings USING btree (organization_id, bank_account_id) WHERE bank_account_id IS NOT NULL;
CREATE UNIQUE INDEX one_account_per_category ON account_mappings USING btree (organization_id, category_id) WHERE category_id IS NOT NULL;
CREATE UNIQUE INDEX one_account_per_tax_category ON account_mappings USING btree (organization_id, tax_category, account_type) WHERE tax_category IS NOT NULL;
CREATE TRIGGER control_account AFTER INSERT OR UPDATE ON account_mappings FOR EACH ROW WHEN (new.category_id IS NOT NULL) EXECUTE FUNCTION require_no_control_account();
CREATE TRIGGER date_mapping AFTER INSERT OR DELETE OR UPDATE ON account_mappings FOR EACH ROW EXECUTE FUNCTION date_mapping();
alter table account_mappings enable row level security, force row level security;
create policy across on account_mappings for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on account_mappings to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on account_mappings to owner using (true) with check (true);
grant select on account_mappings to kontor_across;
grant select, insert, update, delete on account_mappings to kontor_confined;

create table journal_entries (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  number bigint not null default 0,
  kind text not null,
  date date not null,
  description text not null,
  reference text,
  currency text not null default '',
  reverses_id uuid,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  constraint journal_entries_pkey PRIMARY KEY (organization_id, id),
  constraint one_entry_per_number UNIQUE (organization_id, number),
  constraint one_reversal_per_entry UNIQUE (organization_id, reverses_id),
  constraint journal_entries_currency_check CHECK (currency <> ''),
  constraint journal_entries_description_check CHECK (description <> ''),
  constraint journal_entries_kind_check CHECK (kind = ANY (ARRAY['MANUAL', 'OPENING'])),
  constraint journal_entries_number_check CHECK (number > 0),
  constraint journal_entries_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint journal_entries_organization_id_reverses_id_fkey FOREIGN KEY (organization_id, reverses_id) REFERENCES journal_entries(organization_id, id)
);
CREATE INDEX journal_entries_id_idx ON journal_entries USING btree (id);
CREATE INDEX journal_entries_organization_id_date_number_idx ON journal_entries USING btree (organization_id, date, number);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON journal_entries FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER check_period AFTER INSERT ON journal_entries FOR EACH ROW EXECUTE FUNCTION check_period_of_date();
CREATE CONSTRAINT TRIGGER entry_is_balanced AFTER INSERT ON journal_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_balanced_entry();
CREATE TRIGGER mark_entry AFTER INSERT ON journal_entries FOR EACH ROW EXECUTE FUNCTION mark_movement();
CREATE TRIGGER number_journal_entry BEFORE INSERT ON journal_entries FOR EACH ROW EXECUTE FUNCTION number_journal_entry();
alter table journal_entries enable row level security, force row level security;
create policy across on journal_entries for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_entries to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_entries to owner using (true) with check (true);
grant select on journal_entries to kontor_across;
grant select on journal_entries to kontor_confined;
grant insert (organization_id, id, kind, date, description, reference, reverses_id) on journal_entries to kontor_confined;

create table journal_entry_lines (
  organization_id uuid not null default current_organization(),
  entry_id uuid not null,
  "position" integer not null,
  account_id uuid not null,
  debit_minor bigint not null default 0,
  credit_minor bigint not null default 0,
  description text,
  constraint journal_entry_lines_pkey PRIMARY KEY (organization_id, entry_id, "position"),
  constraint debit_or_credit CHECK (debit_minor >= 0 AND credit_minor >= 0 AND (debit_minor = 0) <> (credit_minor = 0)),
  constraint journal_entry_lines_position_check CHECK ("position" > 0),
  constraint journal_entry_lines_organization_id_account_id_fkey FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id),
  constraint journal_entry_lines_organization_id_entry_id_fkey FOREIGN KEY (organization_id, entry_id) REFERENCES journal_entries(organization_id, id) ON DELETE CASCADE,
  constraint journal_entry_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX journal_entry_lines_organization_id_account_id_idx ON journal_entry_lines USING btree (organization_id, account_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON journal_entry_lines FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER guard_entry_lines BEFORE INSERT ON journal_entry_lines FOR EACH ROW EXECUTE FUNCTION guard_entry_lines();
alter table journal_entry_lines enable row level security, force row level security;
create policy across on journal_entry_lines for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_entry_lines to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_entry_lines to owner using (true) with check (true);
grant select on journal_entry_lines to kontor_across;
grant select, insert on journal_entry_lines to kontor_confined;

create table account_periods (
  organization_id uuid not null default current_organization(),
  subject text not null,
  first_day date not null,
  end_day date not null default 'infinity'::date,
  account_id uuid not null,
  constraint account_periods_pkey PRIMARY KEY (organization_id, subject, first_day),
  constraint account_periods_subject_check CHECK (subject ~ '^(PURPOSE|BANK|CATEGORY|TAX):.'),
  constraint period_has_days CHECK (first_day < end_day),
  constraint account_periods_organization_id_account_id_fkey FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id),
  constraint account_periods_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX account_periods_organization_id_account_id_idx ON account_periods USING btree (organization_id, account_id);
CREATE TRIGGER check_period AFTER INSERT OR DELETE OR UPDATE ON account_periods FOR EACH ROW EXECUTE FUNCTION check_period_of_account();
CREATE TRIGGER mark_changed_periods AFTER UPDATE ON account_periods REFERENCING NEW TABLE AS changed_periods FOR EACH STATEMENT EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER mark_new_periods AFTER INSERT ON account_periods REFERENCING NEW TABLE AS changed_periods FOR EACH STATEMENT EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER mark_removed_periods AFTER DELETE ON account_periods REFERENCING OLD TABLE AS changed_periods FOR EACH STATEMENT EXECUTE FUNCTION mark_all_days();
alter table account_periods enable row level security, force row level security;
create policy across on account_periods for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on account_periods to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on account_periods to owner using (true) with check (true);
grant select on account_periods to kontor_across;
grant select on account_periods to kontor_confined;

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
  reviewed_at timestamptz,
  claimed_by uuid[] not null default '{}'::uuid[],
  changed_by uuid,
  goods_minor bigint not null default 0,
  deleted_category_id uuid,
  entered_fields text[],
  entered_for uuid[] not null default '{}'::uuid[],
  changed_for uuid[] not null default '{}'::uuid[],
  amount_for uuid[] not null default '{}'::uuid[],
  constraint expenses_pkey PRIMARY KEY (organization_id, id),
  constraint deductible_within_charged CHECK (deductible_tax_minor IS NULL OR deductible_tax_minor <= COALESCE(charged_tax_minor, 0::bigint)),
  constraint expenses_allocation_number_check CHECK (allocation_number <> ''),
  constraint expenses_charged_tax_minor_check CHECK (charged_tax_minor >= 0),
  constraint expenses_deductible_tax_minor_check CHECK (deductible_tax_minor >= 0),
  constraint expenses_document_number_check CHECK (document_number <> ''),
  constraint expenses_goods_minor_check CHECK (goods_minor >= 0),
  constraint expenses_source_check CHECK (source = ANY (ARRAY['MANUAL', 'SCAN', 'EMAIL'])),
  constraint expenses_vendor_tax_number_check CHECK (vendor_tax_number <> ''),
  constraint expense_category FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (category_id),
  constraint expense_claimant FOREIGN KEY (organization_id, claimant_id) REFERENCES customers(organization_id, id),
  constraint expense_document FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  constraint expense_order FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id),
  constraint expense_supplier FOREIGN KEY (organization_id, supplier_id) REFERENCES customers(organization_id, id),
  constraint expenses_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint expenses_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint expenses_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES users(id) ON DELETE SET NULL
);
CREATE INDEX expenses_changed_by_idx ON expenses USING btree (changed_by);
CREATE INDEX expenses_id_idx ON expenses USING btree (id);
CREATE INDEX expenses_organization_id_category_id_idx ON expenses USING btree (organization_id, category_id);
CREATE INDEX expenses_organization_id_claimant_id_idx ON expenses USING btree (organization_id, claimant_id) WHERE claimant_id IS NOT NULL;
CREATE INDEX expenses_organization_id_document_number_idx ON expenses USING btree (organization_id, document_number) WHERE document_number IS NOT NULL;
CREATE INDEX expenses_organization_id_lower_id_idx ON expenses USING btree (organization_id, lower(vendor), id);
CREATE INDEX expenses_organization_id_lower_id_idx1 ON expenses USING btree (organization_id, lower(vendor) DESC NULLS LAST, id DESC);
CREATE INDEX expenses_organization_id_order_id_idx ON expenses USING btree (organization_id, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX expenses_organization_id_supplier_id_idx ON expenses USING btree (organization_id, supplier_id);
CREATE INDEX expenses_reviewed_by_idx ON expenses USING btree (reviewed_by);
CREATE INDEX search_expenses ON expenses USING gin (search_grams(organization_id, (((((COALESCE(title, '') || ' ') || COALESCE(vendor, '')) || ' ') || COALESCE(notes, '')) || ' ') || COALESCE(document_number, ''))) WITH (gin_pending_list_limit='256');
CREATE TRIGGER check_period AFTER UPDATE OF category_id, goods_minor ON expenses FOR EACH ROW WHEN (old.category_id IS DISTINCT FROM new.category_id OR old.goods_minor <> new.goods_minor) EXECUTE FUNCTION check_period_of_category();
CREATE CONSTRAINT TRIGGER guard_approval AFTER UPDATE OF reviewed_by, reviewed_at ON expenses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.reviewed_by = ANY (new.claimed_by)) EXECUTE FUNCTION guard_approval();
CREATE TRIGGER guard_expense BEFORE UPDATE ON expenses FOR EACH ROW WHEN (old.id IS DISTINCT FROM new.id OR old.vendor IS DISTINCT FROM new.vendor OR old.supplier_id IS DISTINCT FROM new.supplier_id OR old.claimant_id IS DISTINCT FROM new.claimant_id OR old.source IS DISTINCT FROM new.source OR old.charged_tax_minor IS DISTINCT FROM new.charged_tax_minor OR old.deductible_tax_minor IS DISTINCT FROM new.deductible_tax_minor OR old.document_number IS DISTINCT FROM new.document_number OR old.vendor_tax_number IS DISTINCT FROM new.vendor_tax_number OR old.allocation_number IS DISTINCT FROM new.allocation_number) EXECUTE FUNCTION guard_expense();
CREATE CONSTRAINT TRIGGER guard_expense_parties AFTER INSERT OR UPDATE OF supplier_id, claimant_id ON expenses DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION guard_expense_parties();
CREATE TRIGGER keep_deleted_category BEFORE UPDATE OF category_id ON expenses FOR EACH ROW WHEN (old.category_id IS DISTINCT FROM new.category_id) EXECUTE FUNCTION keep_deleted_category('id');
CREATE TRIGGER mark_expense AFTER UPDATE ON expenses FOR EACH ROW WHEN (old.category_id IS DISTINCT FROM new.category_id OR old.goods_minor IS DISTINCT FROM new.goods_minor) EXECUTE FUNCTION mark_expense();
CREATE TRIGGER note_claimant BEFORE INSERT OR UPDATE OF claimant_id, claimed_by ON expenses FOR EACH ROW EXECUTE FUNCTION note_claimant();
CREATE TRIGGER note_supplier AFTER INSERT OR UPDATE OF supplier_id ON expenses FOR EACH ROW WHEN (new.supplier_id IS NOT NULL) EXECUTE FUNCTION note_supplier();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE ON expenses FOR EACH ROW WHEN (current_person() IS NULL) EXECUTE FUNCTION record_change('expenses');
alter table expenses enable row level security, force row level security;
create policy across on expenses for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on expenses to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on expenses to owner using (true) with check (true);
grant select on expenses to kontor_across;
grant select, insert, update, delete on expenses to kontor_confined;
grant insert (entered_fields, entered_for, amount_for), update (entered_fields, changed_for, amount_for) on expenses to kontor_confined;

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
  constraint expense_splits_amount_minor_check CHECK (amount_minor > 0),
  constraint expense_splits_charged_tax_minor_check CHECK (charged_tax_minor >= 0),
  constraint expense_splits_description_check CHECK (description <> ''),
  constraint expense_splits_organization_id_category_id_fkey FOREIGN KEY (organization_id, category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (category_id),
  constraint expense_splits_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE,
  constraint expense_splits_organization_id_expense_id_line_id_fkey FOREIGN KEY (organization_id, expense_id, line_id) REFERENCES document_lines(organization_id, document_id, id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  constraint expense_splits_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX expense_splits_organization_id_category_id_idx ON expense_splits USING btree (organization_id, category_id);
CREATE TRIGGER check_period_of_changed AFTER UPDATE OF category_id ON expense_splits FOR EACH ROW WHEN (old.category_id IS DISTINCT FROM new.category_id) EXECUTE FUNCTION check_period_of_category();
CREATE TRIGGER check_period_of_replaced AFTER INSERT OR DELETE ON expense_splits FOR EACH ROW EXECUTE FUNCTION check_period_of_category();
CREATE TRIGGER keep_deleted_category BEFORE UPDATE OF category_id ON expense_splits FOR EACH ROW WHEN (old.category_id IS DISTINCT FROM new.category_id) EXECUTE FUNCTION keep_deleted_category('expense_id');
CREATE TRIGGER mark_changed_splits AFTER UPDATE ON expense_splits REFERENCING NEW TABLE AS changed_splits FOR EACH STATEMENT EXECUTE FUNCTION mark_splits();
CREATE TRIGGER mark_new_splits AFTER INSERT ON expense_splits REFERENCING NEW TABLE AS changed_splits FOR EACH STATEMENT EXECUTE FUNCTION mark_splits();
CREATE TRIGGER mark_removed_splits AFTER DELETE ON expense_splits REFERENCING OLD TABLE AS changed_splits FOR EACH STATEMENT EXECUTE FUNCTION mark_splits();
alter table expense_splits enable row level security, force row level security;
create policy across on expense_splits for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on expense_splits to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on expense_splits to owner using (true) with check (true);
grant select on expense_splits to kontor_across;
grant select, insert, update, delete on expense_splits to kontor_confined;

create table expense_customers (
  organization_id uuid not null default current_organization(),
  expense_id uuid not null,
  customer_id uuid not null,
  created_at timestamptz not null default now(),
  constraint expense_customers_pkey PRIMARY KEY (organization_id, expense_id, customer_id),
  constraint expense_customer FOREIGN KEY (organization_id, customer_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE,
  constraint expense_customers_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE,
  constraint expense_customers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX expense_customers_organization_id_customer_id_expense_id_idx ON expense_customers USING btree (organization_id, customer_id, expense_id);
alter table expense_customers enable row level security, force row level security;
create policy across on expense_customers for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on expense_customers to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on expense_customers to owner using (true) with check (true);
grant select on expense_customers to kontor_across;
grant select, insert, update, delete on expense_customers to kontor_confined;

create table scan_usage (
  organization_id uuid not null default current_organization(),
  period text not null,
  used integer not null,
  constraint scan_usage_pkey PRIMARY KEY (organization_id, period),
  constraint scan_usage_period_check CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  constraint scan_usage_used_check CHECK (used >= 0),
  constraint scan_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table scan_usage enable row level security, force row level security;
create policy across on scan_usage for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on scan_usage to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on scan_usage to owner using (true) with check (true);
grant select on scan_usage to kontor_across;
grant select on scan_usage to kontor_confined;

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
  constraint expenses_by_vendor_state_check CHECK (state = ANY (ARRAY['APPROVED', 'PENDING'])),
  constraint expenses_by_vendor_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX expenses_by_vendor_organization_id_day_state_vendor_currenc_idx ON expenses_by_vendor USING btree (organization_id, day, state, vendor, currency);
alter table expenses_by_vendor enable row level security, force row level security;
create policy across on expenses_by_vendor for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on expenses_by_vendor to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on expenses_by_vendor to owner using (true) with check (true);
grant select on expenses_by_vendor to kontor_across;
grant select on expenses_by_vendor to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint suppliers_pkey PRIMARY KEY (organization_id, id),
  constraint suppliers_account_name_check CHECK (account_name <> ''),
  constraint suppliers_account_number_check CHECK (account_number <> ''),
  constraint suppliers_bank_name_check CHECK (bank_name <> ''),
  constraint suppliers_branch_code_check CHECK (branch_code <> ''),
  constraint suppliers_default_currency_check CHECK (default_currency <> ''),
  constraint suppliers_gst_number_check CHECK (gst_number <> ''),
  constraint suppliers_iban_check CHECK (iban <> ''),
  constraint suppliers_payment_terms_days_check CHECK (payment_terms_days >= 0 AND payment_terms_days <= 3650),
  constraint suppliers_swift_code_check CHECK (swift_code <> ''),
  constraint suppliers_tax_number_check CHECK (tax_number <> ''),
  constraint suppliers_withholding_rate_check CHECK (withholding_rate >= 0::numeric AND withholding_rate <= 100::numeric),
  constraint supplier_category FOREIGN KEY (organization_id, default_category_id) REFERENCES expense_categories(organization_id, id) ON DELETE SET NULL (default_category_id),
  constraint supplier_counterparty FOREIGN KEY (organization_id, id) REFERENCES customers(organization_id, id) ON DELETE CASCADE,
  constraint suppliers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX suppliers_id_idx ON suppliers USING btree (id);
CREATE INDEX suppliers_organization_id_default_category_id_idx ON suppliers USING btree (organization_id, default_category_id);
CREATE TRIGGER follow_supplier AFTER INSERT OR DELETE ON suppliers FOR EACH ROW EXECUTE FUNCTION follow_supplier();
CREATE TRIGGER guard_supplier BEFORE DELETE ON suppliers FOR EACH ROW EXECUTE FUNCTION guard_supplier();
CREATE TRIGGER touch BEFORE UPDATE ON suppliers FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table suppliers enable row level security, force row level security;
create policy across on suppliers for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on suppliers to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on suppliers to owner using (true) with check (true);
grant select on suppliers to kontor_across;
grant select, insert, update, delete on suppliers to kontor_confined;

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
  tracked_since timestamptz,
  low_stock_threshold numeric(20,6),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint items_pkey PRIMARY KEY (organization_id, id),
  constraint items_barcode_check CHECK (barcode <> ''),
  constraint items_kind_check CHECK (kind = ANY (ARRAY['GOODS', 'SERVICE'])),
  constraint items_low_stock_threshold_check CHECK (low_stock_threshold >= 0::numeric),
  constraint items_name_check CHECK (name <> ''),
  constraint items_purchase_currency_check CHECK (purchase_currency <> ''),
  constraint items_purchase_price_check CHECK (purchase_price >= 0::numeric),
  constraint items_sale_currency_check CHECK (sale_currency <> ''),
  constraint items_sale_price_check CHECK (sale_price >= 0::numeric),
  constraint items_sku_check CHECK (sku <> ''),
  constraint items_tax_category_check CHECK (tax_category <> ''),
  constraint items_tax_rate_check CHECK (tax_rate >= 0::numeric AND tax_rate <= 100::numeric),
  constraint items_unit_check CHECK (unit <> ''),
  constraint only_goods_are_tracked CHECK (NOT tracked OR kind = 'GOODS'),
  constraint items_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX items_id_idx ON items USING btree (id);
CREATE INDEX items_organization_id_barcode_idx ON items USING btree (organization_id, barcode) WHERE barcode IS NOT NULL;
CREATE INDEX items_organization_id_created_at_id_idx ON items USING btree (organization_id, created_at, id);
CREATE INDEX items_organization_id_lower_id_idx ON items USING btree (organization_id, lower(name), id);
CREATE INDEX items_organization_id_lower_id_idx1 ON items USING btree (organization_id, lower(sku), id);
CREATE INDEX items_organization_id_updated_at_id_idx ON items USING btree (organization_id, updated_at, id);
CREATE UNIQUE INDEX one_item_per_sku ON items USING btree (organization_id, lower(sku)) WHERE sku IS NOT NULL;
CREATE INDEX search_items ON items USING gin (search_grams(organization_id, (((((name || ' ') || COALESCE(sku, '')) || ' ') || COALESCE(barcode, '')) || ' ') || COALESCE(description, ''))) WITH (gin_pending_list_limit='256');
CREATE TRIGGER begin_tracking AFTER UPDATE ON items FOR EACH ROW WHEN (new.tracked AND NOT old.tracked) EXECUTE FUNCTION begin_tracking();
CREATE TRIGGER guard_item BEFORE UPDATE ON items FOR EACH ROW WHEN (old.tracked AND NOT new.tracked) EXECUTE FUNCTION guard_item();
CREATE TRIGGER note_tracking BEFORE UPDATE ON items FOR EACH ROW WHEN (new.tracked <> old.tracked) EXECUTE FUNCTION note_tracking();
CREATE TRIGGER note_tracking_of_new BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION note_tracking();
CREATE TRIGGER touch BEFORE UPDATE ON items FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table items enable row level security, force row level security;
create policy across on items for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on items to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on items to owner using (true) with check (true);
grant select on items to kontor_across;
grant select, insert, update, delete on items to kontor_confined;

create table orders (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  kind text not null,
  status text not null default 'DRAFT',
  number bigint,
  order_number text,
  counterparty_id uuid not null,
  counterparty_name text not null default '',
  currency text not null,
  minor_digits smallint not null,
  order_date date not null,
  expected_date date,
  reference text,
  notes text,
  subtotal_minor bigint not null,
  tax_minor bigint not null,
  total_minor bigint not null,
  opened_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  sent_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  clears_unbilled boolean not null default false,
  cleared_account text,
  cleared_minor bigint not null default 0,
  cleared_currency text,
  constraint orders_pkey PRIMARY KEY (organization_id, id),
  constraint one_order_per_number UNIQUE (organization_id, kind, number),
  constraint ended_when_over CHECK ((ended_at IS NULL) = (status <> ALL (ARRAY['CLOSED', 'CANCELLED']))),
  constraint numbered_when_open CHECK ((number IS NULL) = (opened_at IS NULL) AND (number IS NULL) = (order_number IS NULL) AND (number IS NOT NULL OR (status = ANY (ARRAY['DRAFT', 'CANCELLED']))) AND (number IS NULL OR status <> 'DRAFT')),
  constraint orders_cleared_account_check CHECK (cleared_account = ANY (ARRAY['EXCHANGE_DIFFERENCES', 'COST_OF_GOODS_SOLD'])),
  constraint orders_cleared_currency_check CHECK (cleared_currency <> ''),
  constraint orders_currency_check CHECK (currency <> ''),
  constraint orders_end_reason_check CHECK (end_reason <> ''),
  constraint orders_kind_check CHECK (kind = ANY (ARRAY['SALES', 'PURCHASE'])),
  constraint orders_minor_digits_check CHECK (minor_digits >= 0 AND minor_digits <= 4),
  constraint orders_reference_check CHECK (reference <> ''),
  constraint orders_status_check CHECK (status = ANY (ARRAY['DRAFT', 'OPEN', 'PARTIALLY_RECEIVED', 'RECEIVED', 'CLOSED', 'CANCELLED'])),
  constraint orders_subtotal_minor_check CHECK (subtotal_minor >= 0),
  constraint orders_tax_minor_check CHECK (tax_minor >= 0),
  constraint orders_total_minor_check CHECK (total_minor >= 0),
  constraint order_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  constraint orders_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint orders_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX cleared_orders ON orders USING btree (organization_id, ended_at) WHERE cleared_minor <> 0;
CREATE INDEX orders_created_by_idx ON orders USING btree (created_by);
CREATE INDEX orders_id_idx ON orders USING btree (id);
CREATE INDEX orders_organization_id_counterparty_id_kind_status_idx ON orders USING btree (organization_id, counterparty_id, kind, status);
CREATE INDEX orders_organization_id_created_at_id_idx ON orders USING btree (organization_id, created_at, id);
CREATE INDEX orders_organization_id_kind_order_date_id_idx ON orders USING btree (organization_id, kind, order_date, id);
CREATE INDEX orders_organization_id_lower_id_idx ON orders USING btree (organization_id, lower(counterparty_name), id);
CREATE INDEX orders_organization_id_order_date_id_idx ON orders USING btree (organization_id, order_date, id);
CREATE INDEX orders_organization_id_status_order_date_id_idx ON orders USING btree (organization_id, status, order_date, id);
CREATE INDEX search_orders ON orders USING gin (search_grams(organization_id, (((((COALESCE(order_number, '') || ' ') || counterparty_name) || ' ') || COALESCE(reference, '')) || ' ') || COALESCE(notes, ''))) WITH (gin_pending_list_limit='256');
CREATE TRIGGER check_period AFTER UPDATE ON orders FOR EACH ROW WHEN (old.cleared_minor <> new.cleared_minor) EXECUTE FUNCTION check_period_of_closed_order();
CREATE TRIGGER clear_closed_order AFTER UPDATE ON orders FOR EACH ROW WHEN (new.kind = 'PURCHASE' AND old.status <> 'CLOSED' AND new.status = 'CLOSED') EXECUTE FUNCTION clear_closed_order();
CREATE TRIGGER count_moved_orders AFTER UPDATE ON orders FOR EACH ROW WHEN (old.status <> new.status) EXECUTE FUNCTION count_orders();
CREATE TRIGGER count_orders AFTER INSERT OR DELETE ON orders FOR EACH ROW EXECUTE FUNCTION count_orders();
CREATE TRIGGER guard_order BEFORE INSERT OR DELETE OR UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION guard_order();
CREATE TRIGGER mark_closed_order AFTER UPDATE ON orders FOR EACH ROW WHEN (old.cleared_minor <> new.cleared_minor) EXECUTE FUNCTION mark_closed_order();
CREATE TRIGGER note_order_party AFTER INSERT OR UPDATE OF counterparty_id ON orders FOR EACH ROW EXECUTE FUNCTION note_order_party();
CREATE TRIGGER record_change AFTER UPDATE ON orders FOR EACH ROW WHEN (current_person() IS NULL) EXECUTE FUNCTION record_change('orders');
CREATE TRIGGER touch BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table orders enable row level security, force row level security;
create policy across on orders for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on orders to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on orders to owner using (true) with check (true);
grant select on orders to kontor_across;
grant select, insert, update, delete on orders to kontor_confined;

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
  constraint fulfilled_within_order CHECK (fulfilled_quantity >= 0::numeric AND extra_quantity >= 0::numeric AND fulfilled_quantity <= (quantity + extra_quantity)),
  constraint order_lines_amount_minor_check CHECK (amount_minor >= 0),
  constraint order_lines_description_check CHECK (description <> ''),
  constraint order_lines_quantity_check CHECK (quantity > 0::numeric),
  constraint order_lines_tax_rate_check CHECK (tax_rate >= 0::numeric AND tax_rate <= 100::numeric),
  constraint order_lines_unit_price_check CHECK (unit_price >= 0::numeric),
  constraint line_of_order FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id) ON DELETE CASCADE,
  constraint order_line_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id),
  constraint order_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX order_lines_organization_id_item_id_idx ON order_lines USING btree (organization_id, item_id);
CREATE TRIGGER guard_order_lines BEFORE INSERT OR DELETE OR UPDATE ON order_lines FOR EACH ROW EXECUTE FUNCTION guard_order_lines();
alter table order_lines enable row level security, force row level security;
create policy across on order_lines for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on order_lines to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on order_lines to owner using (true) with check (true);
grant select on order_lines to kontor_across;
grant select, delete on order_lines to kontor_confined;
grant insert (organization_id, order_id, id, "position", item_id, description, quantity, unit_price, amount_minor, tax_rate, tax_category) on order_lines to kontor_confined;

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
  created_at timestamptz not null default now(),
  constraint order_fulfilments_pkey PRIMARY KEY (organization_id, id),
  constraint order_fulfilments_check CHECK (extra_quantity >= 0::numeric AND extra_quantity <= quantity),
  constraint order_fulfilments_note_check CHECK (note <> ''),
  constraint order_fulfilments_quantity_check CHECK (quantity > 0::numeric),
  constraint order_fulfilments_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint order_fulfilments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint order_fulfilments_organization_id_order_id_line_id_fkey FOREIGN KEY (organization_id, order_id, line_id) REFERENCES order_lines(organization_id, order_id, id) ON DELETE CASCADE
);
CREATE INDEX order_fulfilments_created_by_idx ON order_fulfilments USING btree (created_by);
CREATE INDEX order_fulfilments_organization_id_order_id_line_id_idx ON order_fulfilments USING btree (organization_id, order_id, line_id);
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON order_fulfilments FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER apply_fulfilment AFTER INSERT ON order_fulfilments FOR EACH ROW EXECUTE FUNCTION apply_fulfilment();
CREATE TRIGGER refuse_future_movement BEFORE INSERT ON order_fulfilments FOR EACH ROW EXECUTE FUNCTION refuse_future_movement();
alter table order_fulfilments enable row level security, force row level security;
create policy across on order_fulfilments for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on order_fulfilments to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on order_fulfilments to owner using (true) with check (true);
grant select on order_fulfilments to kontor_across;
grant select, insert on order_fulfilments to kontor_confined;

create table order_invoice_lines (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  document_line_id text not null,
  order_id uuid not null,
  line_id text not null,
  constraint order_invoice_lines_pkey PRIMARY KEY (organization_id, document_id, document_line_id),
  constraint order_invoice_lines_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  constraint order_invoice_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint order_invoice_lines_organization_id_order_id_line_id_fkey FOREIGN KEY (organization_id, order_id, line_id) REFERENCES order_lines(organization_id, order_id, id)
);
CREATE INDEX order_invoice_lines_organization_id_order_id_line_id_idx ON order_invoice_lines USING btree (organization_id, order_id, line_id);
CREATE CONSTRAINT TRIGGER guard_order_invoice AFTER INSERT ON order_invoice_lines DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION guard_order_invoice();
alter table order_invoice_lines enable row level security, force row level security;
create policy across on order_invoice_lines for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on order_invoice_lines to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on order_invoice_lines to owner using (true) with check (true);
grant select on order_invoice_lines to kontor_across;
grant select, insert on order_invoice_lines to kontor_confined;

create table order_counters (
  organization_id uuid not null default current_organization(),
  kind text not null,
  next_number bigint not null default 1,
  constraint order_counters_pkey PRIMARY KEY (organization_id, kind),
  constraint order_counters_kind_check CHECK (kind = ANY (ARRAY['SALES', 'PURCHASE'])),
  constraint order_counters_next_number_check CHECK (next_number >= 1),
  constraint order_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table order_counters enable row level security, force row level security;
create policy across on order_counters for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on order_counters to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on order_counters to owner using (true) with check (true);
grant select on order_counters to kontor_across;
grant select on order_counters to kontor_confined;

create table stock_levels (
  organization_id uuid not null default current_organization(),
  item_id uuid not null,
  quantity numeric(20,6) not null default 0,
  value_minor bigint not null default 0,
  unit_cost numeric(30,12),
  home_currency text not null,
  movements bigint not null default 0,
  constraint stock_levels_pkey PRIMARY KEY (organization_id, item_id),
  constraint level_of_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id) ON DELETE CASCADE,
  constraint stock_levels_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
alter table stock_levels enable row level security, force row level security;
create policy across on stock_levels for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on stock_levels to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on stock_levels to owner using (true) with check (true);
grant select on stock_levels to kontor_across;
grant select on stock_levels to kontor_confined;

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
  home_currency text not null default '',
  reason text,
  reference text,
  source text not null default 'MANUAL',
  order_id uuid,
  order_line_id text,
  delivery_id uuid,
  document_id uuid,
  document_line_id text,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  constraint stock_movements_pkey PRIMARY KEY (organization_id, id),
  constraint one_movement_per_sequence UNIQUE (organization_id, item_id, sequence),
  constraint adjustment_has_reason CHECK (kind <> 'ADJUST' OR reason IS NOT NULL),
  constraint direction_of_movement CHECK (
CASE kind
    WHEN 'IN' THEN quantity > 0::numeric
    WHEN 'OUT' THEN quantity < 0::numeric
    ELSE quantity <> 0::numeric
END),
  constraint source_of_movement CHECK (
CASE source
    WHEN 'ORDER' THEN order_id IS NOT NULL
    WHEN 'DOCUMENT' THEN document_id IS NOT NULL
    ELSE order_id IS NULL AND document_id IS NULL
END),
  constraint stock_movements_given_cost_check CHECK (given_cost >= 0::numeric),
  constraint stock_movements_kind_check CHECK (kind = ANY (ARRAY['IN', 'OUT', 'ADJUST'])),
  constraint stock_movements_reason_check CHECK (reason <> ''),
  constraint stock_movements_reference_check CHECK (reference <> ''),
  constraint stock_movements_source_check CHECK (source = ANY (ARRAY['MANUAL', 'OPENING', 'ORDER', 'DOCUMENT'])),
  constraint movement_item FOREIGN KEY (organization_id, item_id) REFERENCES items(organization_id, id),
  constraint stock_movements_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint stock_movements_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id),
  constraint stock_movements_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint stock_movements_organization_id_order_id_fkey FOREIGN KEY (organization_id, order_id) REFERENCES orders(organization_id, id)
);
CREATE INDEX stock_movements_created_by_idx ON stock_movements USING btree (created_by);
CREATE INDEX stock_movements_id_idx ON stock_movements USING btree (id);
CREATE INDEX stock_movements_organization_id_date_id_idx ON stock_movements USING btree (organization_id, date, id);
CREATE INDEX stock_movements_organization_id_document_id_document_line_i_idx ON stock_movements USING btree (organization_id, document_id, document_line_id) WHERE document_id IS NOT NULL;
CREATE INDEX stock_movements_organization_id_item_id_date_id_idx ON stock_movements USING btree (organization_id, item_id, date, id);
CREATE INDEX stock_movements_organization_id_order_id_order_line_id_idx ON stock_movements USING btree (organization_id, order_id, order_line_id) WHERE order_id IS NOT NULL;
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON stock_movements FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION refuse_change();
CREATE TRIGGER apply_movement BEFORE INSERT ON stock_movements FOR EACH ROW EXECUTE FUNCTION apply_movement();
CREATE TRIGGER check_period AFTER INSERT ON stock_movements FOR EACH ROW EXECUTE FUNCTION check_period_of_date();
CREATE TRIGGER mark_movement AFTER INSERT OR UPDATE ON stock_movements FOR EACH ROW EXECUTE FUNCTION mark_movement();
CREATE TRIGGER refuse_future_movement BEFORE INSERT ON stock_movements FOR EACH ROW EXECUTE FUNCTION refuse_future_movement();
alter table stock_movements enable row level security, force row level security;
create policy across on stock_movements for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on stock_movements to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on stock_movements to owner using (true) with check (true);
grant select on stock_movements to kontor_across;
grant select on stock_movements to kontor_confined;
grant insert (organization_id, id, item_id, kind, quantity, date, given_cost, reason, reference, source) on stock_movements to kontor_confined;

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
  constraint journal_sums_basis_check CHECK (basis = ANY (ARRAY['ACCRUAL', 'CASH']))
);
CREATE INDEX journal_sums_organization_id_basis_day_idx ON journal_sums USING btree (organization_id, basis, day);
alter table journal_sums enable row level security, force row level security;
create policy across on journal_sums for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_sums to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_sums to owner using (true) with check (true);
grant select on journal_sums to kontor_across;
grant select, insert, update, delete on journal_sums to kontor_confined;

create unlogged table journal_results (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  day date not null,
  account_id uuid not null,
  home_currency text not null,
  face_currency text not null,
  home_minor bigint not null
);
CREATE INDEX journal_results_organization_id_day_idx ON journal_results USING btree (organization_id, day);
CREATE INDEX journal_results_organization_id_document_id_idx ON journal_results USING btree (organization_id, document_id);
alter table journal_results enable row level security, force row level security;
create policy across on journal_results for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_results to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_results to owner using (true) with check (true);
grant select on journal_results to kontor_across;
grant select, insert, update, delete on journal_results to kontor_confined;

create unlogged table journal_sums_state (
  organization_id uuid not null default current_organization(),
  upto date not null,
  version text not null,
  constraint journal_sums_state_pkey PRIMARY KEY (organization_id)
);
alter table journal_sums_state enable row level security, force row level security;
create policy across on journal_sums_state for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_sums_state to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_sums_state to owner using (true) with check (true);
grant select on journal_sums_state to kontor_across;
grant select, insert, update, delete on journal_sums_state to kontor_confined;

create unlogged table journal_marks (
  organization_id uuid not null default current_organization(),
  day date not null,
  transaction xid8 not null default pg_current_xact_id(),
  constraint journal_marks_pkey PRIMARY KEY (organization_id, day, transaction)
);
alter table journal_marks enable row level security, force row level security;
create policy across on journal_marks for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_marks to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_marks to owner using (true) with check (true);
grant select on journal_marks to kontor_across;
grant select, delete on journal_marks to kontor_confined;

create table period_locks (
  organization_id uuid not null default current_organization(),
  id uuid not null default new_id(),
  last_day date not null,
  locked_by uuid,
  locked_at timestamptz not null default now(),
  summed_up_at timestamptz,
  constraint period_locks_pkey PRIMARY KEY (organization_id, id),
  constraint one_lock_per_day UNIQUE (organization_id, last_day),
  constraint period_locks_locked_by_fkey FOREIGN KEY (locked_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint period_locks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX period_locks_locked_by_idx ON period_locks USING btree (locked_by);
alter table period_locks enable row level security, force row level security;
create policy across on period_locks for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on period_locks to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on period_locks to owner using (true) with check (true);
grant select on period_locks to kontor_across;
grant select on period_locks to kontor_confined;
grant update (summed_up_at) on period_locks to kontor_confined;

create table locked_balances (
  organization_id uuid not null default current_organization(),
  lock_id uuid not null,
  account_id uuid not null,
  currency text not null,
  debit_minor bigint not null,
  credit_minor bigint not null,
  constraint locked_balances_pkey PRIMARY KEY (organization_id, lock_id, account_id, currency),
  constraint balance_of_account FOREIGN KEY (organization_id, account_id) REFERENCES accounts(organization_id, id),
  constraint balance_of_lock FOREIGN KEY (organization_id, lock_id) REFERENCES period_locks(organization_id, id) ON DELETE CASCADE,
  constraint locked_balances_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX locked_balances_organization_id_account_id_idx ON locked_balances USING btree (organization_id, account_id);
alter table locked_balances enable row level security, force row level security;
create policy across on locked_balances for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on locked_balances to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on locked_balances to owner using (true) with check (true);
grant select on locked_balances to kontor_across;
grant select, insert on locked_balances to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint imports_pkey PRIMARY KEY (organization_id, id),
  constraint every_row_counts_once CHECK (row_count = (created_count + updated_count + unchanged_count)),
  constraint imports_created_count_check CHECK (created_count >= 0),
  constraint imports_file_name_check CHECK (file_name <> ''),
  constraint imports_file_size_check CHECK (file_size > 0),
  constraint imports_kind_check CHECK (kind = ANY (ARRAY['CUSTOMERS', 'SUPPLIERS', 'ITEMS', 'OPENING_BALANCES', 'EMPLOYEES'])),
  constraint imports_sha256_check CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  constraint imports_unchanged_count_check CHECK (unchanged_count >= 0),
  constraint imports_updated_count_check CHECK (updated_count >= 0),
  constraint imports_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint imports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX imports_created_by_idx ON imports USING btree (created_by);
CREATE INDEX imports_id_idx ON imports USING btree (id);
CREATE INDEX imports_organization_id_created_at_id_idx ON imports USING btree (organization_id, created_at, id);
CREATE TRIGGER touch BEFORE UPDATE ON imports FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table imports enable row level security, force row level security;
create policy across on imports for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on imports to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on imports to owner using (true) with check (true);
grant select on imports to kontor_across;
grant select, insert on imports to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scans_pkey PRIMARY KEY (organization_id, attachment_id),
  constraint completed_scans_are_charged CHECK (status = 'FAILED' OR charged_period IS NOT NULL),
  constraint failed_scans_say_why CHECK ((status = 'FAILED') = (error IS NOT NULL)),
  constraint scans_charged_period_check CHECK (charged_period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  constraint scans_processing_ms_check CHECK (processing_ms >= 0),
  constraint scans_provider_id_check CHECK (provider_id <> ''),
  constraint scans_status_check CHECK (status = ANY (ARRAY['COMPLETED', 'FAILED'])),
  constraint scans_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint scans_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX scans_created_by_idx ON scans USING btree (created_by);
CREATE INDEX scans_organization_id_charged_period_idx ON scans USING btree (organization_id, charged_period) WHERE charged_period IS NOT NULL;
CREATE INDEX scans_organization_id_expense_id_idx ON scans USING btree (organization_id, expense_id);
CREATE TRIGGER touch BEFORE UPDATE ON scans FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table scans enable row level security, force row level security;
create policy across on scans for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on scans to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on scans to owner using (true) with check (true);
grant select on scans to kontor_across;
grant select, insert, update on scans to kontor_confined;

create table scanned_documents (
  organization_id uuid not null default current_organization(),
  vendor_key text not null,
  document_number text not null,
  expense_id uuid not null,
  constraint scanned_documents_pkey PRIMARY KEY (organization_id, vendor_key, document_number),
  constraint scanned_documents_document_number_check CHECK (document_number <> ''),
  constraint scanned_documents_vendor_key_check CHECK (vendor_key <> ''),
  constraint scanned_documents_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX scanned_documents_organization_id_expense_id_idx ON scanned_documents USING btree (organization_id, expense_id);
alter table scanned_documents enable row level security, force row level security;
create policy across on scanned_documents for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on scanned_documents to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on scanned_documents to owner using (true) with check (true);
grant select on scanned_documents to kontor_across;
grant select, insert, delete on scanned_documents to kontor_confined;

create table supplier_aliases (
  organization_id uuid not null default current_organization(),
  alias text not null,
  supplier_id uuid not null,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  constraint supplier_aliases_pkey PRIMARY KEY (organization_id, alias),
  constraint supplier_aliases_alias_check CHECK (alias <> ''),
  constraint supplier_aliases_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint supplier_aliases_organization_id_supplier_id_fkey FOREIGN KEY (organization_id, supplier_id) REFERENCES customers(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX supplier_aliases_created_by_idx ON supplier_aliases USING btree (created_by);
CREATE INDEX supplier_aliases_organization_id_supplier_id_idx ON supplier_aliases USING btree (organization_id, supplier_id);
alter table supplier_aliases enable row level security, force row level security;
create policy across on supplier_aliases for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on supplier_aliases to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on supplier_aliases to owner using (true) with check (true);
grant select on supplier_aliases to kontor_across;
grant select, insert, update, delete on supplier_aliases to kontor_confined;

create table scan_batches (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  total integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  completed_at timestamptz,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scan_batches_pkey PRIMARY KEY (organization_id, id),
  constraint scan_batch_counts CHECK ((done + failed) <= total),
  constraint scan_batch_ends_with_its_last_file CHECK (((done + failed) = total) = (completed_at IS NOT NULL)),
  constraint scan_batches_done_check CHECK (done >= 0),
  constraint scan_batches_failed_check CHECK (failed >= 0),
  constraint scan_batches_total_check CHECK (total >= 1 AND total <= 100),
  constraint scan_batches_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint scan_batches_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX scan_batches_created_by_idx ON scan_batches USING btree (created_by);
CREATE INDEX scan_batches_id_idx ON scan_batches USING btree (id);
CREATE INDEX scan_batches_organization_id_created_at_id_idx ON scan_batches USING btree (organization_id, created_at, id);
CREATE TRIGGER touch BEFORE UPDATE ON scan_batches FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table scan_batches enable row level security, force row level security;
create policy across on scan_batches for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on scan_batches to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on scan_batches to owner using (true) with check (true);
grant select on scan_batches to kontor_across;
grant select on scan_batches to kontor_confined;
grant insert (id, total) on scan_batches to kontor_confined;

create table scan_batch_files (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  batch_id uuid not null,
  "position" integer not null,
  attachment_id uuid not null,
  expense_id uuid not null,
  status text not null default 'WAITING',
  error text,
  duplicate_of_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scan_batch_files_pkey PRIMARY KEY (organization_id, id),
  constraint scan_batch_files_differ UNIQUE (organization_id, batch_id, attachment_id),
  constraint failed_scan_batch_files_say_why CHECK ((status = 'FAILED') = (error IS NOT NULL)),
  constraint scan_batch_files_position_check CHECK ("position" >= 0 AND "position" <= 99),
  constraint scan_batch_files_status_check CHECK (status = ANY (ARRAY['WAITING', 'COMPLETED', 'FAILED'])),
  constraint scanned_duplicates_failed CHECK (status = 'FAILED' OR duplicate_of_id IS NULL),
  constraint scan_batch_files_organization_id_batch_id_fkey FOREIGN KEY (organization_id, batch_id) REFERENCES scan_batches(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX scan_batch_files_created_at_idx ON scan_batch_files USING btree (created_at) WHERE status = 'WAITING';
CREATE INDEX scan_batch_files_id_idx ON scan_batch_files USING btree (id);
CREATE TRIGGER count_scan_batch_file AFTER UPDATE ON scan_batch_files FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.error IS DISTINCT FROM new.error) EXECUTE FUNCTION count_scan_batch_file();
CREATE TRIGGER record_change AFTER UPDATE OF status ON scan_batch_files FOR EACH ROW EXECUTE FUNCTION record_change_of_batch();
CREATE TRIGGER touch BEFORE UPDATE ON scan_batch_files FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table scan_batch_files enable row level security, force row level security;
create policy across on scan_batch_files for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on scan_batch_files to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on scan_batch_files to owner using (true) with check (true);
grant select on scan_batch_files to kontor_across;
grant select on scan_batch_files to kontor_confined;
grant insert (id, batch_id, "position", attachment_id, expense_id), update (status, error, duplicate_of_id) on scan_batch_files to kontor_confined;

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
  token_expires_at timestamptz,
  folder_or_label text,
  subject_filter text,
  sender_whitelist text[] not null default '{}'[],
  auto_poll_enabled boolean not null default false,
  poll_interval_days integer not null default 1,
  next_poll_on date,
  retry_at timestamptz,
  failures integer not null default 0,
  last_polled_at timestamptz,
  attention text,
  auto_scan_automation_id uuid,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  password_key_id uuid generated always as (encode(SUBSTRING(password FROM 2 FOR 16), 'hex')::uuid) stored,
  tokens_key_id uuid generated always as (encode(SUBSTRING(tokens FROM 2 FOR 16), 'hex')::uuid) stored,
  refreshing_until timestamptz,
  constraint mail_connections_pkey PRIMARY KEY (organization_id, id),
  constraint deleted_mail_connections_have_no_secrets CHECK (deleted_at IS NULL OR password IS NULL AND tokens IS NULL),
  constraint mail_connections_failures_check CHECK (failures >= 0),
  constraint mail_connections_folder_or_label_check CHECK (length(folder_or_label) >= 1 AND length(folder_or_label) <= 500),
  constraint mail_connections_host_check CHECK (length(host) >= 1 AND length(host) <= 253),
  constraint mail_connections_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint mail_connections_password_is_sealed CHECK (octet_length(password) >= 113 AND get_byte(password, 0) = 1),
  constraint mail_connections_poll_interval_days_check CHECK (poll_interval_days >= 1 AND poll_interval_days <= 365),
  constraint mail_connections_port_check CHECK (port >= 1 AND port <= 65535),
  constraint mail_connections_provider_check CHECK (provider = ANY (ARRAY['GMAIL', 'OUTLOOK', 'IMAP', 'POP3'])),
  constraint mail_connections_sender_whitelist_check CHECK (cardinality(sender_whitelist) <= 200),
  constraint mail_connections_subject_filter_check CHECK (length(subject_filter) >= 1 AND length(subject_filter) <= 500),
  constraint mail_connections_tokens_is_sealed CHECK (octet_length(tokens) >= 113 AND get_byte(tokens, 0) = 1),
  constraint mail_connections_username_check CHECK (length(username) >= 1 AND length(username) <= 320),
  constraint mail_tokens_are_of_a_provider CHECK (tokens IS NULL OR (provider = ANY (ARRAY['GMAIL', 'OUTLOOK']))),
  constraint mail_connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint mail_connections_organization_id_auto_scan_automation_id_fkey FOREIGN KEY (organization_id, auto_scan_automation_id) REFERENCES automations(organization_id, id) ON DELETE SET NULL (auto_scan_automation_id),
  constraint mail_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint mail_connections_organization_id_password_key_id_fkey FOREIGN KEY (organization_id, password_key_id) REFERENCES organization_keys(organization_id, id),
  constraint mail_connections_organization_id_tokens_key_id_fkey FOREIGN KEY (organization_id, tokens_key_id) REFERENCES organization_keys(organization_id, id)
);
CREATE INDEX mail_connections_created_by_idx ON mail_connections USING btree (created_by);
CREATE INDEX mail_connections_id_idx ON mail_connections USING btree (id);
CREATE INDEX mail_connections_next_poll_on_idx ON mail_connections USING btree (next_poll_on) WHERE auto_poll_enabled AND enabled AND deleted_at IS NULL;
CREATE INDEX mail_connections_organization_id_auto_scan_automation_id_idx ON mail_connections USING btree (organization_id, auto_scan_automation_id);
CREATE INDEX mail_connections_organization_id_created_at_id_idx ON mail_connections USING btree (organization_id, created_at, id);
CREATE INDEX mail_connections_organization_id_password_key_id_idx ON mail_connections USING btree (organization_id, password_key_id);
CREATE INDEX mail_connections_organization_id_tokens_key_id_idx ON mail_connections USING btree (organization_id, tokens_key_id);
CREATE UNIQUE INDEX one_connection_per_connected_mailbox ON mail_connections USING btree (organization_id, provider, lower(username)) WHERE tokens IS NOT NULL;
CREATE TRIGGER keep_mail_secrets_at_their_server BEFORE UPDATE ON mail_connections FOR EACH ROW EXECUTE FUNCTION keep_mail_secrets_at_their_server();
CREATE TRIGGER record_change AFTER UPDATE ON mail_connections FOR EACH ROW WHEN (current_person() IS NULL) EXECUTE FUNCTION record_change('mailboxes');
CREATE TRIGGER touch BEFORE UPDATE ON mail_connections FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table mail_connections enable row level security, force row level security;
create policy across on mail_connections for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on mail_connections to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on mail_connections to owner using (true) with check (true);
grant select, insert, update, delete on mail_connections to kontor_confined;

create table ingestion_runs (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  connection_id uuid not null,
  status text not null default 'PENDING',
  date_from timestamptz not null,
  date_to timestamptz not null,
  emails_scanned integer not null default 0,
  emails_detected integer not null default 0,
  expenses_created integer not null default 0,
  error_message text,
  started_at timestamptz not null default now(),
  claimed_at timestamptz,
  last_progress_at timestamptz,
  completed_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  resumed integer not null default 0,
  is_automatic boolean not null default false,
  is_continued boolean not null default false,
  created_by uuid default current_person(),
  updated_at timestamptz not null default now(),
  constraint ingestion_runs_pkey PRIMARY KEY (organization_id, id),
  constraint ended_ingestion_runs CHECK ((status = ANY (ARRAY['DONE', 'ERROR', 'MANUAL_STOP'])) = (completed_at IS NOT NULL)),
  constraint failed_ingestion_runs_say_why CHECK ((status = 'ERROR') = (error_message IS NOT NULL)),
  constraint ingestion_runs_status_check CHECK (status = ANY (ARRAY['PENDING', 'RUNNING', 'DONE', 'ERROR', 'MANUAL_STOP'])),
  constraint ingestion_window CHECK (date_from <= date_to),
  constraint running_ingestion_runs_have_a_lease CHECK (status <> 'RUNNING' OR lease IS NOT NULL AND lease_until IS NOT NULL),
  constraint ingestion_runs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint ingestion_runs_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX ingestion_runs_created_by_idx ON ingestion_runs USING btree (created_by);
CREATE INDEX ingestion_runs_id_idx ON ingestion_runs USING btree (id);
CREATE INDEX ingestion_runs_organization_id_connection_id_started_at_idx ON ingestion_runs USING btree (organization_id, connection_id, started_at);
CREATE INDEX ingestion_runs_organization_id_started_at_id_idx ON ingestion_runs USING btree (organization_id, started_at, id);
CREATE INDEX ingestion_runs_started_at_idx ON ingestion_runs USING btree (started_at) WHERE completed_at IS NULL;
CREATE TRIGGER keep_ended_ingestion_runs BEFORE UPDATE OF status, completed_at, emails_scanned, lease ON ingestion_runs FOR EACH ROW EXECUTE FUNCTION keep_ended_ingestion_runs();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE ON ingestion_runs FOR EACH ROW EXECUTE FUNCTION record_change('mailbox_runs');
CREATE TRIGGER touch BEFORE UPDATE ON ingestion_runs FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table ingestion_runs enable row level security, force row level security;
create policy across on ingestion_runs for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on ingestion_runs to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on ingestion_runs to owner using (true) with check (true);
grant select on ingestion_runs to kontor_across;
grant select on ingestion_runs to kontor_confined;
grant insert (id, connection_id, date_from, date_to, is_continued), update (status, error_message, claimed_at, last_progress_at, completed_at, lease, lease_until, resumed) on ingestion_runs to kontor_confined;

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
  received_at timestamptz,
  is_retried boolean not null default false,
  attempts integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint mail_messages_pkey PRIMARY KEY (organization_id, key),
  constraint mail_failures_are_retried CHECK (NOT is_retried OR outcome = 'FAILED'),
  constraint mail_messages_attempts_check CHECK (attempts >= 1),
  constraint mail_messages_key_check CHECK (length(key) >= 1 AND length(key) <= 100),
  constraint mail_messages_message_id_check CHECK (length(message_id) <= 1000),
  constraint mail_messages_outcome_check CHECK (outcome = ANY (ARRAY['CREATED', 'DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DROPPED_NO_DATA', 'FAILED'])),
  constraint mail_messages_reason_check CHECK (length(reason) <= 2000),
  constraint mail_messages_subject_check CHECK (length(subject) <= 1000),
  constraint mail_messages_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE,
  constraint mail_messages_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id),
  constraint mail_messages_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX mail_messages_organization_id_connection_id_idx ON mail_messages USING btree (organization_id, connection_id);
CREATE INDEX mail_messages_organization_id_connection_id_received_at_idx ON mail_messages USING btree (organization_id, connection_id, received_at) WHERE is_retried;
CREATE INDEX mail_messages_organization_id_expense_id_idx ON mail_messages USING btree (organization_id, expense_id);
CREATE TRIGGER touch BEFORE UPDATE ON mail_messages FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table mail_messages enable row level security, force row level security;
create policy across on mail_messages for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on mail_messages to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on mail_messages to owner using (true) with check (true);
grant select on mail_messages to kontor_across;
grant select, insert, update, delete on mail_messages to kontor_confined;

create table mail_places (
  organization_id uuid not null default current_organization(),
  connection_id uuid not null,
  folder text not null,
  place text not null,
  key text not null,
  created_at timestamptz not null default now(),
  constraint mail_places_pkey PRIMARY KEY (organization_id, connection_id, folder, place),
  constraint mail_places_place_check CHECK (length(place) <= 1000),
  constraint mail_places_organization_id_connection_id_fkey FOREIGN KEY (organization_id, connection_id) REFERENCES mail_connections(organization_id, id) ON DELETE CASCADE,
  constraint mail_places_organization_id_key_fkey FOREIGN KEY (organization_id, key) REFERENCES mail_messages(organization_id, key) ON DELETE CASCADE
);
CREATE INDEX mail_places_organization_id_key_idx ON mail_places USING btree (organization_id, key);
alter table mail_places enable row level security, force row level security;
create policy across on mail_places for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on mail_places to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on mail_places to owner using (true) with check (true);
grant select on mail_places to kontor_across;
grant select, insert, update, delete on mail_places to kontor_confined;

create table mail_documents (
  organization_id uuid not null default current_organization(),
  hash text not null,
  message_key text not null,
  created_at timestamptz not null default now(),
  constraint mail_documents_pkey PRIMARY KEY (organization_id, hash),
  constraint mail_documents_hash_check CHECK (length(hash) >= 1 AND length(hash) <= 200),
  constraint mail_documents_organization_id_message_key_fkey FOREIGN KEY (organization_id, message_key) REFERENCES mail_messages(organization_id, key) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX mail_documents_organization_id_message_key_idx ON mail_documents USING btree (organization_id, message_key);
alter table mail_documents enable row level security, force row level security;
create policy across on mail_documents for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on mail_documents to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on mail_documents to owner using (true) with check (true);
grant select on mail_documents to kontor_across;
grant select, insert, update, delete on mail_documents to kontor_confined;

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
  processed_at timestamptz not null default now(),
  constraint ingestion_messages_pkey PRIMARY KEY (organization_id, id),
  constraint one_outcome_per_message UNIQUE (organization_id, run_id, folder, place),
  constraint created_messages_are_detected CHECK (outcome <> 'CREATED' OR is_detected),
  constraint ingestion_messages_message_id_check CHECK (length(message_id) <= 1000),
  constraint ingestion_messages_outcome_check CHECK (outcome = ANY (ARRAY['CREATED', 'DUPLICATE', 'SKIPPED_NOT_EXPENSE', 'DROPPED_NO_DATA', 'FAILED'])),
  constraint ingestion_messages_place_check CHECK (length(place) <= 1000),
  constraint ingestion_messages_reason_check CHECK (length(reason) <= 2000),
  constraint ingestion_messages_subject_check CHECK (length(subject) <= 1000),
  constraint ingestion_messages_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id),
  constraint ingestion_messages_organization_id_run_id_fkey FOREIGN KEY (organization_id, run_id) REFERENCES ingestion_runs(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX ingestion_messages_id_idx ON ingestion_messages USING btree (id);
CREATE INDEX ingestion_messages_organization_id_expense_id_idx ON ingestion_messages USING btree (organization_id, expense_id);
CREATE INDEX ingestion_messages_organization_id_run_id_id_idx ON ingestion_messages USING btree (organization_id, run_id, id);
CREATE TRIGGER count_ingestion_messages AFTER INSERT ON ingestion_messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_ingestion_messages();
alter table ingestion_messages enable row level security, force row level security;
create policy across on ingestion_messages for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on ingestion_messages to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on ingestion_messages to owner using (true) with check (true);
grant select on ingestion_messages to kontor_across;
grant select, insert on ingestion_messages to kontor_confined;

create table mail_connects (
  organization_id uuid not null default current_organization(),
  state_hash bytea not null,
  provider text not null,
  name text not null,
  user_id uuid not null default current_person(),
  session_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + '00:10:00'::interval,
  constraint mail_connects_pkey PRIMARY KEY (organization_id, state_hash),
  constraint mail_connects_end_soon CHECK (expires_at <= (created_at + '00:10:00'::interval)),
  constraint mail_connects_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint mail_connects_provider_check CHECK (provider = ANY (ARRAY['GMAIL', 'OUTLOOK'])),
  constraint mail_connects_state_hash_check CHECK (octet_length(state_hash) = 32),
  constraint mail_connects_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint mail_connects_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint mail_connects_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX mail_connects_expires_at_idx ON mail_connects USING btree (expires_at);
CREATE INDEX mail_connects_session_id_idx ON mail_connects USING btree (session_id);
CREATE INDEX mail_connects_user_id_idx ON mail_connects USING btree (user_id);
alter table mail_connects enable row level security, force row level security;
create policy across on mail_connects for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on mail_connects to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on mail_connects to owner using (true) with check (true);
grant delete on mail_connects to kontor_confined;
grant insert (state_hash, provider, name, session_id), select (organization_id, state_hash, provider, name, user_id, session_id, expires_at) on mail_connects to kontor_confined;

create table tax_authority_connections (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  integration_id text not null,
  environment text not null default 'sandbox',
  credentials bytea not null,
  tokens bytea,
  refreshing_until timestamptz,
  state_hash bytea,
  state_until timestamptz,
  is_validated boolean not null default false,
  last_validated_at timestamptz,
  validation_error text,
  failure_notified_at timestamptz,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  credentials_key_id uuid generated always as (encode(SUBSTRING(credentials FROM 2 FOR 16), 'hex')::uuid) stored,
  tokens_key_id uuid generated always as (encode(SUBSTRING(tokens FROM 2 FOR 16), 'hex')::uuid) stored,
  constraint tax_authority_connections_pkey PRIMARY KEY (organization_id, id),
  constraint one_connection_per_integration UNIQUE (organization_id, integration_id),
  constraint tax_authority_connections_credentials_is_sealed CHECK (octet_length(credentials) >= 113 AND get_byte(credentials, 0) = 1),
  constraint tax_authority_connections_environment_check CHECK (environment = ANY (ARRAY['sandbox', 'production'])),
  constraint tax_authority_connections_integration_id_check CHECK (integration_id = ANY (ARRAY['il-ita-invoices', 'sg-invoicenow'])),
  constraint tax_authority_connections_tokens_is_sealed CHECK (octet_length(tokens) >= 113 AND get_byte(tokens, 0) = 1),
  constraint validated_or_failed CHECK (NOT is_validated OR last_validated_at IS NOT NULL AND validation_error IS NULL),
  constraint tax_authority_connections_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint tax_authority_connections_organization_id_credentials_key__fkey FOREIGN KEY (organization_id, credentials_key_id) REFERENCES organization_keys(organization_id, id),
  constraint tax_authority_connections_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint tax_authority_connections_organization_id_tokens_key_id_fkey FOREIGN KEY (organization_id, tokens_key_id) REFERENCES organization_keys(organization_id, id)
);
CREATE INDEX tax_authority_connections_created_by_idx ON tax_authority_connections USING btree (created_by);
CREATE INDEX tax_authority_connections_id_idx ON tax_authority_connections USING btree (id);
CREATE INDEX tax_authority_connections_organization_id_credentials_key_i_idx ON tax_authority_connections USING btree (organization_id, credentials_key_id);
CREATE INDEX tax_authority_connections_organization_id_tokens_key_id_idx ON tax_authority_connections USING btree (organization_id, tokens_key_id);
CREATE TRIGGER touch BEFORE UPDATE ON tax_authority_connections FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table tax_authority_connections enable row level security, force row level security;
create policy across on tax_authority_connections for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on tax_authority_connections to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on tax_authority_connections to owner using (true) with check (true);
grant select on tax_authority_connections to kontor_across;
grant select, insert, delete on tax_authority_connections to kontor_confined;
grant update (tokens, refreshing_until, state_hash, state_until, is_validated, last_validated_at, validation_error, failure_notified_at) on tax_authority_connections to kontor_confined;

create table clearances (
  organization_id uuid not null default current_organization(),
  document_id uuid not null,
  authority text not null,
  environment text,
  status text not null default 'PENDING',
  request jsonb,
  attempts integer not null default 0,
  claimed_until timestamptz,
  next_attempt_at timestamptz,
  submitted_at timestamptz not null default now(),
  decided_at timestamptz,
  number text,
  source text,
  reasons jsonb not null default '[]'::jsonb,
  error text,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint clearances_pkey PRIMARY KEY (organization_id, document_id),
  constraint approved_after_request CHECK (source IS DISTINCT FROM 'AUTHORITY' OR request IS NOT NULL),
  constraint approved_with_number CHECK ((status = 'APPROVED') = (number IS NOT NULL) AND (number IS NULL) = (source IS NULL)),
  constraint clearances_attempts_check CHECK (attempts >= 0),
  constraint clearances_authority_check CHECK (authority <> ''),
  constraint clearances_environment_check CHECK (environment = ANY (ARRAY['sandbox', 'production'])),
  constraint clearances_error_check CHECK (error <> ''),
  constraint clearances_number_check CHECK (number ~
CASE
    WHEN authority = 'sg-invoicenow' THEN '^[0-9A-Za-z][0-9A-Za-z._:-]{0,99}$'
    ELSE '^[0-9]+$'
END),
  constraint clearances_source_check CHECK (source = ANY (ARRAY['AUTHORITY', 'MANUAL'])),
  constraint clearances_status_check CHECK (status = ANY (ARRAY['PENDING', 'APPROVED', 'REJECTED', 'ERROR'])),
  constraint decided_with_time CHECK ((status = ANY (ARRAY['APPROVED', 'REJECTED'])) = (decided_at IS NOT NULL)),
  constraint failed_with_error CHECK (status <> 'ERROR' OR error IS NOT NULL),
  constraint rejected_with_reasons CHECK (status <> 'REJECTED' OR error IS NOT NULL AND jsonb_array_length(reasons) > 0),
  constraint request_names_document CHECK (request IS NULL OR (request ->> 'invoice_id') = document_id::text),
  constraint clearances_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint clearances_organization_id_document_id_fkey FOREIGN KEY (organization_id, document_id) REFERENCES documents(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX clearances_created_by_idx ON clearances USING btree (created_by);
CREATE INDEX clearances_submitted_at_idx ON clearances USING btree (submitted_at) WHERE status = ANY (ARRAY['PENDING', 'ERROR']);
CREATE UNIQUE INDEX one_document_per_allocation_number ON clearances USING btree (organization_id, authority, environment, number) WHERE source = 'AUTHORITY';
CREATE TRIGGER guard_clearance BEFORE UPDATE ON clearances FOR EACH ROW WHEN (old.source = 'AUTHORITY' AND (new.status IS DISTINCT FROM old.status OR new.number IS DISTINCT FROM old.number OR new.source IS DISTINCT FROM old.source OR new.request IS DISTINCT FROM old.request OR new.authority IS DISTINCT FROM old.authority OR new.environment IS DISTINCT FROM old.environment)) EXECUTE FUNCTION guard_clearance();
CREATE TRIGGER record_change AFTER UPDATE ON clearances FOR EACH ROW WHEN (current_person() IS NULL) EXECUTE FUNCTION record_change_of_document();
CREATE TRIGGER touch BEFORE UPDATE ON clearances FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table clearances enable row level security, force row level security;
create policy across on clearances for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on clearances to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on clearances to owner using (true) with check (true);
grant select on clearances to kontor_across;
grant select, insert, update on clearances to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint employees_pkey PRIMARY KEY (organization_id, id),
  constraint one_employee_per_number UNIQUE (organization_id, employee_number),
  constraint one_employee_per_user UNIQUE (organization_id, user_id),
  constraint employed_before_leaving CHECK (end_date >= start_date),
  constraint employees_account_name_check CHECK (account_name <> ''),
  constraint employees_account_number_check CHECK (account_number <> ''),
  constraint employees_account_type_check CHECK (account_type = ANY (ARRAY['CHECKING', 'SAVINGS'])),
  constraint employees_address_check CHECK (address <> ''),
  constraint employees_bank_code_check CHECK (bank_code <> ''),
  constraint employees_bank_name_check CHECK (bank_name <> ''),
  constraint employees_branch_code_check CHECK (branch_code <> ''),
  constraint employees_currency_check CHECK (currency <> ''),
  constraint employees_email_check CHECK (email <> ''),
  constraint employees_employee_number_check CHECK (employee_number <> ''),
  constraint employees_iban_check CHECK (iban <> ''),
  constraint employees_id_number_check CHECK (id_number <> ''),
  constraint employees_job_title_check CHECK (job_title <> ''),
  constraint employees_notes_check CHECK (notes <> ''),
  constraint employees_opening_check CHECK (jsonb_typeof(opening) = 'object'),
  constraint employees_payslip_language_check CHECK (payslip_language = ANY (ARRAY['en', 'he', 'both'])),
  constraint employees_phone_check CHECK (phone <> ''),
  constraint employees_routing_number_check CHECK (routing_number <> ''),
  constraint employees_swift_code_check CHECK (swift_code <> ''),
  constraint employee_counterparty FOREIGN KEY (organization_id, id) REFERENCES customers(organization_id, id),
  constraint employee_import FOREIGN KEY (organization_id, import_id) REFERENCES imports(organization_id, id),
  constraint employee_user FOREIGN KEY (organization_id, user_id) REFERENCES memberships(organization_id, user_id) ON DELETE SET NULL (user_id),
  constraint employees_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX employees_id_idx ON employees USING btree (id);
CREATE INDEX employees_organization_id_import_id_idx ON employees USING btree (organization_id, import_id) WHERE import_id IS NOT NULL;
CREATE INDEX employees_organization_id_start_date_id_idx ON employees USING btree (organization_id, start_date, id);
CREATE TRIGGER guard_own_record BEFORE UPDATE OF email, user_id ON employees FOR EACH ROW WHEN (old.email IS DISTINCT FROM new.email OR old.user_id IS DISTINCT FROM new.user_id AND old.user_id IS NOT NULL) EXECUTE FUNCTION guard_own_record();
CREATE TRIGGER mark_employee AFTER INSERT OR DELETE ON employees FOR EACH ROW EXECUTE FUNCTION mark_employee();
CREATE TRIGGER touch BEFORE UPDATE ON employees FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table employees enable row level security, force row level security;
create policy across on employees for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on employees to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on employees as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR ( SELECT reads_own_payroll() AS reads_own_payroll) AND user_id = (SELECT current_person()));
create policy system on employees to owner using (true) with check (true);
grant select on employees to kontor_across;
grant select, insert, update, delete on employees to kontor_confined;

create table employee_terms (
  organization_id uuid not null default current_organization(),
  employee_id uuid not null,
  since date not null,
  wage_minor bigint not null,
  facts jsonb not null default '{}'::jsonb,
  changed_by uuid default current_person(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint employee_terms_pkey PRIMARY KEY (organization_id, employee_id, since),
  constraint employee_terms_facts_check CHECK (jsonb_typeof(facts) = 'object'),
  constraint employee_terms_wage_minor_check CHECK (wage_minor >= 0),
  constraint employee_terms_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint employee_terms_organization_id_employee_id_fkey FOREIGN KEY (organization_id, employee_id) REFERENCES employees(organization_id, id) ON DELETE CASCADE,
  constraint employee_terms_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX employee_terms_changed_by_idx ON employee_terms USING btree (changed_by);
CREATE TRIGGER touch BEFORE UPDATE ON employee_terms FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table employee_terms enable row level security, force row level security;
create policy across on employee_terms for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on employee_terms to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on employee_terms as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR ( SELECT reads_own_payroll() AS reads_own_payroll) AND (employee_id IN ( SELECT e.id FROM employees e WHERE e.user_id = (SELECT current_person()))));
create policy system on employee_terms to owner using (true) with check (true);
grant select on employee_terms to kontor_across;
grant select, insert, update, delete on employee_terms to kontor_confined;

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
  terms_at timestamptz not null,
  computed_at timestamptz not null default now(),
  voided_at timestamptz,
  constraint payslips_pkey PRIMARY KEY (organization_id, id),
  constraint net_is_gross_less_deductions CHECK (net_minor = (gross_minor - deductions_minor) AND net_minor >= 0),
  constraint payslip_of_month CHECK (month = date_trunc('month', month::timestamp with time zone)::date AND period_start >= month AND period_start <= period_end AND period_end < (month + '1 mon'::interval)::date),
  constraint payslips_reimbursements_minor_check CHECK (reimbursements_minor >= 0),
  constraint payslips_tables_check CHECK (tables <> ''),
  constraint payslips_wage_minor_check CHECK (wage_minor >= 0),
  constraint payslip_document FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  constraint payslip_employee FOREIGN KEY (organization_id, employee_id) REFERENCES employees(organization_id, id),
  constraint payslips_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_payslip_per_month ON payslips USING btree (organization_id, employee_id, month) WHERE voided_at IS NULL;
CREATE INDEX payslips_id_idx ON payslips USING btree (id);
CREATE INDEX payslips_organization_id_employee_id_month_idx ON payslips USING btree (organization_id, employee_id, month);
CREATE INDEX payslips_organization_id_month_employee_id_idx ON payslips USING btree (organization_id, month, employee_id);
CREATE TRIGGER guard_payslip BEFORE UPDATE ON payslips FOR EACH ROW EXECUTE FUNCTION guard_payslip();
CREATE CONSTRAINT TRIGGER payslip_adds_up AFTER INSERT OR UPDATE ON payslips DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_payslip_adds_up();
alter table payslips enable row level security, force row level security;
create policy across on payslips for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on payslips to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on payslips as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR ( SELECT reads_own_payroll() AS reads_own_payroll) AND (employee_id IN ( SELECT e.id FROM employees e WHERE e.user_id = (SELECT current_person()))));
create policy system on payslips to owner using (true) with check (true);
grant select on payslips to kontor_across;
grant select, insert, delete on payslips to kontor_confined;
grant update (period_start, period_end, is_final, gross_minor, reimbursements_minor, deductions_minor, net_minor, contributions_minor, wage_minor, tables, facts, bases, corrections, inputs, work, warnings, terms_at, computed_at) on payslips to kontor_confined;

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
  constraint payslip_lines_code_check CHECK (code <> ''),
  constraint payslip_lines_description_check CHECK (description <> ''),
  constraint payslip_lines_kind_check CHECK (kind = ANY (ARRAY['EARNING', 'REIMBURSEMENT', 'DEDUCTION', 'CONTRIBUTION'])),
  constraint payslip_lines_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint payslip_lines_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE
);
CREATE TRIGGER guard_changed_lines AFTER UPDATE ON payslip_lines REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION guard_payslip_lines();
CREATE TRIGGER guard_new_lines AFTER INSERT ON payslip_lines REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION guard_payslip_lines();
CREATE TRIGGER guard_old_lines AFTER DELETE ON payslip_lines REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION guard_payslip_lines();
alter table payslip_lines enable row level security, force row level security;
create policy across on payslip_lines for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on payslip_lines to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on payslip_lines as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR ( SELECT reads_own_payroll() AS reads_own_payroll) AND (payslip_id IN ( SELECT p.id FROM payslips p JOIN employees e ON e.id = p.employee_id WHERE e.user_id = (SELECT current_person()))));
create policy system on payslip_lines to owner using (true) with check (true);
grant select on payslip_lines to kontor_across;
grant select, insert, update, delete on payslip_lines to kontor_confined;

create table payslip_consents (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payslip_id uuid not null,
  affirmed boolean not null,
  consented_at timestamptz,
  attachment_id uuid,
  final_authorized boolean not null,
  applied_minor bigint not null,
  rule text not null,
  created_by uuid default current_person(),
  created_at timestamptz not null default now(),
  constraint payslip_consents_pkey PRIMARY KEY (organization_id, id),
  constraint payslip_consents_applied_minor_check CHECK (applied_minor >= 0),
  constraint payslip_consents_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint payslip_consents_organization_id_attachment_id_fkey FOREIGN KEY (organization_id, attachment_id) REFERENCES document_attachments(organization_id, id),
  constraint payslip_consents_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint payslip_consents_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX payslip_consents_created_by_idx ON payslip_consents USING btree (created_by);
CREATE INDEX payslip_consents_organization_id_attachment_id_idx ON payslip_consents USING btree (organization_id, attachment_id) WHERE attachment_id IS NOT NULL;
CREATE INDEX payslip_consents_organization_id_payslip_id_idx ON payslip_consents USING btree (organization_id, payslip_id);
alter table payslip_consents enable row level security, force row level security;
create policy across on payslip_consents for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on payslip_consents to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on payslip_consents as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR false);
create policy system on payslip_consents to owner using (true) with check (true);
grant select on payslip_consents to kontor_across;
grant select, insert on payslip_consents to kontor_confined;

create table leave_claims (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  payslip_id uuid not null,
  scheme text not null,
  covers_until date not null,
  constraint leave_claims_pkey PRIMARY KEY (organization_id, id),
  constraint leave_claims_scheme_check CHECK (scheme <> ''),
  constraint leave_claims_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint leave_claims_organization_id_id_fkey FOREIGN KEY (organization_id, id) REFERENCES documents(organization_id, id) ON DELETE CASCADE,
  constraint leave_claims_organization_id_payslip_id_fkey FOREIGN KEY (organization_id, payslip_id) REFERENCES payslips(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX leave_claims_id_idx ON leave_claims USING btree (id);
CREATE INDEX leave_claims_organization_id_payslip_id_idx ON leave_claims USING btree (organization_id, payslip_id);
alter table leave_claims enable row level security, force row level security;
create policy across on leave_claims for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on leave_claims to kontor_confined using (organization_id = (SELECT current_organization()));
create policy payroll on leave_claims as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name OR reads_payroll()) OR false);
create policy system on leave_claims to owner using (true) with check (true);
grant select on leave_claims to kontor_across;
grant select, insert, update, delete on leave_claims to kontor_confined;

create table received_einvoices (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  environment text not null,
  access_point_id text not null,
  sender text,
  outcome text not null,
  reason text,
  expense_id uuid,
  received_at timestamptz,
  created_at timestamptz not null default now(),
  constraint received_einvoices_pkey PRIMARY KEY (organization_id, id),
  constraint received_einvoices_are_taken_once UNIQUE (organization_id, environment, access_point_id),
  constraint received_einvoices_access_point_id_check CHECK (length(access_point_id) >= 1 AND length(access_point_id) <= 200),
  constraint received_einvoices_environment_check CHECK (environment = ANY (ARRAY['sandbox', 'production'])),
  constraint received_einvoices_outcome_check CHECK (outcome = ANY (ARRAY['CREATED', 'UNREAD', 'DUPLICATE'])),
  constraint received_einvoices_reason_check CHECK (length(reason) <= 2000),
  constraint received_einvoices_say_why CHECK (outcome = 'CREATED' OR reason IS NOT NULL),
  constraint received_einvoices_sender_check CHECK (length(sender) <= 200),
  constraint received_einvoices_organization_id_expense_id_fkey FOREIGN KEY (organization_id, expense_id) REFERENCES expenses(organization_id, id) ON DELETE SET NULL (expense_id),
  constraint received_einvoices_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX one_received_einvoice_per_expense ON received_einvoices USING btree (organization_id, expense_id) WHERE outcome <> 'DUPLICATE';
CREATE INDEX received_einvoices_id_idx ON received_einvoices USING btree (id);
CREATE INDEX received_einvoices_organization_id_expense_id_idx ON received_einvoices USING btree (organization_id, expense_id);
alter table received_einvoices enable row level security, force row level security;
create policy across on received_einvoices for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on received_einvoices to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on received_einvoices to owner using (true) with check (true);
grant select on received_einvoices to kontor_across;
grant select, insert on received_einvoices to kontor_confined;

create table automation_secrets (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  name text not null,
  value bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  value_key_id uuid generated always as (encode(SUBSTRING(value FROM 2 FOR 16), 'hex')::uuid) stored,
  constraint automation_secrets_pkey PRIMARY KEY (organization_id, id),
  constraint automation_secrets_organization_id_name_key UNIQUE (organization_id, name),
  constraint automation_secrets_name_check CHECK (name ~ '^[A-Z][A-Z0-9_]{0,63}$'),
  constraint automation_secrets_value_is_sealed CHECK (octet_length(value) >= 113 AND get_byte(value, 0) = 1),
  constraint automation_secrets_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint automation_secrets_organization_id_value_key_id_fkey FOREIGN KEY (organization_id, value_key_id) REFERENCES organization_keys(organization_id, id)
);
CREATE INDEX automation_secrets_id_idx ON automation_secrets USING btree (id);
CREATE INDEX automation_secrets_organization_id_value_key_id_idx ON automation_secrets USING btree (organization_id, value_key_id);
CREATE TRIGGER at_most_50 BEFORE INSERT ON automation_secrets FOR EACH ROW EXECUTE FUNCTION limit_automation_secrets();
CREATE TRIGGER touch BEFORE UPDATE ON automation_secrets FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table automation_secrets enable row level security, force row level security;
create policy across on automation_secrets for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on automation_secrets to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on automation_secrets to owner using (true) with check (true);
grant select on automation_secrets to kontor_across;
grant select, insert, update, delete on automation_secrets to kontor_confined;

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
  last_activity_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint companion_sessions_pkey PRIMARY KEY (organization_id, key),
  constraint one_session_per_id UNIQUE (user_id, id),
  constraint companion_sessions_icon_check CHECK (length(icon) >= 1 AND length(icon) <= 100),
  constraint companion_sessions_id_check CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint companion_sessions_title_check CHECK (length(title) >= 1 AND length(title) <= 200),
  constraint companion_sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint companion_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX companion_sessions_organization_id_user_id_last_activity_at_idx ON companion_sessions USING btree (organization_id, user_id, last_activity_at DESC, key);
CREATE INDEX companion_sessions_user_id_idx ON companion_sessions USING btree (user_id);
CREATE TRIGGER touch BEFORE UPDATE ON companion_sessions FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table companion_sessions enable row level security, force row level security;
create policy across on companion_sessions for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on companion_sessions to kontor_confined using (organization_id = (SELECT current_organization()));
create policy own on companion_sessions as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name) OR user_id = (SELECT current_person()));
create policy system on companion_sessions to owner using (true) with check (true);
grant select on companion_sessions to kontor_across;
grant select, insert, update, delete on companion_sessions to kontor_confined;

create table companion_turns (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  session_key uuid not null,
  user_id uuid not null default current_person(),
  number integer not null,
  source text not null,
  credential_hash bytea,
  confirms_step_id uuid,
  status text not null default 'RUNNING',
  lease uuid,
  held_until timestamptz,
  error text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  fed_by text[] not null default '{}'[],
  fed_role member_role,
  fed_scopes text[],
  constraint companion_turns_pkey PRIMARY KEY (organization_id, id),
  constraint one_turn_per_number UNIQUE (organization_id, session_key, number),
  constraint companion_turns_error_check CHECK (length(error) <= 2000),
  constraint companion_turns_source_check CHECK (source = ANY (ARRAY['SESSION', 'API_KEY', 'OAUTH'])),
  constraint companion_turns_status_check CHECK (status = ANY (ARRAY['RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED'])),
  constraint ended_turns CHECK ((status = 'RUNNING') = (finished_at IS NULL)),
  constraint ended_turns_have_no_credential CHECK (status = 'RUNNING' OR credential_hash IS NULL),
  constraint failed_turns_say_why CHECK (status <> 'FAILED' OR error IS NOT NULL),
  constraint held_turns CHECK ((lease IS NULL) = (held_until IS NULL)),
  constraint companion_turns_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  constraint companion_turns_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX companion_turns_id_idx ON companion_turns USING btree (id);
CREATE INDEX companion_turns_user_id_idx ON companion_turns USING btree (user_id);
CREATE INDEX running_turns ON companion_turns USING btree (started_at) WHERE status = 'RUNNING';
CREATE TRIGGER keep_ended_turns BEFORE UPDATE ON companion_turns FOR EACH ROW EXECUTE FUNCTION keep_ended_turns();
CREATE TRIGGER touch BEFORE UPDATE ON companion_turns FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table companion_turns enable row level security, force row level security;
create policy across on companion_turns for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on companion_turns to kontor_confined using (organization_id = (SELECT current_organization()));
create policy own on companion_turns as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name) OR user_id = (SELECT current_person()));
create policy system on companion_turns to owner using (true) with check (true);
grant select on companion_turns to kontor_across;
grant select, insert, update, delete on companion_turns to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint companion_messages_pkey PRIMARY KEY (organization_id, id),
  constraint one_message_per_index UNIQUE (organization_id, session_key, index),
  constraint companion_messages_attachments_check CHECK (attachments IS NULL OR jsonb_typeof(attachments) = 'array'),
  constraint companion_messages_role_check CHECK (role = ANY (ARRAY['user', 'assistant'])),
  constraint companion_messages_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  constraint companion_messages_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE,
  constraint companion_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX companion_messages_organization_id_turn_id_idx ON companion_messages USING btree (organization_id, turn_id);
CREATE INDEX companion_messages_user_id_idx ON companion_messages USING btree (user_id);
CREATE TRIGGER touch BEFORE UPDATE ON companion_messages FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table companion_messages enable row level security, force row level security;
create policy across on companion_messages for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on companion_messages to kontor_confined using (organization_id = (SELECT current_organization()));
create policy own on companion_messages as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name) OR user_id = (SELECT current_person()));
create policy system on companion_messages to owner using (true) with check (true);
grant select on companion_messages to kontor_across;
grant select, insert, update, delete on companion_messages to kontor_confined;

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
  expires_at timestamptz,
  interrupted boolean not null default false,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  constraint companion_steps_pkey PRIMARY KEY (organization_id, id),
  constraint companion_steps_error_check CHECK (length(error) <= 2000),
  constraint companion_steps_kind_check CHECK (kind = ANY (ARRAY['TOOL', 'AGENT', 'WORKFLOW', 'TEXT'])),
  constraint companion_steps_status_check CHECK (status = ANY (ARRAY['PENDING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED'])),
  constraint ended_steps CHECK ((status = ANY (ARRAY['SUCCEEDED', 'FAILED', 'SKIPPED'])) = (finished_at IS NOT NULL)),
  constraint pending_steps_expire CHECK (status <> 'PENDING' OR expires_at IS NOT NULL),
  constraint companion_steps_organization_id_executed_by_turn_id_fkey FOREIGN KEY (organization_id, executed_by_turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE,
  constraint companion_steps_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  constraint companion_steps_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE,
  constraint companion_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX companion_steps_organization_id_executed_by_turn_id_idx ON companion_steps USING btree (organization_id, executed_by_turn_id) WHERE executed_by_turn_id IS NOT NULL;
CREATE INDEX companion_steps_organization_id_session_key_created_at_id_idx ON companion_steps USING btree (organization_id, session_key, created_at DESC, id DESC);
CREATE INDEX companion_steps_organization_id_turn_id_idx ON companion_steps USING btree (organization_id, turn_id);
CREATE INDEX companion_steps_user_id_idx ON companion_steps USING btree (user_id);
CREATE INDEX pending_steps ON companion_steps USING btree (expires_at) WHERE status = 'PENDING';
CREATE TRIGGER keep_ended_steps BEFORE UPDATE OF status, ref, input ON companion_steps FOR EACH ROW EXECUTE FUNCTION keep_ended_steps();
CREATE TRIGGER touch BEFORE UPDATE ON companion_steps FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table companion_steps enable row level security, force row level security;
create policy across on companion_steps for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on companion_steps to kontor_confined using (organization_id = (SELECT current_organization()));
create policy own on companion_steps as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name) OR user_id = (SELECT current_person()));
create policy system on companion_steps to owner using (true) with check (true);
grant select on companion_steps to kontor_across;
grant select, insert, update, delete on companion_steps to kontor_confined;

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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint companion_events_pkey PRIMARY KEY (organization_id, session_key, seq),
  constraint companion_events_kind_check CHECK (kind = ANY (ARRAY['token', 'step', 'turn'])),
  constraint tokens_have_text CHECK ((kind = 'token') = (delta IS NOT NULL)),
  constraint companion_events_organization_id_session_key_fkey FOREIGN KEY (organization_id, session_key) REFERENCES companion_sessions(organization_id, key) ON DELETE CASCADE,
  constraint companion_events_organization_id_turn_id_fkey FOREIGN KEY (organization_id, turn_id) REFERENCES companion_turns(organization_id, id) ON DELETE CASCADE,
  constraint companion_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX companion_events_organization_id_turn_id_seq_idx ON companion_events USING btree (organization_id, turn_id, seq);
CREATE INDEX companion_events_user_id_idx ON companion_events USING btree (user_id);
CREATE TRIGGER touch BEFORE UPDATE ON companion_events FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table companion_events enable row level security, force row level security;
create policy across on companion_events for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on companion_events to kontor_confined using (organization_id = (SELECT current_organization()));
create policy own on companion_events as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name) OR user_id = (SELECT current_person()));
create policy system on companion_events to owner using (true) with check (true);
grant select on companion_events to kontor_across;
grant select, insert, update, delete on companion_events to kontor_confined;

create table companion_usage (
  organization_id uuid not null default current_organization(),
  day date not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_micros bigint not null default 0,
  updated_at timestamptz not null default now(),
  constraint companion_usage_pkey PRIMARY KEY (organization_id, day),
  constraint companion_usage_cost_micros_check CHECK (cost_micros >= 0),
  constraint companion_usage_input_tokens_check CHECK (input_tokens >= 0),
  constraint companion_usage_output_tokens_check CHECK (output_tokens >= 0),
  constraint companion_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE TRIGGER touch BEFORE UPDATE ON companion_usage FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table companion_usage enable row level security, force row level security;
create policy across on companion_usage for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on companion_usage to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on companion_usage to owner using (true) with check (true);
grant select on companion_usage to kontor_across;
grant select, insert, update, delete on companion_usage to kontor_confined;

create table backup_outcomes (
  outcome text not null,
  ended_at timestamptz not null,
  bytes bigint,
  missing_files bigint,
  reason text,
  notified_at timestamptz,
  constraint backup_outcomes_pkey PRIMARY KEY (outcome),
  constraint backup_outcomes_bytes_check CHECK (bytes >= 0),
  constraint backup_outcomes_missing_files_check CHECK (missing_files >= 0),
  constraint backup_outcomes_outcome_check CHECK (outcome = ANY (ARRAY['GOOD', 'FAILED']))
);
alter table backup_outcomes enable row level security, force row level security;
create policy system on backup_outcomes to owner using (true) with check (true);

create table changes (
  organization_id uuid not null,
  resource text not null,
  object_id uuid not null,
  change text not null,
  user_id uuid,
  created_at timestamptz not null default now(),
  constraint changes_change_check CHECK (change = ANY (ARRAY['created', 'updated', 'deleted'])),
  constraint changes_resource_check CHECK (resource <> ''),
  constraint changes_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX changes_created_at_idx ON changes USING brin (created_at);
CREATE INDEX changes_organization_id_created_at_idx ON changes USING btree (organization_id, created_at);
alter table changes enable row level security, force row level security;
create policy across on changes for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on changes to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on changes to owner using (true) with check (true);
grant select on changes to kontor_across;
grant select on changes to kontor_confined;

create table preferences (
  user_id uuid not null,
  value jsonb not null default '{}'::jsonb,
  updated_at timestamptz not null default now(),
  constraint preferences_pkey PRIMARY KEY (user_id),
  constraint preferences_value_check CHECK (jsonb_typeof(value) = 'object'),
  constraint preferences_within_64_kib CHECK (octet_length(value::text) <= 65536),
  constraint preferences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE TRIGGER touch BEFORE UPDATE ON preferences FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table preferences enable row level security, force row level security;
create policy confined on preferences to kontor_confined using (user_id = (SELECT current_person()));
create policy system on preferences to owner using (true) with check (true);
grant select on preferences to kontor_confined;
grant insert (user_id, value), update (value) on preferences to kontor_confined;

create table views (
  organization_id uuid not null default current_organization(),
  id uuid not null,
  user_id uuid not null default current_person(),
  name text not null,
  screen text not null,
  search text not null default '',
  shared boolean not null default false,
  "position" integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint views_pkey PRIMARY KEY (id),
  constraint views_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint views_screen_check CHECK (screen ~ '^[a-z][a-z0-9/-]{0,59}$'),
  constraint views_search_check CHECK (length(search) <= 4000),
  constraint views_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE,
  constraint views_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX views_organization_id_screen_position_created_at_id_idx ON views USING btree (organization_id, screen, "position", created_at, id);
CREATE INDEX views_organization_id_user_id_idx ON views USING btree (organization_id, user_id);
CREATE INDEX views_user_id_idx ON views USING btree (user_id);
CREATE TRIGGER touch BEFORE UPDATE ON views FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table views enable row level security, force row level security;
create policy across on views for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on views to kontor_confined using (organization_id = (SELECT current_organization()));
create policy own_or_shared on views as restrictive to kontor_across, kontor_confined using (( SELECT CURRENT_USER = 'kontor_owner'::name) OR shared OR user_id = (SELECT current_person()));
create policy system on views to owner using (true) with check (true);
grant select on views to kontor_across;
grant select, insert, update, delete on views to kontor_confined;

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
CREATE INDEX journal_results_by_day_organization_id_day_idx ON journal_results_by_day USING btree (organization_id, day);
alter table journal_results_by_day enable row level security, force row level security;
create policy across on journal_results_by_day for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_results_by_day to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_results_by_day to owner using (true) with check (true);
grant select on journal_results_by_day to kontor_across;
grant select, insert, update, delete on journal_results_by_day to kontor_confined;

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
CREATE INDEX journal_taxes_by_day_organization_id_day_idx ON journal_taxes_by_day USING btree (organization_id, day);
alter table journal_taxes_by_day enable row level security, force row level security;
create policy across on journal_taxes_by_day for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on journal_taxes_by_day to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on journal_taxes_by_day to owner using (true) with check (true);
grant select on journal_taxes_by_day to kontor_across;
grant select, insert, update, delete on journal_taxes_by_day to kontor_confined;

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
  receipt text not null default 'NONE',
  status text not null default 'PLANNED',
  problem text,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint planned_payments_pkey PRIMARY KEY (organization_id, id),
  constraint planned_payments_amount_minor_check CHECK (amount_minor > 0),
  constraint planned_payments_check CHECK (withheld_minor >= 0 AND withheld_minor <= amount_minor),
  constraint planned_payments_currency_check CHECK (currency <> ''),
  constraint planned_payments_minor_digits_check CHECK (minor_digits >= 0 AND minor_digits <= 4),
  constraint planned_payments_receipt_check CHECK (receipt = ANY (ARRAY['NONE', 'WITH_TAX', 'TAX_FREE'])),
  constraint planned_payments_shares_check CHECK (jsonb_typeof(shares) = 'array'),
  constraint planned_payments_status_check CHECK (status = ANY (ARRAY['PLANNED', 'RECORDED', 'CANCELLED'])),
  constraint planned_receipt_names_customer CHECK (receipt = 'NONE' OR counterparty_id IS NOT NULL),
  constraint planned_payment_bank_account FOREIGN KEY (organization_id, bank_account_id) REFERENCES bank_accounts(organization_id, id),
  constraint planned_payment_counterparty FOREIGN KEY (organization_id, counterparty_id) REFERENCES customers(organization_id, id),
  constraint planned_payments_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX planned_payments_due_on_idx ON planned_payments USING btree (due_on) WHERE status = 'PLANNED';
CREATE INDEX planned_payments_id_idx ON planned_payments USING btree (id);
CREATE INDEX planned_payments_organization_id_bank_account_id_idx ON planned_payments USING btree (organization_id, bank_account_id) WHERE bank_account_id IS NOT NULL;
CREATE INDEX planned_payments_organization_id_counterparty_id_idx ON planned_payments USING btree (organization_id, counterparty_id) WHERE counterparty_id IS NOT NULL;
CREATE INDEX planned_payments_organization_id_due_on_id_idx ON planned_payments USING btree (organization_id, due_on, id);
CREATE INDEX planned_payments_shares_idx ON planned_payments USING gin (shares jsonb_path_ops) WHERE status = 'PLANNED';
CREATE TRIGGER guard_planned_payment BEFORE UPDATE ON planned_payments FOR EACH ROW EXECUTE FUNCTION guard_planned_payment();
CREATE TRIGGER record_change AFTER INSERT OR UPDATE ON planned_payments FOR EACH ROW EXECUTE FUNCTION record_change('payments');
CREATE TRIGGER touch BEFORE UPDATE ON planned_payments FOR EACH ROW EXECUTE FUNCTION set_updated_at();
alter table planned_payments enable row level security, force row level security;
create policy across on planned_payments for select to kontor_across using (organization_id = ANY ((SELECT current_organizations())::uuid[]));
create policy confined on planned_payments to kontor_confined using (organization_id = (SELECT current_organization()));
create policy system on planned_payments to owner using (true) with check (true);
grant select on planned_payments to kontor_across;
grant select, insert on planned_payments to kontor_confined;
grant update (status, problem) on planned_payments to kontor_confined;

create table former_addresses (
  user_id uuid not null,
  email text not null,
  changed_at timestamptz not null default now(),
  constraint former_addresses_pkey PRIMARY KEY (user_id, email),
  constraint former_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX former_addresses_lower_idx ON former_addresses USING btree (lower(email));
alter table former_addresses enable row level security, force row level security;
create policy confined on former_addresses to kontor_confined using (user_id = (SELECT current_person()));
create policy system on former_addresses to owner using (true) with check (true);

create table function_files (
  name text not null,
  checksum text not null,
  version text not null,
  applied_at timestamptz not null default now(),
  constraint function_files_pkey PRIMARY KEY (name)
);
alter table function_files enable row level security, force row level security;
create policy system on function_files to owner using (true) with check (true);


-- Functions

function accept_invitation(token bytea, verified_only boolean, OUT outcome text, OUT organization uuid) returns record; -- access/invitations.sql
function accrual_sums(first_days date[], last_days date[]) returns TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint); -- journal/sums.sql
function acting_role(place uuid) returns member_role; -- access/roles.sql
function add_change(organization uuid, changed text, object uuid, operation text, person uuid DEFAULT NULL::uuid) returns void; -- changes/changes.sql
function add_default_accounts() returns trigger; -- journal/accounts.sql
function add_expense(document documents, times integer) returns void; -- dashboard/expenses.sql
function add_organization_key(organization uuid, id uuid, wrapped bytea, kek_id text) returns void; -- secrets/organization-keys.sql
function add_sales(document documents, sort text, status text, times integer) returns void; -- dashboard/sales.sql
function add_updated_at_trigger(name text) returns void; -- migrations
function adopt_graph() returns trigger; -- automations/graphs.sql
function advance_run(run uuid, held bigint, ended jsonb, begun jsonb, over boolean, time_limit interval) returns TABLE(id uuid, block_id text, element integer, element_key text, attempt integer); -- automations/advance-run.sql
function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean) returns TABLE(id uuid, block_id text, element integer, attempt integer); -- automations/advance-run.sql
function advance_run(run uuid, held bigint, ended uuid, came_to jsonb, of_feature text, begun jsonb, over boolean, time_limit interval) returns TABLE(id uuid, block_id text, element integer, attempt integer); -- automations/advance-run.sql
function aged_of_parties(of_kind text, as_of date, home text, parties uuid[]) returns TABLE(party uuid, bucket integer, due date, document_id uuid); -- agings/by-party.sql
function aged_others(of_kind text, as_of date) returns TABLE(party uuid, vendor text, entries text, bucket integer, due date, home_currency text, home_minor bigint, in_dispute boolean, document_id uuid, payment_id uuid, entry_id uuid, currency text, rate_known boolean); -- agings/by-party.sql
function aged_sums(of_kind text, as_of date) returns TABLE(party uuid, bucket integer, earlier_home text, face_currency text, home_minor bigint, disputed bigint, documents bigint); -- agings/by-party.sql
function aging_buckets(as_of date) returns TABLE(bucket integer, first_due date, last_due date); -- agings/by-party.sql
function all_ledger_kinds() returns SETOF ledger_kinds; -- documents/guard-document.sql
function allow_more_attempts(job text) returns void; -- jobs/queue.sql
function amount_max() returns bigint; -- documents/amounts.sql
function amounts_match(lines bigint, line_sum numeric, subtotal bigint, tax bigint, total bigint) returns boolean; -- documents/amounts.sql
function append_companion_events(session uuid, turn uuid, kinds text[], steps uuid[], deltas text[], datas jsonb[]) returns void; -- companion/turns.sql
function append_only(name text) returns void; -- migrations
function append_to_history() returns trigger; -- documents/history.sql
function apply_allocation() returns trigger; -- payments/apply-allocation.sql
function apply_freed_credit(credit uuid) returns void; -- payments/credits.sql
function apply_freed_credit(organization uuid, credit uuid) returns void; -- payments/credits.sql
function apply_fulfilment() returns trigger; -- orders/fulfilments.sql
function apply_movement() returns trigger; -- stock/movements.sql
function apply_open_credits(organization uuid, corrected uuid) returns void; -- payments/credits.sql
function apply_refund() returns trigger; -- payments/refunds.sql
function are_sales_tax_rates(rates jsonb) returns boolean; -- migrations
function authorize_request(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text) returns record; -- access/authorize-request.sql
function authorize_run(run uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text, OUT author_user_id uuid, OUT acting_for uuid[]) returns record; -- automations/rights.sql
function begin_confirmed_step(turn uuid, holder uuid, step uuid) returns boolean; -- companion/steps.sql
function begin_step(turn uuid, holder uuid, step uuid, tool text, given jsonb, begun text, shown jsonb, expires interval) returns void; -- companion/steps.sql
function begin_tracking() returns trigger; -- items/items.sql
function belongs_to_all(organizations uuid[]) returns boolean; -- access/authorize-request.sql
function bill_rate(organization uuid, document uuid, rates numeric[]) returns numeric; -- journal/results.sql
function book_allocation() returns trigger; -- journal/allocations.sql
function book_allocations_when_final() returns trigger; -- journal/allocations.sql
function book_from(organization uuid, booked text, account uuid) returns void; -- journal/account-periods.sql
function booked_by_account(first_day date, last_day date) returns TABLE(organization_id uuid, day date, account_id uuid, currency text, debit_minor bigint, credit_minor bigint); -- periods/lock.sql
function booked_day(paid_on date, issued_on date, paid timestamp with time zone, allocated timestamp with time zone, zone text) returns date; -- journal/allocations.sql
function booked_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint); -- journal/lines.sql
function booked_lines(first_day date, last_day date) returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint); -- journal/lines.sql
function broken_references() returns TABLE(reference text, from_table text, broken bigint); -- verify/broken-references.sql
function bucket_of(due date, as_of date) returns integer; -- agings/by-party.sql
function cancel_runs(automation uuid, only_run uuid, reason text, interrupted text) returns integer; -- automations/start.sql
function cash_by_day_now() returns SETOF cash_by_day; -- dashboard/cash.sql
function cash_shares(first_days date[], last_days date[]) returns TABLE(day date, account_id uuid, home_currency text, face_currency text, home_minor bigint); -- journal/sums.sql
function cash_sums(first_days date[], last_days date[]) returns TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint); -- journal/sums.sql
function changed_allocations(as_of date) returns TABLE(organization_id uuid, document_id uuid, payment_id uuid); -- agings/open-balances.sql
function changed_balances(of_kind text, as_of date) returns TABLE(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean); -- agings/open-balances.sql
function changed_documents(of_kind text, as_of date) returns TABLE(organization_id uuid, document_id uuid); -- agings/open-balances.sql
function charge_scan(of_attachment uuid, in_period text, allowed integer) returns boolean; -- scans/charges.sql
function charge_tokens(bucket text, per_second double precision, burst integer, wanted integer) returns double precision; -- former/old-names.sql
function check_formats_of_series() returns trigger; -- documents/numbering.sql
function check_period_of_account() returns trigger; -- periods/open-period.sql
function check_period_of_allocation() returns trigger; -- periods/open-period.sql
function check_period_of_category() returns trigger; -- periods/open-period.sql
function check_period_of_closed_order() returns trigger; -- periods/open-period.sql
function check_period_of_date() returns trigger; -- periods/open-period.sql
function check_period_of_document() returns trigger; -- periods/open-period.sql
function check_period_of_organization() returns trigger; -- periods/open-period.sql
function check_period_of_payment() returns trigger; -- periods/open-period.sql
function clear_closed_order() returns trigger; -- stock/goods-of-bills.sql
function clear_goods_of_credit() returns trigger; -- stock/goods-of-bills.sql
function clear_goods_received(organization uuid, wanted_order uuid) returns void; -- stock/goods-of-bills.sql
function clear_turn() returns trigger; -- automations/advance-run.sql
function connected_app_places(app uuid) returns jsonb; -- former/old-names.sql
function consume_oauth_token(token_kind text, token_hash bytea, audit_id uuid) returns boolean; -- access/connected-apps.sql
function consume_rate_limit(bucket text, per_second double precision, burst integer, wanted integer) returns double precision; -- access/rate-limits.sql
function convert_document(request uuid, invoice uuid) returns void; -- rates/convert.sql
function convert_minor(amount numeric, from_currency text, to_currency text, from_rate numeric, to_rate numeric) returns numeric; -- rates/convert.sql
function convert_units(amount numeric, per numeric, rate numeric) returns numeric; -- rates/convert.sql
function copy_issued_document() returns trigger; -- documents/issued-copies.sql
function count_automation_mail() returns trigger; -- mail/counts.sql
function count_documents() returns trigger; -- documents/counts.sql
function count_ingestion_messages() returns trigger; -- mailboxes/polls.sql
function count_job_pressure() returns void; -- jobs/queue.sql
function count_message(counted text, allowed integer) returns integer; -- mail/counts.sql
function count_message_of(person uuid, address text) returns void; -- mail/counts.sql
function count_message_to(address text) returns void; -- mail/counts.sql
function count_orders() returns trigger; -- orders/guard-order.sql
function count_queued_mail() returns trigger; -- mail/counts.sql
function count_scan_batch_file() returns trigger; -- scans/batches.sql
function count_sign_in(account text, per_account integer, address text, per_address integer) returns double precision; -- access/sign-in.sql
function count_sign_in_failure(attempted text, allowed integer) returns void; -- access/sign-in.sql
function counterparties_called(wanted_name text, wanted_number text) returns SETOF uuid; -- expenses/vendors.sql
function country_currency(country text) returns text; -- rates/rate-on.sql
function create_organization(id uuid) returns void; -- access/create-organization.sql
function credential_reaches(key uuid, app uuid, place uuid) returns boolean; -- automations/rights.sql
function credited_goods(organization uuid, wanted_order uuid) returns bigint; -- stock/goods-of-bills.sql
function crosses_vendors(organization uuid, wanted_payment uuid, wanted_document uuid, not_before uuid[]) returns boolean; -- expenses/vendors.sql
function current_organization() returns uuid; -- migrations
function current_organizations() returns uuid[]; -- migrations
function current_person() returns uuid; -- migrations
function current_principal() returns text; -- access/current-principal.sql
function date_mapping() returns trigger; -- journal/account-periods.sql
function date_purpose() returns trigger; -- journal/account-periods.sql
function date_void() returns trigger; -- payments/void.sql
function day_in_zone(instant timestamp with time zone, zone text) returns date; -- jobs/schedules.sql
function day_of_organization(organization uuid, instant timestamp with time zone) returns date; -- periods/open-period.sql
function day_ranges(days date[]) returns TABLE(first_day date, last_day date); -- journal/sums.sql
function delete_calls_of_keys() returns trigger; -- access/keys-of-calls.sql
function delete_payslip(payslip uuid) returns boolean; -- payroll/payslips.sql
function divided_results(lines result_line[]) returns TABLE(organization_id uuid, document_id uuid, day date, kind text, document_type text, account_id uuid, category_id uuid, home_currency text, face_currency text, is_plain boolean, counterparty_id uuid, net_minor bigint, tax_minor bigint, goods_minor bigint, rounding_minor bigint); -- journal/results.sql
function divided_taxes(lines result_line[]) returns TABLE(organization_id uuid, document_id uuid, day date, direction text, rate numeric, category text, home_currency text, face_currency text, is_credit boolean, is_plain boolean, is_divided boolean, charged_minor bigint, gross_minor bigint, base_minor bigint, tax_minor bigint); -- journal/results.sql
function document_event_hash(entry document_events) returns bytea; -- documents/history.sql
function document_language(country text, customer_country text, chosen text) returns text; -- documents/issued-copies.sql
function documents_of_type(organization uuid, series text, official_type text) returns SETOF documents; -- documents/numbering.sql
function drop_lease(named text, held bigint) returns void; -- former/old-names.sql
function end_access(person uuid, request text, cause text, with_password boolean) returns jsonb; -- access/end-access.sql
function end_credentials(key uuid DEFAULT NULL::uuid, app uuid DEFAULT NULL::uuid) returns bigint; -- automations/rights.sql
function end_credentials_of_row() returns trigger; -- automations/rights.sql
function end_credentials_of_run(run uuid) returns bigint; -- automations/rights.sql
function end_step(turn uuid, holder uuid, step uuid, ended text, result jsonb, reason text, settles boolean) returns void; -- companion/steps.sql
function end_steps() returns trigger; -- automations/advance-run.sql
function end_turn(turn uuid, ended text, reason text, interrupted text, remembered jsonb, message uuid) returns void; -- companion/turns.sql
function enqueue(job text, payload jsonb, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone, job_key text DEFAULT NULL::text) returns void; -- jobs/enqueue.sql
function enqueue_poll(of_run uuid, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns void; -- mailboxes/polls.sql
function enqueue_scan(of_file uuid, run_at timestamp with time zone DEFAULT NULL::timestamp with time zone) returns void; -- scans/batches.sql
function enter(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], OUT user_id uuid, OUT key_id uuid, OUT session_id uuid, OUT scopes text[], OUT signed_in_at timestamp with time zone, OUT organization_id uuid, OUT role member_role, OUT reachable integer, OUT app_id uuid, OUT client_id text) returns record; -- former/old-names.sql
function enter_turn(turn uuid) returns uuid; -- companion/turns.sql
function entry_balances(purposes text[], as_of date) returns TABLE(organization_id uuid, entry_id uuid, kind text, day date, purpose text, home_minor bigint, home_currency text); -- agings/open-balances.sql
function expense_sum(d documents) returns SETOF expenses_by_vendor; -- dashboard/expenses.sql
function expenses_by_vendor_now() returns SETOF expenses_by_vendor; -- dashboard/expenses.sql
function expire_pending_steps(most integer) returns bigint; -- companion/steps.sql
function extend_connected_app() returns trigger; -- access/connected-apps.sql
function face_currency(currency text, home_currency text, exchange_rate numeric) returns text; -- documents/balance.sql
function finish_job(job_id bigint, pool_id text, attempt integer, had_key boolean DEFAULT false) returns void; -- jobs/queue.sql
function fire_schedule(organization uuid, type text, zone text, period text, local_date date, starts_at timestamp with time zone, jobs text[], moment timestamp with time zone) returns boolean; -- jobs/schedules.sql
function first_aged(of_kind text, as_of date, home text, most integer) returns TABLE(bucket integer, due date, document_id uuid); -- agings/by-party.sql
function fits_purpose(type text, purpose text) returns boolean; -- migrations
function follow_allocation_number() returns trigger; -- tax-authorities/clearances.sql
function follow_credit() returns trigger; -- payments/credits.sql
function follow_document_of_payslip() returns trigger; -- payroll/payslips.sql
function follow_period_lock() returns trigger; -- periods/lock.sql
function follow_supplier() returns trigger; -- documents/counterparty.sql
function forget_deleted_category() returns trigger; -- expenses/categories.sql
function forgive_sign_in(attempted text, allowed integer) returns void; -- former/old-names.sql
function found_organization(id uuid) returns void; -- former/old-names.sql
function found_rate(charged bigint, gross bigint, rates numeric[]) returns numeric; -- journal/results.sql
function full_transaction_id(short xid) returns xid8; -- journal/unchanged-books.sql
function gone_of_order_line(organization uuid, wanted_order uuid, wanted_line text) returns numeric; -- orders/fulfilments.sql
function grouped_results(lines result_line[]) returns SETOF journal_results_by_day; -- journal/results.sql
function grouped_taxes(lines result_line[]) returns SETOF journal_taxes_by_day; -- journal/results.sql
function guard_account_code() returns trigger; -- journal/accounts.sql
function guard_approval() returns trigger; -- expenses/approval.sql
function guard_approval_rule() returns trigger; -- access/roles.sql
function guard_cancelled_credit() returns trigger; -- documents/memos.sql
function guard_clearance() returns trigger; -- tax-authorities/clearances.sql
function guard_document() returns trigger; -- documents/guard-document.sql
function guard_entry_lines() returns trigger; -- journal/entries.sql
function guard_expense() returns trigger; -- expenses/guard-expense.sql
function guard_expense_parties() returns trigger; -- expenses/guard-expense.sql
function guard_format_of_issued() returns trigger; -- documents/numbering.sql
function guard_goods_of_credit() returns trigger; -- stock/goods-of-bills.sql
function guard_issued_copy() returns trigger; -- documents/issued-copies.sql
function guard_item() returns trigger; -- items/items.sql
function guard_legal_content() returns trigger; -- documents/guard-document.sql
function guard_lines() returns trigger; -- documents/lines.sql
function guard_main_currency() returns trigger; -- access/roles.sql
function guard_memo() returns trigger; -- documents/memos.sql
function guard_numbering() returns trigger; -- documents/numbering.sql
function guard_order() returns trigger; -- orders/guard-order.sql
function guard_order_invoice() returns trigger; -- orders/guard-order.sql
function guard_order_lines() returns trigger; -- orders/guard-order.sql
function guard_own_record() returns trigger; -- expenses/approval.sql
function guard_party() returns trigger; -- documents/counterparty.sql
function guard_payslip() returns trigger; -- payroll/payslips.sql
function guard_payslip_lines() returns trigger; -- payroll/payslips.sql
function guard_period_lock() returns trigger; -- periods/lock.sql
function guard_planned_payment() returns trigger; -- payments/future.sql
function guard_prefix() returns trigger; -- documents/numbering.sql
function guard_supplier() returns trigger; -- documents/counterparty.sql
function hold(subject text) returns void; -- former/old-names.sql
function hold_counters(types text[]) returns void; -- former/old-names.sql
function hold_period_lock(organization uuid) returns void; -- periods/lock.sql
function hold_to_customer() returns trigger; -- payments/apply-allocation.sql
function hold_turn(turn uuid, holder uuid) returns uuid; -- companion/turns.sql
function home_minor(amount numeric, currency text, home text, rate numeric) returns bigint; -- journal/allocations.sql
function invoiced_quantities(organization uuid, wanted_order uuid, only_issued boolean) returns TABLE(line_id text, invoiced numeric, returned numeric); -- orders/guard-order.sql
function is_number_prefix(prefix text) returns boolean; -- documents/numbering.sql
function is_receipt_by_law(document_type text, series text) returns boolean; -- migrations
function is_registered_for_tax(country text, registration_number text, tax_number text) returns boolean; -- documents/numbering.sql
function is_registered_organization(registration_number text, country text) returns boolean; -- access/authorize-request.sql
function is_result_line(document_id uuid, event text, account text) returns boolean; -- journal/lines.sql
function is_settled(total bigint, paid bigint, credited bigint) returns boolean; -- documents/balance.sql
function issued_copy(d documents) returns SETOF issued_copies; -- documents/issued-copies.sql
function journal() returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, account text, debit_minor bigint, credit_minor bigint, currency text); -- journal/journal-of.sql
function journal_balances(first_day date, last_day date, of_basis text) returns TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint); -- journal/sums.sql
function journal_gaps(first_day date, last_day date, OUT upto date, OUT marked date[], OUT first_days date[], OUT last_days date[]) returns record; -- journal/sums.sql
function journal_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric); -- journal/lines.sql
function journal_lines(first_day date, last_day date) returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text, bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric); -- journal/lines.sql
function journal_of_allocations(first_day date, first_id uuid, last_day date, last_id uuid) returns SETOF journal_part_line; -- journal/journal-of.sql
function journal_of_closed(first_day date, first_id uuid, last_day date, last_id uuid) returns SETOF journal_part_line; -- journal/journal-of.sql
function journal_of_documents(first_day date, first_id uuid, last_day date, last_id uuid) returns SETOF journal_part_line; -- journal/journal-of.sql
function journal_of_expenses(first_day date, first_id uuid, last_day date, last_id uuid) returns SETOF journal_part_line; -- journal/journal-of.sql
function journal_of_payments(first_day date, first_id uuid, last_day date, last_id uuid) returns SETOF journal_part_line; -- journal/journal-of.sql
function journal_of_stock(first_day date, first_id uuid, last_day date, last_id uuid) returns SETOF journal_part_line; -- journal/journal-of.sql
function journal_part(first_day date, first_id uuid, last_day date, events integer, OUT day date, OUT id uuid) returns SETOF record; -- journal/journal-of.sql
function journal_stored_upto() returns date; -- journal/sums.sql
function journal_version() returns text; -- journal/sums.sql
function keep_deleted_category() returns trigger; -- expenses/categories.sql
function keep_ended_ingestion_runs() returns trigger; -- mailboxes/polls.sql
function keep_ended_steps() returns trigger; -- companion/steps.sql
function keep_ended_turns() returns trigger; -- companion/turns.sql
function keep_fixed_rates() returns trigger; -- rates/fixed.sql
function keep_former_address() returns trigger; -- access/former-addresses.sql
function keep_lease(named text, held bigint, seconds integer) returns boolean; -- former/old-names.sql
function keep_mail_secrets_at_their_server() returns trigger; -- mailboxes/connections.sql
function keeps_books_here(registration_number text, country text) returns boolean; -- former/old-names.sql
function limit_automation_secrets() returns trigger; -- automations/secrets.sql
function link_memo_to_order() returns trigger; -- orders/guard-order.sql
function lock_counters(types text[]) returns void; -- documents/numbering.sql
function lock_session(person uuid, session uuid) returns boolean; -- access/sign-in.sql
function lock_subject(subject text) returns void; -- jobs/locks.sql
function locked_until(organization uuid) returns date; -- periods/lock.sql
function lost_clearances() returns TABLE(organization_id uuid, id uuid, submitted_at timestamp with time zone); -- tax-authorities/clearances.sql
function lost_mail() returns TABLE(organization_id uuid, id uuid, created_at timestamp with time zone); -- mail/queue.sql
function lost_polls() returns TABLE(organization_id uuid, id uuid, started_at timestamp with time zone); -- mailboxes/polls.sql
function lost_runs() returns TABLE(organization_id uuid, id uuid, started_at timestamp with time zone); -- automations/start.sql
function lost_scans() returns TABLE(organization_id uuid, id uuid, created_at timestamp with time zone); -- scans/batches.sql
function lost_turns() returns TABLE(organization_id uuid, id uuid, started_at timestamp with time zone); -- companion/turns.sql
function lost_values() returns TABLE(organization_id uuid, table_name text, column_name text, times bigint); -- secrets/lost-values.sql
function mailbox_of(address text) returns text; -- mail/counts.sql
function major_units(minor bigint, digits smallint) returns numeric; -- migrations
function map_first_category() returns trigger; -- journal/account-periods.sql
function mark_all_days() returns trigger; -- journal/marks.sql
function mark_allocation() returns trigger; -- journal/marks.sql
function mark_changed_document() returns trigger; -- journal/marks.sql
function mark_changed_payment() returns trigger; -- journal/marks.sql
function mark_closed_order() returns trigger; -- journal/marks.sql
function mark_credit() returns trigger; -- payments/credits.sql
function mark_days(organization uuid, VARIADIC days date[]) returns void; -- journal/marks.sql
function mark_documents(organization uuid, changed uuid[]) returns void; -- journal/marks.sql
function mark_employee() returns trigger; -- payroll/payslips.sql
function mark_expense() returns trigger; -- journal/marks.sql
function mark_issued() returns trigger; -- journal/marks.sql
function mark_movement() returns trigger; -- journal/marks.sql
function mark_organization() returns trigger; -- journal/marks.sql
function mark_payment() returns trigger; -- journal/marks.sql
function mark_splits() returns trigger; -- journal/marks.sql
function may_use_keys_of(organization uuid) returns boolean; -- secrets/organization-keys.sql
function milliseconds_since(moment timestamp with time zone) returns integer; -- automations/advance-run.sql
function minor_units(currency text) returns numeric; -- rates/convert.sql
function money_moved(first_day date, last_day date) returns TABLE(organization_id uuid, document_id uuid, day date, times integer, amount_minor bigint, upto numeric); -- journal/lines.sql
function month_end(day date) returns date; -- journal/visible.sql
function month_start(day date) returns date; -- journal/visible.sql
function move_stock_of_document() returns trigger; -- stock/movements.sql
function moved_of_order_line(organization uuid, wanted_order uuid, wanted_line text) returns numeric; -- orders/fulfilments.sql
function names_in_audit_log(keys uuid[], clients text[]) returns TABLE(kind text, id text, name text, prefix text); -- audit/names.sql
function new_id() returns uuid; -- migrations
function next_document_number(organization uuid, type text, source uuid, day_given boolean, INOUT day date, OUT series text, OUT sequence bigint, OUT number text) returns record; -- documents/numbering.sql
function note_claimant() returns trigger; -- expenses/approval.sql
function note_customer() returns trigger; -- documents/counterparty.sql
function note_order_party() returns trigger; -- orders/guard-order.sql
function note_supplier() returns trigger; -- documents/counterparty.sql
function note_tracking() returns trigger; -- items/items.sql
function number_journal_entry() returns trigger; -- journal/entries.sql
function numbers_given(series text) returns boolean; -- documents/numbering.sql
function official_numbering(organization uuid, type text, OUT series text, OUT official_type text) returns record; -- documents/numbering.sql
function official_numbering(organization uuid, type text, registered boolean, OUT series text, OUT official_type text) returns record; -- documents/numbering.sql
function open_balances(of_kind text, as_of date) returns TABLE(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean); -- agings/open-balances.sql
function open_credit(d documents) returns bigint; -- payments/credits.sql
function open_credits(of_kind text, as_of date) returns TABLE(organization_id uuid, payment_id uuid, memo_id uuid, counterparty_id uuid, currency text, minor bigint, home_minor bigint, home_currency text, rate_known boolean); -- agings/open-balances.sql
function open_minor(d documents) returns bigint; -- documents/balance.sql
function opening_entry(entry journal_entries, account uuid) returns uuid; -- journal/entries.sql
function order_again(job text, field text, place uuid, subject uuid) returns boolean; -- former/old-names.sql
function order_lost_mail(most integer) returns bigint; -- former/old-names.sql
function order_lost_runs(most integer) returns bigint; -- former/old-names.sql
function ordered_for(job text, field text) returns SETOF text; -- former/old-names.sql
function organization_key(organization uuid, key uuid, OUT wrapped bytea, OUT kek_id text, OUT lost boolean) returns record; -- secrets/organization-keys.sql
function organization_table(name text, key text DEFAULT 'organization_id'::text) returns void; -- migrations
function organizations_of_connected_app(app uuid) returns jsonb; -- access/connected-apps.sql
function outstanding_minor(d documents) returns bigint; -- documents/balance.sql
function own_table(name text) returns void; -- migrations
function owner_of_accounts(row_id uuid) returns uuid; -- migrations
function owner_of_allocations(row_id uuid) returns uuid; -- migrations
function owner_of_automation_deliveries(row_id uuid) returns uuid; -- migrations
function owner_of_automation_graphs(row_id uuid) returns uuid; -- migrations
function owner_of_automation_runs(row_id uuid) returns uuid; -- migrations
function owner_of_automation_secrets(row_id uuid) returns uuid; -- migrations
function owner_of_automation_steps(row_id uuid) returns uuid; -- migrations
function owner_of_automations(row_id uuid) returns uuid; -- migrations
function owner_of_bank_accounts(row_id uuid) returns uuid; -- migrations
function owner_of_companion_messages(row_id uuid) returns uuid; -- migrations
function owner_of_companion_session(source text, credential bytea, person uuid, session text) returns uuid; -- companion/turns.sql
function owner_of_companion_steps(row_id uuid) returns uuid; -- migrations
function owner_of_companion_turns(row_id uuid) returns uuid; -- migrations
function owner_of_customer_recipients(row_id uuid) returns uuid; -- migrations
function owner_of_customers(row_id uuid) returns uuid; -- access/owners-of-rows.sql
function owner_of_document_attachments(row_id uuid) returns uuid; -- migrations
function owner_of_document_events(row_id uuid) returns uuid; -- migrations
function owner_of_documents(row_id uuid) returns uuid; -- access/owners-of-rows.sql
function owner_of_documents(row_id uuid, of_kind text) returns uuid; -- access/owners-of-rows.sql
function owner_of_employees(row_id uuid) returns uuid; -- migrations
function owner_of_events(row_id uuid) returns uuid; -- migrations
function owner_of_expense_categories(row_id uuid) returns uuid; -- migrations
function owner_of_expenses(row_id uuid) returns uuid; -- migrations
function owner_of_files(row_id uuid) returns uuid; -- migrations
function owner_of_imports(row_id uuid) returns uuid; -- migrations
function owner_of_ingestion_messages(row_id uuid) returns uuid; -- migrations
function owner_of_ingestion_runs(row_id uuid) returns uuid; -- migrations
function owner_of_invitations(row_id uuid) returns uuid; -- migrations
function owner_of_items(row_id uuid) returns uuid; -- migrations
function owner_of_journal_entries(row_id uuid) returns uuid; -- migrations
function owner_of_leave_claims(row_id uuid) returns uuid; -- migrations
function owner_of_mail_connections(row_id uuid) returns uuid; -- migrations
function owner_of_mail_deliveries(row_id uuid) returns uuid; -- migrations
function owner_of_order_fulfilments(row_id uuid) returns uuid; -- migrations
function owner_of_orders(row_id uuid) returns uuid; -- migrations
function owner_of_organizations(row_id uuid) returns uuid; -- migrations
function owner_of_outbox(row_id uuid) returns uuid; -- migrations
function owner_of_payments(row_id uuid) returns uuid; -- access/owners-of-rows.sql
function owner_of_payments(row_id uuid, of_kind text) returns uuid; -- access/owners-of-rows.sql
function owner_of_payslip_consents(row_id uuid) returns uuid; -- migrations
function owner_of_payslips(row_id uuid) returns uuid; -- migrations
function owner_of_period_locks(row_id uuid) returns uuid; -- migrations
function owner_of_planned_payments(row_id uuid) returns uuid; -- migrations
function owner_of_received_einvoices(row_id uuid) returns uuid; -- migrations
function owner_of_scan_batch_files(row_id uuid) returns uuid; -- migrations
function owner_of_scan_batches(row_id uuid) returns uuid; -- migrations
function owner_of_stock_movements(row_id uuid) returns uuid; -- migrations
function owner_of_suppliers(row_id uuid) returns uuid; -- migrations
function owner_of_tax_authority_connections(row_id uuid) returns uuid; -- migrations
function owner_of_views(row_id uuid) returns uuid; -- migrations
function owner_of_webhook_secrets(row_id uuid) returns uuid; -- migrations
function paid_sales() returns TABLE(document documents, sort text); -- dashboard/sales.sql
function part_of(amount numeric, part numeric, upto numeric, whole numeric, is_first boolean) returns bigint; -- journal/results.sql
function part_of_document(whole documents, part bigint, home text) returns bigint; -- journal/allocations.sql
function part_of_payment(whole payments, part bigint) returns bigint; -- journal/allocations.sql
function payroll_lines(first_day date, last_day date) returns TABLE(organization_id uuid, day date, event text, event_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint); -- journal/visible.sql
function payroll_months(first_day date, last_day date) returns TABLE(organization_id uuid, day date, event_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint); -- journal/visible.sql
function payroll_rights(role member_role, needed member_role, scopes text[], fitting text[], everywhere boolean) returns text; -- journal/visible.sql
function payroll_table(name text, own text, commands text DEFAULT 'all'::text) returns void; -- migrations
function people_of_claimant(place uuid, claimant uuid) returns SETOF uuid; -- expenses/approval.sql
function person_table(name text, key text DEFAULT 'user_id'::text) returns void; -- migrations
function placed_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, subject text, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint); -- journal/lines.sql
function poll_from(of_connection uuid, until timestamp with time zone) returns timestamp with time zone; -- mailboxes/polls.sql
function printed_rate(from_rate numeric, to_rate numeric) returns numeric; -- rates/rate-on.sql
function published_rate(d documents) returns numeric; -- rates/rate-on.sql
function queue_person_mail(id uuid, "to" text, subject text, template text, letter bytea, reason text) returns void; -- mail/queue.sql
function queued_job_subjects(job text, field text) returns SETOF text; -- jobs/queue.sql
function raise_version() returns trigger; -- automations/graphs.sql
function rate_on(from_currency text, to_currency text, day date) returns TABLE(from_rate numeric, to_rate numeric, rate_date date, source text, base text); -- rates/rate-on.sql
function rate_on(from_currency text, to_currency text, day date, country text) returns TABLE(from_rate numeric, to_rate numeric, rate_date date, source text, base text); -- rates/rate-on.sql
function rate_source(country text) returns text; -- rates/rate-on.sql
function reaches_keys_of(organization uuid) returns boolean; -- former/old-names.sql
function reads_own_payroll() returns boolean; -- migrations
function reads_payroll() returns boolean; -- migrations
function record_change() returns trigger; -- changes/changes.sql
function record_change_of_batch() returns trigger; -- changes/changes.sql
function record_change_of_document() returns trigger; -- changes/changes.sql
function record_change_of_member() returns trigger; -- changes/changes.sql
function record_notification() returns trigger; -- changes/changes.sql
function record_sign_in_success(account text, address text, per_address integer) returns void; -- access/sign-in.sql
function refuse_change() returns trigger; -- migrations
function refuse_change_of_succeeded_step() returns trigger; -- automations/advance-run.sql
function refuse_credit_on_receipt() returns trigger; -- payments/credits.sql
function refuse_deleting_final() returns trigger; -- documents/guard-document.sql
function refuse_frozen() returns void; -- documents/guard-document.sql
function refuse_frozen_change(rules ledger_kinds, was documents, becomes documents) returns void; -- documents/guard-document.sql
function refuse_future_expense() returns trigger; -- payments/future.sql
function refuse_future_movement() returns trigger; -- orders/fulfilments.sql
function refuse_future_payment() returns trigger; -- payments/future.sql
function refuse_locked_day(until date, day date) returns void; -- periods/open-period.sql
function refuse_reallocating() returns trigger; -- payments/apply-allocation.sql
function refuse_role_above_own() returns trigger; -- access/roles.sql
function refuse_second_statement() returns trigger; -- payments/receipts.sql
function refuse_session_before_confirmation() returns trigger; -- access/sign-in.sql
function refuse_stock_value() returns void; -- stock/movements.sql
function refuse_unvoiding() returns trigger; -- payments/void.sql
function registered_for_numbering(organization uuid, type text, source uuid) returns boolean; -- documents/numbering.sql
function registered_organization(registration_number text, country text) returns jsonb; -- documents/counterparty.sql
function release_graph(automation uuid) returns void; -- automations/graphs.sql
function release_lease(named text, held bigint) returns void; -- jobs/leases.sql
function remembered_organization(principal text, credential bytea, person uuid, key text, fingerprint bytea) returns uuid; -- access/authorize-request.sql
function renew_lease(named text, held bigint, seconds integer) returns boolean; -- jobs/leases.sql
function replace_graph() returns trigger; -- automations/graphs.sql
function requeue_abandoned_jobs(silence interval) returns integer; -- jobs/queue.sql
function requeue_job(job text, field text, place uuid, subject uuid) returns boolean; -- jobs/enqueue.sql
function requeue_lost_clearances(most integer) returns bigint; -- tax-authorities/clearances.sql
function requeue_lost_mail(most integer) returns bigint; -- mail/queue.sql
function requeue_lost_polls(most integer) returns bigint; -- mailboxes/polls.sql
function requeue_lost_runs(most integer) returns bigint; -- automations/start.sql
function requeue_lost_scans(most integer) returns bigint; -- scans/batches.sql
function requeue_lost_turns(most integer) returns bigint; -- companion/turns.sql
function require_account_of_purpose() returns trigger; -- journal/accounts.sql
function require_acting_owner(place uuid, rule text) returns void; -- access/roles.sql
function require_amounts_fit(d documents, largest numeric, home text, country_home text) returns void; -- documents/amounts.sql
function require_balanced_entry() returns trigger; -- journal/entries.sql
function require_draft_fits() returns trigger; -- documents/amounts.sql
function require_keys_of_calls() returns trigger; -- access/keys-of-calls.sql
function require_lease(named text, held bigint) returns void; -- jobs/leases.sql
function require_matching_amounts() returns trigger; -- documents/amounts.sql
function require_no_control_account() returns trigger; -- journal/accounts.sql
function require_open_period(organization uuid, day date) returns void; -- periods/open-period.sql
function require_owner() returns trigger; -- access/owners.sql
function require_payslip_adds_up() returns trigger; -- payroll/payslips.sql
function require_rights_of_run(run uuid, needed member_role) returns void; -- automations/rights.sql
function require_unchanged_books(taken pg_snapshot) returns void; -- journal/unchanged-books.sql
function require_valid_credential() returns trigger; -- automations/rights.sql
function result_lines(first_days date[], last_days date[]) returns result_line[]; -- journal/results.sql
function results_by_day(first_day date, last_day date) returns SETOF journal_results_by_day; -- journal/results.sql
function results_of(first_day date, first_id uuid, last_day date, last_id uuid) returns TABLE(organization_id uuid, document_id uuid, day date, account_id uuid, home_currency text, face_currency text, home_minor bigint); -- journal/lines.sql
function revive_jobs(silence interval) returns integer; -- former/old-names.sql
function rights_of_graph(place uuid, graph uuid, starters uuid[] DEFAULT '{}'::uuid[], OUT owner_user_id uuid, OUT author_user_id uuid, OUT role member_role, OUT scopes text[], OUT key_id uuid, OUT app_id uuid, OUT client_id text, OUT problem text) returns record; -- automations/rights.sql
function run_has_job(run uuid) returns boolean; -- automations/start.sql
function sales_by_customer_day_now() returns SETOF sales_by_customer_day; -- dashboard/sales.sql
function sales_by_customer_now() returns SETOF sales_by_customer; -- dashboard/sales.sql
function sales_by_day_now() returns SETOF sales_by_day; -- dashboard/sales.sql
function sales_count(d documents) returns integer; -- dashboard/sales.sql
function sales_sort(document_type text, payment_id uuid, source_type text) returns text; -- dashboard/sales.sql
function sales_total(d documents) returns bigint; -- dashboard/sales.sql
function save_auto_scan(of_connection uuid, automation uuid, label text, new_blocks jsonb, new_edges jsonb) returns void; -- mailboxes/auto-scan.sql
function save_graph() returns trigger; -- automations/graphs.sql
function say_in_turn(turn uuid, holder uuid, deltas text[]) returns void; -- companion/turns.sql
function schedule_event_id(organization uuid, type text, period text) returns uuid; -- jobs/schedules.sql
function schedule_period(type text, zone text, moment timestamp with time zone DEFAULT now(), OUT period text, OUT local_date date, OUT starts_at timestamp with time zone) returns record; -- jobs/schedules.sql
function search_documents(wanted text, pattern text, most integer) returns SETOF documents; -- search/search.sql
function search_expenses(wanted text, pattern text, most integer) returns SETOF uuid; -- search/search.sql
function search_grams(organization uuid, given text) returns bigint[]; -- migrations
function search_items(wanted text, pattern text, most integer) returns SETOF uuid; -- search/search.sql
function search_orders(wanted text, pattern text, most integer) returns SETOF uuid; -- search/search.sql
function search_payments(wanted text, pattern text, most integer) returns SETOF uuid; -- search/search.sql
function secret_column(name text, secret text, worker_only boolean DEFAULT true) returns void; -- migrations
function secret_columns() returns TABLE(table_name text, column_name text); -- secrets/organization-keys.sql
function set_credit_rate() returns trigger; -- rates/fixed.sql
function set_exchange_rate() returns trigger; -- rates/fixed.sql
function set_goods_of_credit() returns trigger; -- stock/goods-of-bills.sql
function set_goods_of_expense() returns trigger; -- stock/goods-of-bills.sql
function set_payment_rate() returns trigger; -- rates/fixed.sql
function set_updated_at() returns trigger; -- migrations
function share_of(home_minor bigint, upto numeric, amount_minor bigint, total_minor bigint) returns bigint; -- journal/lines.sql
function sign_in_wait(attempted text) returns double precision; -- access/sign-in.sql
function since(moment timestamp with time zone) returns integer; -- former/old-names.sql
function skip_pending_steps(turn uuid, session uuid, except_step uuid, reason text) returns void; -- companion/steps.sql
function start_automations() returns trigger; -- automations/start.sql
function start_due_polls(most integer) returns bigint; -- mailboxes/polls.sql
function start_next_of_record() returns trigger; -- automations/start.sql
function start_receiving() returns void; -- tax-authorities/receiving.sql
function start_summing_up(most integer) returns bigint; -- journal/sums.sql
function status_rank(status text) returns integer; -- migrations
function step_event(s companion_steps) returns jsonb; -- companion/steps.sql
function store_journal_sums(events integer) returns text; -- journal/sums.sql
function subject_of(mapping account_mappings) returns text; -- journal/account-periods.sql
function submit_on_issue() returns trigger; -- tax-authorities/clearances.sql
function subtract_sign_in_failure(attempted text, allowed integer) returns void; -- access/sign-in.sql
function sum_up_document_counts(organization uuid) returns void; -- documents/counts.sql
function summed_up_percent() returns integer; -- journal/sums.sql
function system_table(name text) returns void; -- migrations
function take_lease(named text, by text, seconds integer) returns bigint; -- jobs/leases.sql
function take_organization_key(organization uuid, for_table text, for_column text, OUT id uuid, OUT wrapped bytea, OUT kek_id text, OUT uses bigint) returns record; -- secrets/organization-keys.sql
function take_tokens(bucket text, per_second double precision, burst integer, wanted integer, OUT granted integer, OUT remaining integer, OUT retry_after double precision) returns record; -- access/rate-limits.sql
function take_tokens_in_advance(bucket text, per_second double precision, burst integer, wanted integer, ahead_max double precision) returns double precision; -- access/rate-limits.sql
function tax_code(category text) returns text; -- journal/account-periods.sql
function tax_shares(organization uuid, document uuid, found numeric, base bigint, tax bigint) returns TABLE(rate numeric, category text, base_minor bigint, tax_minor bigint); -- journal/results.sql
function taxes_by_day(first_day date, last_day date) returns SETOF journal_taxes_by_day; -- journal/results.sql
function trigger_types(blocks jsonb) returns text[]; -- migrations
function unbilled_account(organization uuid, type text, document uuid) returns text; -- journal/account-periods.sql
function untouched_balances(organization uuid, home text, of_kind text, as_of date) returns TABLE(organization_id uuid, document_id uuid, counterparty_id uuid, document_type text, due date, currency text, in_dispute boolean, minor bigint, home_minor bigint, home_currency text, rate_known boolean); -- agings/open-balances.sql
function update_cash_totals() returns trigger; -- dashboard/cash.sql
function update_drafts_of_counterparty() returns trigger; -- documents/counterparty.sql
function update_expense_totals() returns trigger; -- dashboard/expenses.sql
function update_sales_totals() returns trigger; -- dashboard/sales.sql
function visible_balances(first_day date, last_day date, of_basis text) returns TABLE(day date, account_id uuid, home_currency text, face_currency text, debit_minor bigint, credit_minor bigint, lines bigint); -- journal/visible.sql
function visible_lines(first_day date, first_id uuid, last_day date, last_id uuid) returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint); -- journal/visible.sql
function visible_lines(first_day date, last_day date) returns TABLE(organization_id uuid, day date, event text, event_id uuid, document_id uuid, payment_id uuid, entry_id uuid, line integer, account_id uuid, currency text, home_currency text, exchange_rate numeric, minor bigint, home_minor bigint); -- journal/visible.sql
function void_allocations() returns trigger; -- payments/apply-allocation.sql
function voided_day(allocation_voided timestamp with time zone, payment_voided timestamp with time zone, payment_voided_on date, timezone text) returns date; -- payments/void.sql
function welcome_sign_in(account text, address text, per_address integer) returns void; -- former/old-names.sql
function zone_offset(ahead interval) returns text; -- jobs/schedules.sql

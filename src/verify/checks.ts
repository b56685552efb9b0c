import { kinds } from '../catalog/kinds.ts'
import { secretKinds } from '../catalog/secret-kinds.ts'
import type { Check } from '../core/define/check.ts'
import { queuedJobs } from '../db/queue.ts'
import { clearanceChecks } from '../features/books/tax-authorities/verify-rules.ts'
import { mailboxChecks } from '../features/buying/mailboxes/verify-rules.ts'
import { scanChecks } from '../features/buying/scans/verify-rules.ts'
import { periodLockChecks } from '../features/company/settings/verify-rules.ts'
import { stockChecks } from '../features/goods/stock/verify-rules.ts'
import { payrollChecks } from '../features/pay/payroll/verify-rules.ts'
import { issuedCopyChecks } from '../features/selling/documents/issuing/issued-copy-checks.ts'
import { plannedPaymentChecks } from '../features/selling/payments/verify-rules.ts'
import { companionChecks } from '../features/work/companion/verify-rules.ts'
import { defaultAccounts } from '../ledger/journal/default-accounts.ts'
import { toKindRow } from '../ledger/kind.ts'
import { ledgerChecks } from '../ledger/verify-rules.ts'
import { automationChecks } from './automation-checks.ts'

/**
 * Every rule that can be recomputed from the tables. The queries only read, and hold no lock that a writer waits for. A
 * feature that stores a derived number adds a check for it here.
 */
export const checks: Check[] = [
  {
    id: 'INV-18',
    says: 'Every table has forced row security and a policy.',
    finds: `select c.relname as "table" from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and c.relname not in ('migrations') and (not c.relrowsecurity or not c.relforcerowsecurity
        or not exists (select from pg_policy p where p.polrelid = c.oid))`,
  },
  {
    id: 'INV-18',
    says: 'The roles of requests own no tables and cannot bypass row security.',
    finds: `select r.rolname as role from pg_roles r where r.rolname in ('kontor_confined', 'kontor_across')
      and (r.rolsuper or r.rolbypassrls or r.rolcreatedb or r.rolcreaterole
        or exists (select from pg_class c where c.relowner = r.oid))`,
  },
  {
    id: 'INV-18',
    says: 'No policy gives a request access to all rows.',
    finds: `select p.polrelid::regclass::text as "table", p.polname as policy from pg_policy p join pg_class c on c.oid = p.polrelid
      where c.relnamespace = 'public'::regnamespace and p.polroles <> array[c.relowner]
        and 'true' in (pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))`,
  },
  {
    id: 'INV-18',
    says: 'Every reference points to an existing row of the same organization.',
    finds: 'select * from broken_references()',
  },
  {
    id: 'RULES',
    says: 'All constraints are validated, all triggers enabled and all indexes valid.',
    finds: `select conname as rule from pg_constraint where connamespace = 'public'::regnamespace and not convalidated
      union all select g.tgname from pg_trigger g join pg_class c on c.oid = g.tgrelid
        where c.relnamespace = 'public'::regnamespace and g.tgenabled = 'D'
      union all select i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'public'::regnamespace and not i.indisvalid`,
  },
  {
    id: 'INV-19',
    says: 'The audit trail and the events are append-only.',
    finds: `select t.name as "table" from (values ('audit_log'), ('events'), ('document_events')) t (name)
      where not exists (select from pg_trigger g where g.tgrelid = t.name::regclass and g.tgname = 'append_only' and g.tgenabled <> 'D')
        or has_table_privilege('kontor_confined', t.name, 'UPDATE, DELETE, TRUNCATE')
        or has_table_privilege('kontor_across', t.name, 'INSERT, UPDATE, DELETE, TRUNCATE')`,
  },
  {
    id: 'INV-19',
    // The link of a document names nobody; one in an e-mail, which resets a password say, names its person.
    says: 'Every audit entry has an actor.',
    finds: `select id, operation, source, created_at from audit_log
      where (source <> 'SYSTEM' and ((user_id is null) <> (source = 'LINK' and operation not like 'auth.%') or request_id = '')) or operation = ''`,
  },
  {
    id: 'KINDS',
    says: 'The kinds in the database are the kinds that this version declares.',
    finds: `select kind from (select kind, to_jsonb(k) as rules from ledger_kinds k) stored
      full join (select d ->> 'kind' as kind, d as rules from jsonb_array_elements('${JSON.stringify(kinds.map(toKindRow))}') d) declared
        using (kind) where stored.rules is distinct from declared.rules`,
  },
  {
    id: 'ACCOUNTS',
    says: 'The default charts of accounts in the database are those that this version declares.',
    finds: `select country, code from (select country, code, to_jsonb(a) as account from default_accounts a) stored
      full join (select a ->> 'country' as country, a ->> 'code' as code, a as account
        from jsonb_array_elements('${JSON.stringify(defaultAccounts).replaceAll("'", "''")}') a) declared
        using (country, code) where stored.account is distinct from declared.account`,
  },
  ...companionChecks,
  ...ledgerChecks,
  ...plannedPaymentChecks,
  ...stockChecks,
  ...payrollChecks,
  ...scanChecks,
  ...mailboxChecks,
  ...clearanceChecks,
  ...periodLockChecks,
  ...issuedCopyChecks,
  ...automationChecks,
  {
    id: 'INV-22',
    says: 'Commits are durable: fsync, synchronous_commit and full_page_writes are on.',
    finds: `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
  },
  {
    id: 'OWNER',
    says: 'Every organization has an owner.',
    finds: `select o.id from organizations o where not exists
      (select from memberships m where m.organization_id = o.id and m.role = 'OWNER')`,
  },
  {
    id: 'DEFAULT-ACCOUNT',
    says: 'An organization has at most one default bank account.',
    finds: `select organization_id, count(*) from bank_accounts where is_default group by 1 having count(*) > 1`,
  },
  {
    id: 'KEYS',
    says: 'An API key reaches only organizations that its user belongs to.',
    finds: `select k.api_key_id, k.organization_id from api_key_organizations k where not exists
      (select from memberships m where m.organization_id = k.organization_id and m.user_id = k.user_id)`,
  },
  {
    id: 'INV-10',
    says: 'Every customer has its customer.created event and an audit entry.',
    finds: `select c.organization_id, c.id from customers c
      where c.is_customer and not c.is_supplier and not c.is_employee and c.import_id is null
        and (not exists (select from events e where e.organization_id = c.organization_id and e.type = 'customer.created' and e.payload ->> 'id' = c.id::text)
         or not exists (select from audit_log a where a.organization_id = c.organization_id and a.operation = 'customers_create' and a.object_id = c.id::text))`,
  },
  {
    id: 'INV-10',
    says: 'Every import has its import.completed event and an audit entry, and added the counterparties that refer to it.',
    finds: `select i.organization_id, i.id from imports i
      where not exists (select from events e where e.organization_id = i.organization_id and e.type = 'import.completed' and e.payload ->> 'id' = i.id::text)
        or not exists (select from audit_log a where a.organization_id = i.organization_id and a.operation = 'organizations_import_create' and a.object_id = i.id::text)
        or (select count(*) from customers c where c.organization_id = i.organization_id and c.import_id = i.id) > i.created_count`,
  },
  {
    id: 'SCANS',
    says: 'The counts of a batch of scans are those of its files, and an ended batch has its scan_batch.completed event.',
    finds: `select b.organization_id, b.id from scan_batches b
      left join lateral (select count(*) as total, count(*) filter (where f.status = 'COMPLETED') as done, count(*) filter (where f.status = 'FAILED') as failed
        from scan_batch_files f where f.organization_id = b.organization_id and f.batch_id = b.id) f on true
      where (b.total, b.done, b.failed) is distinct from (f.total, f.done, f.failed)
        or (b.completed_at is not null and not exists (select from events e where e.organization_id = b.organization_id
          and e.type = 'scan_batch.completed' and e.payload ->> 'id' = b.id::text))`,
  },
  {
    id: 'SCANS',
    says: 'Every waiting file of a batch of scans has a job that will read it.',
    finds: `select organization_id, id, created_at from lost_scans() where created_at < now() - interval '2 hours'`,
  },
  {
    id: 'INV-10',
    says: 'Every counterparty is a customer, a supplier, an employee or an authority, and has the details of one.',
    finds: `select c.organization_id, c.id from customers c
      where not (c.is_customer or c.is_supplier or c.is_employee or c.is_authority)
        or c.is_supplier <> exists (select from suppliers s where s.organization_id = c.organization_id and s.id = c.id)
        or c.is_employee <> exists (select from employees e where e.organization_id = c.organization_id and e.id = c.id)`,
  },
  {
    id: 'INV-10',
    says: 'Every event has a cause, and its payload names its own organization.',
    finds: `select organization_id, id, type, cause from events
      where coalesce(cause ->> 'source', '') not in ('SESSION', 'API_KEY', 'OAUTH', 'AUTOMATION', 'COMPANION', 'LINK', 'JOB', 'CLOCK', 'SYSTEM')
        or coalesce(cause ->> 'requestId', '') = ''
        or (cause ->> 'userId' is null) <> (cause ->> 'source' in ('LINK', 'JOB', 'CLOCK', 'SYSTEM'))
        or payload ->> 'organizationId' <> organization_id::text`,
  },
  {
    id: 'INV-11',
    says: 'Every job of a subscriber refers to an existing event.',
    finds: `select w.job, w.task, w.event from (
        select queued.id as job, queued.job as task, replace(flag, 'organization:', '')::uuid as organization,
          coalesce(queued.payload ->> 'eventId', queued.payload #>> '{$order,payload,eventId}')::uuid as event
        from ${queuedJobs}, jsonb_object_keys(queued.flags) flag
        where queued.job like 'tell:%' and flag like 'organization:%') w
      join organizations o on o.id = w.organization
      where not exists (select from events e where e.organization_id = w.organization and e.id = w.event)`,
  },
  {
    id: 'INV-12',
    says: 'Every marked schedule period has its event.',
    finds: `select m.organization_id, m.type, m.period from schedule_marks m where not exists
      (select from events e where e.organization_id = m.organization_id and e.id = schedule_event_id(m.organization_id, m.type, m.period))`,
  },
  {
    id: 'INV-12',
    says: 'A schedule event occurs once per organization and period.',
    finds: `select organization_id, id, type, payload ->> 'period' as period from events where type like 'schedule.%'
      and (id <> schedule_event_id(organization_id, type, payload ->> 'period')) is not false`,
  },
  {
    id: 'INV-12',
    says: 'PostgreSQL knows the time zone of every organization.',
    finds: `select id, timezone from organizations o where not exists
      (select from pg_timezone_names z where lower(z.name) = lower(o.timezone))`,
  },
  {
    id: 'IDEM-4',
    says: 'An idempotency key is either finished and without a lease, or in progress with one.',
    finds: `select principal, key, status, locked_until from idempotency_keys
      where (status is null) <> (locked_until is not null) or (status is null and body is not null)`,
  },
  {
    id: 'IDEM-4',
    says: 'No request holds its idempotency lease for longer than a request may take.', // an interrupted one waits for its retry (IDEM-5)
    finds: `select principal, key, locked_until from idempotency_keys where status is null and locked_until > now() + interval '1 hour'`,
  },
  {
    id: 'JOBS',
    says: 'No job is locked by a worker that is dead.',
    finds: `select j.id, j.locked_by, j.locked_at from graphile_worker.jobs j where j.locked_at < now() - interval '5 minutes'
      and not exists (select from worker_heartbeats h where h.pool_id = j.locked_by and h.seen_at > now() - interval '5 minutes')`,
  },
  {
    id: 'LEASES',
    says: 'No lease is longer than leases may be.',
    finds: `select organization_id, subject, holder, expires_at from leases where expires_at > now() + interval '1 day' or token < 1`,
  },
  {
    id: 'MAIL',
    says: 'Every queued message has a job that will send it.',
    finds: `select organization_id, id, created_at from lost_mail() where created_at < now() - interval '2 hours'`,
  },
  {
    id: 'MAIL',
    says: 'The content of a sent or failed message is deleted.',
    finds: `select organization_id, id from mail_deliveries where status <> 'QUEUED' and (letter is not null or contents <> '')`,
  },
  {
    id: 'SEC-1',
    says: 'API keys and sessions are stored as hashes only.',
    finds: `select id, 'sessions' as "table" from sessions where octet_length(secret_hash) <> 32
      union all select id, 'api_keys' from api_keys where octet_length(secret_hash) <> 32`,
  },
  {
    id: 'SEC-2',
    says: 'If any value is encrypted, the canary and the root of derived keys exist.',
    finds: `select count(*) as keys from organization_keys having count(*) > 0
      and not (exists (select from secrets_canary) and exists (select from secrets_root))`,
  },
  {
    id: 'WEB-1',
    says: 'No session is valid for more than 30 days.',
    finds: `select id, user_id, ends_at from sessions where ends_at > signed_in_at + interval '30 days 1 hour'`,
  },
]

/** What an operator wants to know and what is no violation. */
export const observations: { says: string; counts: string }[] = [
  {
    says: 'Failed jobs that were given up',
    counts: 'select count(*)::int as times from failed_jobs',
  },
  {
    says: 'Messages that could not be delivered in the last week',
    counts:
      "select count(*)::int as times from mail_deliveries where status = 'FAILED' and updated_at > now() - interval '7 days'",
  },
  {
    // Whoever wrote them had a clock that was ahead: nothing is missing, and nothing happened twice.
    says: 'Audit entries, events and fired schedules that are later than now, as a clock that was wrong leaves them',
    counts: `select ((select count(*) from audit_log where created_at > now()) + (select count(*) from events where created_at > now())
      + (select count(*) from schedule_marks where fired_at > now()))::int as times`,
  },
  {
    says: 'Jobs waiting',
    counts: 'select count(*)::int as times from graphile_worker.jobs where locked_at is null',
  },
  ...secretKinds.map(({ table, column, called }) => ({
    says: `Lost with their key and not entered again, ${called}`,
    counts: `select coalesce(sum(times), 0)::int as times from lost_values()
      where table_name = '${table}' and column_name = '${column}'`,
  })),
  {
    says: 'Lost with their key and not set up again, second factors of people',
    counts: 'select count(*)::int as times from authenticators where lost_at is not null',
  },
]

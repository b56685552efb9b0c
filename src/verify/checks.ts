import type { Check } from '../core/define/check.ts'
import { ledgerChecks } from '../ledger/verify-rules.ts'
import { automationChecks } from './automation-checks.ts'

/**
 * Everything that can be recomputed from the tables (reliability INV). Read-only, without locks that a writer would wait
 * for. A feature that derives a number adds its check here.
 */
export const checks: Check[] = [
  {
    id: 'INV-18',
    says: 'Every table is behind forced row security with a policy.',
    finds: `select c.relname as "table" from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and c.relname not in ('migrations') and (not c.relrowsecurity or not c.relforcerowsecurity
        or not exists (select from pg_policy p where p.polrelid = c.oid))`,
  },
  {
    id: 'INV-18',
    says: 'The roles of requests own nothing and bypass nothing.',
    finds: `select r.rolname as role from pg_roles r where r.rolname in ('kontor_confined', 'kontor_across')
      and (r.rolsuper or r.rolbypassrls or r.rolcreatedb or r.rolcreaterole
        or exists (select from pg_class c where c.relowner = r.oid))`,
  },
  {
    id: 'INV-18',
    says: 'No policy shows a request everything.',
    finds: `select p.polrelid::regclass::text as "table", p.polname as policy from pg_policy p join pg_class c on c.oid = p.polrelid
      where c.relnamespace = 'public'::regnamespace and p.polroles <> array[c.relowner]
        and 'true' in (pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))`,
  },
  {
    id: 'INV-18',
    says: 'Every reference leads to a row that is there, of the same organization.',
    finds: 'select * from broken_references()',
  },
  {
    id: 'RULES',
    says: 'Every rule of the database is in force: no constraint unchecked, no trigger off, no index broken.',
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
    says: 'The audit trail says of every deed who did it and when.',
    finds: `select id, operation, source, created_at from audit_log
      where (source <> 'SYSTEM' and ((user_id is null) <> (source = 'LINK') or request_id = '')) or operation = '' or created_at > now()`,
  },
  ...ledgerChecks,
  ...automationChecks,
  {
    id: 'INV-22',
    says: 'What is committed stays: fsync, synchronous_commit and full_page_writes are on.',
    finds: `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'`,
  },
  {
    id: 'OWNER',
    says: 'An organization has an owner.',
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
    says: 'A key reaches only organizations that its person belongs to.',
    finds: `select k.api_key_id, k.organization_id from api_key_organizations k where not exists
      (select from memberships m where m.organization_id = k.organization_id and m.user_id = k.user_id)`,
  },
  {
    id: 'INV-10',
    says: 'A customer that was added has its event, and the audit trail knows of it.',
    finds: `select c.organization_id, c.id from customers c
      where not exists (select from events e where e.organization_id = c.organization_id and e.type = 'customer.created' and e.payload ->> 'id' = c.id::text)
         or not exists (select from audit_log a where a.organization_id = c.organization_id and a.operation = 'customers_create' and a.object_id = c.id::text)`,
  },
  {
    id: 'INV-10',
    says: 'An event says what caused it, and speaks of its own organization.',
    finds: `select organization_id, id, type, cause from events
      where coalesce(cause ->> 'source', '') not in ('SESSION', 'API_KEY', 'OAUTH', 'AUTOMATION', 'COMPANION', 'LINK', 'JOB', 'CLOCK', 'SYSTEM')
        or coalesce(cause ->> 'requestId', '') = '' or created_at > now()
        or (cause ->> 'userId' is null) <> (cause ->> 'source' in ('LINK', 'JOB', 'CLOCK', 'SYSTEM'))
        or payload ->> 'organizationId' <> organization_id::text`,
  },
  {
    id: 'INV-11',
    says: 'Whoever waits to be told of an event waits for one that happened.',
    finds: `select w.job, w.task, w.event from (
        select j.id as job, t.identifier as task, replace(flag, 'organization:', '')::uuid as organization,
          coalesce(j.payload ->> 'eventId', j.payload #>> '{$order,payload,eventId}')::uuid as event
        from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id, jsonb_object_keys(j.flags) flag
        where t.identifier like 'tell:%' and flag like 'organization:%') w
      join organizations o on o.id = w.organization
      where not exists (select from events e where e.organization_id = w.organization and e.id = w.event)`,
  },
  {
    id: 'INV-12',
    says: 'A period that the clock has marked has its event, and none lies ahead.',
    finds: `select m.organization_id, m.type, m.period from schedule_marks m where m.fired_at > now() or not exists
      (select from events e where e.organization_id = m.organization_id and e.id = schedule_event_id(m.organization_id, m.type, m.period))`,
  },
  {
    id: 'INV-12',
    says: 'An event of the clock is the one of its organization and period.',
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
    says: 'A remembered answer is whole: finished without a lease, or under way with one.',
    finds: `select principal, key, status, locked_until from idempotency_keys
      where (status is null) <> (locked_until is not null) or (status is null and body is not null)`,
  },
  {
    id: 'IDEM-4',
    says: 'Nobody holds a request for longer than it may take.', // one that was broken off waits for its retry (IDEM-5)
    finds: `select principal, key, locked_until from idempotency_keys where status is null and locked_until > now() + interval '1 hour'`,
  },
  {
    id: 'JOBS',
    says: 'No job is held by a worker that is long gone.',
    finds: `select j.id, j.locked_by, j.locked_at from graphile_worker._private_jobs j where j.locked_at < now() - interval '5 minutes'
      and not exists (select from worker_heartbeats h where h.pool_id = j.locked_by and h.seen_at > now() - interval '5 minutes')`,
  },
  {
    id: 'LEASES',
    says: 'A lease is short: whoever holds one renews it.',
    finds: `select organization_id, subject, holder, expires_at from leases where expires_at > now() + interval '1 day' or token < 1`,
  },
  {
    id: 'MAIL',
    says: 'A message that waits has somebody who will send it.',
    finds: `select organization_id, id, created_at from lost_mail() where created_at < now() - interval '2 hours'`,
  },
  {
    id: 'MAIL',
    says: 'Of a message that was sent or given up nothing is kept that it said.',
    finds: `select organization_id, id from mail_deliveries where status <> 'QUEUED' and (letter is not null or contents <> '')`,
  },
  {
    id: 'SEC-1',
    says: 'Of keys and sessions the hash alone is kept.',
    finds: `select id, 'sessions' as "table" from sessions where octet_length(secret_hash) <> 32
      union all select id, 'api_keys' from api_keys where octet_length(secret_hash) <> 32`,
  },
  {
    id: 'SEC-2',
    says: 'Where something is sealed, the mark that tells its key and the root of derived keys are there.',
    finds: `select count(*) as keys from organization_keys having count(*) > 0
      and not (exists (select from secrets_canary) and exists (select from secrets_root))`,
  },
  {
    id: 'WEB-1',
    says: 'A session ends within 30 days.',
    finds: `select id, user_id, ends_at from sessions where ends_at > signed_in_at + interval '30 days 1 hour'`,
  },
]

/** What an operator wants to know and what is no violation. */
export const facts: { says: string; counts: string }[] = [
  {
    says: 'Jobs that were given up and are kept for people to look at',
    counts: 'select count(*)::int as times from failed_jobs',
  },
  {
    says: 'Messages that could not be delivered in the last week',
    counts:
      "select count(*)::int as times from mail_deliveries where status = 'FAILED' and updated_at > now() - interval '7 days'",
  },
  {
    says: 'Jobs that wait',
    counts: 'select count(*)::int as times from graphile_worker._private_jobs where locked_at is null',
  },
]

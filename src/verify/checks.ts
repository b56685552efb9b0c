import type { Pool } from '../db/pool.ts'
import type { Storage } from '../providers/storage.ts'
import { lostFiles } from './lost-files.ts'

/**
 * A rule that always holds, and the query that finds what breaks it: each row is a violation, told by its columns. What
 * no query can find is looked for by a function.
 */
export type Check = { id: string; says: string; finds: string | ((means: Means) => Promise<Row[]>) }
export type Means = { system: Pool; storage: Storage }
export type Row = Record<string, unknown>

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
    id: 'INV-19',
    says: 'The audit trail and the events are append-only.',
    finds: `select t.name as "table" from (values ('audit_log'), ('events')) t (name)
      where not exists (select from pg_trigger g where g.tgrelid = t.name::regclass and g.tgname = 'append_only' and g.tgenabled <> 'D')
        or has_table_privilege('kontor_confined', t.name, 'UPDATE') or has_table_privilege('kontor_confined', t.name, 'DELETE')`,
  },
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
    id: 'IDEM-4',
    says: 'No request is remembered as under way long after its lease.',
    finds: `select principal, key, created_at from idempotency_keys where status is null and locked_until < now() - interval '1 hour'`,
  },
  {
    id: 'JOBS',
    says: 'No job is held by a worker that is long gone.',
    finds: `select j.id, j.locked_by, j.locked_at from graphile_worker._private_jobs j where j.locked_at < now() - interval '5 minutes'
      and not exists (select from worker_heartbeats h where h.pool_id = j.locked_by and h.seen_at > now() - interval '5 minutes')`,
  },
  {
    id: 'FLT-08',
    says: 'Every file that a row names is in the file store.',
    finds: lostFiles,
  },
]

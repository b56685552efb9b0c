-- Guards a change that was decided on rows read before: it is refused if anything has changed since.

-- The transaction of a row with its epoch: a row is never newer than the running transaction.
create or replace function full_transaction_id(short xid) returns xid8 language sql stable as $$
  select case when low <= current then (epoch * 4294967296 + low) else ((epoch - 1) * 4294967296 + low) end::text::xid8
  from (select short::text::bigint as low, pg_current_xact_id()::text::bigint % 4294967296 as current,
    pg_current_xact_id()::text::bigint / 4294967296 as epoch) as numbers
$$;
grant execute on function full_transaction_id(xid) to kontor_confined;

-- Refuses a confirmed call of the companion if anything was written in the organization after the companion looked at its effects.
-- Every write has an audit row, so the audit rows that the snapshot of that look does not contain are the later writes. The
-- transaction of a write may be older than the snapshot, but not by minutes, because statements and calls have time limits.
create or replace function require_unchanged_books(taken pg_snapshot) returns void language plpgsql as $$
begin
  if exists (select from audit_log a
    where a.organization_id = current_organization() and a.created_at > now() - interval '5 minutes'
      and a.xmin <> pg_current_xact_id()::xid
      and not pg_visible_in_snapshot(full_transaction_id(a.xmin), taken))
  then
    raise exception 'The books have changed meanwhile.' using errcode = 'check_violation', constraint = 'books_unchanged';
  end if;
end $$;
grant execute on function require_unchanged_books(pg_snapshot) to kontor_confined;

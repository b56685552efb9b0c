-- The organization where a request is remembered: a retry of what deleted its row finds its answer there. enter() checks
-- the caller's membership of it like any other.
create function remembered_organization(principal text, credential bytea, person uuid, key text, fingerprint bytea)
  returns uuid language plpgsql stable security definer as $$
begin
  return (select k.organization_id from public.idempotency_keys k
    where k.principal = coalesce(remembered_organization.principal, 'user:' || coalesce(person,
        (select s.user_id from public.sessions s where s.secret_hash = credential)))
      and k.key = remembered_organization.key and k.fingerprint = remembered_organization.fingerprint
    limit 1);
end $$;

-- As before, and a clock that was set back blocks nobody for longer than an empty bucket takes to fill.
create or replace function take_tokens(bucket text, per_second double precision, burst integer, wanted integer,
  out granted integer, out remaining integer, out retry_after double precision)
  language plpgsql security definer set search_path = public as $$
declare
  moment timestamptz := clock_timestamp();
  was timestamptz;
  free integer;
begin
  insert into rate_buckets as b (key, tat) values (bucket, moment) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- the lock may have been waited for
  was := least(greatest(was, moment), moment + make_interval(secs => burst / per_second));
  free := greatest(0, floor(burst - extract(epoch from was - moment) * per_second + 1e-6)::integer);
  granted := least(free, wanted);
  remaining := free - granted;
  if granted > 0 then
    update rate_buckets b set tat = was + make_interval(secs => granted / per_second) where b.key = bucket;
    retry_after := 0;
  else
    retry_after := greatest(0.001, extract(epoch from was - moment) - (burst - 1) / per_second);
  end if;
end $$;

-- One attempt to sign in counts against its account and its address, or against neither when it must wait: nobody can
-- use up the tries of an account from an address that is itself refused. Counted before the password is looked at, so
-- that a burst in parallel gets no more tries than one after the other. Returns the seconds to wait, 0 to go on. After
-- the allowed failures within 15 minutes the wait doubles from 15 seconds to 15 minutes; there is no hard lock.
drop function count_sign_in(text, integer);
drop function forgive_sign_in(text, text);

create function count_sign_in(account text, per_account integer, address text, per_address integer)
  returns double precision language plpgsql as $$
declare
  wait double precision := 0;
begin
  wait := greatest(sign_in_wait(account), sign_in_wait(address));
  if wait > 0 then return wait; end if;
  perform count_sign_in_failure(account, per_account), count_sign_in_failure(address, per_address);
  return 0;
end $$;

create function sign_in_wait(attempted text) returns double precision language plpgsql as $$
begin
  insert into sign_in_failures (subject, failures, since) values (attempted, 0, now()) on conflict do nothing;
  return (select coalesce(greatest(0, extract(epoch from f.blocked_until - clock_timestamp())), 0)
    from (select blocked_until from sign_in_failures where subject = attempted for update) f);
end $$;

create function count_sign_in_failure(attempted text, allowed integer) returns void language plpgsql as $$
declare
  entry sign_in_failures;
begin
  select * into entry from sign_in_failures where subject = attempted;
  if greatest(entry.since, entry.blocked_until) < now() - interval '15 minutes' then
    entry.failures := 0;
    entry.since := now();
  end if;
  entry.failures := entry.failures + 1;
  entry.blocked_until := case when entry.failures >= allowed then
    clock_timestamp() + least(interval '15 minutes', interval '15 seconds' * power(2, least(entry.failures - allowed, 10))) end;
  update sign_in_failures set failures = entry.failures, since = entry.since, blocked_until = entry.blocked_until
  where subject = attempted;
end $$;

-- An attempt that turned out to be no failure. A wait that others have earned stays.
create function forgive_sign_in(attempted text, allowed integer) returns void language sql as $$
  update sign_in_failures set failures = greatest(0, failures - 1),
    blocked_until = case when failures - 1 >= allowed then blocked_until end
  where subject = attempted;
$$;

-- A right password: the account starts afresh, the address has one failure less.
create function welcome_sign_in(account text, address text, per_address integer) returns void language sql as $$
  delete from sign_in_failures where subject = account;
  select forgive_sign_in(address, per_address);
$$;

-- People do not sort by capital and small letters.
drop index customers_organization_id_name_id_idx;
drop index customers_organization_id_email_id_idx;
drop index expense_categories_organization_id_name_id_idx;
create index on customers (organization_id, lower(name), id);
create index on customers (organization_id, lower(email), id);
create index on expense_categories (organization_id, lower(name), id);

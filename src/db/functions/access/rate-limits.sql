-- Guards the rate limits: tokens are taken in one statement, so that all processes of a database share one limit.

-- Takes up to `wanted` tokens of a bucket that gains `per_second` and holds at most `burst`. After a clock was set back, a caller
-- is blocked no longer than an empty bucket takes to fill.
create or replace function take_tokens(bucket text, per_second double precision, burst integer, wanted integer, out granted integer, out remaining integer, out retry_after double precision)
  returns record
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz := clock_timestamp();
  was timestamptz;
  free integer;
begin
  insert into rate_buckets as b (key, tat) values (bucket, moment) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- this call may have waited for the lock
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

-- Takes tokens, including ones that the bucket will only have later, and returns in how many seconds they are due. More than a full
-- bucket can be taken. Takes nothing and returns null if they are due later than `ahead_max` seconds from now. If more than that is
-- taken already, the clock was set back, and the bucket counts as empty.
create or replace function take_tokens_in_advance(bucket text, per_second double precision, burst integer, wanted integer, ahead_max double precision)
  returns double precision
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz;
  was timestamptz;
  wait double precision;
begin
  insert into rate_buckets (key, tat) values (bucket, clock_timestamp()) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- this call may have waited for the lock
  if was > moment + make_interval(secs => burst / per_second + ahead_max) then
    was := moment + make_interval(secs => burst / per_second);
  end if;
  was := greatest(was, moment);
  wait := greatest(0, extract(epoch from was - moment) + (wanted - burst) / per_second - 1e-6);
  if wait > ahead_max then return null; end if;
  update rate_buckets b set tat = was + make_interval(secs => wanted / per_second) where b.key = bucket;
  return wait;
end $$;
grant execute on function take_tokens_in_advance(text, double precision, integer, integer, double precision) to kontor_confined;

-- Takes all `wanted` tokens of a bucket or none, in the transaction that uses them: a rollback gives them back, and a second caller
-- at the same moment waits. Returns the seconds to wait, 0 if they were taken. The buckets are those of take_tokens().
create or replace function consume_rate_limit(bucket text, per_second double precision, burst integer, wanted integer)
  returns double precision
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz;
  was timestamptz;
  missing double precision;
begin
  insert into rate_buckets (key, tat) values (bucket, clock_timestamp()) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- this call may have waited for the lock
  was := least(greatest(was, moment), moment + make_interval(secs => burst / per_second));
  missing := wanted - (burst - extract(epoch from was - moment) * per_second) - 1e-6;
  if missing > 0 then return greatest(0.001, missing / per_second); end if;
  update rate_buckets b set tat = was + make_interval(secs => wanted / per_second) where b.key = bucket;
  return 0;
end $$;
grant execute on function consume_rate_limit(text, double precision, integer, integer) to kontor_confined;

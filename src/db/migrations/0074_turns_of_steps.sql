-- A step that hits a rate limit of Kontor itself waits its turn instead of failing: it takes its tokens in advance, and
-- continues when they are due. Waiting uses neither attempts nor the time limit of the run.

alter table automation_steps
  add column waits_until timestamptz, -- of a PENDING step that waits for a limit
  add column turn_at timestamptz, -- when the tokens are due that the step has taken in advance and not used yet
  add column turn_tokens integer,
  add constraint turn_is_whole check ((turn_at is null) = (turn_tokens is null) and turn_tokens > 0),
  add constraint only_unfinished_steps_wait check (
    (waits_until is null or status = 'PENDING') and (turn_at is null or status in ('PENDING', 'RUNNING')));
alter table automation_runs
  add column waiting_since timestamptz; -- since when no execution goes on, because a step waits for a limit

-- A step that starts does not wait any more, and one that has ended has lost its turn. Here, because processes of the
-- version before also write steps (FLT-16).
create function clear_turn() returns trigger language plpgsql as $$
begin
  new.waits_until := null;
  if new.status <> 'RUNNING' then
    new.turn_at := null;
    new.turn_tokens := null;
  end if;
  return new;
end $$;
create trigger clear_turn before update of status on automation_steps for each row
  when (new.status <> 'PENDING' and (new.waits_until is not null or new.turn_at is not null)) execute function clear_turn();

-- Takes tokens, also such as are not there yet, and returns after how many seconds they are due. More than a full bucket
-- can be taken too. Returns null and takes nothing if they are due later than `ahead_max` seconds from now. If more than that
-- is taken, the clock was set back: the bucket then counts as empty.
create function take_tokens_in_advance(bucket text, per_second double precision, burst integer, wanted integer, ahead_max double precision)
  returns double precision language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz;
  was timestamptz;
  wait double precision;
begin
  insert into rate_buckets (key, tat) values (bucket, clock_timestamp()) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- the lock may have been waited for
  if was > moment + make_interval(secs => burst / per_second + ahead_max) then
    was := moment + make_interval(secs => burst / per_second);
  end if;
  was := greatest(was, moment);
  wait := greatest(0, extract(epoch from was - moment) + (wanted - burst) / per_second - 1e-6);
  if wait > ahead_max then return null; end if;
  update rate_buckets b set tat = was + make_interval(secs => wanted / per_second) where b.key = bucket;
  return wait;
end $$;
revoke execute on function take_tokens_in_advance(text, double precision, integer, integer, double precision) from public;
grant execute on function take_tokens_in_advance(text, double precision, integer, integer, double precision) to kontor_confined;

-- As before, without jobs that are due later: an organization whose runs wait their turn is not busy because of that.
create or replace function count_job_pressure() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('job pressure', 0)) then return; end if; -- another worker is counting
  delete from public.job_pressure;
  insert into public.job_pressure (organization_id, waiting)
  select replace(flag, 'organization:', '')::uuid, count(*)
  from graphile_worker._private_jobs j, jsonb_object_keys(j.flags) flag
  where flag like 'organization:%' and j.run_at <= now() group by 1 having count(*) >= 10;
end $$;

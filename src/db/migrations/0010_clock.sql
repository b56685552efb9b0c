-- The organizations' clock: schedule.hourly, .daily, .weekly and .monthly, once for each organization and local period
-- (INV-12). Time zones are PostgreSQL's, and so is the time: no process's own clock decides anything here.

-- The last period that was fired for an organization. No request reads or writes it.
create table schedule_marks (
  organization_id uuid not null references organizations on delete cascade,
  type            text not null check (type in ('schedule.hourly', 'schedule.daily', 'schedule.weekly', 'schedule.monthly')),
  period          text not null,
  starts_at       timestamptz not null, -- when the period was due
  fired_at        timestamptz not null,
  primary key (organization_id, type),
  check (starts_at <= fired_at)
);
select system_table('schedule_marks');

-- The period that a moment lies in: since when it is due, what it is called and the local day it belongs to. Days, weeks
-- and months are due at 08:00 local time. An hour is called with its offset, so that the hour that a clock set back goes
-- through twice is two, and the one that is left out is none.
create function schedule_period(type text, zone text, moment timestamptz default now(),
  out period text, out local_date date, out starts_at timestamptz) language plpgsql stable as $$
declare
  clock timestamp;
begin
  clock := moment at time zone zone;
  if type = 'schedule.hourly' then
    starts_at := moment - (clock - date_trunc('hour', clock));
    local_date := clock::date;
    period := to_char(clock, 'YYYY-MM-DD"T"HH24') || zone_offset(clock - (moment at time zone 'UTC'));
    return;
  end if;
  -- A day that a zone left out (Samoa, 30 December 2011) is none; a week or month that would begin with one begins after.
  select candidate.day, due.since into local_date, starts_at
  from generate_series(0, 2) as back,
    lateral (select case type
      when 'schedule.daily' then clock::date - back
      when 'schedule.weekly' then date_trunc('week', clock)::date - 7 * back
      when 'schedule.monthly' then (date_trunc('month', clock) - make_interval(months => back))::date
    end as day) as candidate,
    lateral (select (candidate.day + time '08:00') at time zone zone as since) as due
  where due.since <= moment and (type <> 'schedule.daily' or (due.since at time zone zone)::date = candidate.day)
  order by back limit 1;
  period := to_char(local_date, case type
    when 'schedule.daily' then 'YYYY-MM-DD' when 'schedule.weekly' then 'IYYY-"W"IW' else 'YYYY-MM' end);
exception when invalid_parameter_value then -- a zone that this server does not know must not stop everybody's clock
  if zone = 'UTC' then raise; end if;
  select p.period, p.local_date, p.starts_at
  into schedule_period.period, schedule_period.local_date, schedule_period.starts_at
  from schedule_period(type, 'UTC', moment) p;
end $$;

create function zone_offset(ahead interval) returns text language sql immutable as $$
  select case when ahead < interval '0' then '-' else '+' end
    || to_char(make_interval(secs => abs(extract(epoch from ahead)::double precision)), 'HH24:MI')
$$;

-- The same for everybody who computes it: a period has one event, whoever fires it. Marked as a UUID of our own making.
create function schedule_event_id(organization uuid, type text, period text) returns uuid language sql immutable as $$
  select encode(set_byte(set_byte(h.bytes, 6, (get_byte(h.bytes, 6) & 15) | 128), 8, (get_byte(h.bytes, 8) & 63) | 128), 'hex')::uuid
  from (select substring(sha256(convert_to(concat_ws(' ', organization, type, period), 'UTF8')) for 16) as bytes) h
$$;

-- Fires one period of one organization, with a job for each who wants to know; false when it has been fired already.
-- Two clocks at once meet at the mark: the second waits for the first and finds nothing left to do.
create function fire_schedule(organization uuid, type text, zone text, period text, local_date date, starts_at timestamptz,
  jobs text[], moment timestamptz) returns boolean language plpgsql as $$
declare
  event_id uuid := schedule_event_id(organization, fire_schedule.type, fire_schedule.period);
  job text;
begin
  insert into schedule_marks as m values (organization, fire_schedule.type, fire_schedule.period, fire_schedule.starts_at, moment)
  on conflict on constraint schedule_marks_pkey do update
    set period = excluded.period, starts_at = excluded.starts_at, fired_at = excluded.fired_at
    where m.starts_at < excluded.starts_at;
  if not found then return false; end if;
  perform set_config('app.organization', organization::text, true);
  insert into events (id, type, payload, cause) values (event_id, fire_schedule.type,
    jsonb_build_object('id', event_id, 'organizationId', organization, 'period', fire_schedule.period,
      'localDate', fire_schedule.local_date, 'timezone', zone,
      'firedAt', to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    jsonb_build_object('source', 'CLOCK', 'requestId', concat_ws(':', 'clock', fire_schedule.type, fire_schedule.period),
      'userId', null, 'keyId', null, 'depth', 0))
  on conflict do nothing;
  if found then
    foreach job in array jobs loop perform enqueue(job, jsonb_build_object('eventId', event_id)); end loop;
  end if;
  perform set_config('app.organization', '', true);
  return true;
end $$;
revoke execute on function fire_schedule from public;

-- Takes all of `wanted` tokens of a bucket or none, in the transaction that they are for: what is rolled back costs
-- nothing, and whoever comes at the same moment waits. Returns the seconds to wait, 0 when they were taken. The buckets
-- are those of take_tokens() (0004_records.sql).
create function charge_tokens(bucket text, per_second double precision, burst integer, wanted integer)
  returns double precision language plpgsql security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz;
  was timestamptz;
  missing double precision;
begin
  insert into rate_buckets (key, tat) values (bucket, clock_timestamp()) on conflict (key) do nothing;
  select b.tat into was from rate_buckets b where b.key = bucket for update;
  moment := clock_timestamp(); -- the lock may have been waited for
  was := least(greatest(was, moment), moment + make_interval(secs => burst / per_second));
  missing := wanted - (burst - extract(epoch from was - moment) * per_second) - 1e-6;
  if missing > 0 then return greatest(0.001, missing / per_second); end if;
  update rate_buckets b set tat = was + make_interval(secs => wanted / per_second) where b.key = bucket;
  return 0;
end $$;

-- Foreign keys that some row breaks, for verify: a restore, or a hand that switched the triggers off, can leave such rows.
create function broken_references() returns table (reference text, from_table text, broken bigint) language plpgsql stable as $$
declare
  key record;
begin
  for key in
    select k.conname, k.conrelid::regclass as origin, k.confrelid::regclass as target,
      string_agg(format('t.%I = f.%I', target.attname, origin.attname), ' and ') as matches,
      string_agg(format('f.%I is not null', origin.attname), ' and ') as given
    from pg_constraint k, unnest(k.conkey, k.confkey) as pair (origin, target)
    join pg_attribute origin on origin.attnum = pair.origin join pg_attribute target on target.attnum = pair.target
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
      and origin.attrelid = k.conrelid and target.attrelid = k.confrelid
    group by k.oid, k.conname, k.conrelid, k.confrelid
  loop
    reference := key.conname;
    from_table := key.origin;
    execute format('select count(*) from %s f where %s and not exists (select from %s t where %s)',
      key.origin, key.given, key.target, key.matches) into broken;
    if broken > 0 then return next; end if;
  end loop;
end $$;
revoke execute on function broken_references from public;

-- Guards that a schedule fires once per organization and period, in the time zone of the organization.

-- The period that a moment lies in: when it begins, its name and its local day. Days, weeks and months begin at 08:00 local time.
-- The name of an hour has its offset, so that the hour that a clock goes through twice is two periods, and the hour that it skips
-- is none.
create or replace function schedule_period(type text, zone text, moment timestamptz default now(), out period text, out local_date date, out starts_at timestamptz)
  returns record
  language plpgsql stable as $$
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
  -- A day that a zone skipped (Samoa, 30 December 2011) is no period; a week or month that would begin with it begins the day
  -- after.
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
exception when invalid_parameter_value then -- a zone that this server does not know must not stop the schedules of all organizations
  if zone = 'UTC' then raise; end if;
  select p.period, p.local_date, p.starts_at
  into schedule_period.period, schedule_period.local_date, schedule_period.starts_at
  from schedule_period(type, 'UTC', moment) p;
end $$;

create or replace function zone_offset(ahead interval) returns text language sql immutable as $$
  select case when ahead < interval '0' then '-' else '+' end
    || to_char(make_interval(secs => abs(extract(epoch from ahead)::double precision)), 'HH24:MI')
$$;

-- The id of the event of a period. It is computed from the period, so that two processes which fire the same period use the same
-- id. It is marked as a custom UUID (version 8).
create or replace function schedule_event_id(organization uuid, type text, period text) returns uuid language sql immutable as $$
  select encode(set_byte(set_byte(h.bytes, 6, (get_byte(h.bytes, 6) & 15) | 128), 8, (get_byte(h.bytes, 8) & 63) | 128), 'hex')::uuid
  from (select substring(sha256(convert_to(concat_ws(' ', organization, type, period), 'UTF8')) for 16) as bytes) h
$$;

-- Fires one period of one organization, with a job for each subscriber; false if it was fired already. Of two clocks at the same
-- time the second waits for the row of the first in schedule_marks, and then has nothing to do.
create or replace function fire_schedule(organization uuid, type text, zone text, period text, local_date date, starts_at timestamptz, jobs text[], moment timestamptz)
  returns boolean
  language plpgsql as $$
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

-- The day of an instant in a time zone, and in UTC if the zone is unknown; for `kontor verify`.
create or replace function day_in_zone(instant timestamptz, zone text) returns date language plpgsql stable as $$
begin
  return (instant at time zone zone)::date;
exception when invalid_parameter_value then
  return (instant at time zone 'UTC')::date;
end $$;

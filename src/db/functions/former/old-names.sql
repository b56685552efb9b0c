-- Old names of functions, which only call the new ones. Processes of the version before the renaming call them; the
-- migration that drops them removes this file.

create or replace function enter(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz, out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text)
  returns record
  language sql security definer as $$
  select * from public.authorize_request(source, credential, person, place, target, needed, fitting)
$$;
grant execute on function enter(text, bytea, uuid, text, uuid, member_role, text[]) to kontor_across, kontor_confined;

-- A new organization does not exist yet, so nobody can have entered it: its founder is let in before the first row.
create or replace function found_organization(id uuid) returns void language sql security definer set search_path = public, pg_temp as $$ select create_organization(id) $$;
grant execute on function found_organization(uuid) to kontor_confined;

-- Whether a company with this registration number keeps its books here (customers' inSystem).
create or replace function keeps_books_here(registration_number text, country text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$ select is_registered_organization(registration_number, country) $$;
grant execute on function keeps_books_here(text, text) to kontor_across, kontor_confined;

-- An attempt that turned out to be no failure. A wait that others have earned stays.
create or replace function forgive_sign_in(attempted text, allowed integer) returns void language sql as $$ select subtract_sign_in_failure(attempted, allowed) $$;

-- A right password: the account starts afresh, the address has one failure less.
create or replace function welcome_sign_in(account text, address text, per_address integer) returns void language sql as $$ select record_sign_in_success(account, address, per_address) $$;

-- The keeper of one subject at a time within an organization, until the transaction ends: two requests that both want
-- to be the default, the last or the first wait for each other.
create or replace function hold(subject text) returns void language sql as $$ select lock_subject(subject) $$;
grant execute on function hold(text) to kontor_confined;

-- Takes all of `wanted` tokens of a bucket or none, in the transaction that they are for: what is rolled back costs
-- nothing, and whoever comes at the same moment waits. Returns the seconds to wait, 0 when they were taken. The buckets
-- are those of take_tokens() (0004_records.sql).
create or replace function charge_tokens(bucket text, per_second double precision, burst integer, wanted integer) returns double precision
  language sql security definer set search_path = public, pg_temp as $$ select consume_rate_limit(bucket, per_second, burst, wanted) $$;
grant execute on function charge_tokens(text, double precision, integer, integer) to kontor_confined;

-- Gives back the jobs of workers that have fallen silent. Returns how many workers that were.
create or replace function revive_jobs(silence interval) returns integer language sql as $$ select requeue_abandoned_jobs(silence) $$;

-- What the orders of a job that are in the queue name, for finding out what nobody will take care of: an order that was
-- lost or given up, as when the database fails again and again.
create or replace function ordered_for(job text, field text) returns setof text language sql stable as $$ select queued_job_subjects(job, field) $$;

-- Orders a job again, where it was ordered first.
create or replace function order_again(job text, field text, place uuid, subject uuid) returns boolean language sql as $$ select requeue_job(job, field, place, subject) $$;

-- Orders them again, the oldest first; how many there were. Each attempt counts, so it ends.
create or replace function order_lost_mail(most integer) returns bigint language sql as $$ select requeue_lost_mail(most) $$;

-- Orders them again, the oldest first; how many there were.
create or replace function order_lost_runs(most integer) returns bigint language sql as $$ select requeue_lost_runs(most) $$;

-- Keeps a lease; false when a newer token exists or it ran out.
create or replace function keep_lease(named text, held bigint, seconds integer) returns boolean language sql as $$ select renew_lease(named, held, seconds) $$;
grant execute on function keep_lease(text, bigint, integer) to kontor_confined;

create or replace function drop_lease(named text, held bigint) returns void language sql as $$ select release_lease(named, held) $$;
grant execute on function drop_lease(text, bigint) to kontor_confined;

-- Requests reach the keys of the organization they have entered, the product's own connections those of all.
create or replace function reaches_keys_of(organization uuid) returns boolean language sql stable as $$ select may_use_keys_of(organization) $$;

-- The organizations of a connected app by name: the caller's own app, and only where they still belong.
create or replace function connected_app_places(app uuid) returns jsonb
  language sql stable security definer set search_path = public, pg_temp as $$ select organizations_of_connected_app(app) $$;
grant execute on function connected_app_places(uuid) to kontor_confined;

-- The milliseconds since then.
create or replace function since(moment timestamptz) returns integer language sql as $$ select milliseconds_since(moment) $$;
grant execute on function since(timestamptz) to kontor_confined;

-- Whoever will number documents of these types takes their counters first, in one order (reliability, lock order).
create or replace function hold_counters(types text[]) returns void language sql security definer set search_path = public, pg_temp as $$ select lock_counters(types) $$;
grant execute on function hold_counters(text[]) to kontor_confined;

-- Old names of functions, which only call the new ones. Processes of the version before the renaming call them; the migration that
-- drops them removes this file.

create or replace function enter(source text, credential bytea, person uuid, place text, target uuid, needed member_role, fitting text[], out user_id uuid, out key_id uuid, out session_id uuid, out scopes text[], out signed_in_at timestamptz, out organization_id uuid, out role member_role, out reachable integer, out app_id uuid, out client_id text)
  returns record
  language sql security definer as $$
  select * from public.authorize_request(source, credential, person, place, target, needed, fitting)
$$;
grant execute on function enter(text, bytea, uuid, text, uuid, member_role, text[]) to kontor_across, kontor_confined;

create or replace function found_organization(id uuid) returns void language sql security definer set search_path = public, pg_temp as $$ select create_organization(id) $$;
grant execute on function found_organization(uuid) to kontor_confined;

create or replace function keeps_books_here(registration_number text, country text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$ select is_registered_organization(registration_number, country) $$;
grant execute on function keeps_books_here(text, text) to kontor_across, kontor_confined;

create or replace function forgive_sign_in(attempted text, allowed integer) returns void language sql as $$ select subtract_sign_in_failure(attempted, allowed) $$;

create or replace function welcome_sign_in(account text, address text, per_address integer) returns void language sql as $$ select record_sign_in_success(account, address, per_address) $$;

create or replace function hold(subject text) returns void language sql as $$ select lock_subject(subject) $$;
grant execute on function hold(text) to kontor_confined;

create or replace function charge_tokens(bucket text, per_second double precision, burst integer, wanted integer) returns double precision
  language sql security definer set search_path = public, pg_temp as $$ select consume_rate_limit(bucket, per_second, burst, wanted) $$;
grant execute on function charge_tokens(text, double precision, integer, integer) to kontor_confined;

create or replace function revive_jobs(silence interval) returns integer language sql as $$ select requeue_abandoned_jobs(silence) $$;

create or replace function ordered_for(job text, field text) returns setof text language sql stable as $$ select queued_job_subjects(job, field) $$;

create or replace function order_again(job text, field text, place uuid, subject uuid) returns boolean language sql as $$ select requeue_job(job, field, place, subject) $$;

create or replace function order_lost_mail(most integer) returns bigint language sql as $$ select requeue_lost_mail(most) $$;

create or replace function order_lost_runs(most integer) returns bigint language sql as $$ select requeue_lost_runs(most) $$;

create or replace function keep_lease(named text, held bigint, seconds integer) returns boolean language sql as $$ select renew_lease(named, held, seconds) $$;
grant execute on function keep_lease(text, bigint, integer) to kontor_confined;

create or replace function drop_lease(named text, held bigint) returns void language sql as $$ select release_lease(named, held) $$;
grant execute on function drop_lease(text, bigint) to kontor_confined;

create or replace function reaches_keys_of(organization uuid) returns boolean language sql stable as $$ select may_use_keys_of(organization) $$;

create or replace function connected_app_places(app uuid) returns jsonb
  language sql stable security definer set search_path = public, pg_temp as $$ select organizations_of_connected_app(app) $$;
grant execute on function connected_app_places(uuid) to kontor_confined;

create or replace function since(moment timestamptz) returns integer language sql as $$ select milliseconds_since(moment) $$;
grant execute on function since(timestamptz) to kontor_confined;

create or replace function hold_counters(types text[]) returns void language sql security definer set search_path = public, pg_temp as $$ select lock_counters(types) $$;
grant execute on function hold_counters(text[]) to kontor_confined;

-- Temporary tables are found before all others unless the path says that they come last. A function that acts as the
-- owner must not take a caller's temporary "memberships" for the real ones.
alter function require_owner() set search_path = public, pg_temp;
alter function found_organization(uuid) set search_path = public, pg_temp;
alter function belongs_to_all(uuid[]) set search_path = public, pg_temp;
alter function keeps_books_here(text, text) set search_path = public, pg_temp;
alter function take_tokens(text, double precision, integer, integer) set search_path = public, pg_temp;
alter function enqueue(text, jsonb, timestamptz, text) set search_path = public, pg_temp;

-- Locks a subject that has no row until the transaction ends.

-- The keeper of one subject at a time within an organization, until the transaction ends: two requests that both want
-- to be the default, the last or the first wait for each other.
create or replace function lock_subject(subject text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(current_organization()::text || ':' || subject, 0));
end $$;
grant execute on function lock_subject(text) to kontor_confined;

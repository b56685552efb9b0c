-- Locks subjects that have no row.

-- Locks a subject within an organization until the transaction ends, so that two requests that both change the default, the last or
-- the first row wait for each other.
create or replace function lock_subject(subject text) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(current_organization()::text || ':' || subject, 0));
end $$;
grant execute on function lock_subject(text) to kontor_confined;

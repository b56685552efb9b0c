-- Guards work that only one process at a time may do: each new holder of a lease gets a higher token, and later writes of an
-- earlier holder are refused.

-- Takes a free or expired lease and returns its new token, or null if another process holds it.
create or replace function take_lease(named text, by text, seconds integer) returns bigint language plpgsql as $$
declare
  taken bigint;
begin
  insert into leases as l (subject, token, holder, expires_at) values (named, 1, by, now() + make_interval(secs => seconds))
  on conflict (organization_id, subject) do update
    set token = l.token + 1, holder = by, expires_at = now() + make_interval(secs => seconds)
    where l.expires_at <= now()
  returning l.token into taken;
  return taken;
end $$;
grant execute on function take_lease(text, text, integer) to kontor_confined;

-- Extends a lease; false if a newer token exists or the lease ran out.
create or replace function renew_lease(named text, held bigint, seconds integer) returns boolean language plpgsql as $$
begin
  update leases set expires_at = now() + make_interval(secs => seconds)
  where subject = named and token = held and expires_at > now();
  return found;
end $$;
grant execute on function renew_lease(text, bigint, integer) to kontor_confined;

-- Refuses a token that is not the newest. Called in the transaction of every write that the lease protects.
create or replace function require_lease(named text, held bigint) returns void language plpgsql as $$
begin
  perform from leases where subject = named and token = held for share;
  if not found then raise exception 'The lease on % was lost.', named using errcode = 'object_not_in_prerequisite_state'; end if;
end $$;
grant execute on function require_lease(text, bigint) to kontor_confined;

create or replace function release_lease(named text, held bigint) returns void language plpgsql as $$
begin
  update leases set expires_at = now() where subject = named and token = held;
end $$;
grant execute on function release_lease(text, bigint) to kontor_confined;

-- Guards signing in: attempts are counted per account and address, and the wait grows with the failures, so that a password cannot
-- be guessed.

-- Counts an attempt to sign in against its account and its address, or against neither if it must wait: an address that is refused
-- itself cannot use up the attempts of an account. It is counted before the password is checked, so that parallel attempts are not
-- more than the same number one after the other. Returns the seconds to wait, 0 to go on. After the allowed failures within 15
-- minutes the wait doubles from 15 seconds to 15 minutes; an account is never locked.
create or replace function count_sign_in(account text, per_account integer, address text, per_address integer) returns double precision
  language plpgsql as $$
declare
  wait double precision := 0;
begin
  wait := greatest(sign_in_wait(account), sign_in_wait(address));
  if wait > 0 then return wait; end if;
  perform count_sign_in_failure(account, per_account), count_sign_in_failure(address, per_address);
  return 0;
end $$;

create or replace function sign_in_wait(attempted text) returns double precision language plpgsql as $$
begin
  insert into sign_in_failures (subject, failures, since) values (attempted, 0, now()) on conflict do nothing;
  return (select coalesce(greatest(0, extract(epoch from f.blocked_until - clock_timestamp())), 0)
    from (select blocked_until from sign_in_failures where subject = attempted for update) f);
end $$;

create or replace function count_sign_in_failure(attempted text, allowed integer) returns void language plpgsql as $$
declare
  entry sign_in_failures;
begin
  select * into entry from sign_in_failures where subject = attempted;
  if greatest(entry.since, entry.blocked_until) < now() - interval '15 minutes' then
    entry.failures := 0;
    entry.since := now();
  end if;
  entry.failures := entry.failures + 1;
  entry.blocked_until := case when entry.failures >= allowed then
    clock_timestamp() + least(interval '15 minutes', interval '15 seconds' * power(2, least(entry.failures - allowed, 10))) end;
  update sign_in_failures set failures = entry.failures, since = entry.since, blocked_until = entry.blocked_until
  where subject = attempted;
end $$;

-- Takes back a counted attempt that was not a failure. A wait that other attempts caused stays.
create or replace function subtract_sign_in_failure(attempted text, allowed integer) returns void language sql as $$
  update sign_in_failures set failures = greatest(0, failures - 1),
    blocked_until = case when failures - 1 >= allowed then blocked_until end
  where subject = attempted;
$$;

-- Counts a correct password: the account has no failures any more, the address has one less.
create or replace function record_sign_in_success(account text, address text, per_address integer) returns void language sql as $$
  delete from sign_in_failures where subject = account;
  select subtract_sign_in_failure(address, per_address);
$$;

-- Locks the account until the transaction ends, and returns whether the session still exists. All code that ends sessions locks the
-- account first, so nothing can be created with a session that ends at the same time.
create or replace function lock_session(person uuid, session uuid) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from users u where u.id = person for no key update;
  return exists (select from sessions s join users u on u.id = s.user_id
    where s.id = session and s.user_id = person and s.ends_at > now() and u.disabled_at is null);
end $$;
grant execute on function lock_session(uuid, uuid) to kontor_confined;

create or replace function refuse_session_before_confirmation() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from users u where u.id = new.user_id and u.confirm_first) then
    raise exception 'The address of this account is not confirmed yet.' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

create or replace trigger refuse_session_before_confirmation before insert on sessions
  for each row execute function refuse_session_before_confirmation();

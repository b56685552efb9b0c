-- Guards that a voided payment stays voided, with its day.

create or replace function refuse_unvoiding() returns trigger language plpgsql as $$
begin
  raise exception 'A voided payment stays voided.' using errcode = 'check_violation', constraint = 'payment_not_voided';
end $$;

create or replace function date_void() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.voided_on := (select greatest(new.paid_at, (new.voided_at at time zone o.timezone)::date) from organizations o where o.id = new.organization_id);
  return new;
end $$;

-- The day on which an allocation was taken back, as journal_of_allocations() books it: the day of its payment if both were voided
-- together.
create or replace function voided_day(allocation_voided timestamptz, payment_voided timestamptz, payment_voided_on date, timezone text)
  returns date
  language sql stable parallel safe as $$
  select case when payment_voided = allocation_voided then payment_voided_on else (allocation_voided at time zone timezone)::date end
$$;
grant execute on function voided_day(timestamptz, timestamptz, date, text) to kontor_across, kontor_confined;

create or replace trigger refuse_unvoiding before update on payments
  for each row when (old.voided_at is not null and new.voided_at is distinct from old.voided_at) execute function refuse_unvoiding();
create or replace trigger date_void before update on payments
  for each row when (old.voided_at is null and new.voided_at is not null) execute function date_void();

-- Who may not approve an expense. A claim stays the claim of everybody who was its claimant once, known by the e-mail address at that
-- time: changing the address or the claimant afterwards makes nobody free to approve it.
alter table expenses add column claimed_by uuid[] not null default '{}';

create function note_claimant() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.claimed_by := array(
    select unnest(new.claimed_by)
    union select unnest(old.claimed_by) where tg_op = 'UPDATE'
    union select u.id from customers c join users u on lower(u.email) = lower(c.email)
      where c.organization_id = new.organization_id and c.id = new.claimant_id
    order by 1);
  return new;
end $$;
create trigger note_claimant before insert or update of claimant_id, claimed_by on expenses for each row execute function note_claimant();
update expenses set claimant_id = claimant_id where claimant_id is not null;

create function guard_approval() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.id and d.status = 'APPROVED') then
    raise exception 'Nobody approves a claim of their own.' using errcode = 'check_violation', constraint = 'own_claim';
  end if;
  return null;
end $$;
create constraint trigger guard_approval after update of reviewed_by, reviewed_at on expenses deferrable initially deferred for each row
  when (new.reviewed_by = any (new.claimed_by)) execute function guard_approval();

-- Who last changed what is booked. Where somebody else has to approve, that is somebody else than they, too.
alter table expenses add column changed_by uuid references users on delete set null;
create index on expenses (changed_by);

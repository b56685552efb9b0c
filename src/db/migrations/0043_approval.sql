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

-- Whether a payment or credit that names no supplier would cross vendors by paying this expense: it paid or credited others before, also
-- if that was taken back, and the expense has a supplier or claimant, or another vendor. `not_before` are allocations that do not count.
create function crosses_vendors(organization uuid, wanted_payment uuid, wanted_document uuid, not_before uuid[]) returns boolean
  language sql stable set search_path = public, pg_temp as $$
  with before as (
    select a.document_id from allocations a where a.organization_id = organization and a.payment_id = wanted_payment and a.id <> all (not_before)
    union
    select m.source_document_id from documents m where m.organization_id = organization and m.payment_id = wanted_payment and m.kind = 'EXPENSE'
  )
  select wanted_document not in (select b.document_id from before b) and exists (
    select from documents d join expenses e on e.organization_id = d.organization_id and e.id = d.id
    cross join before b join expenses f on f.organization_id = d.organization_id and f.id = b.document_id
    where d.organization_id = organization and d.id = wanted_document
      and (d.counterparty_id is not null or lower(coalesce(e.vendor, '')) <> lower(coalesce(f.vendor, ''))))
$$;
grant execute on function crosses_vendors(uuid, uuid, uuid, uuid[]) to kontor_confined;

-- As before, and a payment of expenses that names no supplier keeps to one vendor.
create or replace function hold_to_customer() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from added a join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id where d.counterparty_id <> p.counterparty_id
        or p.kind = 'EXPENSE' and p.counterparty_id is null and crosses_vendors(p.organization_id, p.id, d.id, array(select n.id from added n))) then
    raise exception 'The payment is of another customer.' using errcode = 'check_violation', constraint = 'payment_of_customer';
  end if;
  update payments p set counterparty_id = owing.customer
    from (select a.organization_id, a.payment_id, min(d.counterparty_id::text)::uuid as customer from allocations a
      join documents d on d.organization_id = a.organization_id and d.id = a.document_id
      where a.voided_at is null and (a.organization_id, a.payment_id) in (select n.organization_id, n.payment_id from added n)
      group by 1, 2 having count(distinct d.counterparty_id) = 1) owing
    where p.organization_id = owing.organization_id and p.id = owing.payment_id and p.counterparty_id is null;
  return null;
end $$;

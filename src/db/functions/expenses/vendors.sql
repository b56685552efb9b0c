-- Guards that a payment or credit has one vendor, and finds parties by name or number.

create or replace function counterparties_called(wanted_name text, wanted_number text) returns setof uuid
  language plpgsql stable security definer rows 1 set search_path = public, pg_temp as $$
begin
  return query select c.id from customers c where c.organization_id = current_organization()
    and (lower(c.name) = lower(wanted_name) or c.registration_number = wanted_number) order by c.id limit 2;
end $$;
grant execute on function counterparties_called(text, text) to kontor_confined;

-- Whether paying this expense would mix vendors in a payment or credit that names no supplier: it paid or credited other expenses
-- before, even if that was taken back, and this expense has a supplier or claimant, or another vendor. `not_before` are allocations
-- that do not count.
create or replace function crosses_vendors(organization uuid, wanted_payment uuid, wanted_document uuid, not_before uuid[]) returns boolean
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

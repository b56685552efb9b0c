-- Guards that an issued expense does not change, and which counterparties it may have.

-- Allows changes of the title, the notes and the category of an approved expense. Its other columns follow the row of the ledger,
-- which is frozen.
create or replace function guard_expense() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = old.organization_id and d.id = old.id and d.issued_at is not null) then
    perform refuse_frozen();
  end if;
  return new;
end $$;

-- Checks to which counterparty the money is owed: a claim to the person who paid, any other expense to the supplier.
create or replace function guard_expense_parties() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.claimant_id is not null and not exists (select from customers c
      where c.organization_id = new.organization_id and c.id = new.claimant_id and c.kind = 'INDIVIDUAL') then
    raise exception 'The claimant is a person.' using errcode = 'check_violation', constraint = 'claimant_is_person';
  end if;
  if exists (select from documents d where d.organization_id = new.organization_id and d.id = new.id
      and d.counterparty_id is distinct from coalesce(new.claimant_id, new.supplier_id)) then
    raise exception 'An expense is owed to its claimant or its supplier.' using errcode = 'check_violation', constraint = 'owed_to_claimant_or_supplier';
  end if;
  return null;
end $$;

create or replace trigger guard_expense before update on expenses
  for each row when (old.id is distinct from new.id or old.vendor is distinct from new.vendor or old.supplier_id is distinct from new.supplier_id or old.claimant_id is distinct from new.claimant_id or old.source is distinct from new.source or old.charged_tax_minor is distinct from new.charged_tax_minor or old.deductible_tax_minor is distinct from new.deductible_tax_minor or old.document_number is distinct from new.document_number or old.vendor_tax_number is distinct from new.vendor_tax_number or old.allocation_number is distinct from new.allocation_number) execute function guard_expense();
create constraint trigger guard_expense_parties after insert or update of supplier_id, claimant_id on expenses deferrable initially deferred
  for each row execute function guard_expense_parties();

-- Keeps drafts up to date with their counterparty, and the roles of a counterparty with its documents. An issued document keeps the
-- name that it was issued with.

-- Writes the current name of a counterparty to its drafts.
create or replace function update_drafts_of_counterparty() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update documents d set counterparty_name = coalesce(new.name, new.email, '')
    where d.organization_id = new.organization_id and d.counterparty_id = new.id and d.issued_at is null;
  return null;
end $$;

-- Makes the counterparty of a sales document a customer, and that of an expense a supplier, whatever it was before.
create or replace function note_customer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update customers c set is_customer = true where c.organization_id = new.organization_id and c.id = new.counterparty_id and not c.is_customer;
  return null;
end $$;

create or replace function note_supplier() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into suppliers (organization_id, id) values (new.organization_id, new.supplier_id) on conflict do nothing;
  return null;
end $$;

create or replace function follow_supplier() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    update customers c set is_supplier = true where c.organization_id = new.organization_id and c.id = new.id;
  else
    update customers c set is_supplier = false where c.organization_id = old.organization_id and c.id = old.id;
  end if;
  return null;
end $$;

-- Refuses to take the role of customer from a counterparty with sales documents, payments or orders, and that of supplier from one
-- with expenses or orders.
create or replace function guard_party() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from documents d where d.organization_id = old.organization_id and d.counterparty_id = old.id and d.kind = 'SALES') then
    raise exception 'The customer has documents.' using errcode = 'foreign_key_violation', constraint = 'document_counterparty', detail = 'still referenced';
  end if;
  if exists (select from payments p where p.organization_id = old.organization_id and p.counterparty_id = old.id and p.kind = 'SALES') then
    raise exception 'The customer has payments.' using errcode = 'foreign_key_violation', constraint = 'payment_counterparty', detail = 'still referenced';
  end if;
  if exists (select from orders o where o.organization_id = old.organization_id and o.counterparty_id = old.id and o.kind = 'SALES') then
    raise exception 'The customer has orders.' using errcode = 'foreign_key_violation', constraint = 'order_counterparty', detail = 'still referenced';
  end if;
  return new;
end $$;

create or replace function guard_supplier() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from organizations o where o.id = old.organization_id) then return old; end if;
  if exists (select from expenses e where e.organization_id = old.organization_id and e.supplier_id = old.id) then
    raise exception 'The supplier has expenses.' using errcode = 'foreign_key_violation', constraint = 'expense_supplier', detail = 'still referenced';
  end if;
  if exists (select from orders o where o.organization_id = old.organization_id and o.counterparty_id = old.id and o.kind = 'PURCHASE') then
    raise exception 'The supplier has orders.' using errcode = 'foreign_key_violation', constraint = 'order_counterparty', detail = 'still referenced';
  end if;
  return old;
end $$;

-- The organization on this server with the registration number and country of a counterparty.
create or replace function registered_organization(registration_number text, country text) returns jsonb
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select jsonb_build_object('id', o.id, 'name', o.name) from organizations o
    where o.registration_number = registered_organization.registration_number and o.country = registered_organization.country order by o.id limit 1);
end $$;
grant execute on function registered_organization(text, text) to kontor_across, kontor_confined;

create or replace trigger update_drafts_of_counterparty after update of name, email on customers
  for each row when (coalesce(old.name, old.email, ''::text) <> coalesce(new.name, new.email, ''::text)) execute function update_drafts_of_counterparty();
create or replace trigger follow_supplier after insert or delete on suppliers for each row execute function follow_supplier();
create or replace trigger note_customer after insert or update of counterparty_id on documents
  for each row when (new.kind = 'SALES'::text and new.counterparty_id is not null) execute function note_customer();
create or replace trigger note_supplier after insert or update of supplier_id on expenses
  for each row when (new.supplier_id is not null) execute function note_supplier();
create or replace trigger guard_party before update of is_customer on customers
  for each row when (old.is_customer and not new.is_customer) execute function guard_party();
create or replace trigger guard_supplier before delete on suppliers for each row execute function guard_supplier();

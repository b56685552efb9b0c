-- Suppliers and items. A company that sells to us and buys from us is one counterparty: a row of `customers`, which says what it is.

alter table customers add column is_customer boolean not null default true;
alter table customers add column is_supplier boolean not null default false;

-- What only a supplier has. The row exists as long as the counterparty is a supplier.
create table suppliers (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  tax_number text check (tax_number <> ''),
  gst_number text check (gst_number <> ''),
  payment_terms_days integer check (payment_terms_days between 0 and 3650),
  default_category_id uuid,
  default_currency text check (default_currency <> ''),
  withholding_rate numeric(9,6) check (withholding_rate between 0 and 100),
  withholding_valid_until date,
  is1099 boolean not null default false,
  bank_name text check (bank_name <> ''),
  branch_code text check (branch_code <> ''),
  account_number text check (account_number <> ''),
  account_name text check (account_name <> ''),
  iban text check (iban <> ''),
  swift_code text check (swift_code <> ''),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint supplier_counterparty foreign key (organization_id, id) references customers on delete cascade,
  constraint supplier_category foreign key (organization_id, default_category_id) references expense_categories on delete set null (default_category_id)
);
select organization_table('suppliers');
create index on suppliers (id);
create index on suppliers (organization_id, default_category_id);

create function follow_supplier() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    update customers c set is_supplier = true where c.organization_id = new.organization_id and c.id = new.id;
  else
    update customers c set is_supplier = false where c.organization_id = old.organization_id and c.id = old.id;
  end if;
  return null;
end $$;
create trigger follow_supplier after insert or delete on suppliers for each row execute function follow_supplier();

-- Who gets a sales document is a customer, and who is owed an expense a supplier, whatever they were entered as.
create function note_customer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update customers c set is_customer = true where c.organization_id = new.organization_id and c.id = new.counterparty_id and not c.is_customer;
  return null;
end $$;
create trigger note_customer after insert or update of counterparty_id on documents for each row
  when (new.kind = 'SALES' and new.counterparty_id is not null) execute function note_customer();
create function note_supplier() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into suppliers (organization_id, id) values (new.organization_id, new.supplier_id) on conflict do nothing;
  return null;
end $$;
create trigger note_supplier after insert or update of supplier_id on expenses for each row
  when (new.supplier_id is not null) execute function note_supplier();
insert into suppliers (organization_id, id) select distinct e.organization_id, e.supplier_id from expenses e where e.supplier_id is not null;
-- Those that were only ever owed expenses leave the list of customers.
update customers c set is_customer = false where c.is_supplier
  and not exists (select from documents d where d.organization_id = c.organization_id and d.counterparty_id = c.id and d.kind = 'SALES')
  and not exists (select from expense_customers e where e.organization_id = c.organization_id and e.customer_id = c.id)
  and not exists (select from customer_recipients r where r.organization_id = c.organization_id and r.customer_id = c.id);

-- An id of a counterparty that is no customer is not found among customers.
create or replace function owner_of_customers(row_id uuid) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.customers t where t.id = row_id and t.is_customer); end $$;

-- Each list has indexes of its own, so that neither reads the rows of the other.
drop index customers_organization_id_created_at_id_idx, customers_organization_id_lower_id_idx, customers_organization_id_lower_id_idx1,
  customers_organization_id_lower_id_idx2, customers_organization_id_lower_id_idx3, customers_organization_id_updated_at_id_idx;
create index on customers (organization_id, created_at, id) where is_customer;
create index on customers (organization_id, updated_at, id) where is_customer;
create index on customers (organization_id, lower(name), id); -- counterparties_called() looks for both
create index on customers (organization_id, lower(name) desc nulls last, id desc) where is_customer;
create index on customers (organization_id, lower(email), id) where is_customer;
create index on customers (organization_id, lower(email) desc nulls last, id desc) where is_customer;
create index on customers (organization_id, created_at, id) where is_supplier;
create index on customers (organization_id, updated_at, id) where is_supplier;
create index on customers (organization_id, lower(name), id) where is_supplier;
create index on customers (organization_id, lower(name) desc nulls last, id desc) where is_supplier;
create index on customers (organization_id, lower(email), id) where is_supplier;
create index on customers (organization_id, lower(email) desc nulls last, id desc) where is_supplier;

-- The organization on this server that a counterparty is: equal registration number and country.
create function registered_organization(registration_number text, country text) returns jsonb
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (select jsonb_build_object('id', o.id, 'name', o.name) from organizations o
    where o.registration_number = registered_organization.registration_number and o.country = registered_organization.country order by o.id limit 1);
end $$;
grant execute on function registered_organization(text, text) to kontor_confined, kontor_across;

-- What is bought and sold. Prices have a currency each, since goods are often bought in another one than they are sold in.
create table items (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  id uuid not null,
  name text not null check (name <> ''),
  description text,
  sku text check (sku <> ''),
  barcode text check (barcode <> ''),
  kind text not null check (kind in ('GOODS', 'SERVICE')),
  unit text check (unit <> ''),
  sale_price numeric(24,6) check (sale_price >= 0),
  sale_currency text not null check (sale_currency <> ''),
  purchase_price numeric(24,6) check (purchase_price >= 0),
  purchase_currency text not null check (purchase_currency <> ''),
  tax_rate numeric(9,6) check (tax_rate between 0 and 100),
  tax_category text check (tax_category <> ''),
  tracked boolean not null,
  tracked_since timestamptz, -- documents before it moved no stock
  low_stock_threshold numeric(20,6) check (low_stock_threshold >= 0),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint only_goods_are_tracked check (not tracked or kind = 'GOODS')
);
select organization_table('items');
create index on items (id);
create unique index one_item_per_sku on items (organization_id, lower(sku)) where sku is not null;
create index on items (organization_id, barcode) where barcode is not null;
create index on items (organization_id, lower(name), id);
create index on items (organization_id, lower(sku), id);
create index on items (organization_id, created_at, id);
create index on items (organization_id, updated_at, id);
create index search_items on items using gin (search_grams(organization_id, name || ' ' || coalesce(sku, '') || ' ' || coalesce(barcode, '')
  || ' ' || coalesce(description, ''))) with (gin_pending_list_limit = 256);

create function note_tracking() returns trigger language plpgsql as $$
begin
  new.tracked_since := case when new.tracked then now() end;
  return new;
end $$;
create trigger note_tracking_of_new before insert on items for each row execute function note_tracking();
create trigger note_tracking before update on items for each row when (new.tracked <> old.tracked) execute function note_tracking();

-- The ids of items whose name, SKU, barcode or description contain a text, by index.
create function search_items(wanted text, pattern text, most integer) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select i.id from items i where i.organization_id = current_organization()
    and search_grams(i.organization_id, i.name || ' ' || coalesce(i.sku, '') || ' ' || coalesce(i.barcode, '') || ' ' || coalesce(i.description, ''))
      @> search_grams(current_organization(), wanted)
    and (i.name ilike pattern or i.sku ilike pattern or i.barcode ilike pattern or i.description ilike pattern)
    limit most;
end $$;
grant execute on function search_items(text, text, integer) to kontor_confined;

-- The item of a line. `item_id` is what the caller wrote; lines from the time before there were items may have anything there.
alter table document_lines add column catalog_item_id uuid;
alter table document_lines add constraint line_item foreign key (organization_id, catalog_item_id) references items;
create index on document_lines (organization_id, catalog_item_id) where catalog_item_id is not null;
grant insert (catalog_item_id), update (catalog_item_id) on document_lines to kontor_confined;

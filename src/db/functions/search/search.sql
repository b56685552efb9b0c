-- Searches by parts of words, with the index of grams of each table.

-- The sales documents whose number, customer or notes contain a text of three characters or more; `pattern` is the same text for
-- `like`. It runs as the owner, because row security keeps `ilike` from every index, and confines itself to the organization of the
-- transaction. It stops after `most` rows: beyond that the caller finds them as quickly by reading on.
create or replace function search_documents(wanted text, pattern text, most integer) returns setof documents
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select d.* from documents d where d.organization_id = current_organization() and d.kind = 'SALES'
    and search_grams(d.organization_id, coalesce(d.number, '') || ' ' || d.counterparty_name || ' ' || coalesce(d.notes, ''))
      @> search_grams(current_organization(), wanted)
    and (d.number ilike pattern or d.counterparty_name ilike pattern or d.notes ilike pattern)
    limit most;
end $$;
grant execute on function search_documents(text, text, integer) to kontor_confined;

-- The ids of expenses whose title, vendor, notes or document number contain a text, by index.
create or replace function search_expenses(wanted text, pattern text, most integer) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select e.id from expenses e where e.organization_id = current_organization()
    and search_grams(e.organization_id, coalesce(e.title, '') || ' ' || coalesce(e.vendor, '') || ' ' || coalesce(e.notes, '') || ' '
      || coalesce(e.document_number, '')) @> search_grams(current_organization(), wanted)
    and (e.title ilike pattern or e.vendor ilike pattern or e.notes ilike pattern or e.document_number ilike pattern)
    limit most;
end $$;
grant execute on function search_expenses(text, text, integer) to kontor_confined;

-- The ids of items whose name, SKU, barcode or description contain a text, by index.
create or replace function search_items(wanted text, pattern text, most integer) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select i.id from items i where i.organization_id = current_organization()
    and search_grams(i.organization_id, i.name || ' ' || coalesce(i.sku, '') || ' ' || coalesce(i.barcode, '') || ' ' || coalesce(i.description, ''))
      @> search_grams(current_organization(), wanted)
    and (i.name ilike pattern or i.sku ilike pattern or i.barcode ilike pattern or i.description ilike pattern)
    limit most;
end $$;
grant execute on function search_items(text, text, integer) to kontor_confined;

-- The ids of orders whose number, counterparty, reference or notes contain a text, by index.
create or replace function search_orders(wanted text, pattern text, most integer) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select o.id from orders o where o.organization_id = current_organization()
    and search_grams(o.organization_id, coalesce(o.order_number, '') || ' ' || o.counterparty_name || ' ' || coalesce(o.reference, '') || ' ' || coalesce(o.notes, ''))
      @> search_grams(current_organization(), wanted)
    and (o.order_number ilike pattern or o.counterparty_name ilike pattern or o.reference ilike pattern or o.notes ilike pattern)
    limit most;
end $$;
grant execute on function search_orders(text, text, integer) to kontor_confined;

create or replace function search_payments(wanted text, pattern text, most integer) returns setof uuid
  language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
begin
  return query select p.id from payments p where p.organization_id = current_organization() and p.kind = 'SALES' and p.reference is not null
    and search_grams(p.organization_id, p.reference) @> search_grams(current_organization(), wanted) and p.reference ilike pattern
    limit most;
end $$;
grant execute on function search_payments(text, text, integer) to kontor_confined;

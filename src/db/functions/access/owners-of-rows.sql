-- Says which organization owns a row, for calls that name only the row. The functions for most tables are made with their table;
-- these are the others.

-- The id of a counterparty that is not a customer is not found among customers.
create or replace function owner_of_customers(row_id uuid) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.customers t where t.id = row_id and t.is_customer); end $$;
grant execute on function owner_of_customers(uuid) to kontor_confined;

-- The owner of a document or payment of a kind; a row of another kind is not found. Without a kind it is sales.
create or replace function owner_of_documents(row_id uuid) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.documents t where t.id = row_id and t.kind = 'SALES'); end $$;
grant execute on function owner_of_documents(uuid) to kontor_confined;

create or replace function owner_of_documents(row_id uuid, of_kind text) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.documents t where t.id = row_id and t.kind = of_kind); end $$;
grant execute on function owner_of_documents(uuid, text) to kontor_confined;

create or replace function owner_of_payments(row_id uuid) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.payments t where t.id = row_id and t.kind = 'SALES'); end $$;
grant execute on function owner_of_payments(uuid) to kontor_confined;

create or replace function owner_of_payments(row_id uuid, of_kind text) returns uuid language plpgsql stable security definer as $$
begin return (select t.organization_id from public.payments t where t.id = row_id and t.kind = of_kind); end $$;
grant execute on function owner_of_payments(uuid, text) to kontor_confined;

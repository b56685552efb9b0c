-- Finds values that were encrypted with a key that is lost.

-- How many values each organization lost and has not entered again, by column.
create or replace function lost_values() returns table(organization_id uuid, table_name text, column_name text, times bigint)
  language plpgsql stable as $$
declare
  place record;
begin
  for place in select c.table_name, c.column_name from secret_columns() c loop
    return query execute format('select t.organization_id, %L::text, %L::text, count(*) from %I t
      join organization_keys k on k.organization_id = t.organization_id and k.id = t.%I and k.lost_at is not null group by 1',
      place.table_name, place.column_name, place.table_name, place.column_name || '_key_id');
  end loop;
end $$;

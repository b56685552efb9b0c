-- The sales tax that an organization collects (United States): rows of a state, a rate in percent, and the day from which it applies.
create function are_sales_tax_rates(rates jsonb) returns boolean language sql immutable parallel safe as $$
  select case when jsonb_typeof(rates) = 'array' then jsonb_array_length(rates) <= 500
      and not exists (select from jsonb_array_elements(rates) r where not coalesce(
        case when jsonb_typeof(r) = 'object' and jsonb_typeof(r -> 'rate') = 'number' then r ->> 'state' ~ '^[A-Z]{2}$'
          and (r ->> 'rate')::numeric between 0 and 100 and r ->> 'since' ~ '^\d{4}-\d{2}-\d{2}$' end, false))
      and not exists (select from jsonb_array_elements(rates) r group by r ->> 'state', r ->> 'since' having count(*) > 1)
    else false end
$$;
grant execute on function are_sales_tax_rates to kontor_confined, kontor_across;

alter table organization_settings add column sales_tax_rates jsonb not null default '[]',
  add constraint sales_tax_rates_are_valid check (are_sales_tax_rates(sales_tax_rates));
grant insert (sales_tax_rates), update (sales_tax_rates) on organization_settings to kontor_confined;

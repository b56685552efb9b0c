-- A draft with an exchange rate of its own is checked as an issued document is: its amounts fit in the currency of the
-- organization. Before, one draft whose rate was too large made every export of expenses fail.
create function require_draft_fits() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' set plan_cache_mode to 'force_generic_plan' as $$
declare
  draft documents := new;
  home text;
begin
  select o.currency into home from organizations o where o.id = new.organization_id;
  draft.exchange_rate := new.given_rate;
  perform require_amounts_fit(draft, greatest(abs(new.subtotal_minor), abs(new.tax_minor), abs(new.total_minor)), home, home);
  return new;
end $$;
create trigger require_draft_fits before insert or update of given_rate, currency, subtotal_minor, tax_minor, total_minor on documents
  for each row when (new.issued_at is null and new.given_rate is not null) execute function require_draft_fits();

grant execute on function amount_max() to kontor_confined; -- reads show no amount that is larger

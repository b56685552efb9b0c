-- Guards the quota of scans: a file is charged once, within the limit of the period.

-- Counts a scan in a month, once for each attachment, and returns whether the month still had one left (INV-17). The row of the
-- month is locked, so parallel scans never count more than are allowed.
create or replace function charge_scan(of_attachment uuid, in_period text, allowed integer) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into scan_usage (organization_id, period, used) values (current_organization(), in_period, 0) on conflict do nothing;
  perform from scan_usage u where u.organization_id = current_organization() and u.period = in_period for update;
  if exists (select from scans s where s.organization_id = current_organization() and s.attachment_id = of_attachment and s.charged_period is not null) then
    return true;
  end if;
  update scan_usage u set used = u.used + 1
    where u.organization_id = current_organization() and u.period = in_period and u.used < allowed;
  return found;
end $$;
grant execute on function charge_scan(uuid, text, integer) to kontor_confined;

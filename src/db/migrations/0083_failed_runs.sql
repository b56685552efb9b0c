-- The owner of an automation is notified of failed runs once a day, however many fail and however many workers execute them.
create unique index one_failure_notice_a_day on notifications (user_id, (data ->> 'automationId'), ((created_at at time zone 'UTC')::date))
  where kind = 'AUTOMATION_FAILED';

-- As before, but a run without open or failed steps, which is nearly every one that succeeds, is looked at once instead of twice.
create or replace function end_steps() returns trigger language plpgsql as $$
begin
  if not exists (select from automation_steps s
    where s.organization_id = new.organization_id and s.run_id = new.id and s.status in ('PENDING', 'RUNNING', 'FAILED'))
  then return null; end if;
  update automation_steps s set status = 'FAILED', finished_at = now(),
    error = coalesce(s.error || ' ', '') || case when new.status = 'SUCCEEDED'
      then 'The step was not tried again: it is no longer part of the graph.' else coalesce(new.error, 'The run ended before the step.') end
  where s.organization_id = new.organization_id and s.run_id = new.id and s.status in ('PENDING', 'RUNNING');
  if new.status = 'SUCCEEDED' then
    -- The block is still there, so its element is not: the run would not have succeeded without it.
    update automation_steps s set status = 'SKIPPED', error = coalesce(s.error || ' ', '') || 'The step was not tried again: its element is no longer in the list.'
    where s.organization_id = new.organization_id and s.run_id = new.id and s.status = 'FAILED'
      and exists (select from automation_graphs g, jsonb_array_elements(g.blocks) block
        where g.organization_id = new.organization_id and g.id = new.graph_id and block ->> 'id' = s.block_id);
  end if;
  return null;
end $$;

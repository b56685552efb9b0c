-- The sums of the journal are stored ahead, so that the first report of an organization need not: once an hour a job is enqueued
-- for organizations in which more days were changed than a report computes by itself.
create function start_summing_up(most integer) returns bigint
language sql as $$
  select count(requeue_job('sum-up-journal', 'organizationId', o.id, o.id)) from (
    select o.id from organizations o
    where exists (select from journal_marks m where m.organization_id = o.id offset 20)
    order by random() limit most) o
$$;

-- How much of the journal is added up, in percent: by the documents up to the last day that is stored.
create function summed_up_percent() returns integer
language sql stable as $$
  select coalesce(floor(100.0 * count(*) filter (where d.issue_date <= (select s.upto from journal_sums_state s)) / nullif(count(*), 0)), 0)::integer
  from documents d where d.issued_at is not null
$$;
grant execute on function summed_up_percent() to kontor_confined;

/**
 * Every statement of this program on the private tables of graphile-worker, because a new version of it may change them. Functions of
 * the database that use them are in functions/jobs/queue.sql. docs/decisions/0027 says why the library's own batches are not enough.
 */

/** For a `from`: the jobs of the queue as the library keeps them, with the name of each. */
export const queuedJobs = `(select q.*, t.identifier as job from graphile_worker._private_jobs q
  join graphile_worker._private_tasks t on t.id = q.task_id) as queued`

/** The names of tables, for programs that write rows of the queue as they were: a restore, tests and benchmarks. */
export const queueTables = {
  jobs: 'graphile_worker._private_jobs',
  crontabs: 'graphile_worker._private_known_crontabs',
}

/**
 * Locks the next `count` jobs, as the library does. Jobs in a named queue are left to it. `preloaded` is an expression over the
 * locked job `j`. The limit is part of the text: PostgreSQL plans a statement again at each execution if its limit is a parameter,
 * and that takes longer than to execute it. Values: id of the worker, names of jobs, flags of jobs that have to wait.
 */
export const fetchJobs = (count: number, preloaded: string) => `with next as (
    select j.id from graphile_worker._private_jobs j
    where j.is_available and j.run_at <= now() and j.job_queue_id is null and (j.flags ?| $3::text[]) is not true
      and j.task_id = any (array(select t.id from graphile_worker._private_tasks t where t.identifier = any ($2::text[])))
    order by j.priority, j.run_at limit ${count} for update skip locked),
  locked as (
    update graphile_worker._private_jobs j set attempts = j.attempts + 1, locked_by = $1, locked_at = now()
    from next, graphile_worker._private_tasks t where j.id = next.id and t.id = j.task_id
    returning t.identifier as name, j.payload, j.id, j.attempts, j.flags, j.key)
  select j.*, ${preloaded} as preloaded from locked j`

/** Returns jobs that were never started to the queue, as if they had not been fetched. Values: id of the worker, ids, attempts. */
export const returnJobs = `update graphile_worker._private_jobs j set attempts = j.attempts - 1, locked_by = null, locked_at = null
  from unnest($2::bigint[], $3::integer[]) r (id, attempts)
  where j.id = r.id and j.attempts = r.attempts and j.locked_by = $1`

/**
 * Unlocks jobs that a worker has locked without knowing it, because the answer was lost with its connection. Other workers would
 * never take such a job: the worker that holds it is alive. Values: id of the worker, seconds since the lock, ids of running jobs.
 */
export const releaseUnknownJobs = `update graphile_worker._private_jobs set locked_at = null, locked_by = null
  where id = any (array(select id from graphile_worker._private_jobs where locked_by = $1
    and locked_at < now() - make_interval(secs => $2) and id <> all ($3::bigint[]) for update skip locked))`

/** Counts up to `rowsMax` jobs by name and state. Includes every job that was ever enqueued, so that its metric falls to zero instead of disappearing. */
export const jobCounts = (rowsMax: number) => `
  select t.identifier as job,
    count(*) filter (where j.is_available and j.run_at <= now()) as waiting,
    count(*) filter (where j.locked_at is not null) as running,
    count(*) filter (where j.is_available and j.run_at > now()) as delayed,
    count(*) filter (where not j.is_available and j.locked_at is null) as stuck,
    count(*) filter (where j.flags ? 'retry') as retrying,
    coalesce(extract(epoch from now() - min(j.run_at) filter (where j.is_available and j.run_at <= now())), 0)::float8 as oldest_s
  from graphile_worker._private_tasks t
  left join (select task_id, is_available, run_at, locked_at, flags from graphile_worker._private_jobs limit ${rowsMax}) j
    on j.task_id = t.id
  group by t.identifier`

/** For a `from`: jobs that are not done, including those that a worker is running, because their effects are not committed yet. */
export const jobsToBackUp = `(select t.identifier, j.payload, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority, j.flags
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
    where j.attempts < j.max_attempts order by j.id) as jobs`

import pg from 'pg'
import { queueTables } from '../../db/queue.ts'

/**
 * Moves everything in a database two years into the past, so that a fixture is older than the clock of any machine it is
 * tested on: every date and instant that is a column, years, the waiting jobs, the schedules, and the hashes that cover an instant.
 */
export async function backdate(database: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  try {
    await client.query('begin')
    await client.query("set local session_replication_role = 'replica'") // no trigger refuses or counts the change
    const { rows } = await client.query<{ statement: string }>(statements)
    for (const { statement } of rows) await client.query(statement)
    await client.query(`update ${queueTables.jobs} set run_at = run_at - interval '2 years'`)
    await client.query(`update ${queueTables.crontabs}
      set known_since = known_since - interval '2 years', last_execution = last_execution - interval '2 years'`)
    await client.query(rehash)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const statements = `
  select format('update public.%I set %s', c.table_name, string_agg(
    case when c.data_type = 'integer' then format('%1$I = %1$I - 2', c.column_name)
      else format('%1$I = (%1$I - interval ''2 years'')::%2$s', c.column_name, c.data_type) end, ', ')) as statement
  from information_schema.columns c
  join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
    and (c.data_type in ('date', 'timestamp with time zone') or (c.column_name = 'year' and c.data_type = 'integer'))
  group by c.table_name`

const rehash = `do $$
  declare entry document_events;
  begin
    for entry in select * from document_events order by organization_id, document_id, seq loop
      update document_events e set prev_hash = coalesce((select b.hash from document_events b
          where b.organization_id = e.organization_id and b.document_id = e.document_id and b.seq = e.seq - 1), '')
        where e.organization_id = entry.organization_id and e.id = entry.id;
      update document_events e set hash = document_event_hash(e)
        where e.organization_id = entry.organization_id and e.id = entry.id;
    end loop;
  end $$`

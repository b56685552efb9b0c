import type pg from 'pg'

/**
 * Disables constraints in the transaction of a load, so that tables can be loaded in any order. `restoreConstraints`
 * checks all foreign keys and constraint triggers when everything is loaded, and enables them again.
 */
export async function disableConstraints(client: pg.ClientBase): Promise<{ restoreConstraints(): Promise<void> }> {
  const { rows } = await client.query<{ disable: string; enable: string }>(changesQuery)
  for (const { disable } of rows) await client.query(disable)
  await client.query('set constraints all deferred')
  return {
    async restoreConstraints() {
      await client.query('set constraints all immediate')
      for (const { enable } of rows) await client.query(enable)
    },
  }
}

const changesQuery = `
  -- copy cannot write to a table whose row security also applies to its owner
  select format('alter table %s no force row level security', c.oid::regclass) as disable,
    format('alter table %s force row level security', c.oid::regclass) as enable
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relforcerowsecurity
  union all
  select format('alter table %s alter constraint %I deferrable initially deferred', k.conrelid::regclass, k.conname),
    format('alter table %s alter constraint %I not deferrable', k.conrelid::regclass, k.conname)
  from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contype = 'f' and not k.condeferrable
    and k.conparentid = 0
  union all
  -- Ordinary insert triggers ran when the row was first written; they would number, count or stamp it again.
  select format('alter table %s disable trigger %I', t.tgrelid::regclass, t.tgname),
    format('alter table %s enable trigger %I', t.tgrelid::regclass, t.tgname)
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgconstraint = 0 and t.tgparentid = 0
    and t.tgenabled = 'O' and t.tgtype & 4 <> 0`

import type pg from 'pg'

/**
 * Prepares the tables for a load in any order, in the transaction of the load. Nothing is taken on trust: foreign keys
 * and constraint triggers are looked at once everything is there, by `tighten`, which also puts all back as it was.
 */
export async function disableConstraints(client: pg.ClientBase): Promise<{ tighten(): Promise<void> }> {
  const { rows } = await client.query<{ loose: string; tight: string }>(changesQuery)
  for (const { loose } of rows) await client.query(loose)
  await client.query('set constraints all deferred')
  return {
    async tighten() {
      await client.query('set constraints all immediate')
      for (const { tight } of rows) await client.query(tight)
    },
  }
}

const changesQuery = `
  -- copy does not write where row security holds for the owner too
  select format('alter table %s no force row level security', c.oid::regclass) as loose,
    format('alter table %s force row level security', c.oid::regclass) as tight
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relforcerowsecurity
  union all
  select format('alter table %s alter constraint %I deferrable initially deferred', k.conrelid::regclass, k.conname),
    format('alter table %s alter constraint %I not deferrable', k.conrelid::regclass, k.conname)
  from pg_constraint k where k.connamespace = 'public'::regnamespace and k.contype = 'f' and not k.condeferrable
    and k.conparentid = 0
  union all
  -- Ordinary insert triggers had their say when the row was first written: they would number, count or stamp it again.
  select format('alter table %s disable trigger %I', t.tgrelid::regclass, t.tgname),
    format('alter table %s enable trigger %I', t.tgrelid::regclass, t.tgname)
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgconstraint = 0 and t.tgparentid = 0
    and t.tgenabled = 'O' and t.tgtype & 4 <> 0`

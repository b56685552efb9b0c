-- Finds rows whose foreign key refers to nothing, which a fault of PostgreSQL or of a disk may leave.

-- Foreign keys that some row violates, for `kontor verify`: a restore, or triggers that were switched off by hand, can leave such
-- rows.
create or replace function broken_references() returns table(reference text, from_table text, broken bigint) language plpgsql stable as $$
declare
  key record;
begin
  for key in
    select k.conname, k.conrelid::regclass as origin, k.confrelid::regclass as target,
      string_agg(format('t.%I = f.%I', target.attname, origin.attname), ' and ') as matches,
      string_agg(format('f.%I is not null', origin.attname), ' and ') as given
    from pg_constraint k, unnest(k.conkey, k.confkey) as pair (origin, target)
    join pg_attribute origin on origin.attnum = pair.origin join pg_attribute target on target.attnum = pair.target
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace
      and origin.attrelid = k.conrelid and target.attrelid = k.confrelid
    group by k.oid, k.conname, k.conrelid, k.confrelid
  loop
    reference := key.conname;
    from_table := key.origin;
    execute format('select count(*) from %s f where %s and not exists (select from %s t where %s)',
      key.origin, key.given, key.target, key.matches) into broken;
    if broken > 0 then return next; end if;
  end loop;
end $$;

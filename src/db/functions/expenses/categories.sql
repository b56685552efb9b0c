-- Keeps the name of a deleted category on the expenses that were booked with it.

create or replace function keep_deleted_category() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.deleted_category_id := case when new.category_id is null
      and exists (select from documents d where d.organization_id = new.organization_id and d.id = (to_jsonb(new) ->> tg_argv[0])::uuid and d.issued_at is not null)
      and not exists (select from expense_categories c where c.organization_id = new.organization_id and c.id = old.category_id) then old.category_id end;
  return new;
end $$;

create or replace function forget_deleted_category() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update expenses e set deleted_category_id = null where e.organization_id = new.organization_id and e.id = new.id and e.deleted_category_id is not null;
  update expense_splits s set deleted_category_id = null
    where s.organization_id = new.organization_id and s.expense_id = new.id and s.deleted_category_id is not null;
  return null;
end $$;

create or replace trigger keep_deleted_category before update of category_id on expenses
  for each row when (old.category_id is distinct from new.category_id) execute function keep_deleted_category('id');
create or replace trigger keep_deleted_category before update of category_id on expense_splits
  for each row when (old.category_id is distinct from new.category_id) execute function keep_deleted_category('expense_id');
create or replace trigger forget_deleted_category after update on documents
  for each row when (new.kind = 'EXPENSE'::text and old.issued_at is not null and new.issued_at is null) execute function forget_deleted_category();

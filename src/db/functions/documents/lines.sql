-- Guards that the lines of an issued document do not change.

-- Allows changes of lines while their document may change, and lines of a document that becomes final in the same transaction.
create or replace function guard_lines() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  line document_lines := case tg_op when 'DELETE' then old else new end;
begin
  if tg_op = 'UPDATE' and new.paid_minor <> old.paid_minor then
    old.paid_minor := new.paid_minor; -- only apply_allocation() writes it
    if new is not distinct from old then return new; end if;
  end if;
  if exists (select from documents d join ledger_kinds k on k.kind = d.kind
      where d.organization_id = line.organization_id and d.id = line.document_id
        and (d.issued_at is not null and (tg_op <> 'INSERT' or d.issued_at <> now()) and 'lines' = any (k.frozen_when_final)
          or d.paid_minor > 0 and 'lines' = any (k.frozen_when_paid))) then
    perform refuse_frozen();
  end if;
  return line;
end $$;

create or replace trigger guard_lines before insert or delete or update on document_lines
  for each row execute function guard_lines();

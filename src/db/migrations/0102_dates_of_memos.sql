-- The issue date of a memo of sales can be given. It is not before that of the document which the memo corrects; a memo whose date is
-- not given is dated today, also if its document was dated after today by an earlier version.
create or replace function guard_memo()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  source documents;
begin
  select * into source from documents d where d.organization_id = new.organization_id and d.id = new.source_document_id;
  if source.document_type = any (select unnest(k.unbilled_types) from ledger_kinds k where k.kind = new.kind)
    or is_receipt_by_law(source.document_type, source.series) then
    raise exception 'A document that is no tax document is cancelled.' using errcode = 'check_violation', constraint = 'memo_of_tax_document';
  end if;
  if new.kind = 'SALES' and new.issue_date_given and new.issue_date < source.issue_date then
    raise exception 'A memo is not dated before its document.' using errcode = 'check_violation', constraint = 'memo_not_before_document';
  end if;
  if new.document_type = 'CREDIT_MEMO' and new.total_minor + coalesce((select sum(m.total_minor) from documents m
      where m.organization_id = new.organization_id and m.source_document_id = new.source_document_id and m.document_type = 'CREDIT_MEMO'
        and m.cancelled_at is null), 0) > source.total_minor then
    raise exception 'The credits exceed the document.' using errcode = 'check_violation', constraint = 'credited_within_total';
  end if;
  return new;
end $function$;

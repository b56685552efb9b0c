-- The goods of a supplier credit are set when it is made (0057) and do not change.
create function guard_goods_of_credit() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform refuse_frozen();
  return null;
end $$;
create trigger guard_goods_of_credit before update of goods_minor on documents for each row
  when (new.goods_minor is distinct from old.goods_minor) execute function guard_goods_of_credit();

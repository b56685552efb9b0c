-- A line may carry a discount: a percentage or an amount, which the amount of the line already takes off. Lines of the version
-- before have none.
alter table document_lines
  add column discount_percent numeric(9, 6),
  add column discount_minor bigint,
  add constraint line_discount check (
    num_nonnulls(discount_percent, discount_minor) <= 1
    and (discount_percent is null or discount_percent between 0 and 100)
    and (discount_minor is null or discount_minor >= 0));

grant insert (discount_percent, discount_minor), update (discount_percent, discount_minor) on document_lines to kontor_confined;

-- Employees can be imported from a file.
alter table imports drop constraint imports_kind_check,
  add constraint imports_kind_check check (kind in ('CUSTOMERS', 'SUPPLIERS', 'ITEMS', 'OPENING_BALANCES', 'EMPLOYEES'));

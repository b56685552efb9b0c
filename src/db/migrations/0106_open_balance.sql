-- The dashboard shows what is open of issued documents of all years, which it reads from the stored sums.
create index open_sales on sales_by_day (organization_id, currency) where status in ('UNSENT', 'SENT') and open_minor <> 0;

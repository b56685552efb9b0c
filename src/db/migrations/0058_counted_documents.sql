-- The documents that count as invoices of a customer. One count reads this index alone; before, the closed documents and those
-- of other kinds were counted apart and deducted.
create index counted_documents on documents (organization_id, counterparty_id)
  where kind = 'SALES' and cancelled_at is null and converted_to_id is null;
drop index closed_documents;

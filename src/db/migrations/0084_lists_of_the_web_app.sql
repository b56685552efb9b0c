-- What a customer owes, and the customers who owe something.
create index owed_by_customer on documents (organization_id, counterparty_id)
  where kind = 'SALES' and direction = 'OUTGOING' and status in ('UNSENT', 'SENT');

-- The expenses that a person entered.
create index expenses_by_creator on documents (organization_id, created_by, issue_date, id) where kind = 'EXPENSE';

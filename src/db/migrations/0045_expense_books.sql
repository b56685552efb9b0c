-- Expenses in the books: bills that were entered twice are found.

create index on expenses (organization_id, document_number) where document_number is not null;

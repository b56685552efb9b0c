-- Indexes that every write paid for and no query needs.

-- A name is never null, so the ascending index is read backwards.
drop index customers_organization_id_lower_id_idx1;
drop index customers_organization_id_lower_id_idx5;

-- Two were the same.
drop index expenses_organization_id_document_number_idx1;

-- Entries of API keys have an index by their key.
drop index audit_log_organization_id_source_created_at_id_idx;
create index on audit_log (organization_id, source, created_at desc, id desc) where organization_id is not null and source <> 'API_KEY';

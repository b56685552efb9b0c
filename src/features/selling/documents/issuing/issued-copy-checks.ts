import type { Check } from '../../../../core/define/check.ts'
import { officialTypeRows } from '../../../../countries/official-types.ts'

const declaredTypes = JSON.stringify(officialTypeRows()).replaceAll("'", "''")

/** Rules about what a sales document was issued with, and about its printed number and its kept original. */
export const issuedCopyChecks: Check[] = [
  {
    id: 'KINDS',
    says: 'The official document types in the database are those that this version declares.',
    finds: `select country, registered, document_type from (select country, registered, document_type, to_jsonb(t) as row from official_document_types t) stored
      full join (select d ->> 'country' as country, (d ->> 'registered')::boolean as registered, d ->> 'document_type' as document_type, d as row
        from jsonb_array_elements('${declaredTypes}') d) declared
        using (country, registered, document_type) where stored.row is distinct from declared.row`,
  },
  {
    id: 'INV-07',
    says: 'Every issued sales document has the copy of what it was issued with, and no other document has one.',
    finds: `select coalesce(d.organization_id, c.organization_id) as organization_id, coalesce(d.id, c.document_id) as id, d.number
      from (select * from documents where kind = 'SALES' and issued_at is not null) d
      full join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
      where d.id is null or c.document_id is null`,
  },
  {
    id: 'INV-06',
    says: 'Printed numbers are unique per organization and official type.',
    // Documents that were numbered before the series of official types keep their numbers.
    finds: `select d.organization_id, c.official_type, d.number, count(*) as documents
      from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
      group by d.organization_id, c.official_type, d.number having count(*) > 1 and bool_or(d.series <> '')`,
  },
  {
    id: 'INV-07',
    says: 'Every kept original is a file with the hash that the history of its document states.',
    finds: `select c.organization_id, c.document_id, c.original_file_id from issued_copies c
      left join files f on f.organization_id = c.organization_id and f.id = c.original_file_id
      where c.original_file_id is not null and (f.sha256 is distinct from c.original_sha256
        or not exists (select from document_events e where e.organization_id = c.organization_id and e.document_id = c.document_id
          and e.type = 'ORIGINAL_KEPT' and e.payload ->> 'sha256' = c.original_sha256))
      union all select e.organization_id, e.document_id, c.original_file_id from document_events e
      left join issued_copies c on c.organization_id = e.organization_id and c.document_id = e.document_id
      where e.type = 'ORIGINAL_KEPT' and e.payload ->> 'sha256' is distinct from c.original_sha256`,
  },
]

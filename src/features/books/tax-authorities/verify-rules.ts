import type { Check } from '../../../core/define/check.ts'

/** Checks of numbers that tax authorities allocated and of bills that access points received, recomputed from their rows. */
export const clearanceChecks: Check[] = [
  {
    id: 'CLEARANCE',
    says: 'A document that the tax authority approved has that number and no other.',
    finds: `select c.organization_id, c.document_id, c.number, d.vat_allocation_number from clearances c
      join documents d on d.organization_id = c.organization_id and d.id = c.document_id
      where c.status = 'APPROVED' and d.vat_allocation_number is distinct from c.number`,
  },
  {
    id: 'CLEARANCE',
    says: 'No two documents of an organization have the same number of the tax authority.',
    finds: `select c.organization_id, c.authority, c.number, count(*) as documents from clearances c where c.source = 'AUTHORITY'
      group by c.organization_id, c.authority, c.environment, c.number having count(*) > 1`,
  },
  {
    id: 'CLEARANCE',
    says: 'A submission that is approved has a number, a rejected one its reasons, and a failed one its error.',
    finds: `select c.organization_id, c.document_id, c.status from clearances c
      where (c.status = 'APPROVED') <> (c.number is not null) or (c.number is null) <> (c.source is null)
        or (c.status in ('APPROVED', 'REJECTED')) <> (c.decided_at is not null)
        or (c.status = 'REJECTED' and (c.error is null or jsonb_array_length(c.reasons) = 0))
        or (c.status = 'ERROR' and c.error is null) or (c.status in ('PENDING', 'REJECTED', 'ERROR') and exists (
          select from documents d where d.organization_id = c.organization_id and d.id = c.document_id and d.vat_allocation_number is not null))`,
  },
  {
    id: 'CLEARANCE',
    says: 'Only an issued sales document is submitted, and the request that was sent names it.',
    finds: `select c.organization_id, c.document_id from clearances c
      join documents d on d.organization_id = c.organization_id and d.id = c.document_id
      where d.kind <> 'SALES' or d.issued_at is null or (c.source = 'AUTHORITY' and c.request is null)
        or c.request ->> 'invoice_id' <> c.document_id::text`,
  },
  {
    id: 'CLEARANCE',
    says: 'The history of a document tells of the number that the tax authority allocated, once.',
    finds: `select c.organization_id, c.document_id, count(e.id) as entries from clearances c
      left join document_events e on e.organization_id = c.organization_id and e.document_id = c.document_id
        and e.type = 'CLEARANCE_APPROVED' and e.payload ->> 'allocationNumber' = c.number
      where c.source = 'AUTHORITY' group by c.organization_id, c.document_id having count(e.id) <> 1`,
  },
  {
    id: 'CLEARANCE',
    says: 'A submission that waits for the tax authority has a job, or is being sent.',
    finds: `select organization_id, id from lost_clearances() where submitted_at < now() - interval '1 hour'`,
  },
  {
    id: 'CLEARANCE',
    says: 'A document that an access point received made one expense, or is a duplicate of one.',
    finds: `select r.organization_id, r.expense_id, count(*) as documents from received_einvoices r
      where r.expense_id is not null and r.outcome <> 'DUPLICATE' group by r.organization_id, r.expense_id having count(*) > 1`,
  },
]

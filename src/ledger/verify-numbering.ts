import type { Check } from '../core/define/check.ts'

/**
 * Checks of numbers and their dates. Documents that were numbered before the series of official types have the series '',
 * in which every document type had its own numbers.
 */
export const numberingChecks: Check[] = [
  {
    id: 'INV-06',
    says: 'Document numbers run from the first number of their series to the counter without gaps.',
    finds: `select coalesce(s.organization_id, n.organization_id) as organization_id, coalesce(s.series, n.document_type) as series,
        s.numbered, s.first, s.last, n.next_number - 1 as counted
      from (select organization_id, series, count(*) as numbered, count(distinct sequence) as different, min(sequence) as first, max(sequence) as last
        from documents where sequence is not null and series <> '' group by organization_id, series) s
      full join document_numbering n on n.organization_id = s.organization_id and n.document_type = s.series
      where n.document_type is null or coalesce(s.numbered, 0) <> n.next_number - n.first_number
        or s.different <> s.numbered or s.first <> n.first_number or s.last <> n.next_number - 1
      union all select coalesce(s.organization_id, n.organization_id), coalesce(s.document_type, n.document_type),
        s.numbered, 1, s.last, n.earlier_numbers
      from (select organization_id, document_type, count(*) as numbered, count(distinct sequence) as different, max(sequence) as last
        from documents where sequence is not null and series = '' group by organization_id, document_type) s
      full join (select * from document_numbering where earlier_numbers > 0) n
        on n.organization_id = s.organization_id and n.document_type = s.document_type
      where s.document_type is null or n.document_type is null or s.different <> s.numbered or s.last <> s.numbered
        or s.last <> n.earlier_numbers`,
  },
  {
    id: 'INV-06',
    says: 'Every issued document of a numbered kind has a number, drafts have none, and numbers are in the order of issue dates.',
    // A document may be dated before the one with the number before it if that one was dated in the future. Time zones of
    // organizations differ by two days at most.
    finds: `select d.organization_id, d.id, d.status, d.number from (select d.*, lag(d.issue_date) over numbers as before from documents d
        window numbers as (partition by d.organization_id, coalesce(nullif(d.series, ''), d.document_type) order by d.sequence)) d
      join organizations o on o.id = d.organization_id
      where (d.issued_at is not null and exists (select from ledger_kinds k where k.kind = d.kind and k.numbered)) <> (d.sequence is not null)
        or (d.sequence is null) <> (d.number is null)
        or (d.sequence is not null and case when d.issue_date < d.before then d.before <= day_in_zone(d.issued_at, o.timezone) end)
        or (d.series <> '' and d.issue_date > (d.issued_at at time zone 'UTC')::date + 2)`,
  },
]

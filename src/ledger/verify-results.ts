import type { Check } from '../core/define/check.ts'

/** Whether a row `s` of `journal_sums`, or of results and taxes by day, counts: those of its day are stored and not marked. */
export const areStored = `exists (select from journal_sums_state t where t.organization_id = s.organization_id and s.day <= t.upto and t.version = journal_version())
  and not exists (select from journal_marks m where m.organization_id = s.organization_id and m.day in (s.day, '-infinity'))`

export const everything =
  "'-infinity', '00000000-0000-0000-0000-000000000000', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'"

/** The lines of the journal that results and taxes by day are computed from, for each organization. */
const lines = `select p.organization_id, array_agg(row(p.organization_id, p.document_id, p.event, p.day, p.direction, p.account, p.account_id, p.subject,
    p.home_currency, face_currency(p.currency, p.home_currency, p.exchange_rate), p.home_minor)::result_line) as lines
  from placed_lines(${everything}) p where is_result_line(p.document_id, p.event, p.account) group by 1`

/** Rows of a table by day that differ from the journal, in both directions. */
const differing = (name: 'results' | 'taxes') => `
  with lines as materialized (${lines}), now as (
    select s.* from lines l cross join lateral grouped_${name}(l.lines) s where ${areStored}
  ), stored as (
    select s.* from journal_${name}_by_day s where ${areStored}
  )
  select x.* from ((select * from stored except all select * from now) union all (select * from now except all select * from stored)) x`

/** Checks that what the reports on income, expenses and tax read equals the journal. */
export const resultChecks: Check[] = [
  {
    id: 'SUMS',
    says: 'What is stored of income and expenses by day, account and category equals the journal.',
    finds: differing('results'),
  },
  {
    id: 'SUMS',
    says: 'What is stored of tax by day, rate and category equals the journal.',
    finds: differing('taxes'),
  },
]

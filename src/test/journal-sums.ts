import { within } from './secrets.ts'

const all = "'-infinity', 'infinity'"

/** The journal of the organization, added up without stored sums. */
const computed = `
  select 'ACCRUAL' as basis, b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate) as face_currency,
    b.home_minor from booked_lines(${all}) b
  union all
  select 'CASH', b.day, b.account_id, b.home_currency, face_currency(b.currency, b.home_currency, b.exchange_rate), b.home_minor
    from booked_lines(${all}) b join accounts a on a.id = b.account_id and a.type in ('INCOME', 'EXPENSE')
    where b.event not in ('ISSUED', 'CREDITED', 'CANCELLED', 'CONVERTED')
  union all
  select 'CASH', m.day, r.account_id, r.home_currency, r.face_currency, m.times * share_of(r.home_minor, m.upto, m.amount_minor, d.total_minor)
    from money_moved(${all}) m join documents d on d.id = m.document_id
    join results_of('-infinity', '00000000-0000-0000-0000-000000000000', 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff') r on r.document_id = m.document_id`

const read = `
  select 'ACCRUAL' as basis, s.day, s.account_id, s.home_currency, s.face_currency, s.debit_minor, s.credit_minor from journal_balances(${all}, 'ACCRUAL') s
  union all
  select 'CASH', s.day, s.account_id, s.home_currency, s.face_currency, s.debit_minor, s.credit_minor from journal_balances(${all}, 'CASH') s`

/** The rows of `results_by_day()` or `taxes_by_day()` that differ from the journal, with the amounts and documents of both. */
const differingRows = (name: 'results' | 'taxes') => `
  select 'read ' || '${name}' as side, to_jsonb(x)::text as row from (select * from ${name}_by_day(${all}) except all
    select * from grouped_${name}(result_lines(array['-infinity']::date[], array['infinity']::date[]))) x
  union all
  select 'computed ' || '${name}', to_jsonb(x)::text from (select * from grouped_${name}(result_lines(array['-infinity']::date[], array['infinity']::date[]))
    except all select * from ${name}_by_day(${all})) x`

/** Sums, results and taxes that reports read and that differ from the journal, each read by one statement; none if all is well. */
export const differingSums = async (organizationId: string | undefined) =>
  within(organizationId, async (_, connection) => {
    const { rows: differing } = await connection.query(
      `${differingRows('results')} union all ${differingRows('taxes')}`,
    )
    const { rows } = await connection.query(`
      with computed as (select basis, day, account_id, home_currency, face_currency, sum(greatest(home_minor, 0)) as debit,
          sum(greatest(-home_minor, 0)) as credit from (${computed}) c group by 1, 2, 3, 4, 5),
        sums as (select basis, day, account_id, home_currency, face_currency, sum(debit_minor) as debit, sum(credit_minor) as credit
          from (${read}) r group by 1, 2, 3, 4, 5)
      select 'read' as side, x.* from (select * from sums except select * from computed) x
      union all select 'computed', x.* from (select * from computed except select * from sums) x order by 2, 3, 1`)
    return [...rows, ...differing].map((row) => Object.values(row).map(String).join(' '))
  })

/** Stores all sums of the organization, as a report does. */
export const storeAll = async (organizationId: string | undefined, events = 8_000) => {
  for (;;) {
    const state = await within(organizationId, async (_, connection) => {
      const { rows } = await connection.query('select store_journal_sums($1) as state', [String(events)])
      return rows[0]?.state
    })
    if (state === 'DONE') return
  }
}

/** How many sums are stored, and how many days are marked. */
export const storedSums = (organizationId: string | undefined) =>
  within(organizationId, async (_, connection) => {
    const { rows } = await connection.query(
      'select (select count(*)::integer from journal_sums) as sums, (select count(distinct day)::integer from journal_marks) as marked',
    )
    return rows[0] as { sums: number; marked: number }
  })

import type { Check } from '../../../core/define/check.ts'

/** Checks of locked periods. */
export const periodLockChecks: Check[] = [
  {
    id: 'LOCK',
    says: 'Every period lock is recorded with its day, and no recorded one is later than that of the settings.',
    finds: `select s.organization_id, s.locked_until from organization_settings s where s.locked_until is not null and not exists
        (select from period_locks l where l.organization_id = s.organization_id and l.last_day = s.locked_until)
      union all select l.organization_id, l.last_day from period_locks l
        left join organization_settings s on s.organization_id = l.organization_id where (l.last_day <= s.locked_until) is not true`,
  },
  {
    id: 'LOCK',
    says: 'What is booked to each account up to the last day of a locked period is what it was when the period was locked.',
    finds: `with booked as materialized (select * from booked_by_account('-infinity', (select max(l.last_day) from period_locks l)))
      select organization_id, last_day, account_id, currency, kept.debit_minor as locked_debit, kept.credit_minor as locked_credit,
        now.debit_minor, now.credit_minor
      from (select l.organization_id, l.last_day, b.account_id, b.currency, sum(b.debit_minor)::bigint as debit_minor, sum(b.credit_minor)::bigint as credit_minor
        from period_locks l join booked b on b.organization_id = l.organization_id and b.day <= l.last_day
        where l.summed_up_at is not null group by 1, 2, 3, 4) now
      full join (select l.organization_id, l.last_day, k.account_id, k.currency, k.debit_minor, k.credit_minor
        from locked_balances k join period_locks l on l.organization_id = k.organization_id and l.id = k.lock_id) kept
        using (organization_id, last_day, account_id, currency)
      where (now.debit_minor, now.credit_minor) is distinct from (kept.debit_minor, kept.credit_minor)`,
  },
]

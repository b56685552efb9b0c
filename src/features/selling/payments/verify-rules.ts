import type { Check } from '../../../core/define/check.ts'

/** Rules about cheques that are dated later. */
export const plannedPaymentChecks: Check[] = [
  {
    id: 'INV-13',
    says: 'A planned payment is recorded when its payment is, with the same amount.',
    finds: `select l.organization_id, l.id, l.status from planned_payments l
      left join payments p on p.organization_id = l.organization_id and p.id = l.id
      where (l.status = 'RECORDED') <> (p.id is not null) or p.amount_minor <> l.amount_minor or p.currency <> l.currency`,
  },
  {
    id: 'INV-11',
    says: 'A planned payment whose day has passed was recorded, or says why not.',
    finds: `select l.organization_id, l.id, l.due_on from planned_payments l join organizations o on o.id = l.organization_id
      where l.status = 'PLANNED' and l.problem is null and l.due_on < (now() at time zone o.timezone)::date - 2`,
  },
]

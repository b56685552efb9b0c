import { type Someone, theApp } from './world.ts'

const lunch = { amount: 100, currency: 'SGD', date: '2026-01-31' }

/** Creates an expense over 100 SGD. */
export const spend = (someone: Someone, more: Record<string, unknown> = {}) =>
  someone.call('expenses_create', { ...lunch, organizationId: String(someone.organizationId), ...more })

/** Creates an expense and approves it. */
export async function spendApproved(someone: Someone, more: Record<string, unknown> = {}) {
  const { id } = await spend(someone, more)
  return someone.call('expenses_status', { id, status: 'APPROVED' })
}

/** The types of the events about an expense, in their order. */
export async function expenseEvents(id: string): Promise<string[]> {
  const { rows } = await theApp().system.raw.query(
    "select type from events where payload ->> 'id' = $1 and type like 'expense.%' order by created_at, id",
    [id],
  )
  return rows.map(({ type }) => String(type))
}

/** Counts scans in a month, as if so many attachments had been read. */
export async function useScans(organizationId: string, period: string, count: number) {
  await theApp().system.raw.query(
    `with read as (
      insert into scans (organization_id, attachment_id, expense_id, status, provider_id, charged_period, processing_ms)
      select $1, gen_random_uuid(), gen_random_uuid(), 'COMPLETED', 'kontor-ocr', $2, 1 from generate_series(1, $3)
    )
    insert into scan_usage (organization_id, period, used) values ($1, $2, $3)`,
    [organizationId, period, count],
  )
}

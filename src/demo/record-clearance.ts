import { addDays } from '../core/values/day.ts'
import { type CallOperation, everyPage, type Page } from './call-operation.ts'
import type { Company } from './company.ts'

type Target = { organizationId: string; company: Company; day: string }
type Listed = { id: string; status: string; invoiceDate: string; vatAllocationNumber: string | null }

/** The authority allocates numbers to documents of the last 14 days. */
const recentDays = 13

/**
 * Connects a company with the simulator of its tax authority and requests the numbers of its recent documents. Documents that
 * are issued from then on are submitted by themselves.
 */
export async function recordClearance(call: CallOperation, { organizationId, company, day }: Target) {
  const { taxAuthority } = company
  if (!taxAuthority) return
  const integration = { id: organizationId, integrationId: taxAuthority.integrationId }
  const { status } = await call<{ status: { exists: boolean; isValidated: boolean } }>(
    'integrations_tax_authority_get',
    integration,
  )
  if (!status.exists)
    await call('integrations_tax_authority_post', { ...integration, credentials: taxAuthority.credentials })
  if (!status.isValidated) await call('integrations_validate', integration)
  for (const id of await recentDocuments(call, organizationId, addDays(day, -recentDays))) {
    const clearance = await call<{ status: string }>('invoices_clearance', { id })
    if (clearance.status === 'NOT_SUBMITTED') await call('invoices_clearance_post', { id, action: 'submit' })
  }
  await call('settings_update', { id: organizationId, clearOnIssue: true })
}

/** The issued documents since a day that have no number of the authority. */
async function recentDocuments(call: CallOperation, organizationId: string, since: string): Promise<string[]> {
  const ids: string[] = []
  const pages = everyPage((page) =>
    call<Page & { invoices: Listed[] }>('invoices_list', {
      organizationId,
      sortBy: 'issueDate',
      sortOrder: 'desc',
      ...page,
    }),
  )
  for await (const { invoices } of pages) {
    const recent = invoices.filter(({ invoiceDate }) => invoiceDate >= since)
    for (const { id, status, vatAllocationNumber } of recent)
      if (status !== 'DRAFT' && vatAllocationNumber === null) ids.push(id)
    if (recent.length < invoices.length) break
  }
  return ids
}

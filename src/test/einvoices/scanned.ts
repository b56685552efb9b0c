import type { Someone } from '../world.ts'

/** Uploads a bill, scans it, and reads the expense that it became. */
export async function spendingScans(someone: Someone, { name, bytes }: { name: string; bytes: Buffer }) {
  const file = { fileName: name, base64: bytes.toString('base64') }
  const { id } = await someone.call('expenses_upload', { organizationId: String(someone.organizationId), file })
  const scan = await someone.call('expenses_scan', { attachmentId: id })
  return { scan, expense: await someone.call('expenses_get', { id: scan.expenseId }) }
}

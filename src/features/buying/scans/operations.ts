import { operation } from '../../../core/define/operation.ts'
import { Id, Type } from '../../../core/define/schema.ts'
import { readForScan, writeScan } from './scan.ts'
import { ScanResult } from './scan-result.ts'

export const scan = operation({
  name: 'expenses_scan',
  http: 'POST /api/expenses/scan',
  does: 'Reads an attachment of an expense (picture, PDF or e-invoice) and fills in what nobody has entered yet. Answers within a minute; a file that cannot be read is FAILED with the reason and not counted.',
  scope: 'expenses:write',
  role: 'CONTRIBUTOR',
  within: { table: 'documentAttachments', by: 'attachmentId' },
  input: Type.Object({ attachmentId: { ...Id, description: 'From an upload.' } }),
  output: ScanResult,
  rate: 'uploads',
  outside: true,
  async run(context, { attachmentId }) {
    const read = await readForScan(context, attachmentId)
    return context.once((inside) => writeScan(inside, read))
  },
})

import { invalid } from '../../../core/define/failure.ts'
import { operation } from '../../../core/define/operation.ts'
import { Id, Success, success, Text, Type } from '../../../core/define/schema.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { appendHistory } from '../../../ledger/history.ts'

export const setAllocationNumber = operation({
  name: 'invoices_manual_allocation',
  http: 'POST /api/documents/{id}/manual-allocation',
  does: 'Notes the number that the tax authority has allocated to a sales document; all but its digits is left out.',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id, allocationNumber: Type.String({ maxLength: 200, examples: ['123-456-789'] }) }),
  output: Type.Object({ ...Success.properties, allocationNumber: Text }),
  async run({ db, who }, { id, allocationNumber }) {
    const digits = allocationNumber.replace(/\D/g, '')
    if (digits === '' || allocationNumber.includes('\0'))
      throw invalid('allocationNumber', 'allocationNumber must contain at least one digit.')
    const { userId } = await who
    await pipeline({
      document: db.updateTable('documents').set({ vatAllocationNumber: digits }).where('id', '=', id).execute(),
      history: appendHistory(db, id, 'ALLOCATION_SET', { allocationNumber: digits, userId }),
    })
    return { ...success, allocationNumber: digits }
  },
})

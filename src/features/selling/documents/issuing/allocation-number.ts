import { invalid } from '../../../../core/define/failure.ts'
import { operation } from '../../../../core/define/operation.ts'
import { Id, Success, success, Text, Type, type Warning, Warnings } from '../../../../core/define/schema.ts'
import { withWarnings } from '../../../../core/define/warning.ts'
import { pipeline } from '../../../../db/pipeline.ts'
import { appendHistory } from '../../../../ledger/history.ts'
import { countryView } from '../country-view.ts'
import { type CountryRow, selectForCountry } from '../reading/read.ts'

export const setAllocationNumber = operation({
  name: 'invoices_manual_allocation',
  http: 'POST /api/documents/{id}/manual-allocation',
  does: 'Notes the number that the tax authority has allocated to a sales document; all but its digits is left out.',
  country: 'IL',
  scope: 'invoices:write',
  role: 'CONTRIBUTOR',
  within: 'documents',
  input: Type.Object({ id: Id, allocationNumber: Type.String({ maxLength: 200, examples: ['123-456-789'] }) }),
  output: Type.Object({ ...Success.properties, allocationNumber: Text, warnings: Type.Optional(Warnings) }),
  async run({ db, who }, { id, allocationNumber }) {
    const digits = allocationNumber.replace(/\D/g, '')
    if (digits === '' || allocationNumber.includes('\0'))
      throw invalid('allocationNumber', 'allocationNumber must contain at least one digit.')
    const { userId } = await who
    const { copy, row } = await pipeline({
      copy: db.selectFrom('issuedCopies').select('originalFileId').where('documentId', '=', id).executeTakeFirst(),
      document: db.updateTable('documents').set({ vatAllocationNumber: digits }).where('id', '=', id).execute(),
      history: appendHistory(db, id, 'ALLOCATION_SET', { allocationNumber: digits, userId }),
      row: selectForCountry(db).where('id', '=', id).executeTakeFirst(),
    })
    return withWarnings({ ...success, allocationNumber: digits }, [
      ...(copy?.originalFileId ? [originalKept] : []),
      ...(row ? unusualNumber(row) : []),
    ])
  },
})

/** What the country says about the number itself. */
function unusualNumber(row: CountryRow): Warning[] {
  const view = countryView(row)
  const warnings = view ? view.country.documents.contentWarnings(view.sale) : []
  return warnings
    .filter(({ code }) => code === 'ALLOCATION_NUMBER')
    .map((warning) => ({ ...warning, path: 'allocationNumber' }))
}

const originalKept: Warning = {
  code: 'ORIGINAL_KEPT',
  path: 'allocationNumber',
  message:
    'The original of this document was printed before and does not change, so it stays without this number. Copies and the page of the customer show the number: send the customer a copy.',
}

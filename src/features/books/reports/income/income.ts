import { Pagination } from '../../../../core/define/page.ts'
import { Count, Id, nullable, type Static, Text, Type, Warnings } from '../../../../core/define/schema.ts'

/** The most ids that a figure names. */
export const idsMax = 100

const amounts = {
  net: Type.Number({ description: 'Before tax, as booked to income or expenses.' }),
  tax: Type.Number({ description: 'Output tax of sales; the deducted input tax of expenses.' }),
  goods: Type.Number({ description: 'Of expenses: what was received into stock, which is no expense yet.' }),
  rounding: Type.Number(),
  total: Type.Number(),
  count: Type.Integer({ ...Count, description: 'Documents behind the figures.' }),
}

const IncomeRow = Type.Object({
  key: nullable(Text),
  name: nullable(Type.String({ description: 'Of the customer, vendor, category or account; otherwise as key.' })),
  ...amounts,
  documentIds: Type.Array(Id, { maxItems: idsMax, description: `The first ${idsMax} of them.` }),
})
export type IncomeRow = Static<typeof IncomeRow>

export const IncomeReport = Type.Object({
  from: Text,
  to: Text,
  groupBy: Text,
  currency: Type.String({
    description: 'The main currency of the organization; documents count at their fixed rates.',
  }),
  fxIncomplete: Type.Boolean({ description: 'Some amounts are not in the report, or at face value: see warnings.' }),
  rows: Type.Array(IncomeRow, {
    description: 'Months in their order; other groups by their net amount, the largest first.',
  }),
  totals: Type.Object(amounts, { description: 'Of all pages. Credit memos are deducted.' }),
  manualEntries: Type.Number({
    description:
      'What people booked to the same accounts by journal entries in the period. It is in no row: totals.net and this add up to the journal.',
  }),
  pagination: Pagination,
  warnings: Type.Optional(Warnings),
})
export type IncomeReport = Static<typeof IncomeReport>

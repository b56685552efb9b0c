import {
  Count,
  Id,
  nullable,
  OneOf,
  type Static,
  Text,
  Type,
  Warning,
  Warnings,
} from '../../../../core/define/schema.ts'

/** The most ids that a figure names, and the most problems that the report lists. */
export const [idsMax, problemsMax] = [100, 1_000]

const figures = {
  base: Type.Number({ description: 'The amount before tax, credits deducted.' }),
  tax: Type.Number({ description: 'Credits deducted.' }),
  creditedBase: Type.Number({ description: 'What credit memos have taken off the base.' }),
  creditedTax: Type.Number({ description: 'What credit memos have taken off the tax.' }),
}

export const TaxRow = Type.Object({
  period: Type.String({ description: 'The first month of the period, such as 2026-01.' }),
  from: Text,
  to: Text,
  side: OneOf('OUTPUT', 'INPUT'),
  rate: nullable(Type.Number({ description: 'In percent; null if the documents name none.' })),
  category: nullable(Type.String({ description: 'The tax category of the lines, if they name one.' })),
  categoryName: nullable(Text),
  ...figures,
  count: Count,
  documentIds: Type.Array(Id, { maxItems: idsMax, description: `The first ${idsMax} of them.` }),
})
export type TaxRow = Static<typeof TaxRow>

export const TaxProblem = Type.Object({
  documentId: Id,
  documentType: Text,
  number: nullable(Text),
  date: Text,
  counterparty: nullable(Text),
  problems: Type.Array(Warning),
})
export type TaxProblem = Static<typeof TaxProblem>

export const ManualTax = Type.Object({
  side: OneOf('OUTPUT', 'INPUT'),
  accountId: Id,
  accountCode: Text,
  accountName: Text,
  currency: Type.String({ description: 'The main currency of the organization when the entries were made.' }),
  amount: Type.Number({ description: 'What the entries add to the tax of this side; negative if they take off.' }),
  count: Count,
  entryIds: Type.Array(Id, { maxItems: idsMax, description: `The first ${idsMax} of the journal entries.` }),
})
export type ManualTax = Static<typeof ManualTax>

/** The most advances that the report lists. */
export const advancesMax = 1_000

export const TaxAdvance = Type.Object({
  paymentId: Id,
  documentId: nullable(
    Type.String({
      description: 'The receipt of the payment, or the payment request that it paid; null if there is neither.',
    }),
  ),
  documentType: nullable(Text),
  number: nullable(Text),
  date: Type.String({ description: 'The day on which the money came.' }),
  counterparty: nullable(Text),
  currency: Text,
  amount: Type.Number({ description: 'With the tax.' }),
  base: Type.Number({ description: 'Without it.' }),
  tax: Type.Number({
    description:
      'The tax that may be due: that of the payment request, or what the usual rate makes of money on account.',
  }),
})
export type TaxAdvance = Static<typeof TaxAdvance>

const sums = Type.Object(figures)

export const TaxReport = Type.Object({
  from: Text,
  to: Text,
  periodMonths: Type.Integer(),
  country: Text,
  currency: Type.String({ description: "The currency of the organization's country, in which the tax is reported." }),
  fxIncomplete: Type.Boolean({ description: 'Some documents count at face value: see problems.' }),
  rows: Type.Array(TaxRow),
  totals: Type.Object({
    output: sums,
    input: sums,
    payable: Type.Number({ description: 'Output tax less input tax; negative if the authority refunds.' }),
  }),
  advances: Type.Array(TaxAdvance, {
    maxItems: advancesMax,
    description: `Money of customers for which no tax invoice was issued yet (Israel and Singapore). The tax on it may be due with the money; it is not in the rows and totals. The invoice over it clears the entry. At most ${advancesMax}.`,
  }),
  manualEntries: Type.Array(ManualTax, {
    description:
      'What people entered on the accounts of tax by hand, such as a payment to the authority: no document explains it, and no other figure here has it.',
  }),
  problems: Type.Array(TaxProblem, {
    description: `What is missing on which document. At most ${problemsMax} documents are listed.`,
  }),
  problemsIncomplete: Type.Boolean({
    description: 'There are more documents than were checked: ask for a shorter period.',
  }),
  warnings: Type.Optional(Warnings),
})
export type TaxReport = Static<typeof TaxReport>

import { Pagination } from '../../../../core/define/page.ts'
import { Count, Id, nullable, OneOf, type Static, Text, Type, Warnings } from '../../../../core/define/schema.ts'

/** The buckets of an aging by days after the due date. */
export const bucketNames = ['current', 'days1To30', 'days31To60', 'days61To90', 'over90'] as const
export type BucketName = (typeof bucketNames)[number]

/** The most ids that a figure names. */
export const idsMax = 100

const ids = Type.Array(Id, { maxItems: idsMax, description: `The first ${idsMax} of them.` })
const entryIds = Type.Optional(
  Type.Array(Id, {
    maxItems: idsMax,
    description: `The first ${idsMax} journal entries on the account, if there are any.`,
  }),
)

const Bucket = Type.Object({
  amount: Type.Number(),
  count: Count,
  documentIds: ids,
  entryIds,
})

const Buckets = Type.Object(
  { current: Bucket, days1To30: Bucket, days31To60: Bucket, days61To90: Bucket, over90: Bucket },
  {
    description:
      'By the days after the due date, or after the issue date of documents that have none, or the date of entries.',
  },
)

const Credits = Type.Object(
  {
    amount: Type.Number(),
    count: Count,
    paymentIds: ids,
    creditMemoIds: ids,
    entryIds,
  },
  { description: 'Payments and credit memos that are not used up. They are not in the buckets.' },
)

const figures = {
  buckets: Buckets,
  total: Type.Number({ description: 'The sum of the buckets.' }),
  disputed: Type.Number({ description: 'What of the total is in dispute.' }),
  credits: Credits,
  balance: Type.Number({ description: 'The total less the credits.' }),
}

const AgingRow = Type.Object({
  counterpartyId: nullable(Id),
  name: nullable(Text),
  entries: Type.Optional(
    Type.Unsafe<'OPENING' | 'MANUAL'>({
      ...OneOf('OPENING', 'MANUAL'),
      description: 'The row has what was entered on the account by hand, as opening balances or other entries.',
    }),
  ),
  ...figures,
})

export const Aging = Type.Object({
  asOf: Text,
  currency: Type.String({
    description: 'The main currency of the organization; documents count at their fixed rates.',
  }),
  fxIncomplete: Type.Boolean({ description: 'Some amounts are not in the report, or at face value: see warnings.' }),
  counterparties: Type.Array(AgingRow, { description: 'By their total, the largest first.' }),
  totals: Type.Object(figures, { description: 'Of all pages.' }),
  pagination: Pagination,
  warnings: Type.Optional(Warnings),
})
export type Aging = Static<typeof Aging>
export type AgingRow = Static<typeof AgingRow>
export type Figures = Omit<AgingRow, 'counterpartyId' | 'name' | 'entries'>

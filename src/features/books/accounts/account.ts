import {
  defaulted,
  Id,
  identity,
  NonEmpty,
  nullable,
  OneOf,
  optional,
  type Static,
  Type,
} from '../../../core/define/schema.ts'
import { type AccountPurpose, type AccountType, accountPurposes, accountTypes } from '../../../countries/chart.ts'

const given = {
  code: Type.String({
    pattern: '^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$',
    description: 'Digits and letters, unique in the organization; accounts are sorted by it.',
    examples: ['1000'],
  }),
  name: NonEmpty,
  nameHe: nullable(NonEmpty),
}

/** What is booked to this account instead of the one of its purpose. Giving a list replaces it; what it names leaves other accounts. */
const mapping = {
  categoryIds: Type.Array(Id, {
    maxItems: 500,
    description: 'Expense categories that are booked here; for accounts of the type EXPENSE or ASSET.',
  }),
  taxCategories: Type.Array(Type.String({ pattern: '^\\S{1,20}$', examples: ['ZR'] }), {
    maxItems: 100,
    description:
      'Tax categories of document lines, such as SR or ZR: INCOME takes the net amount of sales, LIABILITY their tax, EXPENSE and ASSET the same of purchases.',
  }),
  bankAccountIds: Type.Array(Id, {
    maxItems: 500,
    description: 'Bank accounts whose payments are booked here; for accounts of the type ASSET or LIABILITY.',
  }),
}

const mappedFrom = Type.String({
  maxLength: 40,
  description:
    'The day from which this purpose and these mappings count, today or before; without it, today. What is booked on earlier days stays where it is.',
  examples: ['2026-01-31'],
})

export const Account = Type.Object({
  ...identity,
  ...given,
  type: OneOf(...accountTypes),
  purpose: nullable(
    Type.Unsafe<(typeof accountPurposes)[number]>({
      type: 'string',
      enum: [...accountPurposes],
      description: 'What the journal books here by itself; null for further accounts.',
    }),
  ),
  active: Type.Boolean({ description: 'Whether new journal entries may use it.', examples: [true] }),
  ...mapping,
})
export type Account = Static<typeof Account>

export const NewAccount = Type.Object({
  organizationId: Type.Optional(Id),
  code: given.code,
  name: given.name,
  type: Account.properties.type,
  active: defaulted(Account.properties.active, true),
  ...optional({ nameHe: given.nameHe, ...mapping, mappedFrom }),
})

export const AccountChanges = Type.Object({
  id: Id,
  ...optional({ ...given, active: Account.properties.active, ...mapping, mappedFrom }),
  purpose: Type.Optional(
    nullable(
      Type.Unsafe<AccountPurpose>({
        type: 'string',
        enum: [...accountPurposes],
        description: 'What the journal books here from now on; the account that had the purpose loses it.',
      }),
    ),
  ),
  type: Type.Optional(
    Type.Unsafe<AccountType>({ ...Account.properties.type, description: 'Cannot change; the same one is accepted.' }),
  ),
})

export type Mapping = Partial<Pick<Account, 'categoryIds' | 'taxCategories' | 'bankAccountIds'>>

/** The types of accounts that each kind of mapping fits; the database has the same rule. */
export const mappedTypes: Record<keyof Mapping, readonly AccountType[]> = {
  categoryIds: ['EXPENSE', 'ASSET'],
  bankAccountIds: ['ASSET', 'LIABILITY'],
  taxCategories: ['ASSET', 'LIABILITY', 'INCOME', 'EXPENSE'],
}

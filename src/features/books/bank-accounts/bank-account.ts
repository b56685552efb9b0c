import {
  Currency,
  defaulted,
  Id,
  identity,
  NonEmpty,
  nullable,
  optional,
  type Static,
  Text,
  Type,
  Warnings,
} from '../../../core/define/schema.ts'

const given = {
  accountName: NonEmpty,
  bankName: NonEmpty,
  currencies: Type.Array(Currency, { maxItems: 50 }),
  isDefault: Type.Boolean({ description: 'Preselected on new documents; an organization has at most one.' }),
}

const details = {
  accountNumber: nullable(Text), branchCode: nullable(Text), localBankCode: nullable(Text),
  swiftCode: nullable(Text), iban: nullable(Text), routingNumber: nullable(Text),
  bankAddress: nullable(Text), bankCountry: nullable(Text), notes: nullable(Text),
} // biome-ignore format: a list of words

export const BankAccount = Type.Object({ ...identity, ...given, ...details, warnings: Type.Optional(Warnings) })
export type BankAccount = Static<typeof BankAccount>

export const NewBankAccount = Type.Object({
  organizationId: Type.Optional(Id),
  ...given,
  currencies: defaulted(given.currencies, ['USD']),
  isDefault: defaulted(given.isDefault, false),
  ...optional(details),
})

// The specification wants a non-empty account number in a change, not in a create.
export const BankAccountChanges = Type.Object({
  id: Id,
  ...optional({ ...given, ...details, accountNumber: nullable(NonEmpty) }),
})

/** Numbers of which the audit trail keeps only the last digits (THR-32). */
const shortened: readonly string[] = ['accountNumber', 'iban', 'swiftCode', 'routingNumber']

/** The old and new values of changed fields, for the audit trail (THR-25). */
export function differences(before: Partial<BankAccount>, after: Partial<BankAccount>) {
  const fields = [...Object.keys(given), ...Object.keys(details)] as (keyof typeof given | keyof typeof details)[]
  const changed = fields.filter(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  )
  const auditValue = (account: Partial<BankAccount>, field: keyof BankAccount) =>
    shortened.includes(field) ? lastDigits(account[field] as string | null | undefined) : (account[field] ?? null)
  return Object.fromEntries(
    changed.map((field) => [field, { from: auditValue(before, field), to: auditValue(after, field) }]),
  )
}

const lastDigits = (number: string | null | undefined) => (number ? `…${number.slice(-4)}` : null)

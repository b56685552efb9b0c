import { sql } from 'kysely'
import { conflict, invalid } from '../../../core/define/failure.ts'
import type { Database } from '../../../core/define/operation.ts'
import { toUuid } from '../../../core/define/query.ts'
import { setBookedFrom } from '../../../core/run/transaction-context.ts'
import { today } from '../../../core/values/day.ts'
import { type AccountPurpose, purposeTypes } from '../../../countries/chart.ts'
import { categoryCode } from '../../../countries/tax-category.ts'
import { pipeline } from '../../../db/pipeline.ts'
import { type OrganizationContext, requiredDay } from '../../../ledger/organization-context.ts'
import { type Account, type Mapping, mappedTypes } from './account.ts'

/** The column of `account_mappings` for each field of a mapping. */
const columns = { categoryIds: 'categoryId', bankAccountIds: 'bankAccountId', taxCategories: 'taxCategory' } as const
const fields = Object.keys(columns) as (keyof Mapping)[]

/** The mapping as it is stored: ids in lower case, each once. */
export const toStored = ({ categoryIds, taxCategories, bankAccountIds }: Mapping): Mapping => ({
  ...(categoryIds && { categoryIds: unique(categoryIds.map(normalized)) }),
  ...(bankAccountIds && { bankAccountIds: unique(bankAccountIds.map(normalized)) }),
  ...(taxCategories && { taxCategories: unique(taxCategories.map((code) => categoryCode({ taxCategory: code }))) }),
})

const unique = (words: readonly string[]) => [...new Set(words)]
const normalized = (id: string) => toUuid(id).toLowerCase()

/** Refuses what does not fit the type of the account, and rows that do not exist. */
export async function checkMapping(db: Database, { categoryIds = [], bankAccountIds = [] }: Mapping) {
  const { categories, bankAccounts } = await pipeline({
    categories: findRows(db, 'expenseCategories', categoryIds),
    bankAccounts: findRows(db, 'bankAccounts', bankAccountIds),
  })
  refuseUnknown('categoryIds', categoryIds, categories, 'expense category')
  refuseUnknown('bankAccountIds', bankAccountIds, bankAccounts, 'bank account')
}

const findRows = async (db: Database, table: 'expenseCategories' | 'bankAccounts', ids: readonly string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom(table)
        .select('id')
        .where('id', 'in', [...ids])
        .execute()

function refuseUnknown(field: string, ids: readonly string[], found: readonly { id: string }[], noun: string) {
  const known = new Set(found.map(({ id }) => id))
  const at = ids.findIndex((id) => !known.has(id))
  if (at >= 0) throw invalid(`${field}.${at}`, `There is no such ${noun}.`, 'UNKNOWN_REFERENCE')
}

export function refuseWrongType(type: Account['type'], mapping: Mapping) {
  for (const field of fields) {
    if (mapping[field]?.length && !mappedTypes[field].includes(type))
      throw invalid(
        field,
        `${field} fits accounts of the type ${mappedTypes[field].join(' or ')}; this one is ${type}.`,
      )
  }
}

export function refuseMappingToInactive(code: string, mapping: Mapping) {
  if (fields.some((field) => mapping[field]?.length))
    throw conflict(
      `The account ${code} is not active, so nothing can be mapped to it. Activate it first.`,
      'INACTIVE_ACCOUNT',
    )
}

/** Refuses expense categories on an account that the journal keeps by itself, such as receivables, cash or input tax. */
export function refuseControlAccount(
  { code, type, purpose }: Pick<Account, 'code' | 'type' | 'purpose'>,
  mapping: Mapping,
) {
  if (type === 'ASSET' && purpose !== null && mapping.categoryIds?.length)
    throw invalid(
      'categoryIds',
      `The account ${code} is that of ${purpose}, which the journal keeps by itself, so no expense category can be booked to it.`,
      'CONTROL_ACCOUNT',
    )
}

/** Removes what the account no longer takes. */
export const clearMapping = (db: Database, accountId: string, mapping: Mapping) =>
  Promise.all(
    fields.map((field) => {
      const kept = mapping[field]
      if (!kept) return undefined
      const query = db
        .deleteFrom('accountMappings')
        .where('accountId', '=', accountId)
        .where(columns[field], 'is not', null)
      return (kept.length > 0 ? query.where(columns[field], 'not in', kept) : query).execute()
    }),
  )

/** Adds what the account takes now; another account that took it before no longer does. */
export const addMapping = (db: Database, { id, type }: Pick<Account, 'id' | 'type'>, mapping: Mapping) =>
  Promise.all(
    fields.map((field) => {
      const column = columns[field]
      const rows = (mapping[field] ?? []).map((value) => ({ accountId: id, accountType: type, [column]: value }))
      if (rows.length === 0) return undefined
      const key = ['organizationId', column, ...(field === 'taxCategories' ? (['accountType'] as const) : [])] as const
      return db
        .insertInto('accountMappings')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(key).where(column, 'is not', null).doUpdateSet({ accountId: id, accountType: type }),
        )
        .execute()
    }),
  )

/** The day from which changes of this transaction count; `book_from()` reads it. */
export const setMappedFrom = (db: Database, mappedFrom: string, organization: OrganizationContext, now: Date) => {
  const day = requiredDay('mappedFrom', mappedFrom, organization)
  const current = today(now, organization.timezone)
  if (day > current) throw invalid('mappedFrom', `A mapping begins today, ${current}, or before.`)
  return sql`select ${setBookedFrom(day)}`.execute(db)
}

/** Refuses to take a purpose away, and to give one to an account that has another one or is not active or of a wrong type. */
export function refusePurpose(purpose: AccountPurpose | null, account: Account, active: boolean) {
  const { code, type } = account
  if (account.purpose !== null && purpose === null)
    throw conflict(
      `The journal needs an account for ${account.purpose}. Give the purpose to another account, and this one loses it.`,
      'PURPOSE_HAS_ACCOUNT',
    )
  if (purpose === null) return
  if (account.purpose !== null)
    throw conflict(
      `The account ${code} has the purpose ${account.purpose}. Give that to another account first.`,
      'PURPOSE_HAS_ACCOUNT',
    )
  if (!purposeTypes[purpose].includes(type))
    throw invalid(
      'purpose',
      `${purpose} fits accounts of the type ${purposeTypes[purpose].join(' or ')}; this one is ${type}.`,
    )
  if (!active)
    throw conflict(
      `The account ${code} is not active, so it cannot get a purpose. Activate it first.`,
      'INACTIVE_ACCOUNT',
    )
}

/** Moves a purpose to an account; the database keeps from which day. */
export const movePurpose = (db: Database, purpose: AccountPurpose, id: string) =>
  Promise.all([
    db.updateTable('accounts').set({ purpose: null }).where('purpose', '=', purpose).execute(),
    db.updateTable('accounts').set({ purpose }).where('id', '=', id).execute(),
  ])

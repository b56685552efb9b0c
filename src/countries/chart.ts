/** Charts of accounts: what the journal books to. The chart of a country is in its folder. */

export const accountTypes = ['ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE'] as const
export type AccountType = (typeof accountTypes)[number]

/** What an account is for in the derived journal. An organization has one account for each purpose. */
export const accountPurposes = [
  'CASH', 'RECEIVABLES', 'SUPPLIER_ADVANCES', 'INPUT_TAX', 'WITHHOLDING', 'PAYABLES', 'CUSTOMER_CREDITS', 'OUTPUT_TAX',
  'WITHHOLDING_PAYABLE', 'UNBILLED', 'PAYROLL_PAYABLES', 'OPENING_BALANCES', 'REVENUE', 'EXPENSES', 'PAYROLL', 'EXCHANGE_DIFFERENCES', 'ROUNDING',
  'STOCK', 'GOODS_RECEIVED', 'COST_OF_GOODS_SOLD', 'STOCK_ADJUSTMENTS',
] as const // biome-ignore format: a list of words
export type AccountPurpose = (typeof accountPurposes)[number]

/** The types of accounts that a purpose fits; the database has the same rule (`fits_purpose()`). */
export const purposeTypes: Record<AccountPurpose, readonly AccountType[]> = {
  CASH: ['ASSET'],
  RECEIVABLES: ['ASSET'],
  SUPPLIER_ADVANCES: ['ASSET'],
  INPUT_TAX: ['ASSET'],
  WITHHOLDING: ['ASSET'],
  PAYABLES: ['LIABILITY'],
  CUSTOMER_CREDITS: ['LIABILITY'],
  OUTPUT_TAX: ['LIABILITY'],
  WITHHOLDING_PAYABLE: ['LIABILITY'],
  UNBILLED: ['LIABILITY'],
  PAYROLL_PAYABLES: ['LIABILITY'],
  OPENING_BALANCES: ['EQUITY'],
  REVENUE: ['INCOME'],
  EXPENSES: ['EXPENSE'],
  PAYROLL: ['EXPENSE'],
  EXCHANGE_DIFFERENCES: ['EXPENSE', 'INCOME'],
  ROUNDING: ['EXPENSE', 'INCOME'],
  STOCK: ['ASSET'],
  GOODS_RECEIVED: ['LIABILITY'],
  COST_OF_GOODS_SOLD: ['EXPENSE'],
  STOCK_ADJUSTMENTS: ['EXPENSE'],
}

/** An account that every organization of a country starts with. */
export type ChartAccount = {
  /** Unique in the chart; charts are sorted by it. */
  code: string
  name: string
  nameHe: string
  type: AccountType
  purpose?: AccountPurpose
  /** Tax categories of sales that are booked to it and not to the account of REVENUE. */
  taxCategories?: readonly string[]
  /** Names of the expense categories that an organization starts with, which are booked to it and not to that of EXPENSES. */
  categories?: readonly string[]
}

import { expenseKind } from '../features/buying/expenses/kind.ts'
import { leaveClaimKind, payslipKind } from '../features/pay/payroll/kind.ts'
import { salesKind } from '../features/selling/documents/kind.ts'
import type { LedgerKind } from '../ledger/kind.ts'

/** Every kind of obligation on the ledger. */
export const kinds: readonly LedgerKind[] = [expenseKind, leaveClaimKind, payslipKind, salesKind]

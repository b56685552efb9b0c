import { salesKind } from '../features/documents/kind.ts'
import { expenseKind } from '../features/expenses/kind.ts'
import { leaveClaimKind, payslipKind } from '../features/payroll/kind.ts'
import type { LedgerKind } from '../ledger/kind.ts'

/** Every kind of obligation on the ledger. */
export const kinds: readonly LedgerKind[] = [expenseKind, leaveClaimKind, payslipKind, salesKind]

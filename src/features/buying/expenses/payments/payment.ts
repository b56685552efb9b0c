import { Currency, defaulted, Id, nullable, optional, Type } from '../../../../core/define/schema.ts'
import { DocumentPayment, NewPayment } from '../../../../ledger/payments/payment.ts'

const { lineAllocations: _, ...paymentFields } = DocumentPayment.properties

/** A payment of one expense. */
export const ExpensePayment = Type.Object({
  ...paymentFields,
  allowUnallocated: Type.Optional(
    Type.Boolean({ description: 'Whether the payment may exceed the open balance; the rest stays unallocated.' }),
  ),
})

const Share = Type.Object({
  expenseId: Id,
  amount: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'All that is open unless given.' })),
})

/** Allocations of the open remainder of a payment. */
export const RemainderAllocations = Type.Object({
  id: Id,
  allocations: Type.Array(Share, { minItems: 1, maxItems: 200 }),
})

const { customerId: __, allocations: ___, ...newPaymentFields } = NewPayment.properties

/** A payment for any number of expenses, or none yet. */
export const NewExpensePayment = Type.Object({
  ...newPaymentFields,
  currency: Currency,
  ...optional({ supplierId: nullable({ ...Id, description: 'Whom it went to: the supplier or claimant.' }) }),
  allocations: defaulted(Type.Array(Share, { maxItems: 200 }), []),
})

import { type CallOperation, everyPage, type Page } from '../call-operation.ts'
import { inParallel } from '../in-parallel.ts'
import { drawReceipt } from '../receipts/receipt.ts'
import { type Expense, keyOf, type Transfer } from './expense.ts'
import type { Spending } from './spending.ts'
import type { Spent } from './spent.ts'

/** The organization to record expenses in, with its counterparties by name. */
type Target = { organizationId: string; counterparties: ReadonlyMap<string, string>; spending: Spending }

/** Records what is missing of the expenses of a company. Existing ones are recognized by vendor, day and amount. */
export async function recordExpenses(call: CallOperation, target: Target, { expenses, transfers }: Spent) {
  const existing = await expensesOf(call, target)
  const categories = await completeCategories(call, target)
  const ids = new Map<string, string>()
  await inParallel(expenses, async (expense) => {
    const found = existing.get(expense.key)
    const view = found ?? (await createExpense(call, { ...target, categories }, expense))
    ids.set(expense.key, view.id)
    await completeExpense(call, target, expense, view)
  })
  const isPaid = ({ keys }: Transfer) => keys.some((key) => (existing.get(key)?.payments.length ?? 0) > 0)
  await inParallel(
    transfers.filter((transfer) => !isPaid(transfer)),
    ({ payee, keys, ...money }) =>
      call('expenses_payments_create', {
        organizationId: target.organizationId,
        supplierId: target.counterparties.get(payee),
        ...money,
        allocations: keys.map((key) => ({ expenseId: ids.get(key) })),
      }),
  )
}

type ExpenseView = {
  id: string
  vendor: string | null
  date: string
  amount: number
  status: string
  creditedAmount: number
  payments: readonly unknown[]
  attachments: readonly unknown[]
}

async function expensesOf(call: CallOperation, { organizationId }: Target): Promise<Map<string, ExpenseView>> {
  const found = new Map<string, ExpenseView>()
  const pages = everyPage((page) =>
    call<Page & { expenses: ExpenseView[] }>('expenses_list', { organizationId, sortOrder: 'asc', ...page }),
  )
  for await (const { expenses } of pages) for (const expense of expenses) found.set(keyOf(expense), expense)
  return found
}

type Category = { id: string; name: string }

/** The categories by name, after adding those that are missing. */
async function completeCategories(call: CallOperation, { organizationId, spending }: Target) {
  const { categories } = await call<{ categories: Category[] }>('expense_categories_list', { organizationId })
  const ids = new Map(categories.map(({ name, id }) => [name, id]))
  for (const { name, color } of spending.categories)
    if (!ids.has(name))
      ids.set(name, (await call<Category>('expense_categories_create', { organizationId, name, color })).id)
  return ids
}

function createExpense(
  call: CallOperation,
  { organizationId, counterparties, categories }: Target & { categories: ReadonlyMap<string, string> },
  expense: Expense,
): Promise<ExpenseView> {
  const { title, vendor, amount, currency, date, dueDate, taxRate, taxAmount, deductibleTaxAmount } = expense
  const { documentNumber, vendorTaxNumber, paymentMethod, source, notes, supplier, claimant, customer } = expense
  const idOf = (name: string) => counterparties.get(name)
  return call<ExpenseView>('expenses_create', {
    ...{ organizationId, title, vendor, amount, currency, date, dueDate, taxRate, taxAmount, deductibleTaxAmount },
    ...{ documentNumber, vendorTaxNumber, paymentMethod, source, notes },
    categoryId: categories.get(expense.category),
    ...(supplier !== undefined && { supplierId: idOf(supplier) }),
    ...(claimant !== undefined && { claimantId: idOf(claimant) }),
    ...(customer !== undefined && { customerIds: [idOf(customer)] }),
    ...(expense.splits && {
      splits: expense.splits.map(({ category, ...split }) => ({ categoryId: categories.get(category), ...split })),
    }),
  })
}

/** Adds the receipt, the payment, the status and the credit that an expense lacks, in the order in which they happened. */
async function completeExpense(call: CallOperation, target: Target, expense: Expense, view: ExpenseView) {
  const { id } = view
  const { payment, credit, status, reason } = expense
  if (expense.hasReceipt && view.attachments.length === 0) await attachReceipt(call, target, expense, id)
  const pay = async () => {
    if (!payment || view.payments.length > 0) return
    const { amount, paidAt } = payment
    await call('expenses_payments', { id, amount, paidAt, method: expense.paymentMethod, allowUnallocated: true })
  }
  if (payment?.isAdvance) await pay()
  if (view.status !== status) await call('expenses_status', { id, status, reason })
  if (!payment?.isAdvance) await pay()
  if (credit && view.creditedAmount === 0) await call('expenses_credits', { id, ...credit })
}

const paidBy: Record<Spending['language'], Record<string, string>> = {
  en: { CREDIT_CARD: 'Card', CASH: 'Cash', BANK_TRANSFER: 'Transfer', CHECK: 'Check', PAYNOW: 'PayNow' },
  he: { CREDIT_CARD: 'כרטיס אשראי', CASH: 'מזומן', BANK_TRANSFER: 'העברה בנקאית', CHECK: 'המחאה' },
}

async function attachReceipt(call: CallOperation, { organizationId, spending }: Target, expense: Expense, id: string) {
  const { vendor, title, currency, date, documentNumber: number, taxRate, taxAmount } = expense
  const isHebrew = /\p{Script=Hebrew}/u.test(vendor)
  const language = isHebrew ? spending.language : 'en'
  const picture = drawReceipt({
    ...{ language, vendor, title, currency, date, number, taxRate, taxAmount, total: expense.amount },
    ...{ address: expense.vendorAddress, taxNumber: expense.vendorTaxNumber },
    paidBy: paidBy[language][expense.paymentMethod],
  })
  const file = { fileName: `receipt-${number}.png`, base64: Buffer.from(picture).toString('base64') }
  await call('expenses_upload', { organizationId, expenseId: id, file })
}

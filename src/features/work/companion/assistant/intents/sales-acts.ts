import { descriptionOf } from './description.ts'
import { draftDocument } from './draft-document.ts'
import {
  dayOf,
  hasAmount,
  hasNumber,
  type Input,
  type Intent,
  type Missing,
  methodOf,
  missing,
  onRecord,
  withReason,
} from './intent.ts'
import { linesOf } from './lines.ts'
import { type Said, startsWith } from './said.ts'
import { overdueBy, recordsPayment } from './sales.ts'

const drafts = { where: { status: 'DRAFT' } }

const markPaid = onRecord('document', (said) => ({
  paymentDate: dayOf(said),
  paymentMethod: methodOf(said) ?? 'BANK_TRANSFER',
  sendReceiptEmail: false,
  ...(said.has('receipt', 'invoiceReceipt') && { generateReceipt: true }),
}))

/** A payment of one document by its number, or of a customer. */
function payment(said: Said): Input | Missing {
  const [amount] = said.slots.amounts
  if (!amount) return missing('amount')
  const method = methodOf(said)
  const paid = { amount: amount.value, paidAt: dayOf(said), ...(method && { method }) }
  const currency = amount.currency ?? said.around.currency
  const customer = said.target('customer')
  return customer === undefined ? missing('customer') : { ...paid, currency, customerId: customer }
}

function paymentOfDocument(said: Said): Input | Missing {
  const [amount] = said.slots.amounts
  const method = methodOf(said)
  const document = said.target('document')
  if (document === undefined) return missing('document')
  return amount
    ? { id: document, amount: amount.value, paidAt: dayOf(said), ...(method && { method }) }
    : missing('amount')
}

/** "Send it to anna@globex.example": to these addresses instead of those of the customer. */
const toAddresses = ({ slots: { emails } }: Said): Input =>
  emails.length > 0 ? { recipients: emails.map(({ text }) => text) } : {}

/** Of the whole document, or of an amount: "credit 500 on invoice 1042". Half of it is an amount that has to be told. */
function credit(said: Said): Input | Missing {
  const [amount] = said.slots.amounts
  if (!amount && /\b(half|part|some|partially|a third|quarter)\b|חצי|חלק|שליש|רבע/i.test(said.text))
    return missing('amount')
  const description = said.slots.language === 'he' ? 'זיכוי' : 'Credit'
  const line = amount && { id: '1', description, quantity: 1, unitPrice: amount.value, amount: amount.value }
  return onRecord('document', withReason(said, { kind: 'CREDIT', ...(line && { items: [line] }) }))(said)
}

const refund = onRecord('payment', (said) => {
  const [amount] = said.slots.amounts
  const method = methodOf(said)
  return { paidAt: dayOf(said), ...(amount && { amount: amount.value }), ...(method && { method }) }
})

/** "Receipt for Globex, 500": a document for somebody, without a verb. */
function startsWithDocument(said: Said): boolean {
  if (said.isAsking || said.name('customer') === undefined || said.slots.periods.length > 0) return false
  return startsWith(said, 'invoice', 'receipt', 'invoiceReceipt', 'request')
}

/** Tools whose answer is a draft that the next sentence may be about. */
const drafting = new Set(['invoices_create', 'invoices_update', 'invoices_duplicate', 'orders_invoice', 'invoices_get'])

/** The draft that a line is added to: the one that was just made, or that of a customer who is named. */
function draftToExtend(said: Said): Input['id'] | undefined {
  const [shown] = said.around.shown
  const customer = said.has('draftState') ? said.name('customer') : undefined
  if (customer !== undefined) return { $named: 'document', words: customer, ...drafts }
  return drafting.has(said.around.before.at(-1)?.tool ?? '') && shown?.kind === 'document' ? shown.id : undefined
}

/** "Add delivery for 40": one more line of a draft. */
const addsLine = (said: Said): boolean =>
  !said.isAsking &&
  hasAmount(said) &&
  draftToExtend(said) !== undefined &&
  /^\s*(please |and |also |ok |בבקשה |וגם |גם )*(add|also|plus|put|include|תוסיף|תוסיפי|הוסף|להוסיף|ועוד|בתוספת|תכניס)\s/i.test(
    said.text,
  )

function addedLines(said: Said): Input | Missing {
  const id = draftToExtend(said)
  const [amount] = said.slots.amounts
  if (id === undefined || !amount) return missing('amount')
  const customer = said.has('draftState') ? (said.name('customer') ?? '') : ''
  const items = linesOf(said, customer) ?? [
    { quantity: 1, description: descriptionOf(said, customer), price: amount.value },
  ]
  return {
    id,
    items: items.map(({ description, quantity, price }, at) => ({
      id: `added-${at + 1}`,
      description: description.replace(/^(a |another )?lines? (for|of) |^שורה (של|על|עבור) /i, ''),
      quantity,
      unitPrice: price,
      amount: Math.round(quantity * price * 100) / 100,
    })),
  }
}

const shownFirst = ({ around }: Said) => around.shown[0]?.kind

const pointsAt = (said: Said, kind: 'document' | 'customer') =>
  said.has('it', 'them') && said.around.shown.some((record) => record.kind === kind)

// biome-ignore format: a table
export const salesActIntents: Intent[] = [
  { name: 'add-line', tool: 'invoices_update', isWhole: true, words: ['+create +draft +draftState +hours +item +deliver +plusTax +please +@sales +it +them +list +record +change +customer'], if: addsLine, bonus: () => 8, input: addedLines, result: { adds: true } },
  { name: 'draft-document', tool: 'invoices_create', isWhole: true,
    words: ['create|draft|issue|generate|send @sales +bill +customer +revenue +plusTax +withTax +noTax +hours +vat +tax +draftState +item +payment +payables +dueSoon +@method -expense -duplicate -automation -order -supplier -reject',
      'create|draft|issue|generate draftState +customer +plusTax +withTax +noTax +hours +vat +tax +item +dueSoon -expense -order -automation -supplier -payslip -payroll',
      'bill +create +draft +issue +send +customer +plusTax +withTax +noTax +hours +vat +tax +item +invoice +dueSoon +draftState +payables -expense -order -automation -list -supplier -who',
      '@sales +customer +plusTax +withTax +noTax +hours +vat +tax +item +dueSoon +@method -open -unpaid -overdue -paid -list -which -who -create -draft -issue -send -bill -top -expense -supplier -order'],
    if: (said) => hasAmount(said) && !hasNumber(said) && said.slots.amounts.some(({ comparison }) => comparison === 'exactly'), bonus: (said) => (said.has('create', 'draft', 'issue', 'send', 'bill', 'generate') ? 2 : startsWithDocument(said) ? 2 : -9), input: draftDocument },
  { name: 'draft-document', tool: 'invoices_create', isWhole: true, words: ['create|draft|issue|generate @sales +bill +customer +hours +draftState -expense -order -automation -supplier -payroll -list', 'bill customer +invoice'],
    if: (said) => !hasNumber(said) && !pointsAt(said, 'document') && (said.has('create', 'draft', 'issue', 'generate') || said.hits[0]?.concepts.includes('bill') === true), input: draftDocument },
  { name: 'issue-document', tool: 'invoices_update', isWhole: true, words: ['issue @sales|draftState +draftState +customer +@sales', 'issue it'], if: (said) => !hasAmount(said) && said.target('document') !== undefined,
    bonus: () => 1, input: onRecord('document', { status: 'UNSENT' }, drafts) },
  { name: 'send-document', tool: 'invoices_send', isWhole: true, words: ['send @sales|draftState +@sales +customer +them +pdf +fromMail +draftState -expense -statement -remind -supplier -payslip -duplicate', 'send it|them', 'send customer +@sales -automation -statement'],
    if: (said) => !hasAmount(said), input: onRecord('document', toAddresses) },
  { name: 'resend-document', tool: 'invoices_send', isWhole: true, words: ['resend +@sales +customer +send +fromMail'], input: onRecord('document', toAddresses) },
  { name: 'remind-all', tool: 'invoices_list', isWhole: true, words: ['remind +all +who +customer +send +@sales +overdue +unpaid +them +owed +receivables +payment +paid +pay +list +open -automation -create -automatically'],
    if: (said) => said.name('customer') === undefined && !hasNumber(said) && (said.has('all', 'who') || (said.has('overdue', 'unpaid', 'receivables') && !said.has('last', 'first', 'it'))) && !/^\s*remind (me|us)\b|תזכיר לי|תזכירי לי/i.test(said.text),
    bonus: () => 1, input: { status: 'SENT', sortBy: 'dueDate', sortOrder: 'asc' }, result: overdueBy },
  { name: 'remind-of-balance', tool: 'reports_customer_statement_send', isWhole: true, words: ['remind owed|receivables|balance|payables|statement +send +customer +unpaid +open +payment +them +all +which +me'],
    if: (said) => said.target('customer') !== undefined && !hasNumber(said), bonus: () => 1, input: onRecord('customer') },
  { name: 'remind-of-balance', tool: 'reports_customer_statement_send', isWhole: true, words: ['remind it|them|customer +it +them +send +customer +@sales +payment +unpaid +overdue +first -automation -create'], if: (said) => said.name('customer') === undefined && !hasNumber(said) && shownFirst(said) === 'customer', bonus: () => 1.5, input: onRecord('customer') },
  { name: 'remind', tool: 'invoices_send', isWhole: true, words: ['remind +send +@sales +customer +unpaid +overdue +paid +payment +pay +resend +owed +receivables +dueSoon -automation -create +open'], input: onRecord('document', {}, { where: { status: 'SENT' } }) },
  { name: 'mark-paid', tool: 'invoices_mark_paid', isWhole: true,
    words: ['markPaid paidState|paid +@sales +customer +@method +receipt -expense -order -supplier -payslip -payroll', 'markPaid @sales +paidState +customer +@method -expense -who -list', 'markPaid it +paidState +@method', 'change @sales paid|paidState +customer +@method -expense'],
    if: ({ isAsking }) => !isAsking, input: markPaid },
  { name: 'mark-paid', tool: 'invoices_mark_paid', isWhole: true, words: ['paidState|paid|paidBy @sales +customer +@method +paid +paidState +paidBy -list -which -who -expense -unpaid -order'], if: (said) => hasNumber(said) && !said.isAsking && !hasAmount(said), bonus: () => 2, input: markPaid },
  { name: 'record-document-payment', tool: 'invoices_payments', isWhole: true,
    words: ['record|create|paidBy payment|@sales +customer +@method +payment +@sales +paidState +revenue -expense -supplier -employee', 'paidBy @sales +payment +customer +@method +record'],
    if: (said) => (hasNumber(said) || pointsAt(said, 'document')) && hasAmount(said) && !said.isAsking && !said.has('creditMemo', 'credit') && (said.has('payment') || !/^\s*(please )?add\b/i.test(said.text)), bonus: () => 2, input: paymentOfDocument },
  { name: 'record-payment', tool: 'invoices_payments_create', isWhole: true,
    words: ['record|create payment +customer +@method +receivedState +revenue +paidBy -expense -supplier -employee -advance', 'record|paidBy +customer +@method +payment +revenue +receivedState +paid -expense -supplier -employee -who -item -stock -order', 'payment +customer +record +@method -expense -supplier -list'],
    if: (said) => recordsPayment(said) && !hasNumber(said), bonus: () => 1, input: payment },
  { name: 'record-payment', tool: 'invoices_payments_create', isWhole: true, words: ['paid|paidBy +paid +paidBy +customer +@method -@sales -who -which -list -unpaid -expense -supplier -employee -payroll -payslip -order -topic -automation'], if: (said) => !said.isAsking && !hasAmount(said) && !hasNumber(said) && said.name('customer') !== undefined && said.slots.periods.every(({ kind }) => kind === 'day') && !/\b(i|we)\b|שילמתי|שילמנו/i.test(said.text), input: payment },
  { name: 'payment-receipt', tool: 'invoices_payments_receipt', isWhole: true, words: ['receipt payment +create +issue +generate +draft +send +list +last +customer +record +it -expense -supplier -mailbox'], if: (said) => !said.isAsking && !hasAmount(said) && !hasNumber(said) && said.target('payment') !== undefined, bonus: () => 2, input: onRecord('payment') },
  { name: 'refund-payment', tool: 'invoices_payments_refund', isWhole: true, words: ['refund +customer +payment +@method +creditMemo +@sales -expense -claim -employee'], if: ({ text }) => !/\brefunded (us|me)\b|החזיר(ו|ה)? (לנו|לי)/i.test(text), input: refund },
  { name: 'void-payment', tool: 'invoices_payments_void', isWhole: true, words: ['void|cancel|delete payment +customer +@method -expense -supplier -payroll -automation -request'], input: onRecord('payment') },
  { name: 'cancel-document', tool: 'invoices_cancel', isWhole: true, words: ['cancel|void @sales +customer -payment -order -expense -creditMemo -draftState'], input: onRecord('document') },
  { name: 'credit-document', tool: 'invoices_memos', isWhole: true, words: ['credit|creditMemo @sales +creditMemo +customer +create +issue +credit +draft -expense -list -supplier', 'create|issue|draft creditMemo +customer +@sales +credit', 'credit it +creditMemo', 'credit +@sales +customer'],
    if: ({ has, isAsking, slots }) => !isAsking && (has('credit', 'create', 'issue', 'draft') || slots.numbers.some(({ text }) => !/^c[mnr]/i.test(text))) && !has('list'), bonus: () => 1.5, input: credit },
  { name: 'duplicate-document', tool: 'invoices_duplicate', isWhole: true, words: ['duplicate +@sales +customer +create -automation -expense'], input: onRecord('document') },
  { name: 'duplicate-document', tool: 'invoices_duplicate', isWhole: true, words: ['create|generate|draft|issue @sales +customer +last +it'], if: (said) => hasNumber(said) && !hasAmount(said) && /\b(again|same as|like)\b|\sשוב|\sכמו\s/i.test(said.text), bonus: () => 1, input: onRecord('document') },
  { name: 'delete-draft', tool: 'invoices_delete', isWhole: true, words: ['cancel|void draftState +customer +@sales -expense -order', 'delete @sales|draftState +draftState +customer +@sales -expense -automation -order', 'delete it'], if: ({ text }) => !/\blines?\b|שורה|שורות|השורה/i.test(text), input: onRecord('document', {}, drafts) },
  { name: 'convert-request', tool: 'invoices_convert', isWhole: true, words: ['convert +@sales +customer +create +issue -order', 'request invoice|invoiceReceipt +send +change +transfer +customer -order'],
    if: ({ has, text, isAsking }) => has('convert') || (!isAsking && /(תעביר|תעבירי|העבר|להעביר|תשנה|לשנות|שנה|move|change).*(\sל(חשבונית|חשבוניות)|\b(in)?to an? )/i.test(text)), bonus: ({ has }) => (has('convert') ? 0 : 2),
    input: onRecord('document', (said) => ({ documentType: said.has('invoiceReceipt') ? 'INVOICE_RECEIPT' : 'INVOICE' }), { where: { documentType: 'PAYMENT_REQUEST' } }) },
  { name: 'submit-clearance', tool: 'invoices_clearance_post', isWhole: true,
    words: ['submit @sales +taxAuthority +clearance +customer -vat', 'submit|create|replay clearance +@sales +taxAuthority +customer', 'send taxAuthority @sales +clearance +customer', 'replay clearance|taxAuthority +@sales +submit'],
    bonus: () => 1, input: onRecord('document', ({ has }) => ({ action: has('replay') ? 'retry' : 'submit' })) },
]

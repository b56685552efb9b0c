import { daysBetween } from '../../../../../core/values/day.ts'
import type { Then } from '../understood.ts'
import { fill } from './fill.ts'
import { hasNumber, type Intent, onRecord } from './intent.ts'
import { isAct } from './lexicon.ts'
import { ordinalOf, type Said } from './said.ts'

const open = { status: 'SENT' }
const unsent = { status: 'UNSENT' }
const byDueDate = { sortBy: 'dueDate', sortOrder: 'asc' }

/** The type of documents that is asked for. "Invoice" is said of all that are billed, so it limits nothing. */
function typeOf({ has }: Said): { documentType?: string } {
  if (has('creditMemo')) return { documentType: 'CREDIT_MEMO' }
  if (has('invoiceReceipt')) return { documentType: 'INVOICE_RECEIPT' }
  if (has('request')) return { documentType: 'PAYMENT_REQUEST' }
  return has('receipt') ? { documentType: 'RECEIPT' } : {}
}

const ofType = (input: Record<string, unknown>) => (said: Said) => ({ ...input, ...typeOf(said) })

/** "Overdue by 30 days", "for more than two weeks". */
export function overdueBy({ slots }: Said): Then {
  const days = slots.durations[0]?.days
  return { overdue: true, ...(days !== undefined && { overdueDays: days }) }
}

function dueWithin({ slots, period, around }: Said): Then {
  const days =
    slots.durations[0]?.days ??
    (period?.to && period.to >= around.today ? daysBetween(around.today, period.to) : undefined)
  return { open: true, ...(days !== undefined && { dueDays: days }) }
}

/** "Past due next week": what will be, and is not yet. */
const isStillAhead = ({ period, around }: Said): boolean => (period?.from ?? '') > around.today

// biome-ignore format: a table
export const salesIntents: Intent[] = [
  { name: 'overdue-documents', tool: 'invoices_list',
    words: ['overdue @sales +customer +unpaid +payment +paid +open -order -automation -purchaseOrder -expense -supplier -remind', 'overdue +unpaid +payment +paid +open -customer -order -automation -expense -supplier -remind -who'],
    if: (said) => !isStillAhead(said), input: ofType({ ...open, ...byDueDate }), also: [unsent], result: overdueBy },
  { name: 'open-documents', tool: 'invoices_list',
    words: ['unpaid +@sales +customer -expense -supplier -payroll -payslip -order', 'open which|all|howMuch +customer +balance -order -automation -supplier -employee', 'open @sales +customer +unpaid +dueSoon +balance -expense -supplier -order -create'],
    input: ofType({ ...open, ...byDueDate }), also: [unsent], result: (said) => (hasAge(said) ? overdueBy(said) : { open: true }) },
  { name: 'documents-due-soon', tool: 'invoices_list', words: ['overdue @sales +customer +unpaid +which +list -expense -supplier -order'], if: isStillAhead, isWhole: true, input: ofType({ ...open, ...byDueDate }), also: [unsent], result: dueWithin },
  { name: 'documents-due-soon', tool: 'invoices_list',
    words: ['dueSoon which|all|list +@sales +unpaid +customer -overdue -expense -supplier', 'dueSoon @sales +unpaid +open +customer -overdue -expense -bill', 'dueSoon customer +@sales +unpaid -overdue'],
    if: (said) => (said.has('when') || said.slots.periods.length + said.slots.durations.length > 0) && !isOurBill(said),
    input: ofType({ ...open, ...byDueDate }), isWhole: true, also: [unsent], result: dueWithin },
  { name: 'documents-due-soon', tool: 'invoices_list', words: ['@sales +payment +unpaid +open +dueSoon +customer +list +which +all -overdue -expense -supplier -bill'], if: (said) => isAhead(said) && !isOurBill(said), bonus: () => 1,
    input: ofType({ ...open, ...byDueDate }), isWhole: true, also: [unsent], result: dueWithin },
  { name: 'paid-documents', tool: 'invoices_list', words: ['paid @sales +customer +who -unpaid -expense -supplier', 'paid who +customer -employee -payroll -expense -payslip -unpaid'],
    input: ofType({ status: 'PAID' }) },
  { name: 'draft-documents', tool: 'invoices_list', words: ['draftState +@sales +customer +unsent -expense -automation -order -payslip -payroll -create -issue -send -delete'], input: ofType({ status: 'DRAFT' }) },
  { name: 'sent-documents', tool: 'invoices_list', words: ['sentState @sales +customer -unsent -order'], input: ofType({ ...open }), also: [{ status: 'PAID' }] },
  { name: 'unsent-documents', tool: 'invoices_list', words: ['unsent +@sales +customer -order'], input: ofType({ ...unsent }) },
  { name: 'disputed-documents', tool: 'invoices_list', words: ['dispute +@sales +customer +open'], input: ofType({ disputed: 'true' }) },
  { name: 'documents', tool: 'invoices_list', words: ['@sales +customer +top +find +created +revenue -overdue -supplier -expense', 'creditMemo +@sales +customer'],
    input: ofType({}) },
  { name: 'documents', tool: 'invoices_list', words: ['revenue|bill all +list +me +customer +bill +revenue +@sales -howMuch -expense -supplier'], if: (said) => said.name('customer') !== undefined && /\b(billed|invoiced)\b/i.test(said.text), bonus: () => 1.5, input: {} },
  { name: 'show-document', tool: 'invoices_get', words: ['@sales +find +customer +madeUp +why +when +howMuch +paid +paidState +markPaid +balance +open +unpaid +dueSoon +payables +receivables +owed +overdue +pay -expense -supplier +sentState -order -pcn874'],
    if: (said) => hasNumber(said) && !(said.has('when') && said.has('sentState')) && (said.isAsking || !said.has('markPaid', 'paidState') || said.slots.isQuestion || said.has('list')), bonus: () => 1.5, input: onRecord('document'), isWhole: true },
  { name: 'document-history', tool: 'invoices_events', words: ['history @sales +customer', 'sentState when @sales', 'when paid @sales'], input: onRecord('document'), isWhole: true,
    if: (said) => said.target('document') !== undefined },
  { name: 'document-clearance', tool: 'invoices_clearance', words: ['clearance +@sales +taxAuthority +customer +why +failed +rejected -submit'], input: onRecord('document'), isWhole: true },
  { name: 'document-link', tool: 'invoices_link', words: ['link @sales +customer +payment +pay', 'link +it +payment'], input: onRecord('document'), isWhole: true },
  { name: 'document-pdf', tool: 'invoices_pdf', words: ['pdf +@sales +customer +export'], input: onRecord('document'), isWhole: true },
  { name: 'document-einvoice', tool: 'invoices_einvoice', words: ['einvoice +@sales +customer +export'], input: onRecord('document'), isWhole: true },
  { name: 'payments', tool: 'invoices_payments_list', words: ['payment +customer +receivedState +record +paidBy -expense -supplier -payroll -pay -refund -void -create +employee', 'paidBy customer|who +payment +receivedState -unpaid -expense -employee -payroll',
    'record payment +customer +howMuch -expense -create'], if: (said) => !recordsPayment(said) },
  { name: 'payments', tool: 'invoices_payments_list', words: ['pay|paidBy|paid +howMuch +customer +payment +me -supplier -expense -employee -payroll -@sales -unpaid -who'], bonus: () => 0.5, if: (said) => said.isAsking && said.name('customer') !== undefined && !wePay(said) },
  { name: 'payments', tool: 'invoices_payments_list', words: ['paid|paidBy who +customer +payment -unpaid -expense -employee -payroll -payslip -@sales -top'], bonus: () => 0.5, if: ({ isAsking, period }) => isAsking && period !== undefined },
  { name: 'payments', tool: 'invoices_payments_list', words: ['pay|paid|paidBy customer howMuch +payment +me +receivedState +currencyWord -unpaid -expense -employee -payroll -@sales -who -top -owed -receivables'], bonus: () => 0.5, if: ({ isAsking }) => isAsking, result: { add: true } },
  { name: 'unallocated-payments', tool: 'invoices_payments_list', words: ['unallocated +payment +@sales +customer +receivedState +record +revenue +which +paid +list -expense -supplier'], bonus: () => 1, input: { open: 'true' } },
  { name: 'payments', tool: 'invoices_payments_list', words: ['@method receivedState|record|payment|paidBy +customer +me +which +list -expense -supplier -employee -create -bank'], if: (said) => (said.isAsking || said.has('list')) && said.slots.amounts.length === 0 && !said.has('dashboard') },
  { name: 'has-paid', tool: 'invoices_payments_list', words: ['pay|paidBy|paid +customer +payment +me +last -howMuch -when -which -supplier -expense -employee -payroll -@sales -unpaid -who -top -list'], bonus: () => 1, if: (said) => said.isAsking && said.name('customer') !== undefined && said.period === undefined && !wePay(said) && !hasAge(said) },
  { name: 'last-document', tool: 'invoices_get', isWhole: true, words: ['@sales last|first +paid +paidState +paidBy +pay +sentState +unpaid +markPaid +customer +when +howMuch +which +list +find +open +created +balance -expense -supplier -order -create -send -duplicate'],
    if: (said) => said.isAsking && said.has('paid', 'paidState', 'paidBy', 'pay', 'unpaid', 'markPaid') && isOneDocument(said) && said.target('document') !== undefined && (said.name('customer') !== undefined || said.has('them')), bonus: () => 1.5, input: onRecord('document') },
  { name: 'receivables', tool: 'reports_receivables_aging',
    words: ['receivables +owed +customer +unpaid +overdue +aging +open +balance +top +@sales -payables +paid', 'aging +customer +overdue +receivables +@sales -supplier -payables -expense', 'who owed +overdue +top +paid +payables', 'customer owed +who +overdue +top +paid +payables +which',
      'who unpaid +customer +overdue +@sales +owed', 'customer unpaid +who +overdue', 'customer overdue +who +unpaid +top +payment +paid +pay -@sales', 'who overdue +payment +unpaid +paid +pay +customer +top', 'customer balance +open +who +top +unpaid', 'customer open +balance +who +owed +top -order -@sales'],
    if: (said) => !(said.has('them', 'it', 'balance') && namesCustomer(said)) && !hasAge(said) && !weOwe(said) },
  { name: 'receivables-by-age', tool: 'reports_receivables_aging', isWhole: true, words: ['receivables|unpaid|owed|overdue who|customer +owed +receivables +customer +unpaid +overdue +paid +top +who +list -payables -supplier -expense -@sales'], if: (said) => hasAge(said) && said.name('customer') === undefined, bonus: () => 0.8, result: (said) => ({ ...overdueBy(said), ...fill('reports_receivables_aging', said).result }) },
  { name: 'open-documents', tool: 'invoices_list', words: ['receivables|unpaid|owed|overdue +who +owed +receivables +customer +unpaid +overdue +paid +top -payables -supplier -expense'], if: hasAge, bonus: () => 0.4, input: ofType({ ...open, ...byDueDate }), also: [unsent], result: (said) => (said.slots.durations.length > 0 ? overdueBy(said) : { open: true }) },
  { name: 'customer-balance', tool: 'reports_customer_statement', words: ['owed|receivables|balance|payables +customer +open +unpaid +@sales +owed +pay +dueSoon +when -supplier -who -expense'], if: (said) => namesCustomer(said) && !weOwe(said) && (said.has('balance') || owesUs(said)), bonus: () => 0.6, input: onRecord('customer') },
  { name: 'customer-statement', tool: 'reports_customer_statement', words: ['statement +customer +balance +account +pdf -send -profitAndLoss -supplier -bank', 'statement +generalLedger +customer -account -send'], input: onRecord('customer') },
  { name: 'send-statement', tool: 'reports_customer_statement_send', words: ['statement send|resend +send +customer +balance +them +pdf'], input: onRecord('customer') },
  { name: 'send-statement', tool: 'reports_customer_statement_send', words: ['send receivables|owed|aging|balance +receivables +owed +aging +open +customer +balance +them +pdf -supplier -who -overdue'], if: (said) => !said.isAsking && !said.has('me') && said.target('customer') !== undefined, bonus: () => 1, input: onRecord('customer') },
  { name: 'documents', tool: 'invoices_list', words: ['boughtBy +which +howMuch +howMany +customer +@sales +item -who -top'], if: (said) => said.name('customer') !== undefined || said.has('them'), bonus: () => 1.5, input: {} },
  { name: 'top-customers', tool: 'reports_income', words: ['profit customer +top +who +which +@income'], if: ({ has }) => has('who', 'which', 'top'), bonus: () => 1, input: { groupBy: 'customer' }, result: { order: 'largest' } },
  { name: 'top-customers', tool: 'reports_income', words: ['boughtBy who|top|customer +top +customer +which +who'], input: { groupBy: 'customer' }, result: { order: 'largest' } },
  { name: 'documents', tool: 'invoices_list', words: ['expense +which +howMuch'], if: (said) => theyBuy(said) && (said.name('customer') !== undefined || ordinalOf(said) !== undefined || said.has('them')), bonus: () => 1.5, input: {} },
  { name: 'top-customers', tool: 'reports_income', words: ['top customer +@income +@sales +byCustomer +paidBy +payment', 'byCustomer +@income +@sales +customer', 'customer @income +top +which +who +byCustomer', 'who top @income|paidBy|paid'],
    input: { groupBy: 'customer' }, result: { order: 'largest' } },
]

/** "Record a payment of 500 to Acme": money that went to somebody. */
export const paidTo = /\bpayments?\b[^,]* to (?!(?:the |our |my )?(?:invoice|inv|account|bank|order|document)\b)\p{L}/iu

/** An amount for a thing from somebody: what we bought. "For invoice 12" and "for October" are what was paid to us. */
export const boughtFrom =
  /^\s*(?:please )?(?:put|log|record|add|enter|book)\s+(?:down )?[$₪€£]?\d[\d,.]*\s*\p{L}{0,7} for (?!(?:the )?(?:invoice|inv|bill|january|february|march|april|may|june|july|august|september|october|november|december)\b)\p{L}.* from \p{L}/iu

/** "Globex paid 500" tells of a payment, "how much did Globex pay" asks. */
export const recordsPayment = ({ slots, has, isAsking, text }: Said): boolean =>
  !/\sunder \p{Lu}|תחת |קטגורי/u.test(text) &&
  !boughtFrom.test(text) &&
  !paidTo.test(text) &&
  !has('wageRise', 'payroll', 'payslip') &&
  !(
    neutral.test(text) &&
    /,/.test(text) &&
    !has('payment', 'paidBy', 'receivedState', 'paid', 'transferMethod', 'cheque', 'bit') &&
    !/\bfrom\b|\sמ/i.test(text)
  ) &&
  slots.amounts.some(({ comparison }) => comparison === 'exactly') &&
  !isAsking &&
  !has('list', 'who', 'which')

/** "Log 64, Staples" does not say whether it came or went. */
const neutral = /^\s*(please |pls )?(log|record|enter|book|put|post|note|add)\b/i

/** A debt for so long: the report of debts has no days, the documents have. */
function hasAge({ slots, text }: Said): boolean {
  const isSince = /\b(for|already)\s+(over\s+)?\d|כבר|מזה /i.test(text)
  return slots.durations.some(({ meaning }) => meaning === 'over' || (meaning === 'plain' && isSince))
}

/** A time that begins today or later is when documents are due, for none is issued then. */
const isAhead = ({ period, around, isAsking, has, hits }: Said): boolean =>
  period?.from !== undefined &&
  period.to !== undefined &&
  period.from >= around.today &&
  period.to > around.today &&
  (isAsking || has('list', 'which', 'all') || !hits.some(({ concepts }) => concepts.every(isAct)))

/** "How much did we pay" is about our expenses, "how much did Globex pay" about theirs. */
const wePay = ({ text }: Said): boolean =>
  /\b(did|have|has|do) (i|we)\b|\b(i|we) (pay|paid|spend|spent)\b|שילמתי|שילמנו/i.test(text)

/** "What does Globex have to pay" is about their debt, "what do we have to pay Globex" about ours. */
export function owesUs(said: Said): boolean {
  if (weOwe(said)) return false
  if (/\b(are|am|is|were) (we|i) (still )?owed\b|\bowed to (us|me)\b/i.test(said.text)) return true
  if (/\b(us|me)\b|(^|\s)(לנו|לי)(?=[\s?.!]|$)/i.test(said.text)) return true
  return namesCustomer(said) && !/\b(i|we|i'm|we're|our|my)\b|(^|\s)ו?(אני|אנחנו|אנו)\s/i.test(said.text)
}

/** Bills come from suppliers, invoices go to customers: "what bills are due this week". */
export function isOurBill({ text, has }: Said): boolean {
  return (
    /\bbills?\b/i.test(text) &&
    !/\b(invoices?|bills? (to|for|of)(?! (be |pay|settle))|sent|our bills? to)\b/i.test(text) &&
    !has('customer', 'me')
  )
}

/** "I still owe Bezeq", אני עוד חייב לבזק. */
export const weOwe = ({ text }: Said): boolean =>
  /\b(i|we)\b.{0,20}\bow(e|ing)\b|\b(do|should|must) (i|we) .{0,12}\bpay (?!us\b|me\b)|\b(our|my) debts? to\b|(צריך|צריכה|צריכים|עליי|עלינו) לשלם ל(?!נו|י[\s?.]|י$)|(אני|אנחנו|אנו)\s.{0,12}חייב|(חוב|חובות|יתרה|היתרה) (שלנו|שלי) (ל|אצל)/i.test(
    text,
  )

/** "The last invoice of Globex" is one, with or without a question about it; "the last three invoices" are a list. */
const isOneDocument = ({ slots, hits, tokens }: Said): boolean =>
  slots.counts.first === undefined &&
  slots.quantities.length === 0 &&
  hits
    .filter(({ concepts }) => concepts.includes('invoice') || concepts.includes('document'))
    .every(({ end }) => !/(s|ים|ות)$/.test(tokens[end - 1]?.text ?? ''))

/** "Did Globex buy", "what Globex bought": a customer buys, not we. */
const theyBuy = ({ text }: Said): boolean =>
  /\bdid (?!i\b|we\b)[\p{L} ]+ (buy|purchase|order)\b/iu.test(text) ||
  /(?<!\b(?:we|i|I) )\b(?!We |I )\p{Lu}\p{L}+ (bought|purchased)\b/u.test(text)

const namesCustomer = (said: Said): boolean =>
  said.name('customer') !== undefined ||
  (said.has('them', 'it') && said.around.shown.some(({ kind }) => kind === 'customer'))

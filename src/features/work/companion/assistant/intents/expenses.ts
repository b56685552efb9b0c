import { daysBetween } from '../../../../../core/values/day.ts'
import type { Then } from '../understood.ts'
import { descriptionOf } from './description.ts'
import { before, isFrom, personOf, topicOf } from './expense-topic.ts'
import { fill } from './fill.ts'
import { dayOf, hasAmount, type Input, type Intent, type Missing, methodOf, missing, onRecord } from './intent.ts'
import { isWordFor } from './lexicon.ts'
import { isMeant } from './names.ts'
import type { Said } from './said.ts'
import { boughtFrom, isOurBill, owesUs, paidTo, weOwe } from './sales.ts'

const withTopic = (input: Input) => (said: Said) => ({ ...input, ...sourceOf(said), ...topicOf(said) })

const added = ({ has }: Said): Then => (has('howMuch') ? { add: true } : {})

function ofPerson(said: Said): Then {
  const person = personOf(said)
  return { ...added(said), ...(person !== undefined && { person }) }
}

const sourceOf = ({ has }: Said): Input =>
  has('fromMail', 'mailbox') ? { source: 'EMAIL' } : has('scanned') ? { source: 'SCAN' } : {}

const stateWords = '+expense +supplier +category +claim +fromMail +scanned +mailbox +top +receipt +invoice'

/** "Adobe subscription": whose it is, and what it is. */
function subscribed(name: string | undefined): { vendor?: string; what?: string } {
  const { vendor, what } = /^(?<vendor>\p{Lu}\S*(?: \p{Lu}\S*)*) (?<what>\p{Ll}+)$/u.exec(name ?? '')?.groups ?? {}
  return vendor && what && isWordFor('topic', what) ? { vendor, what } : {}
}

function newExpense(said: Said): Input | Missing {
  const [amount] = said.slots.amounts
  if (!amount || amount.value <= 0) return missing('amount')
  const { what, vendor = said.name('supplier') } = subscribed(said.name('supplier'))
  const under = categoryWords(said)
  const isCut = vendor !== undefined && said.name('category') === `מ${vendor}` // מונית is no ונית
  const isVendor =
    vendor !== undefined && vendor !== under && !isCut && (isFrom(said, vendor) || /^\p{Lu}/u.test(vendor))
  const bought = boughtIn(said) ?? boughtAt(said)
  const behind = shopOf(said) ?? vendorBehind(said)
  const shop = bought?.shop ?? billedBy(said) ?? (isVendor ? vendor : behind === under ? undefined : behind)
  const title = bought?.what ?? what ?? titleOf(said, shop ?? '', under)
  const method = methodOf(said)
  return {
    amount: amount.value,
    currency: amount.currency ?? said.around.currency,
    date: dayOf(said),
    ...(title && title !== under && { title }),
    ...(under !== undefined && { categoryId: { $named: 'category', words: under, orNone: true } }),
    ...(shop !== undefined && { vendor: shop }),
    ...(method && { paymentMethod: method }),
  }
}

/** "Category Truck", "under Office", קטגוריית נסיעות. */
const categoryWords = ({ text }: Said): string | undefined =>
  /(?:\bcategory:?|\bunder|קטגוריית|בקטגוריה|בקטגוריית|לקטגוריה|לקטגוריית|קטגוריה:?|תחת)\s+(?:the\s+|של\s+)?([^,.;\d]{2,40}?)\s*(?:category)?(?:$|,)/iu.exec(
    text,
  )?.[1]

/** "Taxi 18.50 harbour cabs": the name behind the amount, where another before it says what it was. */
function vendorBehind(said: Said): string | undefined {
  const [amount] = said.slots.amounts
  const names = said.slots
    .names('supplier')
    .map((name) => ({ name, at: said.text.indexOf(name) }))
    .filter(({ at }) => !isMeant(said, at))
  const behind = names.find(({ name, at }) => amount && at >= amount.end && name !== said.name('category'))
  return behind && names.some(({ at }) => amount && at < amount.start) ? behind.name : undefined
}

/** קניתי מדפסת ב-899 בקסטרו: what was bought has no letter before it, and the shop stands behind the price. */
function boughtIn({ text }: Said): { what: string; shop: string } | undefined {
  const { what, shop } =
    /(?:קניתי|קנינו|רכשתי|רכשנו)\s+(?<what>[א-ת][^\d,]*?)\s+ב-?\s?\d[\d,.]*\s*(?:ש"ח|ש״ח|שח|שקלים|שקל|₪)?\s+(?:אצל\s+|ב-?|מ-?)(?<shop>[א-ת]{2,}[^,\d]*)$/u.exec(
      text,
    )?.groups ?? {}
  return what && shop ? { what, shop: shop.trim() } : undefined
}

/** איקאה שלחו לנו חשבונית: who stands before is the vendor. */
const billedBy = ({ text }: Said): string | undefined =>
  /^(?<shop>[א-ת][^\d,]*?)\s+(?:שלחו|שלחה?|הוציאו|הוציאה?)\s+(?:לנו|לי)\s+חשבונית/u.exec(text)?.groups?.shop

/** דלק בפז: what it was, and where. */
function boughtAt(said: Said): { what: string; shop: string } | undefined {
  const { what, shop } =
    /^(?<what>[א-ת]+) (?:ב-?|אצל |מ-?)(?<shop>[א-ת]{2,}.*)$/u.exec(said.name('category') ?? '')?.groups ?? {}
  return what && shop && isWordFor('topic', what) ? { what, shop } : undefined
}

/** In Hebrew "at" is a letter: באופיס דיפו. */
function shopOf(said: Said): string | undefined {
  const name = said.name('category')
  return name !== undefined && /(^|\s)ב-?$/.test(before(said, name)) ? name : undefined
}

function titleOf(said: Said, vendor: string, category: string | undefined): string | undefined {
  const words = descriptionOf(said, vendor)
  const own = said.name('category')
  if (own !== undefined && own !== vendor && own !== category && !vendor.includes(own)) return own
  if (category !== undefined)
    return said.slots
      .names('item')
      .find((name) => !category.includes(name) && !vendor.includes(name) && !isMeant(said, said.text.indexOf(name)))
  return words === vendor || words === 'Services' || words === 'שירותים' ? undefined : stripped(said, words)
}

/** The description without the words that make it an expense. */
const stripped = (said: Said, words: string): string | undefined => {
  const left = words
    .split(/\s+/)
    .filter(
      (word) =>
        !said.hits.some(
          ({ first, end, concepts }) =>
            !concepts.includes('topic') &&
            said.tokens.slice(first, end).some(({ text }) => text === word.toLowerCase()),
        ),
    )
  return left.length > 0 ? left.join(' ') : undefined
}

const pay = onRecord('expense', (said) => {
  const [amount] = said.slots.amounts
  const method = methodOf(said)
  return { ...(amount && { amount: amount.value }), paidAt: dayOf(said), ...(method && { method }) }
})

/** "The Bezeq bill 420": beside a name a number is the amount. */
function payExpense(said: Said): Input | Missing {
  const name = said.name('supplier')
  const [number] = said.slots.numbers
  const method = methodOf(said)
  if (!hasAmount(said) && name !== undefined && number && /^\d+$/.test(number.text))
    return {
      id: { $named: 'expense', words: name },
      amount: Number(number.text),
      paidAt: dayOf(said),
      ...(method && { method }),
    }
  if (hasAmount(said)) return pay(said)
  return missing(said.target('expense') === undefined ? 'expense' : 'amount')
}

const pending = { where: { status: 'PENDING_REVIEW' } }

const reject = onRecord(
  'expense',
  (said) => {
    const reason =
      /\b(?:because|since|reason:?)\s+(.{3,200})$|(?:^|\s)(?:כי|בגלל|סיבה:?)\s+(.{3,200})$|[,;-]\s+(.{3,200})$/i.exec(
        said.text,
      )
    const words = reason?.[1] ?? reason?.[2] ?? reason?.[3]
    return { status: 'REJECTED', ...(words && { reason: words.trim() }) }
  },
  pending,
)

/** "The diesel one": one of those that wait, by its name or by "it". */
const namesExpense = (said: Said) =>
  !said.isAsking && !said.has('order', 'member', 'role', 'invite') && said.target('expense') !== undefined

const isCreated = (said: Said) =>
  hasAmount(said) &&
  !said.isAsking &&
  !said.has('list', 'which', 'who') &&
  said.slots.amounts.some(({ comparison }) => comparison === 'exactly')

/** "The receipt from Shell": one that we were given, and not one of ours. */
const receivedFrom = (said: Said): boolean => {
  const name = said.name('supplier')
  return (
    name !== undefined &&
    said.slots.numbers.length === 0 &&
    !hasAmount(said) &&
    /\breceipts? from (the )?$|(קבלה|קבלות|הקבלה|הקבלות) מ-?$/i.test(said.text.slice(0, said.text.indexOf(name)))
  )
}

/** "Bills due this week": those that are due until then. */
function billsDue(said: Said): Then {
  const { has, period, around, slots } = said
  const words = said.name('supplier')
  const name = words === undefined ? {} : { name: words }
  if (has('overdue')) return { overdue: true, ...name }
  const last = period?.next?.to ?? period?.to
  const days = slots.durations[0]?.days ?? (last && last >= around.today ? daysBetween(around.today, last) : undefined)
  return {
    ...(days !== undefined && { dueDays: days }),
    ...name,
    ...fill('reports_payables_aging', { ...said, period: undefined, slots: { ...slots, periods: [] } }).result,
  }
}

/** "Put 85 for copper pipe from Ace Hardware": so much for something that somebody sold us. */
const isBoughtFrom = (said: Said): boolean => isCreated(said) && boughtFrom.test(said.text)

/** "Record lunch 42 at the Diner": bought at a place, not received from somebody. */
const isBought = (said: Said): boolean =>
  isCreated(said) &&
  said.has('record', 'create') &&
  !said.has('payment', 'customer', 'revenue', 'receivedState', 'paidBy') &&
  (/\s(at|@)\s+\p{L}/iu.test(said.text) ||
    /^\s*(please |pls )?(log|record|enter|book)\b.*,\s*\p{L}/iu.test(said.text)) &&
  !/\b(received|got|came in)\b/i.test(said.text)

/** "Did we pay Verizon", שילמנו לבזק?: whether, and not how much or for what. */
const hasWePaid = /\b(did|have) (i|we) (already )?(pay|paid) (?!for\b|on\b)|^\s*(האם )?(כבר )?(שילמנו|שילמתי) ל/i

/** "Paid Northwoods 2,804 by ach", שילמתי לדפוס רמון 1062: we paid a supplier. */
const wePaid = (said: Said): boolean =>
  hasAmount(said) &&
  !said.isAsking &&
  /^\s*(i |we )?(have |'ve )?(just )?paid\s|^\s*(היום |אתמול )?(שי?למתי|שי?למנו)(\s|$)/i.test(said.text) &&
  !/\b(for|on)\s|\s(על|עבור|בשביל)\s/i.test(said.text) &&
  said.name('supplier') !== undefined

const category = onRecord('expense', (said) => {
  const words =
    /(?:under|to|into|as|in|category|קטגוריית|לקטגוריית|לקטגוריה|קטגוריה|תחת)\s+(?:the\s+|category\s+|של\s+)*([^,.;]{2,60})$/i.exec(
      said.text,
    )?.[1]
  return words ? { categoryId: { $named: 'category', words: words.replace(/\s+category$/i, '').trim() } } : {}
})

function movedExpense(said: Said): Input | Missing {
  const [amount] = said.slots.amounts
  const input = category(said)
  if (!('categoryId' in input)) return missing('category')
  const into = (input.categoryId as { words: string }).words
  const words = said.name('supplier')
  if (words !== undefined && !into.includes(words)) return input
  if (amount) return { ...input, id: { $named: 'expense', words: String(amount.value) } }
  const other = said.slots
    .names('supplier')
    .find((name) => !into.includes(name) && !isMeant(said, said.text.indexOf(name)))
  return other === undefined ? input : { ...input, id: { $named: 'expense', words: other } }
}

/** A mailbox by its name; in "scan my inbox for receipts" the last word is none. */
function mailboxOf(said: Said) {
  const named = said.target('connection')
  const wanted = /\bfor (?:the |my |new )*(\w+)$/i.exec(said.text)?.[1]
  const isNamed =
    named !== undefined &&
    (typeof named === 'string' ||
      (named.words !== wanted && !/^ה?(מייל|מיילים|דואר|תיבה)$|^e?mail$/i.test(named.words)))
  return isNamed ? named : { $named: 'connection', words: '' }
}

/** "Add staff pantry as an expense category": all that stands between. */
const newCategory = (said: Said): string | undefined =>
  /\b(?:add|create|make|use)\s+(?:an? |the )?(?<name>[^,]+?) as (?:an? |the )?(?:new )?(?:expense )?category\b/i.exec(
    said.text,
  )?.groups?.name ??
  said.name('category') ??
  said.name('customer')

// biome-ignore format: a table
export const expenseIntents: Intent[] = [
  { name: 'expense-total', tool: 'reports_expenses', words: ['expense howMuch +why +all +byMonth +madeUp +compare -pending -category -supplier', 'expense compare|byMonth +howMuch +madeUp'],
    if: (said) => said.name('category') === undefined && said.name('supplier') === undefined && !hasAmount(said) && !said.has('rent'), bonus: () => 0.6,
    input: ({ has }) => (has('byMonth') ? { groupBy: 'month' } : has('compare') ? {} : { groupBy: 'category' }) },
  { name: 'expenses-by-category', tool: 'reports_expenses', words: ['byCategory +expense +top +howMuch +madeUp', 'top category +expense +howMuch', 'expense category howMuch|top|madeUp', 'expense madeUp +category +why'],
    if: (said) => said.name('category') === undefined || said.has('byCategory'), bonus: () => 0.5, input: { groupBy: 'category' }, result: { order: 'largest' } },
  { name: 'expenses-by-supplier', tool: 'reports_expenses', words: ['bySupplier +expense +top +howMuch +supplier', 'top supplier +expense +howMuch +payment +pay +paid', 'which|who supplier expense +top +howMuch', 'who expense top +supplier'],
    bonus: () => 0.6, input: { groupBy: 'vendor' }, result: { order: 'largest' } },
  { name: 'pending-expenses', tool: 'expenses_list', words: [`pending expense|claim|receipt ${stateWords} +approve`, 'expense approve which|howMany|list|all +pending +claim', 'pending +approve +which +list +me -draftState -order -invitation -invite -member -payslip -payroll -automation -@sales -unpaid -unsent -item -stock -supplier -customer -receivedState -deliver'], if: ({ has, text }) => !/^\s*(אני |צריך |צריכה |רוצה |נא )*לאשר את/.test(text) && (has('list', 'which', 'howMany', 'howMuch', 'all', 'who') || !has('approve') || has('pending')),
    input: withTopic({ status: 'PENDING_REVIEW' }) },
  { name: 'approved-expenses', tool: 'expenses_list', words: [`approved expense|claim ${stateWords}`], input: withTopic({ status: 'APPROVED' }) },
  { name: 'rejected-expenses', tool: 'expenses_list', words: [`rejected expense|claim ${stateWords}`], input: withTopic({ status: 'REJECTED' }) },
  { name: 'draft-expenses', tool: 'expenses_list', words: [`draftState expense|claim ${stateWords}`], input: withTopic({ status: 'DRAFT' }) },
  { name: 'expenses', tool: 'expenses_list', words: ['topic +topic +expense +howMuch +which +compare +byMonth +average +pay +paid +profit +list +howDid +top -customer -@sales -order -stock -item -create -record -approve -reject -change -owed -unpaid'],
    if: (said) => said.isAsking || !hasAmount(said), input: withTopic({}), result: added },
  { name: 'expenses-of-person', tool: 'expenses_list', words: ['expense|claim|receipt +expense +claim +receipt +employee +submit +howMuch +which +list +pending +approved +rejected +create +record +created'], if: (said) => personOf(said) !== undefined, bonus: () => 1.5,
    input: ({ has }) => (has('pending') ? { status: 'PENDING_REVIEW' } : has('approved') ? { status: 'APPROVED' } : has('rejected') ? { status: 'REJECTED' } : {}), result: ofPerson },
  { name: 'expenses', tool: 'expenses_list', words: ['expense +topic +supplier +category +claim +fromMail +scanned +mailbox +top +find +howMuch +pay +paidBy +paid +cash +card +byMonth +average +compare +currencyWord -order -owed', 'receipt fromMail|mailbox|scanned +expense +list', 'howMuch pay|paid|paidBy supplier -employee -payroll -customer',
    'category list +expense +find'], if: (said) => !said.has('category') || said.name('category') !== undefined || said.has('expense'), input: withTopic({}), result: added },
  { name: 'unpaid-expenses', tool: 'reports_payables_aging', words: ['unpaid|overdue|open expense|supplier +payables +expense +supplier +owed -order', 'payables +supplier +expense +owed +overdue +unpaid +aging +bill +pay +invoice +who +receivables -customer', 'aging supplier|payables +expense', 'receivables +supplier +owed +howMuch +which -customer', 'owed supplier +howMuch +payables +expense', 'owed +howMuch +receivables +payables +expense +supplier -customer -who'],
    if: (said) => (!said.has('receivables') || said.has('payables', 'supplier') || weOwe(said)) && (!said.has('owed') || said.has('payables', 'supplier', 'expense') || weOwe(said)) && (said.has('supplier', 'expense', 'aging') || !owesUs(said)) },
  { name: 'bills-due', tool: 'reports_payables_aging', words: ['dueSoon|unpaid|overdue|open invoice +supplier +expense +which +list +unpaid +open +overdue'], if: isOurBill, isWhole: true, bonus: () => 1.5, result: billsDue },
  { name: 'bills-due', tool: 'reports_payables_aging', words: ['payables +supplier +expense +which +list +dueSoon +howMuch +pay', 'dueSoon supplier +which +list +howMuch +expense +payables'], if: ({ period, around }) => period?.to !== undefined && period.to > around.today && ((period.from ?? around.today) >= around.today || period.kind === 'week'), isWhole: true, bonus: () => 1, result: billsDue },
  { name: 'expenses', tool: 'expenses_list', words: ['receipt|invoice +list +find +last +which +all +it +please -customer -unpaid -open -overdue -paid -sentState -draftState'], if: receivedFrom, bonus: () => 2, input: (said) => ({ search: said.name('supplier') ?? '' }) },
  { name: 'expense-categories', tool: 'expense_categories_list', words: ['category +expense -create -top -byCategory'], if: (said) => said.name('category') === undefined, bonus: () => 0.3, isWhole: true },
  { name: 'delete-category', tool: 'expenses_delete', words: ['delete category +expense'], isWhole: true, bonus: () => 0.5, input: onRecord('category') },
  { name: 'create-category', tool: 'expense_categories_create', words: ['create category +expense'], isWhole: true,
    input: (said) => ({ name: newCategory(said) ?? '' }), if: (said) => newCategory(said) !== undefined },
  { name: 'create-expense', tool: 'expenses_create', isWhole: true, words: ['create|record|draft expense +topic +receipt +supplier +@method +paid +withTax +plusTax +category -order', 'expense +topic +supplier +@method +paid +withTax', 'create|record receipt|invoice supplier +expense +@method +paid'],
    if: isCreated, bonus: () => 1.5, input: newExpense },
  { name: 'create-expense', tool: 'expenses_create', isWhole: true, words: ['topic +topic +expense +supplier +@method +paid +withTax +category +record +create +receipt -customer -order -stock -item -unpaid -overdue -employee -payroll -bill'], if: (said) => isCreated(said) && !wePaid(said), bonus: () => 1.5, input: newExpense },
  { name: 'create-expense', tool: 'expenses_create', isWhole: true, words: ['create|record|change +receipt +supplier +@method +paid +expense +topic -payment -customer -order -stock -employee'], if: isBoughtFrom, bonus: () => 3, input: newExpense },
  { name: 'create-expense', tool: 'expenses_create', isWhole: true, words: ['create|record expense +supplier -category'], input: newExpense },
  { name: 'create-expense', tool: 'expenses_create', isWhole: true, words: ['create|record +receipt +supplier +@method +paid +expense -payment -customer -order -item -stock -employee'], if: isBought, bonus: () => 2, input: newExpense },
  { name: 'create-expense', tool: 'expenses_create', isWhole: true, words: ['+category +create +record +change +@method +find +payment +expense +customer +topic -order -item -stock'], if: (said) => isCreated(said) && categoryWords(said) !== undefined && /^\s*(please )?(put|add|log|record|enter|book)\s|^\s*(תכניס|תכניסי|תרשום|תרשמי|תוסיף|תוסיפי)\s/i.test(said.text), bonus: () => 4, input: newExpense },
  { name: 'pay-expense', tool: 'expenses_payments', isWhole: true, words: ['paid|paidBy|expense +paid +paidBy +expense +topic +rent +supplier +@method +invoice -employee -payroll -payslip -customer'], if: wePaid, bonus: () => 3, input: payExpense },
  { name: 'pay-expense', tool: 'expenses_payments', isWhole: true, words: ['pay +expense +topic +@method +invoice +payment +please -payroll -employee -payslip -advance -customer -list'], if: (said) => !said.isAsking && said.name('supplier') !== undefined && said.slots.numbers.length === 0, input: payExpense },
  { name: 'pay-expense', tool: 'expenses_payments', isWhole: true, words: ['record|create payment +@method +supplier +expense -customer -payroll -employee -payslip -list'], if: (said) => !said.isAsking && hasAmount(said) && paidTo.test(said.text), bonus: () => 1, input: payExpense },
  { name: 'move-expense', tool: 'expenses_update_patch_2', isWhole: true, words: ['change|send|transfer expense +category +supplier +transfer', 'change category +expense'], if: (said) => !said.isAsking && (said.has('category') || /\b(under|as|into|to)\s/i.test(said.text)) && said.has('expense'), bonus: () => 2, input: movedExpense },
  { name: 'approve-expense', tool: 'expenses_status', isWhole: true, words: ['approve expense|claim|receipt +supplier +pending +expense', 'approve it +expense', 'approve supplier +expense +invoice'], input: onRecord('expense', { status: 'APPROVED' }, pending) },
  { name: 'approve-expense', tool: 'expenses_status', isWhole: true, words: ['approve +expense +claim +receipt +pending +it +rent -order -payroll -payslip -@sales -confirmOrder -automation'], if: namesExpense, bonus: () => -0.2, input: onRecord('expense', { status: 'APPROVED' }, pending) },
  { name: 'reject-expense', tool: 'expenses_status', isWhole: true, words: ['reject +expense +claim +supplier +customer +receipt +pending +reasonWord +it +rent -dispute'], input: reject },
  { name: 'pay-expense', tool: 'expenses_payments', isWhole: true, words: ['pay expense|supplier +invoice +@method +expense +supplier -payroll -employee -list', 'markPaid expense +paidState +supplier +@method', 'pay invoice +supplier +expense +@method -customer -payment', 'record payment supplier|expense +@method +paid', 'paid supplier +record +@method +payment'],
    if: ({ isAsking }) => !isAsking, input: payExpense },
  { name: 'delete-expense', tool: 'expenses_delete_delete', isWhole: true, words: ['delete expense +supplier +invoice -category', 'delete receipt supplier'], input: onRecord('expense') },
  { name: 'export-expenses', tool: 'expenses_csv', words: ['export expense +supplier +send +list'], input: ({ has }) => (has('approved') ? { status: 'APPROVED' } : {}) },
  { name: 'scan-usage', tool: 'expenses_usage', words: ['scanUsage +scan +list'], isWhole: true },
  { name: 'expense-payments', tool: 'expenses_payments_list', words: ['pay|paid|paidBy +supplier +payment +expense -customer -employee -payroll'], if: (said) => said.isAsking && said.name('supplier') !== undefined && /\b(did|have) (i|we)\b|שילמתי|שילמנו/i.test(said.text) && !said.has('howMuch', 'who') },
  { name: 'expense-payments', tool: 'expenses_payments_list', words: ['expense +supplier +payment +paid +pay -customer -employee -payroll -topic -category -rent'], if: (said) => said.isAsking && said.name('supplier') !== undefined && hasWePaid.test(said.text) && !said.has('howMuch', 'who', 'which'), bonus: () => 1, },
  { name: 'expense-payments', tool: 'expenses_payments_list', words: ['payment supplier|expense +paid +last -create -record -pay'] },
  { name: 'stop-auto-scan', tool: 'integrations_auto_scan_delete', isWhole: true, words: ['disable|delete|cancel|void mailRun|scan|mailbox +scan +mailbox +mailRun +receipt +fromMail +automatically +byMonth +disable -automation'], if: (said) => !said.isAsking && said.has('mailRun', 'scan'), bonus: () => 4, input: (said) => ({ id: mailboxOf(said) }) },
  { name: 'scan-mailbox', tool: 'expenses_email_poll', isWhole: true, words: ['scan +invoice +receipt +expense +create +supplier +mailbox +fromMail +find +list'], if: ({ text, isAsking }) => !isAsking && /mailbox|inbox|e-?mail|\bmail\b|מייל|תיב|דואר/i.test(text), bonus: () => 2, input: (said) => ({ connectionId: mailboxOf(said) }) },
  { name: 'scan-mailbox', tool: 'expenses_email_poll', isWhole: true, words: ['scan mailbox|fromMail|mailRun|receipt +receipt +expense +send +mailbox +create -scanUsage -when', 'scan send receipt|expense', 'mailRun generate|create|scan|enable +mailbox', 'list|test mailbox +receipt +expense +invoice +create +cheque'], if: ({ has, isAsking, text }) => has('scan', 'mailRun', 'generate') || (!isAsking && /\b(check|look in|go through|search)\b|תבדוק|תבדקי|בדוק|בדקי/i.test(text) && /\bnew\b|\bfor\b|חדש|הגיע|קבל|חשבוני/i.test(text)), bonus: () => 1,
    input: (said) => ({ connectionId: mailboxOf(said) }) },
]

import type { Then } from '../understood.ts'
import { type Input, type Intent, type Missing, missing, onRecord, reasonOf } from './intent.ts'
import { isLight, isQuiet } from './lexicon.ts'
import { linesOf } from './lines.ts'
import { orderedIn } from './order-lines.ts'
import { partsOf } from './order-parts.ts'
import { type Said, startsWith } from './said.ts'

/** Whose orders: a supplier or a customer, by the words around the name. */
function orders(input: Input) {
  return (said: Said): Input => {
    const isPurchase = said.has('purchaseOrder', 'supplier')
    const isSale = said.has('salesOrder', 'customer')
    const kind = isPurchase && !isSale ? { kind: 'PURCHASE' } : isSale && !isPurchase ? { kind: 'SALES' } : {}
    const words = said.name(isPurchase ? 'supplier' : 'customer')
    const number = said.slots.numbers[0]?.text
    const name = number ?? words
    if (name === undefined) return { ...input, ...kind }
    if (isPurchase) return { ...input, ...kind, supplierId: { $named: 'supplier', words: name } }
    if (isSale) return { ...input, ...kind, customerId: { $named: 'customer', words: name } }
    return { ...input, search: name }
  }
}

function movement(said: Said): Input | Missing {
  const item = said.target('item')
  if (item === undefined) return missing('item')
  const quantity = said.slots.quantities[0]?.value ?? said.slots.counts.first ?? said.slots.amounts[0]?.value
  if (quantity === undefined) return missing('quantity')
  const told = reasonOf(said)
  const reason = told === undefined || /stock|inventory|מלאי/i.test(told) ? undefined : told
  const isCount = /\bcount(ed)?\b|ספרנו|ספרתי|ספירה|ספירת/i.test(said.text)
  if (
    !isCount &&
    /\b(remove|take|out|minus|used|write off|wrote off|lost|broken|broke|damaged|threw|thrown|stolen|expired|spoiled|bad)\b|תוריד|הורד|להוריד|הוצא|תוציא|נשבר|נגנב|זרקנו|זרקתי|התקלקל|נפגמ|אבדו|פג תוקף/i.test(
      said.text,
    )
  )
    return { itemId: item, kind: 'OUT', quantity, ...(reason && { reason }) }
  if (!isCount && /\b(add|in|received|plus)\b|תוסיף|הוסף|להוסיף|נכנס|הכנס|הכניס|תכניס/i.test(said.text))
    return { itemId: item, kind: 'IN', quantity }
  return { itemId: item, kind: 'ADJUST', quantity, reason: said.slots.language === 'he' ? 'ספירת מלאי' : 'Stock count' }
}

/** כבל HDMI: the Latin letters behind a Hebrew word belong to the name. */
function withModel({ text }: Said, name: string | undefined): string | undefined {
  if (name === undefined || !/[א-ת]$/.test(name)) return name
  const behind = text.slice(text.indexOf(name) + name.length)
  return name + (/^(?: [A-Z][A-Za-z0-9-]*)+(?=[\s,]|$)/.exec(behind)?.[0] ?? '')
}

function newItem(said: Said): Input | Missing {
  const name = withModel(said, said.name('item'))
  if (name === undefined) return missing('name')
  const [price] = said.slots.amounts
  const isService = /\bservice\b|שירות/i.test(said.text)
  return {
    name,
    ...(isService && { kind: 'SERVICE' }),
    ...(price && { salePrice: price.value, saleCurrency: price.currency ?? said.around.currency }),
  }
}

const changePrice = (said: Said): Input | Missing => {
  const item = said.target('item')
  const [price] = said.slots.amounts
  if (item === undefined) return missing('item')
  return price
    ? { id: item, salePrice: price.value, saleCurrency: price.currency ?? said.around.currency }
    : missing('amount')
}

function newOrder(said: Said): Input | Missing {
  const isSale = said.has('customer', 'salesOrder')
  const ordered = orderedIn(said)
  const party = ordered?.party ?? said.name(isSale ? 'customer' : 'supplier')
  if (party === undefined) return missing(isSale ? 'customer' : 'supplier')
  const lines = ordered?.lines ?? oneLine(said) ?? pricedLines(said, party)
  if (!lines) return missing('quantity')
  const currency = said.slots.amounts.find((amount) => amount.currency)?.currency
  const counterparty = isSale
    ? { customerId: { $named: 'customer', words: party } }
    : { supplierId: { $named: 'supplier', words: party } }
  return { kind: isSale ? 'SALES' : 'PURCHASE', status: 'DRAFT', ...counterparty, lines, ...(currency && { currency }) }
}

/** "A purchase order for Ikea, 20 chairs at 90". */
function oneLine({ slots }: Said): Input[] | undefined {
  const [quantity] = slots.quantities
  const [price] = slots.amounts
  return quantity && [{ description: quantity.of, quantity: quantity.value, ...(price && { unitPrice: price.value }) }]
}

/** Only what the sentence counts came; without a quantity all that is open. */
const came = (said: Said): Then => {
  const parts = partsOf(said)
  return parts ? { parts } : {}
}

/** 6 מקדחות ב-310: goods with their price, as in a document. */
const pricedLines = (said: Said, party: string): Input[] | undefined =>
  linesOf(said, party)?.map(({ description, quantity, price }) => ({ description, quantity, unitPrice: price }))

const partly = [{ status: 'PARTIALLY_RECEIVED' }]

/** "Haven't arrived yet" is said of all that is open, "late" only of what is past its day. */
const isNotThere = ({ text }: Said): boolean =>
  !/\b(late|delayed|overdue)\b|באיחור|מאחר|מתעכב|מעוכב/i.test(text) &&
  /n't|\bnot\b|undelivered|waiting|(^|\s)(עוד|עדיין)?\s?ש?(לא|טרם)\s/i.test(text)

/** "Has the order from Ikea arrived?" asks for that order, whatever became of it. */
const isOneOrder = (said: Said): boolean =>
  said.isAsking &&
  /^\s*(has|have|did|is|was)\b|^\s*האם|\?\s*$/i.test(said.text) &&
  said.name('supplier') !== undefined &&
  !said.has('which', 'list', 'all')

const itemWords = '+item +stock +howMany +find'
const hasItem = (said: Said) => said.name('item') !== undefined
const hasOrder = (said: Said) => said.target('order') !== undefined

// biome-ignore format: a table
export const tradeIntents: Intent[] = [
  { name: 'late-orders', tool: 'orders_list', words: ['lateOrder supplier +expense -@sales -unpaid', 'lateOrder order +purchaseOrder +salesOrder +supplier +customer +open +overdue +deliver +receive'], input: orders({ status: 'OPEN' }), result: { overdue: true } },
  { name: 'open-orders', tool: 'orders_list', words: ['open|pending|unpaid order +purchaseOrder +salesOrder +supplier +customer'], bonus: () => 1, input: orders({ status: 'OPEN' }), also: partly },
  { name: 'open-orders', tool: 'orders_list', words: ['lateOrder order +purchaseOrder +salesOrder +supplier +customer +open +deliver +receive +arrives'], if: isNotThere, bonus: () => 1, input: orders({ status: 'OPEN' }), also: partly },
  { name: 'open-orders', tool: 'orders_list', words: ['arrives +when +which +order +purchaseOrder +supplier +item +stock +receive +deliver +lateOrder -customer -salesOrder'], bonus: () => 0.5, input: { status: 'OPEN', kind: 'PURCHASE' }, isWhole: true, also: partly },
  { name: 'partial-orders', tool: 'orders_list', words: ['partial order +purchaseOrder +salesOrder +supplier +customer +receivedState'], input: orders({ status: 'PARTIALLY_RECEIVED' }) },
  { name: 'draft-orders', tool: 'orders_list', words: ['draftState order +purchaseOrder +salesOrder +supplier +customer'], input: orders({ status: 'DRAFT' }) },
  { name: 'closed-orders', tool: 'orders_list', words: ['closedState order +purchaseOrder +salesOrder +supplier +customer'], input: orders({ status: 'CLOSED' }) },
  { name: 'cancelled-orders', tool: 'orders_list', words: ['cancelled order +purchaseOrder +salesOrder +supplier +customer'], input: orders({ status: 'CANCELLED' }) },
  { name: 'received-orders', tool: 'orders_list', words: ['receivedState order +purchaseOrder +salesOrder +supplier +customer'], if: (said) => !isOneOrder(said), input: orders({ status: 'RECEIVED' }) },
  { name: 'orders', tool: 'orders_list', words: ['order +purchaseOrder +salesOrder +supplier +customer +find +receivedState +receive +arrives -create -invite -member -invitation'], input: orders({}) },
  { name: 'show-order', tool: 'orders_get', words: ['order +purchaseOrder +salesOrder +find +why +receivedState +receive +deliver +lateOrder +arrives +when +open +pending +closedState +howMuch +madeUp +cancelled +approved'], if: ({ slots, isAsking, has }) => slots.numbers.length > 0 && (isAsking || !has('receive', 'deliver', 'close', 'cancel', 'void', 'approve')), bonus: () => 1.5, input: onRecord('order'), isWhole: true },
  { name: 'order-match', tool: 'orders_match', words: ['order compare +receivedState +invoice +expense +bill +revenue'], if: hasOrder, input: onRecord('order'), isWhole: true },
  { name: 'order-chain', tool: 'orders_chain', words: ['history order +purchaseOrder +salesOrder'], input: onRecord('order'), isWhole: true },
  { name: 'create-order', tool: 'orders_create', words: ['create|draft order +purchaseOrder +salesOrder +supplier +customer +item +hours'], if: ({ slots }) => slots.numbers.length === 0, bonus: () => 0.5, input: newOrder, isWhole: true },
  { name: 'create-order', tool: 'orders_create', words: ['order|invite|expense +purchaseOrder +supplier +customer +item +hours +stock +please'], if: (said) => !said.isAsking && orderedIn(said) !== undefined, bonus: () => 4, input: newOrder, isWhole: true },
  { name: 'create-order', tool: 'orders_create', words: ['order +purchaseOrder +salesOrder +supplier +customer +item +hours +please'], if: (said) => !said.isAsking && startsWith(said, 'order') && (oneLine(said) ?? pricedLines(said, said.name('supplier') ?? '')) !== undefined && said.slots.numbers.length === 0 && said.slots.periods.length === 0 && !said.has('list', 'which', 'all', 'last', 'first') && said.name('supplier') !== undefined, bonus: () => 3, input: newOrder, isWhole: true },
  { name: 'receive-order', tool: 'orders_receive', words: ['receive order +purchaseOrder +item +supplier -customer +receivedState', 'record order receivedState'], if: ({ has, isAsking }) => !isAsking && !has('list', 'lateOrder'), bonus: () => 1, input: onRecord('order'), isWhole: true, result: came },
  { name: 'receive-order', tool: 'orders_receive', words: ['record|receive|receivedState order +purchaseOrder +receive +receivedState +all +item +supplier +hours -customer -invoice'], if: ({ has, isAsking, slots }) => !isAsking && !has('list', 'lateOrder') && slots.numbers.length > 0, bonus: () => 2, input: onRecord('order'), isWhole: true, result: came },
  { name: 'receive-order', tool: 'orders_receive', words: ['order +purchaseOrder +receivedState +receive +item +supplier +hours +arrives'], if: (said) => !said.isAsking && said.slots.numbers.length > 0 && partsOf(said) !== undefined && /\b(came|arrived|showed up|turned up|got here)\b|הגיע|באו/i.test(said.text), bonus: () => 3, input: onRecord('order'), isWhole: true, result: came },
  { name: 'deliver-order', tool: 'orders_deliver', words: ['deliver order +salesOrder +customer +item +send', 'deliver it'], if: ({ has, isAsking }) => !isAsking && !has('lateOrder'), bonus: () => 1, input: onRecord('order'), isWhole: true, result: came },
  { name: 'invoice-order', tool: 'orders_invoice', words: ['bill|create|issue|draft|generate order +invoice +salesOrder +customer +convert', 'order convert +invoice +bill'], if: (said) => said.has('bill', 'invoice') && said.slots.amounts.length === 0 && hasOrder(said), bonus: () => 1.5, input: onRecord('order'), isWhole: true },
  { name: 'close-order', tool: 'orders_close', words: ['close order +purchaseOrder +salesOrder +supplier +customer'], if: ({ has, isAsking }) => !has('list') && !isAsking, input: onRecord('order'), isWhole: true },
  { name: 'cancel-order', tool: 'orders_cancel', words: ['cancel|void order +purchaseOrder +salesOrder +supplier +customer -draftState', 'delete order +purchaseOrder -draftState'], bonus: () => 1, input: onRecord('order'), isWhole: true },
  { name: 'delete-order', tool: 'orders_delete', words: ['delete|cancel|void order draftState +purchaseOrder +salesOrder +supplier +customer'], input: onRecord('order'), isWhole: true },
  { name: 'open-order', tool: 'orders_open', words: ['confirmOrder order +purchaseOrder +salesOrder', 'approve order +purchaseOrder +salesOrder +supplier'], input: onRecord('order'), isWhole: true },
  { name: 'send-order', tool: 'orders_send', words: ['send order +purchaseOrder +supplier +salesOrder +fromMail +pdf'], bonus: () => 1, input: onRecord('order'), isWhole: true },
  { name: 'low-stock', tool: 'logistics_stock_levels', words: ['lowStock +item +stock +order +find -automation'], input: { low: 'true' } },
  { name: 'stock-valuation', tool: 'reports_stock_valuation', words: ['valuation +stock +item', 'howMuch stock +revenue'], if: (said) => said.has('valuation') || /worth|שווה|ערך|שווי/i.test(said.text), bonus: () => 0.5 },
  { name: 'stock-movements', tool: 'logistics_stock_movements', words: ['movement +stock +item', 'history stock|item +stock', 'history item'] },
  { name: 'stock-levels', tool: 'logistics_stock_levels', words: [`stock ${itemWords} +balance +open +remains`,  `howMany list ${itemWords} -hours`, `howMany item hours|stock ${itemWords}`, `howMany hours item ${itemWords}`] },
  { name: 'stock-levels', tool: 'logistics_stock_levels', words: [`remains howMany|howMuch|stock|item ${itemWords} -hours -pay -payment -payables -payroll -invoice -mailbox -bank`], if: hasItem },
  { name: 'stock-levels', tool: 'logistics_stock_levels', words: ['remains +list +item +stock +howMany'], if: (said) => said.isAsking && hasItem(said) && /^\s*(do we|do i|have we|is there|are there|any|(ו?האם )?יש|נשאר)/i.test(said.text) && said.hits.every(({ concepts }) => concepts.some((concept) => isLight(concept) || isQuiet(concept) || concept === 'item' || concept === 'stock')) },
  { name: 'adjust-stock', tool: 'logistics_stock_movements_create', words: ['adjust +stock +item +create +hours', 'adjust|change|create|delete stock +item +hours'], bonus: () => 1, input: movement, isWhole: true, if: ({ isAsking }) => !isAsking },
  { name: 'adjust-stock', tool: 'logistics_stock_movements_create', words: ['failed +item +stock +hours -automation -run -mailbox -mailRun -clearance -why'], if: (said) => !said.isAsking && said.slots.quantities.length > 0, bonus: () => 1, input: movement, isWhole: true },
  { name: 'adjust-stock', tool: 'logistics_stock_movements_create', words: ['lowStock +item +stock +hours +list'], if: (said) => !said.isAsking && said.slots.quantities.length > 0 && /^\s*(please |pls )?(take|took|remove|pull|pulled) /i.test(said.text), bonus: () => 2, input: movement, isWhole: true },
  { name: 'items', tool: 'logistics_items_list', words: ['item +find +active +howMany +top -stock -create -top'], input: (said) => (hasItem(said) ? { search: said.name('item') } : {}), bonus: () => 1, isWhole: true },
  { name: 'create-item', tool: 'logistics_items_create', words: ['create item +hours -stock -order -customer -@sales'], bonus: () => 1, input: newItem, isWhole: true },
  { name: 'change-price', tool: 'logistics_items_update_patch', words: ['change item +howMuch -stock', 'change +item'], if: (said) => /\bprices?\b|מחיר/i.test(said.text), bonus: () => 1, input: changePrice, isWhole: true },
]

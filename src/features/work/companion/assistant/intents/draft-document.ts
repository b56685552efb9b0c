import { addDays } from '../../../../../core/values/day.ts'
import { exact, minorDigits } from '../../../../../core/values/money.ts'
import { countries } from '../../../../../countries/countries.ts'
import { descriptionOf } from './description.ts'
import { lastDay } from './fill.ts'
import { type Input, type Missing, missing } from './intent.ts'
import { linesOf, type SaidLine } from './lines.ts'
import { billedName } from './names.ts'
import type { Said } from './said.ts'

/** A sales document as a draft: "invoice Globex 3 hours of consulting at 400 plus VAT". */
export function draftDocument(said: Said): Input | Missing {
  const words = billedName(said)
  const customer = words === undefined ? said.target('customer') : { $named: 'customer', words }
  if (customer === undefined) return missing('customer')
  const [amount] = said.slots.amounts
  if (!amount || amount.value <= 0) return missing('amount')
  const name = typeof customer === 'string' ? '' : customer.words
  const lines = linesOf(said, name) ?? oneLine(said, name, amount.value)
  if (!lines) return missing('amount')
  const currency = said.slots.amounts.find((each) => each.currency)?.currency ?? said.around.currency
  const due = dueDateOf(said)
  return {
    customerId: customer,
    currency,
    ...totalsOf(
      said,
      lines.map((line) => ({ ...line, description: line.description || descriptionOf(said, name) })),
      currency,
    ),
    status: 'DRAFT',
    documentType: typeOfDraft(said),
    ...(due && { dueDate: due }),
  }
}

function typeOfDraft({ has }: Said): string {
  if (has('invoiceReceipt')) return 'INVOICE_RECEIPT'
  if (has('request')) return 'PAYMENT_REQUEST'
  return has('receipt') && !has('invoice') ? 'RECEIPT' : 'INVOICE'
}

function quantityOf({ slots }: Said): number {
  const [quantity] = slots.quantities
  if (quantity && quantity.value > 0) return quantity.value
  const worked = slots.durations.find(({ meaning, isTerms }) => meaning === 'plain' && !isTerms)
  return slots.counts.first ?? worked?.count ?? 1
}

/** One amount is one line. Of several nobody can say which is the price, so it is asked for. */
function oneLine(said: Said, customer: string, price: number): SaidLine[] | undefined {
  const prices = said.slots.amounts.filter(({ comparison }) => comparison === 'exactly')
  if (prices.length > 1) return undefined
  return [{ price, quantity: quantityOf(said), description: descriptionOf(said, customer) }]
}

/** The rate that is said, or the standard rate of the country today; an amount that includes the tax is made net. */
function totalsOf(said: Said, lines: readonly SaidLine[], currency: string): Input {
  const { tax, percents } = said.slots.rates
  const standard = countries[said.around.country].documents.taxRateOn(said.around.today)
  const isReceipt = typeOfDraft(said) === 'RECEIPT'
  const rate = tax === 'none' || isReceipt ? 0 : (percents[0]?.value ?? standard ?? null)
  const digits = minorDigits(currency)
  const factor = exact(rate ?? 0).div(100)
  const isGross = tax === 'included'
  const items = lines.map(({ price, quantity, description }, at) => {
    const unit = isGross ? exact(price).div(factor.plus(1)) : exact(price)
    return {
      id: String(at + 1),
      description,
      quantity,
      unitPrice: unit.toDecimalPlaces(isGross ? 6 : 10).toNumber(),
      amount: unit.times(quantity).toDecimalPlaces(digits).toNumber(),
    }
  })
  const sum = (amounts: readonly ReturnType<typeof exact>[]) => amounts.reduce((a, b) => a.plus(b), exact(0))
  const subtotal = sum(items.map(({ amount }) => exact(amount)))
  const gross = sum(lines.map(({ price, quantity }) => exact(price).times(quantity)))
  const taxAmount = (isGross ? gross.minus(subtotal) : subtotal.times(factor)).toDecimalPlaces(digits)
  return {
    items,
    subtotal: subtotal.toNumber(),
    taxRate: rate,
    taxAmount: taxAmount.toNumber(),
    total: subtotal.plus(taxAmount).toNumber(),
  }
}

/** "Due in 30 days", "payable by 15 March". */
function dueDateOf({ slots, has, around }: Said): string | undefined {
  const terms = slots.durations.find(({ isTerms }) => isTerms)
  if (terms) return addDays(terms.isFromMonthEnd ? lastDay(around.today) : around.today, terms.days)
  const ahead = slots.durations.find(
    ({ meaning }) => meaning === 'in' || meaning === 'within' || (meaning === 'plain' && has('dueSoon')),
  )
  if (ahead) return addDays(around.today, ahead.days)
  const due = slots.periods.find(({ kind }) => kind === 'until') ?? (has('dueSoon') ? slots.periods[0] : undefined)
  const day = due?.next?.to ?? due?.to
  return day && day >= around.today ? day : undefined
}

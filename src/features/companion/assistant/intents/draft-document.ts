import { addDays } from '../../../../core/values/day.ts'
import { exact, minorDigits } from '../../../../core/values/money.ts'
import { countries } from '../../../../countries/countries.ts'
import { descriptionOf } from './description.ts'
import { type Input, type Missing, missing } from './intent.ts'
import { billedName } from './names.ts'
import type { Said } from './said.ts'

/** A sales document with one line, as a draft: "invoice Globex 3 hours of consulting at 400 plus VAT". */
export function draftDocument(said: Said): Input | Missing {
  const words = billedName(said)
  const customer = words === undefined ? said.target('customer') : { $named: 'customer', words }
  if (customer === undefined) return missing('customer')
  const [amount] = said.slots.amounts
  if (!amount || amount.value <= 0) return missing('amount')
  const currency = amount.currency ?? said.around.currency
  const quantity = quantityOf(said)
  const name = typeof customer === 'string' ? '' : customer.words
  const due = dueDateOf(said)
  return {
    customerId: customer,
    currency,
    ...totalsOf(said, { price: amount.value, quantity, currency, description: descriptionOf(said, name) }),
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
  const worked = slots.durations.find(({ meaning }) => meaning === 'plain')
  return slots.counts.first ?? worked?.count ?? 1
}

type Line = { price: number; quantity: number; currency: string; description: string }

/** The rate that is said, or the standard rate of the country today; an amount that includes the tax is made net. */
function totalsOf(said: Said, { price, quantity, currency, description }: Line): Input {
  const { tax, percents } = said.slots.rates
  const standard = countries[said.around.country].documents.taxRateOn(said.around.today)
  const isReceipt = typeOfDraft(said) === 'RECEIPT'
  const rate = tax === 'none' || isReceipt ? 0 : (percents[0]?.value ?? standard ?? null)
  const digits = minorDigits(currency)
  const factor = exact(rate ?? 0).div(100)
  const unit = tax === 'included' ? exact(price).div(factor.plus(1)) : exact(price)
  const unitPrice = unit.toDecimalPlaces(tax === 'included' ? 6 : 10).toNumber()
  const amount = unit.times(quantity).toDecimalPlaces(digits)
  const taxAmount =
    tax === 'included'
      ? exact(price).times(quantity).minus(amount).toDecimalPlaces(digits)
      : amount.times(factor).toDecimalPlaces(digits)
  return {
    items: [{ id: '1', description, quantity, unitPrice, amount: amount.toNumber() }],
    subtotal: amount.toNumber(),
    taxRate: rate,
    taxAmount: taxAmount.toNumber(),
    total: amount.plus(taxAmount).toNumber(),
  }
}

/** "Due in 30 days", "payable by 15 March". */
function dueDateOf({ slots, has, around }: Said): string | undefined {
  const terms = slots.durations.find(
    ({ meaning }) => meaning === 'in' || meaning === 'within' || (meaning === 'plain' && has('dueSoon')),
  )
  if (terms) return addDays(around.today, terms.days)
  const [period] = slots.periods
  const day = period?.next?.to ?? period?.to
  return has('dueSoon') && day && day >= around.today ? day : undefined
}

import type { Paper } from './paper.ts'
import { currencyOf, decimal } from './print.ts'
import type { Truth } from './types.ts'

/** What a reader should find: what was printed, and what follows from it. */
export function truthOf(paper: Paper): Truth {
  const { printed, vendor, sale, number, date, due, country, isRatePrinted } = paper
  const ifPrinted = <T extends object>(key: string, values: T): Partial<T> => (printed.has(key) ? values : {})
  const hasTax = sale.tax !== 0
  const isMixed = sale.taxes.length > 1
  return {
    values: {
      vendor: vendor.name,
      currency: currencyOf[country],
      total: decimal(sale.total),
      ...ifPrinted('taxNumber', { vendorTaxNumber: vendor.taxNumber }),
      ...ifPrinted('number', { documentNumber: number }),
      ...ifPrinted('date', { date }),
      ...ifPrinted('due', { dueDate: due }),
      ...subtotalOf(paper),
      ...(hasTax && ifPrinted('tax', { taxAmount: decimal(sale.tax) })),
      ...(hasTax &&
        !isMixed &&
        (isRatePrinted || printed.has('rate')) &&
        ifPrinted('tax', { taxRate: String(sale.rate) })),
      ...(sale.method !== null && ifPrinted('paid', { paymentMethod: sale.method })),
      ...ifPrinted('items', { items: itemsOf(paper) }),
    },
    alternatives: {
      subtotal: [sale.net, sale.sum, sale.sum - sale.discount + sale.service].map(decimal),
      ...(printed.has('trade') && { vendor: [vendor.trade] }),
      ...(hasTax
        ? { taxAmount: [decimal(sale.tax)], taxRate: [isMixed ? '*' : String(sale.rate)] }
        : { taxAmount: ['0.00'], taxRate: ['0'] }),
      ...(sale.method === null && { paymentMethod: ['BANK_TRANSFER'] }),
    },
  }
}

/** The amount before tax, where it is printed. A sum of prices that include tax is no such amount. */
function subtotalOf({ sale, printed }: Paper): { subtotal?: string } {
  if (sale.isIncluded) return printed.has('net') ? { subtotal: decimal(sale.net) } : {}
  if (printed.has('net')) return { subtotal: decimal(sale.net) }
  return printed.has('subtotal') ? { subtotal: decimal(sale.sum) } : {}
}

const itemsOf = ({ sale, printed }: Paper) =>
  sale.lines.map(({ description, quantity, unitPrice, amount }) => ({
    description,
    quantity: printed.has('item.quantity') ? quantity : null,
    unitPrice: printed.has('item.price') ? decimal(unitPrice) : null,
    amount: decimal(amount),
  }))

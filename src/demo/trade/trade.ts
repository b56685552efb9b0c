/** What a demo company buys, keeps in stock and sells by order. */
export type Trade = {
  /** How suppliers are paid, by name. */
  suppliers: Readonly<Record<string, SupplierTerms>>
  items: readonly TradedItem[]
  /** Orders to suppliers, then orders of customers, each in the order of their dates. */
  purchases: readonly TradeOrder[]
  sales: readonly TradeOrder[]
  adjustments: readonly { sku: string; quantity: number; reason: string; daysAgo: number }[]
}

type SupplierTerms = {
  paymentTermsDays: number
  bankDetails: Readonly<Record<string, string>>
  withholdingRate?: number
  is1099?: true
}

/** Prices are in the currency of the company. `opening` is in stock when the orders begin. */
export type TradedItem = {
  sku: string
  name: string
  unit?: string
  salePrice: number
  purchasePrice?: number
  kind?: 'SERVICE'
  lowStockThreshold?: number
  opening?: number
}

/** The reference is the number of the other side; a company has each once. */
export type TradeOrder = {
  reference: string
  /** The supplier or the customer. */
  of: string
  daysAgo: number
  expectedInDays?: number
  lines: readonly (readonly [sku: string, quantity: number])[]
  notes?: string
  isDraft?: true
  /** Deliveries: the share of each line, rounded up, or the rest. */
  deliveries?: readonly (readonly [share: number | 'rest', daysAgo: number])[]
  /** The bill of the supplier over everything ordered, with what is charged beside it. */
  bill?: { daysAgo: number; extra?: number; paidDaysAgo?: number }
  /** Our invoice: a draft, or sent. */
  invoice?: 'DRAFT' | 'SENT'
  ends?: 'CLOSED' | 'CANCELLED'
  reason?: string
}

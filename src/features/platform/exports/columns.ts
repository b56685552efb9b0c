import type { SheetColumn } from '../../../core/files/sheet.ts'

/** A column of an exported list: `path` leads to its value in a row of the list, and is its name in a CSV file. */
export type Column = { path: string; title: string; titleHe: string; type: SheetColumn['type'] }

const text = (path: string, title: string, titleHe: string): Column => ({ path, title, titleHe, type: 'text' })
const day = (path: string, title: string, titleHe: string): Column => ({ path, title, titleHe, type: 'date' })
const money = (path: string, title: string, titleHe: string): Column => ({ path, title, titleHe, type: 'money' })
const number = (path: string, title: string, titleHe: string): Column => ({ path, title, titleHe, type: 'number' })

const party = [
  text('displayName', 'Name', 'שם'),
  text('kind', 'Kind', 'סוג'),
  text('status', 'Status', 'מצב'),
  text('email', 'E-mail', 'דוא״ל'),
  text('phone', 'Phone', 'טלפון'),
  text('address', 'Address', 'כתובת'),
  text('country', 'Country', 'מדינה'),
  text('registrationNumber', 'Registration number', 'מספר רישום'),
]

const ending = [text('notes', 'Notes', 'הערות'), text('createdAt', 'Created', 'נוצר'), text('id', 'Id', 'מזהה')]

const sums = [
  text('currency', 'Currency', 'מטבע'),
  money('subtotal', 'Subtotal', 'סכום לפני מס'),
  money('taxAmount', 'Tax', 'מס'),
  money('total', 'Total', 'סה״כ'),
]

/** The lists that can be exported: the operation, the field of its answer that has the rows, and the columns. */
export const exportedLists = {
  customers: {
    operation: 'customers_list',
    rows: 'customers',
    columns: [...party, number('_count.invoices', 'Documents', 'מסמכים'), ...ending],
  },
  suppliers: {
    operation: 'suppliers_list',
    rows: 'suppliers',
    columns: [
      ...party,
      text('taxNumber', 'Tax number', 'מספר עוסק'),
      number('paymentTermsDays', 'Payment terms in days', 'ימי אשראי'),
      text('defaultCurrency', 'Currency', 'מטבע'),
      number('withholdingRate', 'Tax withheld in percent', 'שיעור ניכוי במקור'),
      ...ending,
    ],
  },
  documents: {
    operation: 'invoices_list',
    rows: 'invoices',
    columns: [
      text('invoiceNumber', 'Number', 'מספר'),
      text('documentType', 'Type', 'סוג'),
      text('status', 'Status', 'מצב'),
      text('customer.name', 'Customer', 'לקוח'),
      day('invoiceDate', 'Issued', 'תאריך הפקה'),
      day('dueDate', 'Due', 'לתשלום עד'),
      ...sums,
      money('paidAmount', 'Paid', 'שולם'),
      money('creditedAmount', 'Credited', 'זוכה'),
      money('openBalance', 'Open', 'יתרה פתוחה'),
      number('exchangeRate', 'Exchange rate', 'שער'),
      text('vatAllocationNumber', 'Allocation number', 'מספר הקצאה'),
      ...ending,
    ],
  },
  payments: {
    operation: 'invoices_payments_list',
    rows: 'payments',
    columns: [
      day('paidAt', 'Date', 'תאריך'),
      text('customer.name', 'Customer', 'לקוח'),
      text('customerId', 'Customer id', 'מזהה לקוח'),
      money('amount', 'Amount', 'סכום'),
      text('currency', 'Currency', 'מטבע'),
      text('method', 'Method', 'אמצעי תשלום'),
      text('source', 'Recorded as', 'נרשם כ'),
      money('allocatedTotal', 'Allocated', 'שויך'),
      money('refundedTotal', 'Refunded', 'הוחזר'),
      money('openRemainder', 'Open', 'לא שויך'),
      text('voidedAt', 'Voided', 'בוטל'),
      text('createdAt', 'Created', 'נוצר'),
      text('id', 'Id', 'מזהה'),
    ],
  },
  items: {
    operation: 'logistics_items_list',
    rows: 'items',
    columns: [
      text('name', 'Name', 'שם'),
      text('kind', 'Kind', 'סוג'),
      text('sku', 'SKU', 'מק״ט'),
      text('barcode', 'Barcode', 'ברקוד'),
      text('unit', 'Unit', 'יחידה'),
      number('salePrice', 'Sale price', 'מחיר מכירה'),
      text('saleCurrency', 'Sale currency', 'מטבע מכירה'),
      number('purchasePrice', 'Purchase price', 'מחיר קנייה'),
      text('purchaseCurrency', 'Purchase currency', 'מטבע קנייה'),
      number('taxRate', 'Tax rate', 'שיעור מס'),
      number('stockLevel', 'In stock', 'מלאי'),
      money('stockValue', 'Stock value', 'שווי מלאי'),
      text('active', 'Active', 'פעיל'),
      text('description', 'Description', 'תיאור'),
      text('createdAt', 'Created', 'נוצר'),
      text('id', 'Id', 'מזהה'),
    ],
  },
  orders: {
    operation: 'orders_list',
    rows: 'orders',
    columns: [
      text('orderNumber', 'Number', 'מספר'),
      text('kind', 'Kind', 'סוג'),
      text('status', 'Status', 'מצב'),
      text('customer.name', 'Customer', 'לקוח'),
      text('supplier.name', 'Supplier', 'ספק'),
      day('orderDate', 'Ordered', 'תאריך הזמנה'),
      day('expectedDate', 'Expected', 'צפי'),
      ...sums,
      text('reference', 'Reference', 'אסמכתה'),
      number('lineCount', 'Lines', 'שורות'),
      text('createdAt', 'Created', 'נוצר'),
      text('id', 'Id', 'מזהה'),
    ],
  },
} as const satisfies Record<string, { operation: string; rows: string; columns: readonly Column[] }>

export type ListName = keyof typeof exportedLists
export const listNames = Object.keys(exportedLists) as ListName[]

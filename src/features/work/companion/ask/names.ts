/** A name as it is compared: without case, spaces, underscores, hyphens and quotation marks. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9\u05d0-\u05ea]/g, '')

const words = (text: string) => new Set(text.split(/\s+/).filter(Boolean).map(plainName))

/** What the names of asked values mean, in English and Hebrew. */
export const meanings = {
  /** The amount that answers the question. */
  amount: words('total sum amount totalAmount grandTotal value figure סכום סהכ סך סךהכל סךהכול סכוםכולל סהככולל'),
  /** What is still to be paid: the amount too, where the question is about that. */
  open: words(
    `balance openBalance open openAmount owed owes owing amountOwed totalOwed debt outstanding outstandingAmount unpaid
     due amountDue totalDue receivable payable יתרה יתרהפתוחה יתרהלתשלום חוב סךהחוב לתשלום`,
  ),
  overdue: words('overdue overdueAmount amountOverdue totalOverdue late lateAmount באיחור סכוםבאיחור חובבאיחור'),
  count: words('count number howMany totalCount rowCount quantity כמות מספר כמה'),
  currency: words('currency currencyCode מטבע קודמטבע'),
  any: words('any exists found hasAny isAny isThere hasResults answer result yes isTrue יש קיים קיימים נמצא תשובה'),
  list: words('items rows list results records entries data matches רשימה פריטים שורות תוצאות רשומות'),
  names: words('names שמות'),
  ids: words('ids מזהים'),
  numbers: words('numbers invoiceNumbers documentNumbers orderNumbers מספרים מספריחשבוניות'),
  customers: words('customers clients customerNames clientNames debtors לקוחות שמותלקוחות'),
  suppliers: words('suppliers vendors supplierNames vendorNames creditors ספקים שמותספקים'),
  employees: words('employees employeeNames staff עובדים שמותעובדים'),
} as const

export const means = (meaning: keyof typeof meanings, name: string): boolean => meanings[meaning].has(plainName(name))

/** Other names for a field of a row. The fields are tried in their order. */
const synonyms: readonly [names: Set<string>, fields: readonly string[]][] = [
  [words('name שם title'), ['displayName', 'name', 'customerName', 'vendor', 'employeeName', 'accountName', 'itemName']],
  [words('customer client customerName clientName debtor לקוח שםלקוח שםהלקוח'), ['customerName', 'customer']],
  [words('supplier vendor supplierName vendorName creditor ספק שםספק שםהספק'), ['vendor', 'supplierName', 'supplier']],
  [words('employee employeeName worker עובד שםעובד שםהעובד'), ['employeeName']],
  [
    words('number invoice invoiceNumber invoiceNo documentNumber document docNumber מספר מספרחשבונית חשבונית מספרמסמך מסמך'),
    ['invoiceNumber', 'number'],
  ],
  [words('number order orderNumber orderNo מספר מספרהזמנה הזמנה'), ['orderNumber']],
  [words('open openBalance openAmount balance owed outstanding unpaid due amountDue יתרה חוב לתשלום'), ['openBalance', 'open']],
  [words('date issueDate invoiceDate issued issuedOn documentDate תאריך תאריךהפקה'), ['issueDate', 'invoiceDate', 'date']],
  [words('date paid paidOn paymentDate תאריך תאריךתשלום'), ['paidAt']],
  [words('date orderDate תאריך תאריךהזמנה'), ['orderDate']],
  [words('due dueDate dueOn payBy מועדתשלום תאריךפירעון מועדפירעון לתשלוםעד'), ['dueDate']],
  [words('email mail emailAddress דואל אימייל מייל'), ['email']],
  [words('phone telephone mobile טלפון נייד'), ['phone']],
  [words('category קטגוריה'), ['categoryName', 'category']],
  [words('description details תיאור פירוט'), ['description']],
  [words('status state סטטוס מצב'), ['status']],
  [words('currency currencyCode מטבע'), ['currency']],
  [words('total totalAmount sum סהכ סךהכל סךהכול סכוםכולל'), ['total']],
  [words('quantity stock level כמות מלאי'), ['quantity', 'stockLevel']],
  [words('wage salary monthlyWage שכר משכורת'), ['monthlyWage']],
  [words('net נטו'), ['net']],
  [words('gross ברוטו'), ['gross']],
  [words('month חודש'), ['month']],
] // biome-ignore format: a name a line

/** The fields of a row that a name may mean, the name itself first. */
export const fieldsFor = (name: string): readonly string[] => [
  name,
  ...synonyms.filter(([names]) => names.has(plainName(name))).flatMap(([, fields]) => fields),
]

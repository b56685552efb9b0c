/** Words on receipts and invoices that say what stands beside them, in English (with some Malay) and Hebrew. */
// biome-ignore format: lists of words
export const phrases = {
  total: [
    'total', 'totals', 'total amount', 'total amt', 'total sales', 'total sale', 'bill total', 'net total',
    'invoice total', 'jumlah', 'total price', 'sale total', 'order total', 'total value', 'net amount',
    'nett total', 'net amt', 'total rm', 'ttl', 'ttl amt', 'ttl amount', 'total bill', 'jumlah besar', 'סהכ', 'סך הכל', 'סך', 'סה כ', 'סכום כולל',
    'סהכ בשח', 'סהכ חשבונית', 'סכום עסקה', 'סכום העסקה',
  ],
  due: [
    'grand total', 'amount due', 'total due', 'balance due', 'total payable', 'amount payable', 'net payable',
    'amount to pay', 'to pay', 'total to pay', 'please pay', 'nett payable', 'total amount due',
    'total amount payable', 'total net payable', 'amt due', 'amt payable', 'net due', 'לתשלום', 'סהכ לתשלום',
    'סך הכל לתשלום', 'סכום לתשלום', 'סהכ כולל מעמ', 'סך לתשלום', 'יתרה לתשלום', 'לתשלום בשח',
  ],
  amount: ['amount', 'amt', 'price', 'value', 'charge', 'charges', 'fare', 'מחיר', 'חיוב', 'סכום'],
  subtotal: [
    'subtotal', 'sub total', 'sum', 'amount before tax', 'לפני מעמ', 'סכום ללא מעמ', 'subtotals', 'net subtotal', 'taxable amount', 'taxable value', 'net of tax',
    'net value', 'nett', 'net', 'סכום ביניים', 'ביניים', 'סהכ ביניים', 'סיכום ביניים', 'סהכ חייב במעמ',
    'חייב במעמ', 'נטו', 'סהכ לפני מעמ', 'סכום לפני מעמ',
  ],
  excluding: [
    'excl', 'excluding', 'exclude', 'excludes', 'exclusive', 'before', 'without', 'ex', 'w o', 'pre', 'לפני',
    'ללא', 'לא כולל', 'בלי',
  ],
  including: ['incl', 'aft', 'atf', 'including', 'include', 'includes', 'included', 'inclusive', 'inc', 'with', 'after', 'כולל', 'אחרי'],
  tax: [
    'tax', 'gst', 'vat', 'sst', 'sales tax', 'service tax', 'tax amount', 'gst amount', 'vat amount', 'tax total',
    'state tax', 'city tax', 'county tax', 'local tax', 'tax payable', 'gst payable', 'total tax', 'total gst',
    'total vat', 'cukai', 'hst', 'pst', 'מעמ', 'סהכ מעמ', 'מס ערך מוסף',
  ],
  taxIncluded: [
    'includes gst', 'includes vat', 'includes tax', 'incl gst', 'incl vat', 'incl tax', 'including gst', 'including vat',
    'inclusive gst', 'inclusive vat', 'gst included', 'vat included', 'tax included', 'gst incl', 'vat incl', 'כולל מעמ',
  ],
  rounding: [
    'rounding', 'round', 'rounded', 'round adj', 'rounding adj', 'rounding adjustment', 'rnd', 'rounding adjust',
    'round adjustment', 'rounding diff', 'rounding adjmt', 'bill rounding', 'round off', 'adjustment', 'roundg',
    'rndg', 'rnd adj', 'עיגול', 'עגול', 'הפרשי עיגול', 'עיגול אגורות',
  ],
  discount: [
    'discount', 'disc', 'savings', 'saving', 'saved', 'you saved', 'you save', 'less', 'rebate', 'voucher',
    'coupon', 'total savings', 'total discount', 'promo', 'promotion', 'הנחה', 'הנחות', 'חסכת', 'זיכוי',
    'סהכ הנחה', 'קופון',
  ],
  service: [
    'service charge', 'svc charge', 'serv charge', 'service chg', 'svc chg', 'service', 'tip', 'gratuity',
    'delivery', 'shipping', 'freight', 'דמי שירות', 'שירות', 'טיפ', 'משלוח', 'דמי משלוח',
  ],
  cash: [
    'cash', 'tendered', 'cash tendered', 'amount tendered', 'tender', 'cash received', 'received', 'cash paid',
    'tunai', 'cash sales', 'cash rm', 'מזומן', 'מזומנים', 'במזומן', 'התקבל', 'תשלום במזומן',
  ],
  paid: [
    'paid', 'amount paid', 'total paid', 'payment', 'payment received', 'paid amount', 'payments', 'total payment',
    'שולם', 'סהכ שולם', 'תשלום',
  ],
  change: ['change', 'change due', 'cash change', 'total change', 'baki', 'chg', 'balance', 'changes', 'עודף', 'החזר'],
  card: [
    'visa', 'mastercard', 'master card', 'master', 'credit card', 'debit card', 'card', 'amex', 'american express',
    'nets', 'credit', 'debit', 'visa card', 'debit mastercard', 'discover', 'mydebit', 'אשראי', 'כרטיס אשראי',
    'כרטיס', 'ישראכרט', 'ויזה', 'מאסטרקארד', 'לאומי קארד', 'כאל', 'דיינרס', 'אמריקן אקספרס', 'מקס', 'תשלום באשראי',
    'באשראי',
  ],
  quantity: [
    'qty', 'quantity', 'items', 'item', 'pcs', 'pieces', 'count', 'item count', 'no of items', 'item s',
    'number of items', 'total qty', 'total items', 'total item', 'total quantity', 'item sold', 'items sold',
    'פריטים', 'כמות', 'יחידות', 'מספר פריטים', 'סהכ פריטים',
  ],
  points: [
    'points', 'point', 'bonus', 'member', 'loyalty', 'balance points', 'earned', 'redeemed', 'outlet', 'נקודות',
    'מועדון', 'צבירה',
  ],
  summary: [
    'gst summary', 'tax summary', 'summary', 'tax code', 'gst code', 'tax analysis', 'vat summary', 'gst analysis',
    'tax details', 'tax breakdown', 'gst breakdown', 'vat breakdown', 'vat analysis', 'פירוט מעמ',
  ],
  date: [
    'date', 'dated', 'invoice date', 'bill date', 'receipt date', 'date of issue', 'issue date', 'tarikh',
    'trans date', 'transaction date', 'doc date', 'txn date', 'date time', 'date issued', 'inv date', 'issued',
    'issued on', 'תאריך', 'תאריך הפקה', 'תאריך חשבונית', 'תאריך מסמך', 'תאריך עסקה',
  ],
  dueDate: [
    'due date', 'due', 'payment due', 'pay by', 'pay before', 'please pay by', 'please pay before', 'due by', 'due on', 'payable by', 'payment due date',
    'תאריך פירעון', 'תאריך פרעון', 'לתשלום עד', 'פירעון', 'מועד תשלום', 'תאריך לתשלום', 'לתשלום עד יום',
    'מועד פירעון',
  ],
  otherDate: [
    'arrival', 'departure', 'check in', 'check out', 'billing period', 'service period', 'הגעה', 'עזיבה', 'תקופת חיוב',
    'expiry', 'expiry date', 'exp', 'exp date', 'expires', 'valid until', 'valid till', 'valid thru', 'valid',
    'until', 'delivery date', 'order date', 'printed', 'print date', 'printed on', 'period', 'since', 'from',
    'return by', 'birth', 'effective', 'effective date', 'בתוקף עד', 'תוקף', 'תאריך הדפסה', 'הודפס', 'תאריך אספקה',
    'תאריך הזמנה', 'תקופה', 'עד',
  ],
  documentNumber: [
    'קבלה מס', 'חשבון מס', 'מס מסמך', 'מספר קבלה', 'ticket number', 'order number', 'check number', 'statement no', 'bill id',
    'invoice no', 'invoice number', 'inv no', 'invoice', 'tax invoice no', 'tax invoice number', 'receipt no',
    'receipt number', 'rcpt no', 'receipt', 'bill no', 'bill number', 'doc no', 'document no', 'document number',
    'cash bill no', 'cs no', 'slip no', 'trans no', 'transaction no', 'trn no', 'inv', 'check no', 'chk no',
    'ticket no', 'order no', 'ref no', 'reference no', 'cash memo no', 'invoice id', 'inv num', 'receipt id',
    'transaction id', 'tax inv no', 'bill', 'rcpt', 'trx no', 'txn no', 'no', 'חשבונית מס', 'חשבונית',
    'חשבונית מס קבלה', 'חשבונית מס מספר', 'מספר חשבונית', 'קבלה', 'קבלה מספר', 'מספר קבלה', 'מספר מסמך',
    'מס חשבונית', 'חשבונית מספר', 'חשבונית עסקה', 'מס קבלה', 'מספר', 'מסמך', 'חשבון עסקה', 'אסמכתא',
  ],
  taxNumber: [
    'gst no', 'gst reg no', 'gst id', 'gst id no', 'gst registration no', 'gst reg', 'uen', 'uen no', 'co reg no',
    'company reg no', 'reg no', 'registration no', 'roc no', 'ein', 'tax id', 'federal tax id', 'fein', 'vat no',
    'vat reg no', 'tax reg no', 'business no', 'company no', 'gst number', 'vat number', 'gstin', 'co reg', 'brn',
    'tin', 'sst no', 'sst id', 'tax id no', 'employer id', 'vat id', 'gst reg number', 'biz reg no', 'עמ', 'חפ',
    'עוסק מורשה', 'עוסק פטור', 'עוסק', 'ח פ', 'ע מ', 'מספר עוסק', 'תז', 'עמותה', 'חברה', 'מס עוסק', 'ח צ', 'חצ',
    'עוסק מורשה מספר', 'מספר חברה', 'תיק מעמ',
  ],
  buyer: [
    'bill to', 'billed to', 'sold to', 'ship to', 'customer', 'attention', 'attn', 'invoice to', 'to', 'client',
    'deliver to', 'customer name', 'buyer', 'buyer name', 'לכבוד', 'לקוח', 'שם לקוח', 'שם הלקוח',
  ],
  seller: ['from', 'seller', 'supplier', 'vendor', 'issued by', 'merchant', 'remit to', 'ספק', 'מאת'],
} as const satisfies Record<string, readonly string[]>

export type LabelKind = keyof typeof phrases

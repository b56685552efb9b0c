import { type Language, words } from '../words.ts'

export const schemaWords = words(
  {
    optional: 'optional',
    more: (n: string) => `${n} more fields`,
    less: 'Fewer fields',
    add: 'Add',
    addTo: (list: string) => `Add to ${list.toLowerCase()}`,
    remove: (name: string) => `Remove ${name}`,
    clear: (name: string) => `Clear ${name}`,
    element: (name: string, n: number) => `${name} ${n}`,
    key: 'Name',
    value: 'Value',
    yes: 'Yes',
    no: 'No',
    none: '–',
    json: 'Text, or JSON for anything else.',
    missing: 'This is needed.',
  },
  {
    optional: 'לא חובה',
    more: (n) => `${n} שדות נוספים`,
    less: 'פחות שדות',
    add: 'הוספה',
    addTo: (list) => `הוספה אל ${list}`,
    remove: (name) => `הסרת ${name}`,
    clear: (name) => `ניקוי ${name}`,
    element: (name, n) => `${name} ${n}`,
    key: 'שם',
    value: 'ערך',
    yes: 'כן',
    no: 'לא',
    none: '–',
    json: 'טקסט, או JSON לכל דבר אחר.',
    missing: 'שדה חובה.',
  },
)

/** The name of a field as people say it: `bankAccountId` is “Bank account”. */
export function labelOf(lang: Language, name: string): string {
  const bare = name.replace(/(?<=.)Ids?$/, '')
  const known = lang === 'he' ? (hebrew[name] ?? hebrew[bare]) : english[name]
  return known ?? sentence(bare)
}

/** A value of a list of choices: `BANK_TRANSFER` is “Bank transfer”. */
export function choiceOf(lang: Language, value: string): string {
  const known = lang === 'he' ? hebrewChoices[value] : englishChoices[value]
  if (known) return known
  return /^[A-Z][A-Z0-9_]{3,}$|^[A-Z]+_[A-Z0-9_]+$/.test(value) ? sentence(value.toLowerCase()) : value
}

function sentence(name: string): string {
  const spaced = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

const english: Record<string, string> = {
  id: 'Id', isDefault: 'Default', url: 'Address (URL)', iban: 'IBAN', email: 'E-mail', sku: 'SKU', to: 'To', from: 'From',
  paidAt: 'Paid on', payUntil: 'Pay until', taxRate: 'Tax rate, %', swiftCode: 'SWIFT code', unitPrice: 'Unit price',
} // biome-ignore format: a list of words

const hebrew: Record<string, string> = {
  id: 'מזהה', organization: 'ארגון', currencies: 'מטבעות', localBankCode: 'מספר הבנק', routingNumber: 'מספר ניתוב', iban: 'IBAN',
  bankAddress: 'כתובת הבנק', bankCountry: 'מדינת הבנק', name: 'שם', amount: 'סכום', notes: 'הערות', note: 'הערה', description: 'תיאור',
  reference: 'אסמכתא', kind: 'סוג', type: 'סוג', taxRate: 'שיעור המס, %', currency: 'מטבע', email: 'דוא״ל', reason: 'סיבה',
  dueDate: 'לתשלום עד', exchangeRate: 'שער חליפין', exchangeRateDate: 'תאריך השער', address: 'כתובת', phone: 'טלפון',
  quantity: 'כמות', taxCategory: 'קטגוריית מס', taxAmount: 'סכום המס', bankAccount: 'חשבון בנק', bank: 'בנק', branch: 'סניף',
  account: 'חשבון', date: 'תאריך', status: 'מצב', paidAt: 'שולם ביום', method: 'אמצעי', registrationNumber: 'מספר רישום',
  item: 'פריט', items: 'שורות', file: 'קובץ', fileName: 'שם הקובץ', fileType: 'סוג הקובץ', url: 'כתובת (URL)', country: 'מדינה',
  customer: 'לקוח', unitPrice: 'מחיר ליחידה', paymentMethod: 'אמצעי תשלום', accountName: 'שם החשבון', bankName: 'שם הבנק',
  accountNumber: 'מספר חשבון', branchCode: 'מספר סניף', swiftCode: 'קוד SWIFT', supplier: 'ספק', transfer: 'העברה',
  category: 'קטגוריה', lines: 'שורות', sku: 'מק״ט', payslip: 'תלוש', taxNumber: 'מספר עוסק', documentType: 'סוג המסמך',
  details: 'פרטים', cheque: 'המחאה', number: 'מספר', card: 'כרטיס', last4: 'ארבע ספרות אחרונות', brand: 'חברת האשראי',
  instalments: 'תשלומים', withheldAmount: 'ניכוי במקור', title: 'כותרת', bankDetails: 'פרטי בנק', active: 'פעיל', state: 'מדינה',
  discountPercent: 'הנחה באחוזים', discountAmount: 'סכום ההנחה', paymentDate: 'תאריך התשלום', line: 'שורה',
  allocations: 'חלוקה למסמכים', vendor: 'בית העסק', documentNumber: 'מספר המסמך', month: 'חודש', user: 'משתמש', language: 'שפה',
  subtotal: 'סכום ביניים', total: 'סך הכול', payUntil: 'לתשלום עד', issueDate: 'תאריך ההפקה', color: 'צבע', claimant: 'תובע ההחזר',
  order: 'הזמנה', splits: 'פיצול', expense: 'הוצאה', to: 'אל', from: 'מאת', subject: 'נושא', body: 'תוכן', headers: 'כותרות', contentType: 'סוג התוכן', size: 'גודל', 'Message-ID': 'מזהה ההודעה', To: 'אל', From: 'מאת', Subject: 'נושא',
  direction: 'כיוון', invoiceNumber: 'מספר המסמך', inDispute: 'במחלוקת', daysOverdue: 'ימי איחור', sentAt: 'נשלח', issuedAt: 'הופק',
  updatedAt: 'עודכן', cancelledAt: 'בוטל', displayName: 'שם', invoiceDate: 'תאריך המסמך', connection: 'חיבור',
  code: 'קוד', role: 'תפקיד', document: 'מסמך', documents: 'מסמכים', startDate: 'מתאריך', endDate: 'עד תאריך', question: 'שאלה',
  schema: 'מבנה התשובה', payload: 'נתונים', limit: 'לכל היותר', search: 'חיפוש', page: 'עמוד', sortBy: 'מיון לפי', sortOrder: 'כיוון המיון',
  expectedAmount: 'הסכום הצפוי', expectedCurrency: 'המטבע הצפוי', unit: 'יחידה', salePrice: 'מחיר מכירה', purchasePrice: 'מחיר קנייה',
  expectedDate: 'תאריך צפוי', gross: 'ברוטו', net: 'נטו', employerCost: 'עלות מעסיק', monthlyWage: 'שכר חודשי', jobTitle: 'תפקיד',
  paidAmount: 'שולם', creditedAmount: 'זוכה', openBalance: 'יתרה פתוחה', source: 'מקור', attachments: 'קבצים מצורפים', createdBy: 'נוצר על ידי',
  fileSize: 'גודל הקובץ', storageUrl: 'קישור לקובץ', warnings: 'אזהרות', emailsScanned: 'הודעות שנקראו', emailsDetected: 'הודעות שזוהו',
  expensesCreated: 'הוצאות שנוצרו', provider: 'ספק הדואר', enabled: 'פעיל', startedAt: 'התחלה', completedAt: 'סיום', createdAt: 'נוצר',
  openRemainder: 'יתרה לחלוקה', totalOrderCount: 'הזמנות', paymentTermsDays: 'ימי אשראי', stockLevel: 'במלאי', isLow: 'מעט', onOrder: 'בהזמנה',
  reserved: 'שמור', value: 'שווי', level: 'יתרה במלאי', periodStart: 'מתאריך', periodEnd: 'עד תאריך', isDefault: 'ברירת מחדל', rows: 'שורות',
  connected: 'מחובר', lastValidatedAt: 'נבדק לאחרונה', debit: 'חובה', credit: 'זכות', balance: 'יתרה', accounts: 'חשבונות', totals: 'סכומים',
  income: 'הכנסות', expenses: 'הוצאות', netProfit: 'רווח נקי', assets: 'נכסים', liabilities: 'התחייבויות', equity: 'הון', customerName: 'לקוח',
  current: 'שוטף', from30: 'עד 30', asOf: 'נכון ליום', basis: 'בסיס', groupBy: 'קיבוץ לפי', quarter: 'רבעון', compareWith: 'השוואה ל', counterparties: 'צדדים',
  previousFrom: 'התקופה הקודמת מ', previousTo: 'התקופה הקודמת עד', previousTotal: 'הסכום הקודם', previousAmount: 'הסכום הקודם', months: 'חודשים',
  costOfGoodsSold: 'עלות המכר', grossProfit: 'רווח גולמי', orderDate: 'תאריך ההזמנה', employee: 'עובד', year: 'שנה', period: 'תקופה', text: 'טקסט', tags: 'תגיות',
} // biome-ignore format: a list of words

const englishChoices: Record<string, string> = { true: 'Yes', false: 'No' }

const hebrewChoices: Record<string, string> = {
  INVOICE: 'חשבונית', INVOICE_RECEIPT: 'חשבונית קבלה', RECEIPT: 'קבלה', PAYMENT_REQUEST: 'דרישת תשלום', CREDIT_MEMO: 'חשבונית זיכוי',
  DEBIT_MEMO: 'חשבונית חיוב', DRAFT: 'טיוטה', UNSENT: 'לשליחה', SENT: 'נשלח', PAID: 'שולם', PENDING: 'ממתין', ACTIVE: 'פעיל',
  INACTIVE: 'לא פעיל', APPROVED: 'אושר', REJECTED: 'נדחה', NONE: 'אין', GOODS: 'טובין', SERVICE: 'שירות', DAILY: 'כל יום',
  WEEKLY: 'כל שבוע', MONTHLY: 'כל חודש', YEARLY: 'כל שנה', ORGANIZATION: 'חברה', INDIVIDUAL: 'אדם', OTHER: 'אחר', en: 'אנגלית',
  he: 'עברית', VOID: 'מבוטל', true: 'כן', false: 'לא', asc: 'עולה', desc: 'יורד', EMPLOYEE: 'עובד', VIEWER: 'צופה', CONTRIBUTOR: 'תורם',
  PURCHASE: 'רכש', SALES: 'מכירה', OPEN: 'פתוח', CLOSED: 'סגור', CANCELLED: 'בוטל', RECEIVED: 'התקבל', PARTIALLY_RECEIVED: 'התקבל חלקית',
  DELIVERED: 'סופק', PARTIALLY_DELIVERED: 'סופק חלקית', PENDING_REVIEW: 'לבדיקה', SUBMITTED: 'הוגש', MANUAL: 'הוקלד', SCAN: 'סריקה', EMAIL: 'דואר',
  BANK_TRANSFER: 'העברה בנקאית', CREDIT_CARD: 'כרטיס אשראי', CASH: 'מזומן', CHECK: 'המחאה', CHEQUE: 'המחאה', IN: 'כניסה', OUT: 'יציאה',
  ADJUST: 'תיקון', LIABILITY: 'התחייבות', EQUITY: 'הון', REVENUE: 'הכנסה', COMPLETED: 'הושלם', RUNNING: 'רץ', FAILED: 'נכשל', STOPPED: 'נעצר',
  accrual: 'צבירה', cash: 'מזומן', month: 'חודש', customer: 'לקוח', vendor: 'ספק', category: 'קטגוריה', account: 'חשבון', type: 'סוג',
  twoMonths: 'חודשיים', quarter: 'רבעון', IMAP: 'IMAP', MANAGER: 'מנהל', OWNER: 'בעלים', CREDIT: 'זכות', DEBIT: 'חובה', INCOME: 'הכנסה', EXPENSE: 'הוצאה', ASSET: 'נכס',
} // biome-ignore format: a list of words

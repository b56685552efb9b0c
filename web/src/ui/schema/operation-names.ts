import type { Language } from '../../words.ts'
import { labelOf } from './schema-words.ts'

/** What an operation does, as people say it: “Documents: send”. */
export function actionName(lang: Language, name: string): string {
  const own = engine[name]?.[lang]
  if (own) return own
  const dotted = name.replaceAll('.', '_')
  const feature = Object.keys(features).find((each) => dotted.startsWith(`${each}_`)) ?? dotted.split('_')[0] ?? ''
  const verb = dotted.slice(feature.length + 1)
  const [en, he] = features[feature] ?? [labelOf('en', feature), feature]
  if (lang === 'en') return verb ? `${en}: ${(phrases[verb]?.[0] ?? labelOf('en', verb)).toLowerCase()}` : en
  const said = phrases[verb] ? [phrases[verb][1]] : verb.split('_').map((word) => verbs[word] ?? word)
  return verb ? `${he}: ${said.filter(Boolean).join(' ')}` : he
}

const engine: Record<string, Record<Language, string>> = {
  'email.send': { en: 'Send an e-mail', he: 'שליחת דוא״ל' },
  'webhook.post': { en: 'Call a webhook', he: 'קריאה ל־webhook' },
  companion_write_ask: { en: 'Ask the companion', he: 'שאלה לעוזר' },
}

const features: Record<string, readonly [string, string]> = {
  api_keys: ['API keys', 'מפתחות API'], automations: ['Automations', 'אוטומציות'], bank_accounts: ['Bank accounts', 'חשבונות בנק'],
  companion: ['Companion', 'העוזר'], customers: ['Customers', 'לקוחות'], dashboard: ['Dashboard', 'לוח בקרה'],
  expense_categories: ['Expense categories', 'קטגוריות הוצאה'], expenses: ['Expenses', 'הוצאות'], integrations: ['Connections', 'חיבורים'],
  invoices: ['Documents', 'מסמכים'], logistics: ['Items and stock', 'פריטים ומלאי'], orders: ['Orders', 'הזמנות'],
  organizations: ['Organization', 'הארגון'], payroll: ['Payroll', 'שכר'], reports: ['Reports', 'דוחות'], settings: ['Settings', 'הגדרות'],
  suppliers: ['Suppliers', 'ספקים'], users: ['People', 'אנשים'], preferences: ['Preferences', 'העדפות'], views: ['Saved views', 'תצוגות שמורות'],
} // biome-ignore format: a list of words

/** What a verb is called where its words in a row would not do. */
const phrases: Record<string, readonly [string, string]> = {
  get: ['read', 'קריאה'], post: ['create', 'יצירה'], put: ['update', 'עדכון'], patch: ['update', 'עדכון'], status: ['set status', 'קביעת מצב'],
  pay: ['record a payment', 'רישום תשלום'], payments: ['record a payment', 'רישום תשלום'], payments_create: ['record a payment', 'רישום תשלום'],
  paid: ['mark as paid', 'סימון כשולם'], clearance_post: ['ask for an allocation number', 'בקשת מספר הקצאה'], update_patch: ['change', 'שינוי'],
  update: ['change', 'שינוי'], update_put: ['change', 'שינוי'], update_patch_2: ['change', 'שינוי'], delete_delete: ['delete', 'מחיקה'],
  tax_authority_post: ['connect a tax authority', 'חיבור לרשות המס'], invoice: ['make an invoice', 'הפקת חשבונית'], credits: ['record a credit', 'רישום זיכוי'],
  invitations_post: ['invite', 'הזמנה לצוות'], invitation_accept: ['accept an invitation', 'קבלת הזמנה'], recipients_post: ['add a recipient', 'הוספת נמען'],
  events_post: ['write a comment', 'כתיבת הערה'], email_settings_put: ['change a mailbox', 'שינוי תיבת דואר'], items_update_patch: ['change an item', 'שינוי פריט'],
  member_update: ['change a role', 'שינוי תפקיד'], member_delete: ['remove a person', 'הסרת אדם'],
  receipt: ['issue a receipt', 'הפקת קבלה'], memos: ['issue a memo', 'הפקת הודעת זיכוי או חיוב'], stock_movements_create: ['record a movement', 'רישום תנועה'],
  advance: ['pay an advance', 'תשלום מקדמה'], apply: ['deduct an advance', 'קיזוז מקדמה'], generate: ['generate payslips', 'הפקת תלושים'],
  journal_entry_create: ['make a journal entry', 'רישום פקודה'], journal_entry_reverse: ['reverse a journal entry', 'היפוך פקודה'],
  account_create: ['add an account', 'הוספת חשבון'], items_create: ['add an item', 'הוספת פריט'], employees_create: ['add an employee', 'הוספת עובד'],
  email_settings_post: ['connect a mailbox', 'חיבור תיבת דואר'], auto_scan_post: ['read by schedule', 'קריאה לפי לוח זמנים'], validate: ['check the connection', 'בדיקת החיבור'],
} // biome-ignore format: a list of words

const verbs: Record<string, string> = {
  update: 'עדכון', delete: 'מחיקה', create: 'יצירה', payments: 'תשלום', get: 'קריאה', list: 'רשימה', form: 'טופס', tax: 'מס',
  send: 'שליחה', read: 'קריאה', scan: 'סריקה', preview: 'תצוגה', post: 'יצירה', write: '', payslips: 'תלושים', patch: 'עדכון',
  items: 'פריטים', email: 'דוא״ל', accounts: 'חשבונות', account: 'חשבון', void: 'ביטול', stock: 'מלאי', settings: 'הגדרות',
  journal: 'יומן', file: 'קובץ', employees: 'עובדים', pdf: 'PDF', cancel: 'ביטול', upload: 'העלאה', statement: 'דף חשבון', put: 'עדכון',
  recipients: 'נמענים', import: 'ייבוא', refund: 'החזר', payslip: 'תלוש', movements: 'תנועות', status: 'מצב', duplicate: 'שכפול',
  pay: 'תשלום', approve: 'אישור', convert: 'המרה', link: 'קישור', credits: 'זיכויים', allocate: 'הקצאה', unallocate: 'ביטול הקצאה',
  paid: 'שולם', mark: 'סימון', receipt: 'קבלה', comment: 'הערה', receive: 'קבלת סחורה', invoice: 'הפקת חשבונית', open: 'פתיחה',
  close: 'סגירה', aging: 'גיול', summary: 'סיכום', generate: 'הפקה', regenerate: 'הפקה מחדש', balance: 'יתרה', events: 'אירועים',
  attachments: 'צרופות', dispute: 'מחלוקת', resolve: 'יישוב', memo: 'הודעת זיכוי', credit: 'זיכוי', debit: 'חיוב', poll: 'משיכה',
  keys: 'מפתחות', revoke: 'ביטול', invitation: 'הזמנה', invitations: 'הזמנות', accept: 'קבלה', notifications: 'התראות', notification: 'התראה', all: 'הכול',
  member: 'חבר צוות', me: 'הפרטים שלי', connected: 'מחובר', app: 'אפליקציה', webhook: 'webhook', secret: 'סוד', secrets: 'סודות', rotate: 'החלפה', bulk: 'כמה יחד',
  clearance: 'מספר הקצאה', renew: 'חידוש', mail: 'דואר', manual: 'ידני', allocation: 'הקצאה', memos: 'הודעות זיכוי וחיוב', categories: 'קטגוריות', batch: 'אצווה',
  2: '', customers: 'לקוחות', customer: 'לקוח', deliver: 'אספקה', my: 'שלי', claims: 'החזרים', advance: 'מקדמה', apply: 'קיזוז', unapply: 'ביטול קיזוז', consent: 'הסכמה',
  gpl: 'חופשה במימון המדינה', settle: 'סילוק', entry: 'פקודה', reverse: 'היפוך', set: 'קביעה', try: 'ניסיון', disable: 'כיבוי', enable: 'הפעלה', replay: 'הרצה חוזרת',
  failed: 'שנכשלו', test: 'בדיקה', gmail: 'Gmail', outlook: 'Outlook', auto: 'אוטומטי', stop: 'עצירה', authority: 'רשות', authorize: 'אישור', connect: 'חיבור',
  validate: 'בדיקה', ask: 'שאלה', sessions: 'שיחות', session: 'שיחה', messages: 'הודעות', turn: 'תור', confirm: 'אישור',
} // biome-ignore format: a list of words

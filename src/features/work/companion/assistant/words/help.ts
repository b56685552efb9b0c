import type { Language } from '../../../../../core/values/language.ts'

/** What the assistant can be asked, by area, with examples as people write them. */
const areas: readonly { en: readonly [string, string]; he: readonly [string, string] }[] = [
  {
    en: ['Sales', '“who owes me more than 5k?”, “overdue invoices”, “draft an invoice for Globex, 3 hours at 400”'],
    he: ['מכירות', '"מי חייב לי יותר מ-5000?", "חשבוניות באיחור", "הכן חשבונית לגלובקס, 3 שעות ב-400"'],
  },
  {
    en: [
      'Expenses',
      '“what did we spend on fuel last quarter?”, “expenses waiting for review”, “approve the expense of Paz”',
    ],
    he: ['הוצאות', '"מה ההוצאות על דלק ברבעון האחרון?", "הוצאות שממתינות לבדיקה", "אשר את ההוצאה של פז"'],
  },
  {
    en: ['Customers and suppliers', '“find Globex”, “add the customer Initech”, “statement of Globex”'],
    he: ['לקוחות וספקים', '"מצא את גלובקס", "הוסף לקוח חדש אינטק", "כרטסת של גלובקס"'],
  },
  {
    en: ['Orders and stock', '“open orders”, “low stock”, “stock of lamps”'],
    he: ['הזמנות ומלאי', '"הזמנות פתוחות", "מלאי נמוך", "מלאי של מנורות"'],
  },
  { en: ['Payroll', '“payroll of March”, “payslips of Dana”'], he: ['שכר', '"שכר של מרץ", "תלושים של דנה"'] },
  {
    en: ['Reports', '“profit this year”, “VAT to pay”, “balance sheet”, “how is this total made up?”'],
    he: ['דוחות', '"רווח השנה", "מע״מ לתשלום", "מאזן", "ממה מורכב הסכום?"'],
  },
  {
    en: ['Automations', '“why did the last run fail?”, “every Monday send me the overdue invoices”'],
    he: ['אוטומציות', '"למה ההרצה האחרונה נכשלה?", "שלח לי כל יום שני את החשבוניות באיחור"'],
  },
]

export const helpLines = (language: Language): string[] =>
  areas.map((area) => `• ${area[language][0]}: ${area[language][1]}`)

/** The areas in a sentence. */
export const areaNames = (language: Language): string =>
  new Intl.ListFormat(language === 'he' ? 'he-IL' : 'en-GB').format(
    areas.map((area) => area[language][0].toLowerCase()),
  )

/** What is asked for when it is missing. */
const questions: Record<string, readonly [en: string, he: string]> = {
  customer: ['For which customer?', 'לאיזה לקוח?'],
  supplier: ['From which supplier?', 'מאיזה ספק?'],
  document: ['Which document? Give its number or the customer.', 'איזה מסמך? ציינו מספר או לקוח.'],
  amount: ['For which amount?', 'מה הסכום?'],
  name: ['What is the name?', 'מה השם?'],
  expense: ['Which expense? Name the supplier or the day.', 'איזו הוצאה? ציינו ספק או תאריך.'],
  item: ['Which item?', 'איזה פריט?'],
  quantity: ['How many?', 'כמה?'],
  order: ['Which order? Give its number.', 'איזו הזמנה? ציינו מספר.'],
  'order-line': [
    'Which line of the order, and how many? Name the item as the order does.',
    'איזו שורה בהזמנה, וכמה? ציינו את הפריט כפי שהוא כתוב בהזמנה.',
  ],
  employee: ['Which employee?', 'איזה עובד?'],
  payslip: ['Whose payslip, and of which month?', 'של מי התלוש ומאיזה חודש?'],
  automation: ['Which automation?', 'איזו אוטומציה?'],
  run: ['Which run of an automation?', 'איזו הרצה של אוטומציה?'],
  payment: ['Which payment?', 'איזה תשלום?'],
  email: ['What is the e-mail address?', 'מה כתובת הדוא״ל?'],
  value: ['What shall it be changed to?', 'לאיזה ערך לשנות?'],
  month: ['For which month?', 'לאיזה חודש?'],
  date: ['For which day?', 'לאיזה יום?'],
  role: ['Which role: viewer, contributor, manager or owner?', 'איזה תפקיד: צופה, עורך, מנהל או בעלים?'],
  member: ['Which member?', 'איזה חבר צוות?'],
  category: ['Which category?', 'איזו קטגוריה?'],
  account: ['Which account?', 'איזה חשבון?'],
  connection: ['Which mailbox?', 'איזו תיבת דואר?'],
  wage: ['What is the monthly wage?', 'מה השכר החודשי?'],
  trigger: ['When shall it run: at a time, or when something happens?', 'מתי להפעיל: בזמן קבוע, או כשמשהו קורה?'],
  reason: ['For which reason?', 'מה הסיבה?'],
}

export const questionFor = (language: Language, about: string | undefined): string => {
  const [en, he] = questions[about ?? ''] ?? [
    about ? `Please tell me the ${about}.` : 'Please tell me more.',
    'חסר פרט. נסחו את הבקשה שוב עם כל הפרטים.',
  ]
  return language === 'he' ? he : en
}

/** What the assistant cannot do, and where it is done. */
const cannots: Record<string, readonly [en: string, he: string]> = {
  'api-keys': [
    'I cannot manage API keys. Do it on the page of API keys.',
    'איני יכול לנהל מפתחות API. אפשר לעשות זאת בעמוד מפתחות ה-API.',
  ],
  notifications: [
    'I cannot manage notifications. Do it on the page of your account.',
    'איני יכול לנהל התראות. אפשר לעשות זאת בעמוד החשבון.',
  ],
  'move-money': [
    'I cannot move money at a bank. I can record a payment that was made.',
    'איני יכול להעביר כסף בבנק. אני יכול לרשום תשלום שבוצע.',
  ],
  'connect-mailbox': [
    'I cannot connect a mailbox, because that needs your sign-in. Do it on the page of mailboxes.',
    'איני יכול לחבר תיבת דואר, כי נדרשת התחברות שלך. אפשר לעשות זאת בעמוד תיבות הדואר.',
  ],
  forecast: [
    'I cannot foresee figures. I can tell what was and what is owed or due.',
    'איני יכול לחזות נתונים. אני יכול לספר מה היה, מה חייבים ומה מגיע לתשלום.',
  ],
  'days-to-pay': [
    'I cannot tell how long customers take to pay. I can tell who is late, and what each customer paid and when.',
    'איני יודע כמה זמן לוקח ללקוחות לשלם. אני יכול לספר מי מאחר, ומה כל לקוח שילם ומתי.',
  ],
  'quiet-customers': [
    'I cannot tell who has not bought. I can tell what each customer bought: say “income by customer this year”.',
    'איני יודע מי לא קנה. אני יכול לספר כמה קנה כל לקוח: כתבו "הכנסות לפי לקוח השנה".',
  ],
  'export-documents': [
    'I cannot give documents as a file. I can give the income, expenses, debts or the journal of a time as Excel or CSV.',
    'איני יכול לתת מסמכים כקובץ. אפשר לקבל הכנסות, הוצאות, חובות או יומן של תקופה כקובץ אקסל או CSV.',
  ],
  'by-item': [
    'I cannot divide sales by item. I can divide them by customer or by month, and tell what is in stock.',
    'איני יכול לחלק מכירות לפי פריט. אפשר לפי לקוח או לפי חודש, ואני יכול לספר מה יש במלאי.',
  ],
  'file-return': [
    'I cannot file returns with an authority. I can show the figures and the file for it.',
    'איני יכול להגיש דוחות לרשויות. אני יכול להציג את הנתונים ואת הקובץ להגשה.',
  ],
  advice: [
    'I cannot advise on law or tax. Ask your accountant; I can show the figures.',
    'איני יכול לייעץ בענייני חוק או מס. כדאי לשאול רואה חשבון; אני יכול להציג את הנתונים.',
  ],
  outside: [
    'I cannot do that: I only work with the books of this organization.',
    'את זה איני יכול לעשות: אני עובד רק עם הספרים של הארגון הזה.',
  ],
  password: [
    'I cannot change or show passwords. Do it on the page of your account.',
    'איני יכול לשנות או להציג סיסמאות. אפשר לעשות זאת בעמוד החשבון.',
  ],
  invite: [
    'I cannot invite people. An owner does it on the page of members.',
    'איני יכול להזמין אנשים. בעלים יכולים לעשות זאת בעמוד החברים.',
  ],
  'delete-company': [
    'I cannot delete an organization. An owner does it in its settings.',
    'איני יכול למחוק ארגון. בעלים יכולים לעשות זאת בהגדרות.',
  ],
  import: [
    'I cannot import files. Do it on the page of imports, which shows a preview first.',
    'איני יכול לייבא קבצים. אפשר לעשות זאת בעמוד הייבוא, שמציג תצוגה מקדימה.',
  ],
  invitations: [
    'I cannot invite people. An owner or manager does it on the page of members.',
    'איני יכול להזמין אנשים. בעלים או מנהלים יכולים לעשות זאת בעמוד חברי הצוות.',
  ],
  'cancel-issued': [
    'An issued invoice is not cancelled but credited: say “credit” and its number. A receipt or payment request can be cancelled.',
    'חשבונית שהופקה לא מבטלים אלא מזכים: כתבו "זכה" ואת המספר שלה. קבלה או דרישת תשלום אפשר לבטל.',
  ],
  'other-kind': [
    'I cannot do that with what you named. Name an invoice, expense, payment, order, customer or supplier, or do it on its page.',
    'את זה איני יכול לעשות עם מה שציינת. ציינו חשבונית, הוצאה, תשלום, הזמנה, לקוח או ספק, או עשו זאת בעמוד המתאים.',
  ],
  'sign-ins': [
    'I cannot tell who signed in. I can tell who changed what: say “who changed what yesterday”.',
    'איני יודע מי התחבר. אני יכול לספר מי שינה מה: כתבו "מה השתנה אתמול".',
  ],
  'sales-tax': [
    'Sales tax is reported for organizations in the United States only. For this one, say “VAT” or “GST” and the time.',
    'מס מכירות מדווח רק עבור ארגונים בארצות הברית. לארגון זה כתבו "מע"מ" ואת התקופה.',
  ],
  'without-file': [
    'I cannot tell which expenses have no file. I can list expenses by time, category, vendor, amount or status.',
    'איני יודע לאילו הוצאות אין קובץ. אני יכול להציג הוצאות לפי תקופה, קטגוריה, ספק, סכום או מצב.',
  ],
  archive: [
    'I cannot archive anything. I can delete drafts, customers and suppliers that nothing refers to.',
    'איני יכול להעביר לארכיון. אני יכול למחוק טיוטות, וכן לקוחות וספקים שאין להם מסמכים.',
  ],
  'edit-issued': [
    'I cannot change a document that was issued. It is corrected with a credit memo; a draft is changed on its page.',
    'איני יכול לשנות מסמך שהופק. מתקנים אותו בחשבונית זיכוי; טיוטה משנים בעמוד שלה.',
  ],
}

export const cannotSentence = (language: Language, about: string | undefined): string => {
  const [en, he] = cannots[about ?? ''] ?? ['I cannot do that.', 'את זה איני יכול לעשות.']
  return language === 'he' ? he : en
}

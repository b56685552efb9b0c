import { expect, test } from 'vitest'
import { understand } from './understand.ts'
import type { Surroundings } from './understood.ts'

const around: Surroundings = { today: '2026-11-17', country: 'IL', currency: 'ILS', before: [], shown: [] }

/** A thing in words, and the tools with an effect that may act on it. */
const things: readonly (readonly [english: string, hebrew: string, tools: RegExp])[] = [
  [
    'customer Delta',
    'את הלקוח דלתא',
    /^customers_|^invoices_payments_refund$|^reports_customer_statement_send$|^invoices_send$/,
  ],
  [
    'customer test123',
    'את הלקוח בדיקה2',
    /^customers_|^invoices_payments_refund$|^reports_customer_statement_send$|^invoices_send$/,
  ],
  ['supplier Delta', 'את הספק דלתא', /^suppliers_|^expenses_(payments|delete_delete)$/],
  ['item Delta', 'את הפריט דלתא', /^logistics_/],
  ['order 55', 'את הזמנה 55', /^orders_/],
  ['the expense from Delta', 'את ההוצאה של דלתא', /^expenses_/],
  ['the payment from Delta', 'את התשלום של דלתא', /^(invoices|expenses)_payments|^invoices_send$/],
  ['invoice 55', 'את חשבונית 55', /^(invoices|expenses)_/],
  ['employee Delta', 'את העובד דלתא', /^payroll_/],
  ['the payslip of Delta', 'את התלוש של דלתא', /^payroll_/],
  ['the automation Delta', 'את האוטומציה דלתא', /^automations_/],
  ['the user Delta', 'את המשתמש דלתא', /^users_/],
  ['category Delta', 'את הקטגוריה דלתא', /^expenses_delete$/],
  ['the statement of Delta', 'את דף החשבון של דלתא', /^reports_customer_statement_send$/],
  ['bank account Delta', 'את חשבון הבנק דלתא', /^bank_/],
]

const english =
  'delete,remove,cancel,void,send,resend,approve,reject,pay,archive,close,duplicate,disable,enable,issue,refund,credit,remind,convert'
const hebrew = 'מחק,תמחק,בטל,שלח,תשלח שוב,אשר,דחה,שלם,העבר לארכיון,סגור,שכפל,השבת,הפעל,הפק,זכה,סמן,החזר,תזכיר'

const isRead = (tool: string): boolean =>
  /_list$|_get$|_summary$|_levels$|_members$|_settings$|^reports_(?!.*_send$)/.test(tool)

test.each(things)('what is told to be done with %s is done with nothing else', (inEnglish, inHebrew, tools) => {
  const requests = [
    ...english.split(',').map((verb) => `${verb} ${inEnglish}`),
    ...hebrew.split(',').map((verb) => `${verb} ${inHebrew}`),
  ]
  const wrong = requests.flatMap((text) => {
    const understood = understand(text, around)
    return 'tool' in understood && !isRead(understood.tool) && !tools.test(understood.tool)
      ? [`${text}: ${understood.tool}`]
      : []
  })
  expect(wrong).toEqual([])
})

test('a request that is made of other things says what can be named instead', () =>
  expect(understand('duplicate order 55', around)).toMatchObject({ intent: 'cannot', about: 'other-kind' }))

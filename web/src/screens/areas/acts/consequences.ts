import type { Name } from '../../../api.ts'
import type { Language } from '../../../words.ts'

/** What an act ends or takes back, in a sentence; only such acts have one, and their button warns. */
export const consequenceOf = (lang: Language, name: Name): string | undefined => consequences[name]?.[lang]

const consequences: Partial<Record<Name, Record<Language, string>>> = {
  payroll_void: {
    en: 'The payslip becomes void for good. What paid it is open again, and the month can be generated again.',
    he: 'התלוש יבוטל לצמיתות. מה ששולם עליו ייפתח מחדש, ואפשר יהיה להפיק את החודש שוב.',
  },
  payroll_unapply: {
    en: 'The advances that were set off against the pay are owed again.',
    he: 'המקדמות שקוזזו מהשכר יהיו שוב חוב.',
  },
  payroll_regenerate: {
    en: 'The draft is computed again from the terms of today; what was entered for the month is replaced.',
    he: 'הטיוטה תחושב מחדש לפי התנאים הנוכחיים; מה שהוזן לחודש יוחלף.',
  },
  payroll_payments_void: {
    en: 'The payment counts no more; what it paid is outstanding again.',
    he: 'התשלום לא ייחשב עוד; מה ששילם יהיה שוב פתוח.',
  },
  expenses_credits_void: {
    en: 'The credit counts no more, and the expense is owed again.',
    he: 'הזיכוי לא ייחשב עוד, וההוצאה תהיה שוב לתשלום.',
  },
  expenses_customers_delete: {
    en: 'The expense no longer belongs to this customer. The customer stays.',
    he: 'ההוצאה לא תשויך עוד ללקוח הזה. הלקוח נשאר.',
  },
  expenses_payments_unallocate: {
    en: 'The payment no longer pays this expense. The money stays, to be allocated again.',
    he: 'התשלום לא ישלם עוד את ההוצאה הזאת. הכסף נשאר לחלוקה מחדש.',
  },
  expenses_payments_void: {
    en: 'The payment counts no more; what it paid is outstanding again.',
    he: 'התשלום לא ייחשב עוד; מה ששילם יהיה שוב פתוח.',
  },
  orders_cancel: { en: 'The order ends, and nothing more comes of it.', he: 'ההזמנה תסתיים, ולא יצא ממנה עוד דבר.' },
  integrations_auto_scan_delete: {
    en: 'The mailbox is read only when somebody asks for it.',
    he: 'התיבה תיקרא רק כשמישהו יבקש.',
  },
}

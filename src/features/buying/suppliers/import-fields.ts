import type { Field, Identity } from '../../../core/tables/field.ts'

// The fields of an import of customers or suppliers, with the headers that name them in English and Hebrew.

const partyKinds = {
  ORGANIZATION: ['company', 'business', 'organisation', 'org', 'חברה', 'עסק', 'ארגון', 'תאגיד', 'עוסק'],
  INDIVIDUAL: ['person', 'private', 'private person', 'אדם', 'אדם פרטי', 'פרטי', 'יחיד'],
}
const statuses = {
  PENDING: ['ממתין', 'בהמתנה'],
  ACTIVE: ['yes', 'true', '1', 'פעיל', 'כן'],
  INACTIVE: ['not active', 'no', 'false', '0', 'לא פעיל', 'לא'],
}

/** Fields of customers and suppliers. */
const party: readonly Field[] = [
  { name: 'name', type: 'TEXT', maxLength: 1_000, required: true, headers: ['name', 'company', 'company name', 'business name', 'full name', 'customer', 'customer name', 'client', 'client name', 'supplier', 'supplier name', 'vendor', 'vendor name', 'שם', 'שם לקוח', 'שם הלקוח', 'לקוח', 'שם ספק', 'שם הספק', 'ספק', 'שם חברה', 'שם החברה', 'שם העסק', 'שם עסק', 'שם מלא'] },
  { name: 'email', type: 'EMAIL', headers: ['email', 'e-mail address', 'mail', 'email address', 'דוא"ל', 'דואל', 'אימייל', 'מייל', 'כתובת מייל', 'דואר אלקטרוני', 'כתובת דוא"ל', 'כתובת אימייל'] },
  { name: 'phone', type: 'TEXT', headers: ['phone', 'phone number', 'telephone', 'tel', 'mobile', 'cell', 'cellphone', 'טלפון', 'טל', 'נייד', 'טלפון נייד', 'מספר טלפון', 'פלאפון', 'סלולרי'] },
  { name: 'address', type: 'TEXT', headers: ['address', 'street', 'street address', 'billing address', 'postal address', 'כתובת', 'רחוב', 'כתובת למשלוח', 'כתובת מלאה'] },
  { name: 'country', type: 'COUNTRY', headers: ['country', 'country code', 'ארץ', 'מדינה', 'קוד מדינה'] },
  { name: 'registrationNumber', type: 'TEXT', headers: ['registration number', 'registration no', 'reg no', 'company number', 'company id', 'business number', 'uen', 'ein', 'tax id', 'vat number', 'vat no', 'ח.פ.', 'ח"פ', 'חפ', 'ע.מ.', 'עוסק מורשה', 'מספר עוסק', 'מספר חברה', 'ת.ז.', 'תעודת זהות', 'ח.פ/ע.מ', 'ח.פ / ת.ז', 'מספר רישום'] },
  { name: 'kind', type: 'CHOICE', choices: partyKinds, headers: ['kind', 'type', 'customer type', 'supplier type', 'סוג', 'סוג לקוח', 'סוג ספק'] },
  { name: 'status', type: 'CHOICE', choices: statuses, headers: ['status', 'active', 'סטטוס', 'מצב', 'פעיל'] },
  { name: 'notes', type: 'TEXT', headers: ['notes', 'note', 'comments', 'comment', 'remarks', 'הערות', 'הערה', 'תיאור'] },
] // biome-ignore format: a field each

export const customerFields: readonly Field[] = [
  ...party,
  { name: 'defaultCurrencies', type: 'CURRENCIES', headers: ['currencies', 'currency', 'default currency', 'default currencies', 'מטבע', 'מטבעות', 'מטבע ברירת מחדל'] },
  { name: 'isSupplier', type: 'YES_NO', headers: ['is supplier', 'also supplier', 'גם ספק', 'האם ספק'] },
] // biome-ignore format: a field each

export const supplierFields: readonly Field[] = [
  ...party,
  { name: 'taxNumber', type: 'TEXT', headers: ['tax number', 'tax no', 'tin', 'withholding file', 'תיק ניכויים', 'מספר תיק ניכויים', 'מספר מס'] },
  { name: 'gstNumber', type: 'TEXT', headers: ['gst number', 'gst no', 'gst registration number', 'gst'] },
  { name: 'paymentTermsDays', type: 'INTEGER', min: 0, max: 3650, headers: ['payment terms', 'payment terms (days)', 'terms', 'terms days', 'payment days', 'days', 'תנאי תשלום', 'ימי אשראי', 'ימי תשלום', 'שוטף'] },
  { name: 'defaultCategory', type: 'TEXT', maxLength: 1_000, headers: ['category', 'expense category', 'default category', 'קטגוריה', 'קטגוריית הוצאה', 'סוג הוצאה'] },
  { name: 'defaultCurrency', type: 'CURRENCY', headers: ['currency', 'default currency', 'מטבע', 'מטבע ברירת מחדל'] },
  { name: 'withholdingRate', type: 'DECIMAL', min: 0, max: 100, headers: ['withholding', 'withholding rate', 'withholding tax', 'withholding %', 'ניכוי במקור', 'שיעור ניכוי', 'אחוז ניכוי', 'אחוז ניכוי במקור', 'ניכוי מס במקור'] },
  { name: 'withholdingValidUntil', type: 'DAY', headers: ['withholding valid until', 'certificate valid until', 'withholding expiry', 'valid until', 'תוקף אישור', 'תוקף ניכוי', 'תוקף אישור ניכוי', 'בתוקף עד', 'תוקף'] },
  { name: 'is1099', type: 'YES_NO', headers: ['1099', 'is 1099', '1099 vendor', 'track 1099'] },
  { name: 'isCustomer', type: 'YES_NO', headers: ['is customer', 'also customer', 'גם לקוח', 'האם לקוח'] },
  { name: 'bankName', type: 'TEXT', headers: ['bank', 'bank name', 'בנק', 'שם בנק', 'שם הבנק'] },
  { name: 'branchCode', type: 'TEXT', headers: ['branch', 'branch code', 'bank branch', 'סניף', 'מספר סניף', 'קוד סניף'] },
  { name: 'accountNumber', type: 'TEXT', headers: ['account', 'account number', 'account no', 'bank account', 'חשבון', 'מספר חשבון', 'חשבון בנק', 'מס חשבון'] },
  { name: 'accountName', type: 'TEXT', headers: ['account name', 'account holder', 'beneficiary', 'שם חשבון', 'שם החשבון', 'שם המוטב', 'מוטב', 'בעל החשבון'] },
  { name: 'iban', type: 'TEXT', headers: ['iban'] },
  { name: 'swiftCode', type: 'TEXT', headers: ['swift', 'swift code', 'bic', 'swift/bic', 'סוויפט'] },
] // biome-ignore format: a field each

export const partyIdentity: Identity = [['registrationNumber', 'country'], ['email'], ['name', 'country']]

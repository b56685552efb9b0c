import type { Field, Identity, Reading } from '../../core/tables/field.ts'
import { employeeFields } from './employee-fields.ts'
import type { ImportKind } from './import.ts'

// The fields of each kind of import, with the headers that name them in English and Hebrew.

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

const customers: readonly Field[] = [
  ...party,
  { name: 'defaultCurrencies', type: 'CURRENCIES', headers: ['currencies', 'currency', 'default currency', 'default currencies', 'מטבע', 'מטבעות', 'מטבע ברירת מחדל'] },
  { name: 'isSupplier', type: 'YES_NO', headers: ['is supplier', 'also supplier', 'גם ספק', 'האם ספק'] },
] // biome-ignore format: a field each

const suppliers: readonly Field[] = [
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

const itemKinds = {
  GOODS: ['good', 'product', 'item', 'inventory', 'מוצר', 'טובין', 'סחורה', 'פריט', 'מלאי'],
  SERVICE: ['services', 'labour', 'labor', 'שירות', 'שרות', 'עבודה'],
}

const items: readonly Field[] = [
  { name: 'name', type: 'TEXT', maxLength: 1_000, required: true, headers: ['name', 'item', 'item name', 'product', 'product name', 'title', 'שם', 'שם פריט', 'שם הפריט', 'פריט', 'מוצר', 'שם מוצר', 'שם המוצר'] },
  { name: 'sku', type: 'TEXT', maxLength: 100, headers: ['sku', 'item code', 'code', 'item number', 'item no', 'product code', 'part number', 'catalog number', 'מקט', 'מק"ט', 'קוד', 'קוד פריט', 'מספר פריט', 'מספר קטלוגי'] },
  { name: 'barcode', type: 'TEXT', maxLength: 100, headers: ['barcode', 'bar code', 'ean', 'upc', 'gtin', 'ברקוד'] },
  { name: 'kind', type: 'CHOICE', choices: itemKinds, headers: ['kind', 'type', 'item type', 'product type', 'סוג', 'סוג פריט'] },
  { name: 'description', type: 'TEXT', headers: ['description', 'details', 'notes', 'תיאור', 'תאור', 'פירוט', 'הערות'] },
  { name: 'unit', type: 'TEXT', maxLength: 40, headers: ['unit', 'uom', 'unit of measure', 'יחידה', 'יחידת מידה', 'יח מידה'] },
  { name: 'salePrice', type: 'DECIMAL', min: 0, max: 1e15, headers: ['sale price', 'sales price', 'selling price', 'price', 'unit price', 'rate', 'מחיר', 'מחיר מכירה', 'מחיר ליחידה', 'מחירון'] },
  { name: 'saleCurrency', type: 'CURRENCY', headers: ['sale currency', 'currency', 'price currency', 'מטבע', 'מטבע מכירה'] },
  { name: 'purchasePrice', type: 'DECIMAL', min: 0, max: 1e15, headers: ['purchase price', 'cost', 'cost price', 'unit cost', 'buying price', 'מחיר קנייה', 'מחיר קניה', 'מחיר רכישה', 'עלות', 'מחיר עלות'] },
  { name: 'purchaseCurrency', type: 'CURRENCY', headers: ['purchase currency', 'cost currency', 'מטבע קנייה', 'מטבע קניה', 'מטבע רכישה'] },
  { name: 'taxRate', type: 'DECIMAL', min: 0, max: 100, headers: ['tax rate', 'vat', 'vat rate', 'vat %', 'gst rate', 'tax %', 'tax', 'שיעור מעמ', 'אחוז מעמ', 'מע"מ', 'מעמ'] },
  { name: 'taxCategory', type: 'TEXT', maxLength: 20, headers: ['tax category', 'tax code', 'gst code', 'קטגוריית מס', 'קוד מס'] },
  { name: 'tracked', type: 'YES_NO', headers: ['tracked', 'track stock', 'track inventory', 'inventory tracked', 'ניהול מלאי', 'מנוהל מלאי', 'מנוהל במלאי'] },
  { name: 'lowStockThreshold', type: 'DECIMAL', min: 0, max: 1e12, headers: ['low stock threshold', 'low stock', 'reorder level', 'reorder point', 'minimum stock', 'min stock', 'מלאי מינימום', 'מינימום מלאי', 'סף מלאי', 'נקודת הזמנה'] },
  { name: 'active', type: 'YES_NO', headers: ['active', 'is active', 'enabled', 'פעיל', 'סטטוס'] },
] // biome-ignore format: a field each

const openingBalances: readonly Field[] = [
  { name: 'account', type: 'TEXT', maxLength: 1_000, required: true, headers: ['account', 'account code', 'account number', 'account no', 'account name', 'code', 'gl account', 'חשבון', 'מספר חשבון', 'קוד חשבון', 'מפתח חשבון', 'שם חשבון', 'שם החשבון'] },
  { name: 'date', type: 'DAY', required: true, headers: ['date', 'as of', 'balance date', 'opening date', 'תאריך', 'ליום', 'נכון ליום', 'תאריך יתרה'] },
  { name: 'debit', type: 'AMOUNT', headers: ['debit', 'dr', 'debit amount', 'debit balance', 'חובה', 'סכום חובה'] },
  { name: 'credit', type: 'AMOUNT', headers: ['credit', 'cr', 'credit amount', 'credit balance', 'זכות', 'סכום זכות'] },
  { name: 'balance', type: 'AMOUNT', headers: ['balance', 'opening balance', 'amount', 'יתרה', 'יתרת פתיחה', 'סכום'] },
  { name: 'description', type: 'TEXT', maxLength: 1_000, headers: ['description', 'details', 'notes', 'memo', 'תיאור', 'פירוט', 'פרטים', 'הערות'] },
] // biome-ignore format: a field each

const partyIdentity: Identity = [['registrationNumber', 'country'], ['email'], ['name', 'country']]

/** How the rows of each kind are read. */
export const readings: Record<ImportKind, Pick<Reading, 'fields' | 'identity' | 'oneOf' | 'rowsMax'>> = {
  CUSTOMERS: { fields: customers, identity: partyIdentity },
  SUPPLIERS: { fields: suppliers, identity: partyIdentity },
  ITEMS: { fields: items, identity: [['sku'], ['barcode'], ['name']] },
  OPENING_BALANCES: {
    fields: openingBalances,
    identity: [['account', 'date']],
    oneOf: [['debit', 'credit', 'balance']],
    rowsMax: 5_000,
  },
  EMPLOYEES: {
    fields: employeeFields,
    identity: [['employeeNumber'], ['idNumber'], ['name', 'startDate']],
    rowsMax: 5_000,
  },
}

import { words } from '../../../words.ts'

export const clearanceWords = words(
  {
    titles: { 'il-ita-invoices': 'Allocation number', 'sg-invoicenow': 'InvoiceNow' } as Record<string, string>, title: 'Tax authority',
    states: { NOT_REQUIRED: 'Not needed', NOT_SUBMITTED: 'Not asked for yet', PENDING: 'Waiting for the answer', APPROVED: 'Approved', REJECTED: 'Refused', ERROR: 'Failed' },
    sandbox: 'Sandbox, for trying: not a real number', number: 'Number', submitted: 'Submitted', decided: 'Answered', attempts: 'Attempts', next: 'Next attempt',
    whyNot: {
      'il-ita-invoices': 'A number is needed for invoices with VAT to a business in Israel above the threshold of the day. This document is none of them.',
      'sg-invoicenow': 'Invoices and memos to a business in Singapore, or to a customer in the Peppol network, are reported. This document is none of them.',
    } as Record<string, string>,
    notConnected: {
      'il-ita-invoices': 'Your organization is not connected with the tax authority. Connect it, or enter a number that you got from the authority.',
      'sg-invoicenow': 'Documents are valid without a report. They are reported once your organization is connected with an access point.',
    } as Record<string, string>,
    askManager: 'A manager can connect it in the settings.', connect: 'Connect',
    submit: { 'il-ita-invoices': 'Ask for a number', 'sg-invoicenow': 'Report it' } as Record<string, string>, again: 'Try again',
    submitTitle: { 'il-ita-invoices': (n: string) => `Ask for an allocation number for ${n}?`, 'sg-invoicenow': (n: string) => `Report ${n} through InvoiceNow?` } as Record<string, (n: string) => string>,
    final: {
      'il-ita-invoices': 'The tax authority gets the document and allocates its number, which is final.',
      'sg-invoicenow': 'The access point sends the document to the customer and reports it to IRAS. This cannot be taken back.',
    } as Record<string, string>,
    approved: (n: string) => `Approved: ${n}`, later: 'Submitted. The answer appears here.',
    reasons: {} as Record<number, string>,
    einvoice: 'E-invoice', download: 'Download', otherFormat: 'Another format', missing: 'It cannot be written yet:',
    formats: { ubl: 'XML, UBL (Peppol)', pint: 'XML, PINT of Singapore', cii: 'XML, CII (EN 16931)', facturx: 'PDF with XML (Factur-X)' }, usual: 'An XML file that the customer’s software can read.',
    fields: {} as Record<string, string>,
  },
  {
    titles: { 'il-ita-invoices': 'מספר הקצאה', 'sg-invoicenow': 'InvoiceNow' }, title: 'רשות המס',
    states: { NOT_REQUIRED: 'לא נדרש', NOT_SUBMITTED: 'עדיין לא התבקש', PENDING: 'ממתין לתשובה', APPROVED: 'אושר', REJECTED: 'נדחה', ERROR: 'נכשל' },
    sandbox: 'סביבת ניסוי: המספר אינו אמיתי', number: 'מספר', submitted: 'הוגש', decided: 'נענה', attempts: 'ניסיונות', next: 'הניסיון הבא',
    whyNot: {
      'il-ita-invoices': 'מספר נדרש לחשבוניות עם מע״מ לעוסק בישראל שסכומן מעל הסף של אותו יום. המסמך הזה אינו אחת מהן.',
      'sg-invoicenow': 'מדווחים חשבוניות ומסמכים מתקנים לעסק בסינגפור או ללקוח ברשת Peppol. המסמך הזה אינו אחד מהם.',
    },
    notConnected: {
      'il-ita-invoices': 'הארגון אינו מחובר לרשות המסים. חברו אותו, או רשמו מספר שקיבלתם מהרשות.',
      'sg-invoicenow': 'המסמכים תקפים גם בלי דיווח. הם ידווחו לאחר שהארגון יחובר לנקודת גישה.',
    },
    askManager: 'מנהל יכול לחבר אותו בהגדרות.', connect: 'חיבור',
    submit: { 'il-ita-invoices': 'בקשת מספר', 'sg-invoicenow': 'דיווח' }, again: 'ניסיון נוסף',
    submitTitle: { 'il-ita-invoices': (n) => `לבקש מספר הקצאה עבור ${n}?`, 'sg-invoicenow': (n) => `לדווח על ${n} דרך InvoiceNow?` },
    final: {
      'il-ita-invoices': 'רשות המסים תקבל את המסמך ותקצה לו מספר. המספר סופי.',
      'sg-invoicenow': 'נקודת הגישה תשלח את המסמך ללקוח ותדווח עליו ל־IRAS. אי אפשר לחזור מזה.',
    },
    approved: (n) => `אושר: ${n}`, later: 'הוגש. התשובה תופיע כאן.',
    reasons: {
      431: 'מספר העוסק של הארגון אינו נכון.', 432: 'מספר העוסק של הלקוח חסר, שגוי, או זהה לזה של הארגון.', 434: 'תאריך החשבונית ישן מדי לבקשת מספר.',
      435: 'תאריך החשבונית מאוחר ביותר מחודש.', 437: 'סכום המע״מ אינו לפי הכללים.', 446: 'חסר מספר הזהות של האדם בפרטי החיבור.',
      460: 'הנתונים תקינים, אך הרשות אינה מאשרת את החשבונית. אפשר לערער, או לתת ללקוח חשבונית בלי המספר.', 461: 'הרשות כבר דחתה את החשבונית ומחכה להחלטה שלכם באתר שלה.', 462: 'הרשות כבר דחתה את החשבונית, וההחלטה שלכם נשלחה.',
    },
    einvoice: 'חשבונית אלקטרונית', download: 'הורדה', otherFormat: 'תבנית אחרת', missing: 'עדיין אי אפשר לכתוב אותה:',
    formats: { ubl: 'XML, UBL (Peppol)', pint: 'XML, PINT של סינגפור', cii: 'XML, CII (EN 16931)', facturx: 'PDF עם XML (Factur-X)' }, usual: 'קובץ XML שהתוכנה של הלקוח יודעת לקרוא.',
    fields: {
      'organization.name': 'חסר שם הארגון.', 'organization.country': 'חסרה מדינת הארגון.', 'organization.email': 'חסרה כתובת הדוא״ל של הארגון, או מספר הרישום שלו.',
      'organization.address': 'חסרה כתובת מלאה של הארגון, עם רחוב ומיקוד.', 'organization.registrationNumber': 'חסר מספר הרישום או מספר המס של הארגון.', 'organization.taxNumber': 'חסר מספר המס של הארגון.',
      'customer.name': 'חסר שם הלקוח.', 'customer.country': 'חסרה מדינת הלקוח.', 'customer.email': 'חסרה כתובת הדוא״ל של הלקוח, או כתובתו ברשת Peppol.',
      'customer.address': 'חסרה כתובת מלאה של הלקוח, עם רחוב ומיקוד.', 'customer.registrationNumber': 'חסר מספר הרישום של הלקוח.',
      'countrySpecificData.peppolId': 'חסר מספר הרישום של הלקוח, או כתובתו ברשת Peppol.', 'countrySpecificData.sellerPeppolId': 'חסר מספר הרישום של הארגון, או כתובתו ברשת Peppol.',
      items: 'בחשבונית אלקטרונית יש לפחות שורה אחת.', notes: 'חסרה סיבת הזיכוי, בהערות המסמך.', exchangeRate: 'חסר שער החליפין של המסמך.',
    },
  },
) // biome-ignore format: a list of words

import { count, words } from '../../words.ts'

export const fileWords = words(
  {
    group: 'Files for the tax authority', period: 'Period', otherDays: 'Other days', from: 'From', to: 'To', download: 'Download the file',
    about: {} as Record<string, string>, halves: (from: string, to: string) => `${from} and ${to}`,
    report: 'The same figures as a report', ready: 'No problems were found. The file can be handed in.',
    rejected: 'The authority would refuse this', check: 'Somebody should look at this', document: 'Open the document', supplier: 'Open the supplier',
    downloadAnyway: (n: number) => (n === 1 ? 'One problem would be refused. The file can be downloaded all the same.' : `${n} problems would be refused. The file can be downloaded all the same.`),
    incomplete: 'There may be more problems than are listed.', more: (n: string) => `${n} more`, totals: 'What is in the file', name: 'Name', number: 'Count', amount: 'Amount',
    types: { 'application/zip': 'ZIP', 'text/plain': 'TXT', 'text/csv': 'CSV' } as Record<string, string>,
    problems: {} as Record<string, string>, sums: {} as Record<string, string>,
  },
  {
    group: 'קבצים לרשות המס', period: 'תקופה', otherDays: 'ימים אחרים', from: 'מתאריך', to: 'עד תאריך', download: 'הורדת הקובץ',
    about: {
      'il-uniform-file': 'מסמכים, פקודות יומן, חשבונות ומלאי של תקופה, במבנה האחיד של רשות המסים, גרסה 1.31.',
      'il-pcn874': 'העסקאות והתשומות של חודש או חודשיים עם מספרי הקצאה, כדוח המפורט למע״מ.',
      'il-withholding-summary': 'מה ששולם לכל ספק בכל חודש ומה שנוכה ממנו במקור: הנתונים של טופס 102 החודשי וטופס 856 השנתי.',
      'sg-gst-f5': 'תיבות הדוח GST F5, לשלושה חודשים אלא אם IRAS הסכימה לתקופה אחרת.', 'sg-iras-audit-file': 'החברה, הרכש, האספקה והכרטסת של תקופה, ש־IRAS מבקשת בביקורת.',
      'us-sales-tax': 'מכירות ומס מכירה לפי מדינה ושיעור, לדוחות של המדינות.', 'us-1099-nec': 'מה ששולם לכל קבלן בשנה קלנדרית, מעל הסף של השנה.',
    },
    halves: (from, to) => `${from} ו${to}`,
    report: 'אותם נתונים כדוח', ready: 'לא נמצאו בעיות. אפשר להגיש את הקובץ.',
    rejected: 'הרשות תדחה את אלה', check: 'כדאי לבדוק את אלה', document: 'פתיחת המסמך', supplier: 'פתיחת הספק',
    downloadAnyway: (n) => count('he', n, { one: 'בעיה אחת תידחה. אפשר להוריד את הקובץ בכל זאת.', two: 'שתי בעיות יידחו. אפשר להוריד את הקובץ בכל זאת.', other: (m) => `${m} בעיות יידחו. אפשר להוריד את הקובץ בכל זאת.` }),
    incomplete: 'ייתכן שיש עוד בעיות מאלה שברשימה.', more: (n) => `עוד ${n}`, totals: 'מה יש בקובץ', name: 'שם', number: 'כמות', amount: 'סכום',
    types: { 'application/zip': 'ZIP', 'text/plain': 'TXT', 'text/csv': 'CSV' },
    problems: {
      ACCOUNT_MISSING: 'לשורות ביומן אין חשבון.', ADDRESS_MISSING: 'חסרה כתובת.', ALLOCATION_NUMBER: 'מספר ההקצאה אינו יכול להיות נכון.', ALLOCATION_NUMBER_MISSING: 'חסר מספר הקצאה.', ALLOCATION_NUMBER_TWICE: 'אותו מספר הקצאה על שני מסמכים.',
      AMOUNT_TOO_LARGE: 'הסכום ארוך מן השדה.', BOOKS_NOT_IN_SHEKELS: 'הספרים אינם מנוהלים בשקלים.', BOXES_BY_HAND: 'תיבות שיש למלא ביד.', CERTIFICATE_EXPIRED: 'תוקף האישור של הספק פג.', COUNTRY: 'הקובץ מיועד לרשות של מדינה אחרת.',
      CUSTOMER_NAME: 'חסר שם הלקוח.', CUSTOMER_NUMBER: 'מספר הלקוח אינו מספר ישראלי תקין.', CUSTOMER_NUMBER_MISSING: 'חסר מספר הלקוח.', DOCUMENT_NUMBER: 'מספר המסמך אינו תקין.', DOCUMENT_NUMBER_MISSING: 'חסר מספר החשבונית.', DOCUMENT_TYPE_WITHOUT_CODE: 'לסוג המסמך אין קוד.',
      EARLIER_CURRENCY: 'שורות במטבע ראשי קודם אינן כלולות.', EXCHANGE_RATE_MISSING: 'חסר שער חליפין; נכלל הסכום הנקוב.', FOREIGN: 'קבלן בחוץ לארץ.', GST_NUMBER: 'מספר ה־GST אינו תקין.', GST_NUMBER_MISSING: 'חסר מספר GST של הארגון.',
      ISSUER_ADDRESS_MISSING: 'לארגון אין כתובת.', ISSUER_NOT_REGISTERED: 'הארגון אינו רשום כעוסק מורשה.', ISSUER_NUMBER: 'מספר הארגון אינו תקין.', ISSUER_NUMBER_MISSING: 'לארגון אין מספר עוסק או חברה.', JOURNAL_NOT_BALANCED: 'חובה וזכות בתקופה אינם שווים.',
      NAME_CUT: 'השם ארוך ונחתך.', NAME_MISSING: 'חסר שם.', NEGATIVE_MONTH: 'הוחזר יותר ממה שנוכה באותו חודש.', NEXUS: 'ייתכן שיש לגבות מס במדינה הזאת.', NOT_WITHHELD: 'לא נוכה מספיק מס במקור.', NOT_MARKED: 'שולם סכום כזה למי שאינו מסומן כקבלן.', NUMBER_TOO_LONG: 'המספר ארוך ונחתך.',
      PARTLY_DEDUCTED: 'חלק מהמס אינו מנוכה.', PAYER_ADDRESS_MISSING: 'לארגון אין כתובת.', PAYER_TAX_NUMBER: 'מספר ה־EIN של הארגון אינו תקין.', PAYER_TAX_NUMBER_MISSING: 'לארגון אין EIN.', PAYMENT_NETWORK: 'שולם דרך רשת תשלומים.', PAYROLL_SUMMED: 'אינכם רשאים לראות שכר, ולכן השכר של כל חודש הוא רישום אחד.',
      PERIOD: 'התקופה אינה רבעון.', PERIOD_NOT_ENDED: 'התקופה עדיין לא הסתיימה.', RATE_MISSING: 'נגבה מס, והמסמך אינו אומר באיזה שיעור.', SANDBOX_NUMBER: 'מספר ההקצאה הוא של סביבת הניסוי.', SOFTWARE_NOT_REGISTERED: 'לתוכנה אין מספר רישום של הרשות, והשדה הוא אפס.', STATE_MISSING: 'חסרה המדינה.',
      SUPPLIER_MISSING: 'נוכה מס מתשלום שאין לו ספק.', SUPPLIER_NUMBER_MISSING: 'חסר מספר הספק.', SUPPLIER_TAX_NUMBER: 'מספר הספק אינו תקין.', SUPPLIER_TAX_NUMBER_MISSING: 'חסר מספר הספק.', TAX_CATEGORY_MISSING: 'חסר סיווג מס.', TAX_CATEGORY_UNKNOWN: 'סיווג המס אינו מוכר.',
      TAX_NUMBER: 'מספר המס אינו תקין.', TAX_NUMBER_MISSING: 'חסר מספר מס.', TAX_ON_UNTAXED_SUPPLY: 'נגבה מס על עסקה בלי מס.', THRESHOLD: 'הסף של השנה עדיין לא ידוע.', UEN_MISSING: 'לארגון אין UEN.',
    },
    sums: {
      A100: 'רשומת פתיחה', B100: 'תנועות בהנהלת חשבונות', B110: 'חשבונות', C100: 'כותרות מסמכים', D110: 'שורות מסמכים', D120: 'תקבולים', M100: 'פריטי מלאי', Z900: 'רשומת סיום', DEBIT: 'סך החובה', CREDIT: 'סך הזכות',
      TAXED_SALES: 'עסקאות חייבות ללא מע״מ', OUTPUT_VAT: 'מע״מ עסקאות', UNTAXED_SALES: 'עסקאות פטורות או בשיעור אפס', INPUT_VAT: 'מע״מ תשומות אחרות', EQUIPMENT_VAT: 'מע״מ תשומות ציוד', PAYABLE: 'מע״מ לתשלום; שלילי אם להחזר', EXACT_OUTPUT_VAT: 'מע״מ עסקאות, לא מעוגל', EXACT_INPUT_VAT: 'מע״מ תשומות, לא מעוגל',
      PAID: 'שולם', WITHHELD: 'נוכה במקור', SALES: 'מכירות לפני מס', TAX: 'מס מכירה', PURCHASES: 'רכש לפני GST', PURCHASES_GST: 'GST על רכש', SUPPLIES: 'אספקה לפני GST', SUPPLIES_GST: 'GST על אספקה',
    },
  },
) // biome-ignore format: a list of words

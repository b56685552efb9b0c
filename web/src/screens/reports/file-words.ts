import { count, words } from '../../words.ts'

export const fileWords = words(
  {
    group: 'Files for the tax authority', period: 'Period', otherDays: 'Other days', from: 'From', to: 'To', download: 'Download the file',
    about: {} as Record<string, string>, halves: (from: string, to: string) => `${from} and ${to}`,
    report: 'The same figures as a report', ready: 'Nothing to mend: the file can be handed in.',
    rejected: 'The authority would refuse this', check: 'Somebody should look at this', document: 'Open the document', supplier: 'Open the supplier',
    downloadAnyway: (n: number) => (n === 1 ? 'One problem would be refused. The file can be downloaded all the same.' : `${n} problems would be refused. The file can be downloaded all the same.`),
    incomplete: 'There may be more problems than are listed.', more: (n: string) => `${n} more`, totals: 'What is in the file', name: 'Name', number: 'Number', amount: 'Amount', unknown: 'There is no such file',
    types: { 'application/zip': 'ZIP', 'text/plain': 'TXT', 'text/csv': 'CSV' } as Record<string, string>, field: 'Field',
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
    report: 'אותם נתונים כדוח', ready: 'אין מה לתקן: אפשר להגיש את הקובץ.',
    rejected: 'הרשות תדחה את אלה', check: 'כדאי לבדוק את אלה', document: 'פתיחת המסמך', supplier: 'פתיחת הספק',
    downloadAnyway: (n) => count('he', n, { one: 'בעיה אחת תידחה. אפשר להוריד את הקובץ בכל זאת.', two: 'שתי בעיות יידחו. אפשר להוריד את הקובץ בכל זאת.', other: (m) => `${m} בעיות יידחו. אפשר להוריד את הקובץ בכל זאת.` }),
    incomplete: 'ייתכן שיש עוד בעיות מאלה שברשימה.', more: (n) => `עוד ${n}`, totals: 'מה יש בקובץ', name: 'שם', number: 'מספר', amount: 'סכום', unknown: 'אין קובץ כזה',
    types: { 'application/zip': 'ZIP', 'text/plain': 'TXT', 'text/csv': 'CSV' }, field: 'שדה',
    problems: {}, sums: {},
  },
) // biome-ignore format: a list of words

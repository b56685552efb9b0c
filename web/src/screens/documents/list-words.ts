import { count, words } from '../../words.ts'

export const listWords = words(
  {
    title: 'Documents', search: 'Number, customer, notes', create: 'New document', number: 'Number', customer: 'Customer', issued: 'Issued', due: 'Due', status: 'Status', amount: 'Amount', draft: 'Draft',
    views: { all: 'All', drafts: 'Drafts', toSend: 'To send', open: 'Open', overdue: 'Overdue', paid: 'Paid', inDispute: 'In dispute' } as Record<string, string>,
    none: 'No documents yet', noneHint: 'Invoices, receipts and payment requests stand here, with what was paid of them.',
    noneHere: 'Nothing in this view', noneHereHint: 'When a document gets here, you see it.', first: 'Write the first one',
    send: 'Send', pdfs: 'PDFs', paid: 'Mark paid', remove: 'Delete drafts', sendTitle: (n: number) => `Send ${n} documents?`, sendText: 'Each goes to the recipients of its customer. Drafts get their numbers in this order and become final.',
    paidTitle: (n: number) => `Mark ${n} documents as paid?`, paidText: 'All that is open of each is recorded as paid, a payment each.', day: 'Day', method: 'Paid by', receipts: 'Issue receipts', outcome: (ok: number, failed: number) => (failed === 0 ? `Done: ${ok}` : `Done: ${ok}, refused: ${failed}`), stays: 'What was refused stays selected.', most: 'At most 200 at a time.', failed: 'It did not work', wrongAll: 'Only drafts can be deleted.',
  },
  {
    title: 'מסמכים', search: 'מספר, לקוח, הערות', create: 'מסמך חדש', number: 'מספר', customer: 'לקוח', issued: 'הופק', due: 'לתשלום', status: 'מצב', amount: 'סכום', draft: 'טיוטה',
    views: { all: 'הכול', drafts: 'טיוטות', toSend: 'לשליחה', open: 'פתוחים', overdue: 'באיחור', paid: 'שולמו', inDispute: 'במחלוקת' },
    none: 'עדיין אין מסמכים', noneHint: 'כאן יופיעו חשבוניות, קבלות ודרישות תשלום, ומה ששולם מהן.',
    noneHere: 'אין דבר בתצוגה הזאת', noneHereHint: 'כשמסמך יגיע לכאן, תראו אותו.', first: 'כתיבת הראשון',
    send: 'שליחה', pdfs: 'קובצי PDF', paid: 'סימון כשולם', remove: 'מחיקת טיוטות', sendTitle: (n) => count('he', n, { one: 'לשלוח מסמך אחד?', two: 'לשלוח שני מסמכים?', other: (m) => `לשלוח ${m} מסמכים?` }), sendText: 'כל אחד נשלח לנמענים של הלקוח שלו. טיוטות יקבלו מספרים לפי הסדר הזה ויהיו סופיות.',
    paidTitle: (n) => count('he', n, { one: 'לסמן מסמך אחד כשולם?', two: 'לסמן שני מסמכים כשולמו?', other: (m) => `לסמן ${m} מסמכים כשולמו?` }), paidText: 'כל היתרה של כל אחד תירשם כתשלום, תשלום לכל מסמך.', day: 'יום', method: 'אמצעי תשלום', receipts: 'הפקת קבלות', outcome: (ok, failed) => (failed === 0 ? `בוצע: ${ok}` : `בוצע: ${ok}, נדחו: ${failed}`), stays: 'מה שנדחה נשאר מסומן.', most: 'לכל היותר 200 בבת אחת.', failed: 'הפעולה לא הצליחה', wrongAll: 'אפשר למחוק טיוטות בלבד.',
  },
) // biome-ignore format: a list of words

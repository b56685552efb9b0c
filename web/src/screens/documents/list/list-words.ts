import { count, words } from '../../../words.ts'

/** Some of the chosen are left out, and why. */
const leftOut = {
  en: (n: number, of: number, why: string, whyOne = why) => count('en', n, { one: `One of the ${of} chosen is left out. ${whyOne}`, other: (m) => `${m} of the ${of} chosen are left out. ${why}` }),
  he: (n: number, of: number, why: string, whyOne = why) => count('he', n, { one: `אחד מתוך ${of} שנבחרו לא ייכלל. ${whyOne}`, two: `שניים מתוך ${of} שנבחרו לא ייכללו. ${why}`, other: (m) => `${m} מתוך ${of} שנבחרו לא ייכללו. ${why}` }),
} // biome-ignore format: a list of words

export const listWords = words(
  {
    title: 'Documents', search: 'Number, customer, notes', create: 'New document', number: 'Number', customer: 'Customer', issued: 'Issued', due: 'Due', status: 'Status', amount: 'Amount', draft: 'Draft',
    views: { all: 'All', drafts: 'Drafts', toSend: 'To send', open: 'Open', overdue: 'Overdue', paid: 'Paid', inDispute: 'In dispute' } as Record<string, string>,
    none: 'No documents yet', noneHint: 'Invoices, receipts and payment requests stand here, with what was paid of them.',
    noneHere: 'Nothing in this view', noneHereHint: 'When a document gets here, you see it.', first: 'Write the first one',
    send: 'Send', pdfs: 'PDFs', paid: 'Mark paid', remove: 'Delete drafts', sendTitle: (n: number) => count('en', n, { one: 'Send one document?', other: (m) => `Send ${m} documents?` }), sendText: 'Each goes to the recipients of its customer. Drafts get their numbers in this order and become final.',
    paidTitle: (n: number) => count('en', n, { one: 'Mark one document as paid?', other: (m) => `Mark ${m} documents as paid?` }), paidText: 'All that is open of each is recorded as paid, a payment each.', day: 'Day', method: 'Paid by', receipts: 'Issue receipts', outcome: (ok: number, failed: number) => (failed === 0 ? `Done: ${ok}` : `Done: ${ok}, refused: ${failed}`), stays: 'What was refused stays selected.', failed: 'It did not work', onlyDrafts: 'Only drafts can be deleted.',
    notSent: (n: number, of: number) => leftOut.en(n, of, 'What is cancelled or converted is not sent.'), notPaid: (n: number, of: number) => leftOut.en(n, of, 'They are drafts, or nothing is open of them.', 'It is a draft, or nothing is open of it.'),
    notRemoved: (n: number, of: number) => count('en', n, { one: `One of the ${of} chosen has been issued. It stays, and stays selected.`, other: (m) => `${m} of the ${of} chosen have been issued. They stay, and stay selected.` }),
  },
  {
    title: 'מסמכים', search: 'מספר, לקוח, הערות', create: 'מסמך חדש', number: 'מספר', customer: 'לקוח', issued: 'הופק', due: 'לתשלום', status: 'מצב', amount: 'סכום', draft: 'טיוטה',
    views: { all: 'הכול', drafts: 'טיוטות', toSend: 'לשליחה', open: 'פתוחים', overdue: 'באיחור', paid: 'שולמו', inDispute: 'במחלוקת' },
    none: 'עדיין אין מסמכים', noneHint: 'כאן יופיעו חשבוניות, קבלות ודרישות תשלום, ומה ששולם מהן.',
    noneHere: 'אין דבר בתצוגה הזאת', noneHereHint: 'כשמסמך יגיע לכאן, תראו אותו.', first: 'כתיבת הראשון',
    send: 'שליחה', pdfs: 'קובצי PDF', paid: 'סימון כשולם', remove: 'מחיקת טיוטות', sendTitle: (n) => count('he', n, { one: 'לשלוח מסמך אחד?', two: 'לשלוח שני מסמכים?', other: (m) => `לשלוח ${m} מסמכים?` }), sendText: 'כל אחד נשלח לנמענים של הלקוח שלו. טיוטות יקבלו מספרים לפי הסדר הזה ויהיו סופיות.',
    paidTitle: (n) => count('he', n, { one: 'לסמן מסמך אחד כשולם?', two: 'לסמן שני מסמכים כשולמו?', other: (m) => `לסמן ${m} מסמכים כשולמו?` }), paidText: 'כל היתרה של כל אחד תירשם כתשלום, תשלום לכל מסמך.', day: 'יום', method: 'אמצעי תשלום', receipts: 'הפקת קבלות', outcome: (ok, failed) => (failed === 0 ? `בוצע: ${ok}` : `בוצע: ${ok}, נדחו: ${failed}`), stays: 'מה שנדחה נשאר מסומן.', failed: 'הפעולה לא הצליחה', onlyDrafts: 'אפשר למחוק טיוטות בלבד.',
    notSent: (n, of) => leftOut.he(n, of, 'מסמך שבוטל או הומר אינו נשלח.'), notPaid: (n, of) => leftOut.he(n, of, 'אלה טיוטות, או שאין בהם יתרה פתוחה.', 'זו טיוטה, או שאין בו יתרה פתוחה.'),
    notRemoved: (n, of) => count('he', n, { one: `אחד מתוך ${of} שנבחרו כבר הופק. הוא נשאר, ונשאר מסומן.`, two: `שניים מתוך ${of} שנבחרו כבר הופקו. הם נשארים, ונשארים מסומנים.`, other: (m) => `${m} מתוך ${of} שנבחרו כבר הופקו. הם נשארים, ונשארים מסומנים.` }),
  },
) // biome-ignore format: a list of words

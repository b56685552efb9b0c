import { words } from '../../../words.ts'

export const sendWords = words(
  {
    issueTitle: (what: string, name: string) => `${what} for ${name}`, sendTitle: (what: string) => `Send ${what}`, remindTitle: (what: string) => `Remind of ${what}`,
    final: 'It gets its number. Customer, lines and amounts become final; later they are corrected with a credit memo.',
    finalPlain: 'It gets its number and becomes final.',
    again: 'It goes to the customer once more.', remind: 'The customer is asked to pay what is open.',
    to: 'To', toHint: 'Several addresses, with commas between them.', subject: 'Subject', message: 'Words above the amounts',
    with: 'Attached', doubts: 'Worth a look before it is final', total: 'Total', customer: 'Customer', due: 'Due', 
    issue: 'Issue without sending', issueAndSend: 'Issue and send', send: 'Send', remindAct: 'Send the reminder', test: 'Send a test to me',
    tested: 'A test is on its way to you', preview: 'As it is read', noRecipient: 'The customer has no e-mail address. Write one here, or issue without sending.',
    issued: 'Issued', problem: 'It cannot be issued like this',
  },
  {
    issueTitle: (what, name) => `${what} עבור ${name}`, sendTitle: (what) => `שליחת ${what}`, remindTitle: (what) => `תזכורת על ${what}`,
    final: 'המסמך יקבל מספר. הלקוח, השורות והסכומים יהיו סופיים; אחר כך מתקנים אותם בחשבונית זיכוי.',
    finalPlain: 'המסמך יקבל מספר ויהיה סופי.',
    again: 'המסמך יישלח ללקוח פעם נוספת.', remind: 'הלקוח יתבקש לשלם את היתרה.',
    to: 'אל', toHint: 'כמה כתובות, עם פסיקים ביניהן.', subject: 'נושא', message: 'המילים שמעל הסכומים',
    with: 'מצורפים', doubts: 'כדאי לבדוק לפני שזה סופי', total: 'סה״כ', customer: 'לקוח', due: 'לתשלום עד', 
    issue: 'הפקה ללא שליחה', issueAndSend: 'הפקה ושליחה', send: 'שליחה', remindAct: 'שליחת התזכורת', test: 'שליחת ניסיון אליי',
    tested: 'ניסיון בדרך אליכם', preview: 'כפי שנקרא', noRecipient: 'ללקוח אין כתובת דוא״ל. כתבו אחת כאן, או הפיקו ללא שליחה.',
    issued: 'הופק', problem: 'כך אי אפשר להפיק',
  },
) // biome-ignore format: a list of words

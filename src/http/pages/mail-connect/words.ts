import type { Language } from '../../../core/values/language.ts'

/** What came of connecting a mailbox, apart from success. */
export type Trouble = 'STATE' | 'DENIED' | 'REFUSED' | 'UNREACHABLE' | 'SIGNED_OUT' | 'FORBIDDEN' | 'OTHER'

const en = {
  title: 'Connect a mailbox',
  connected: 'The mailbox is connected',
  connectedAs: 'Kontor can now read receipts from',
  name: 'Name of the connection',
  next: 'You can close this page. Messages of the last 30 days are read with the first poll: start one, or turn automatic polls on in the settings of the connection.',
  notConnected: 'The mailbox was not connected',
  nothingChanged: 'Nothing was changed. You can start again from the settings of your mailboxes.',
  home: 'Back to Kontor',
  signIn: 'Sign in',
  troubles: {
    STATE: 'This request to connect a mailbox has expired, was used before, or belongs to another sign-in.',
    DENIED: 'Access was denied at the provider.',
    REFUSED: 'The provider gave no access to the mailbox.',
    UNREACHABLE: 'The provider cannot be reached now. Try again shortly.',
    SIGNED_OUT: 'You are not signed in to Kontor in this browser, at this address.',
    FORBIDDEN: 'You may not connect mailboxes of this organization.',
    OTHER: 'Something went wrong.',
  } satisfies Record<Trouble, string>,
}

const he: typeof en = {
  title: 'חיבור תיבת דואר',
  connected: 'תיבת הדואר מחוברת',
  connectedAs: 'מעכשיו Kontor יכולה לקרוא קבלות מהתיבה',
  name: 'שם החיבור',
  next: 'אפשר לסגור את הדף. בבדיקה הראשונה ייקראו ההודעות של 30 הימים האחרונים: אפשר להתחיל בדיקה, או להפעיל בדיקה אוטומטית בהגדרות החיבור.',
  notConnected: 'תיבת הדואר לא חוברה',
  nothingChanged: 'דבר לא השתנה. אפשר להתחיל מחדש מהגדרות תיבות הדואר.',
  home: 'חזרה אל Kontor',
  signIn: 'כניסה',
  troubles: {
    STATE: 'תוקף הבקשה לחיבור תיבת דואר פג, או שכבר נעשה בה שימוש, או שהיא שייכת לכניסה אחרת.',
    DENIED: 'הגישה נדחתה אצל ספק הדואר.',
    REFUSED: 'ספק הדואר לא נתן גישה לתיבה.',
    UNREACHABLE: 'אי אפשר להגיע כרגע לספק הדואר. נסו שוב בעוד זמן קצר.',
    SIGNED_OUT: 'לא נכנסתם אל Kontor בדפדפן הזה ובכתובת הזאת.',
    FORBIDDEN: 'אין לכם הרשאה לחבר תיבות דואר של הארגון הזה.',
    OTHER: 'משהו השתבש.',
  },
}

export const mailConnectWords: Record<Language, typeof en> = { en, he }

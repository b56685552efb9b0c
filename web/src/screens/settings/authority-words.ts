import { words } from '../../words.ts'

type Field = { label: string; help: string }

export const authorityWords = words(
  {
    none: 'No authority to connect to', noneHint: (country: string) => `In ${country} no authority gives numbers to invoices, so there is nothing to connect.`,
    names: {} as Record<string, string>, about: {} as Record<string, string>, fields: {} as Record<string, Field>,
    state: 'State', states: { absent: 'Not connected', entered: 'Entered, not checked yet', works: 'Connected', fails: 'Does not work' },
    environment: 'Environment', environments: { sandbox: 'Sandbox, for trying', production: 'Production, for real documents' },
    sandboxHint: 'In the sandbox nothing counts: its numbers are not real.', checked: 'Last checked', simulator: 'Answered by the simulator on this machine',
    check: 'Check the connection', works: 'The connection works', signIn: 'Sign in at the authority',
    change: 'Change the credentials…', enter: 'Enter the credentials', enterHint: 'Credentials are stored encrypted and never shown again.', changeHint: 'What you enter replaces everything that was entered before, so fill in all fields.',
    optional: 'optional', missing: 'Fill this in.', save: 'Save and check', nextSignIn: 'Saved. Now sign in at the authority.', cancel: 'Cancel',
    disconnect: 'Disconnect…', disconnectTitle: (name: string) => `Disconnect ${name}?`, disconnectHint: 'The credentials are deleted. Numbers that were allocated stay; documents that wait for a number wait until you connect again.', disconnectAct: 'Disconnect', disconnected: 'Disconnected',
    onIssue: 'When a document is issued', onIssueSwitch: 'Submit it to the authority at once', onIssueHint: 'Otherwise somebody submits it on the page of the document.',
    role: 'Managers enter and change the credentials.',
  },
  {
    none: 'אין רשות שאפשר להתחבר אליה', noneHint: (country) => `ב${country} אין רשות שמקצה מספרים לחשבוניות, ולכן אין למה להתחבר.`,
    names: { 'il-ita-invoices': 'חשבוניות ישראל' },
    about: {
      'il-ita-invoices': 'מספרי הקצאה של רשות המסים לחשבוניות מס מעל הסף. בלי המספר הלקוח אינו יכול לנכות את המע״מ.',
      'sg-invoicenow': 'שולח חשבוניות ברשת Peppol של סינגפור דרך נקודת גישה, שגם מדווחת עליהן ל־IRAS.',
    },
    fields: {
      clientId: { label: 'מזהה הלקוח', help: 'של תוכנת הנהלת החשבונות או של נקודת הגישה.' },
      clientSecret: { label: 'סוד הלקוח', help: 'ניתן יחד עם מזהה הלקוח.' },
      softwareNumber: { label: 'מספר רישום התוכנה', help: 'תעודת הרישום של התוכנה, עד תשע ספרות.' },
      userId: { label: 'מספר הזהות של המבקש', help: 'מי שמבקש את המספרים, עד תשע ספרות; העוסק מרשה לו באזור האישי של הרשות.' },
      refreshToken: { label: 'אסימון רענון', help: 'השאירו ריק כדי להזדהות ברשות במקום זאת.' },
      unionVatNumber: { label: 'מספר איחוד העוסקים', help: 'אם העוסק מדווח במסגרת איחוד עוסקים.' },
      uen: { label: 'UEN', help: 'מספר הרישום של הארגון בסינגפור.' },
      gstNumber: { label: 'מספר GST', help: 'כפי שהוא מודפס על חשבוניות מס.' },
      participantId: { label: 'מזהה ברשת Peppol', help: 'כגון 0195:SGUEN202012345K.' },
    },
    state: 'מצב', states: { absent: 'לא מחובר', entered: 'הוזן, עדיין לא נבדק', works: 'מחובר', fails: 'אינו פועל' },
    environment: 'סביבה', environments: { sandbox: 'סביבת ניסוי', production: 'סביבת אמת, למסמכים אמיתיים' },
    sandboxHint: 'בסביבת הניסוי דבר אינו נחשב: המספרים שלה אינם אמיתיים.', checked: 'נבדק לאחרונה', simulator: 'ענה הסימולטור שבמחשב הזה',
    check: 'בדיקת החיבור', works: 'החיבור פועל', signIn: 'הזדהות ברשות',
    change: 'שינוי פרטי החיבור…', enter: 'פרטי החיבור', enterHint: 'הפרטים נשמרים מוצפנים ואינם מוצגים שוב.', changeHint: 'מה שתזינו מחליף את כל מה שהוזן קודם, לכן מלאו את כל השדות.',
    optional: 'לא חובה', missing: 'יש למלא.', save: 'שמירה ובדיקה', nextSignIn: 'נשמר. כעת יש להזדהות ברשות.', cancel: 'ביטול',
    disconnect: 'ניתוק…', disconnectTitle: (name) => `לנתק את ${name}?`, disconnectHint: 'פרטי החיבור נמחקים. מספרים שהוקצו נשארים; מסמכים שמחכים למספר יחכו עד שתתחברו שוב.', disconnectAct: 'ניתוק', disconnected: 'נותק',
    onIssue: 'כשמופק מסמך', onIssueSwitch: 'הגשה מיידית לרשות', onIssueHint: 'אחרת מישהו מגיש אותו בדף של המסמך.',
    role: 'מנהלים מזינים ומשנים את פרטי החיבור.',
  },
) // biome-ignore format: a list of words

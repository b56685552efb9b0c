import { formsOf } from '../../../../../core/search/words.ts'
import { monthNamed, units, weekdays } from './calendar.ts'
import { isHebrew, setOf, type Token } from './words.ts'

// The words that are part of a request and not of a name. They need not be complete: a word that is missing here is only one
// more candidate for a name.

const small = setOf(`
  a an the of to for in on at by with from and or but is are was were be been am it its it's this that these those i i'm i'd i've me my mine we our us
  you your he she his her they their them who whom whose what what's which when where why how much many do does did done has have had can could
  should would will shall may might must please want need like as into if than then there here so just also too any some all every each
  both no not don't doesn't didn't isn't aren't haven't hasn't won't can't never none without let let's per via about up out off over under
  more most less least yet still only ever already again back else now ok okay hi hello hey thanks thank yes one ones two both between since
  take took takes pull pulled u r ur wut wat wht abt hw thx gonna gotta lemme gimme kinda dunno tmrw idk asap fyi btw
  until till during within after before through against plus minus vs versus around ago soon onwards
  של את על עם אני אנחנו אתה את הוא היא הם הן לי לנו לו לה להם לך לכם שלי שלנו שלו שלה שלהם זה זאת זו הזה הזאת הזו אלה אלו כל כול יש אין היה היו
  הייתה יהיה איך מה מהו מהי מהם מי מתי איפה למה מדוע כמה איזה איזו אילו האם או גם רק לא אל כן אבל אם כי אז עוד עכשיו בבקשה תודה שלום היי
  רוצה צריך צריכה אפשר נא אותו אותה אותם אותן אליו אליה אליהם אליי אלי ממני ממנו ממנה מהם בו בה בהם כמו לפי בין עד מאז אחרי לפני תוך בתוך מעל מתחת לפחות
  יותר פחות הכי ביותר עבור בשביל ללא בלי כולל פלוס מול אצל דרך בגלל כבר עדיין שוב פעם ועוד בערך ישר היום כך שם פה כאן ב ל מ ה ו ש כ ול וב וה
  להפקה הפקה להנפקה כוללת short קיבל קיבלה קיבלו מקבל מקבלת מקבלים הפעם פעם מבחינת sorry actually guy guys lying whether morning evening folks maybe perhaps btw תגיד תגידי רגע סליחה אגב נגיד נסגרו המקביל המקבילה מקביל מקבילה enough parallel same הצטרפו הצטרף התווספו סך בסך שאני שלא שיש שהוא שהם שאין חוץ שלהן לגבי ממי למי`)

const content = setOf(`
  show list give get tell find display see view look search check fetch bring open create make add new draft write prepare issue
  generate send email mail resend forward deliver remind reminder reminders notify pay paid pays paying payment payments record register enter log book
  delete remove cancel void undo change update edit set rename move mark close approve reject confirm convert duplicate copy
  export download print import upload attach match reconcile explain compare calculate compute sum add total totals count number
  amount amounts balance balances owe owes owed owing outstanding open unpaid overdue due late pending draft drafts sent partial partially
  invoice invoices invoicing invoiced bill bills billing billed quote quotes quotation quotations estimate estimates receipt receipts proforma
  credit note notes order orders purchase purchases sale sales sell sold selling buy bought document documents
  expense expenses cost costs spend spent spending income revenue revenues turnover earn earned earnings profit profits loss losses margin cash flow cashflow
  money price prices worth value report reports summary overview statement trial sheet ledger journal aging ageing
  customer customers client clients debtor debtors supplier suppliers vendor vendors employee employees worker workers staff payslip payslips payroll
  salary salaries wage wages item items product products service stock inventory category categories account accounts bank transaction transactions
  automation automations workflow workflows run runs rule rules connection connections integration integrations mailbox member members user users team
  vat gst tax taxes currency dollar dollars shekel shekels nis euro euros percent rate rates exchange
  company business organization status details detail info information history last latest recent next previous current past top first
  biggest largest highest smallest lowest oldest newest cheapest expensive best worst average
  day days week weeks month months quarter quarters year years date dates time period end beginning start today yesterday tomorrow ytd
  monthly weekly daily yearly annual quarterly know help fail failed fails failing error errors broken happened happen happens go going went
  received receive receives collect collected came come work works named called name titled labelled worked hours hour units unit pcs
  more older newer longer bigger larger smaller greater fewer higher lower exceed exceeding
  הראה תראה תראי הצג תציג הציגי להציג להראות רשימה רשימת תן תני תביא הבא מצא תמצא חפש תחפש בדוק תבדוק פתח תפתח פתוח פתוחה פתוחים פתוחות
  צור תצור יצור ליצור הוסף תוסיף להוסיף חדש חדשה חדשים חדשות טיוטה טיוטת טיוטות כתוב תכתוב הכן תכין להכין הפק תפיק להפיק הוצא תוציא להוציא עשה תעשה לעשות
  שלח תשלח שלחי לשלוח מייל אימייל דואל תזכורת תזכורות הזכר תזכיר להזכיר תזכירי שלם תשלם לשלם שולם שולמה שולמו שילם שילמתי שילמנו שילמו משלם תשלום תשלומים
  רשום תרשום לרשום רישום מחק תמחק למחוק בטל תבטל לבטל שנה שנו תשנה לשנות עדכן תעדכן לעדכן ערוך תערוך סמן תסמן אשר תאשר לאשר
  ייצא תייצא הורד תוריד הדפס תדפיס ייבא העלה תעלה צרף התאם הסבר תסביר השווה תשווה חשב תחשב סכום סכומים סכם תסכם סהכ סה"כ מספר
  יתרה יתרת יתרות חייב חייבת חייבים חייבות חוב חובות הפתוחות באיחור איחור מאחר מאחרים מאחרות שלא פיגור לתשלום
  חשבונית חשבוניות חשבון חשבונות הצעה הצעת הצעות מחיר מחירים קבלה קבלות זיכוי זיכויים הזמנה הזמנת הזמנות רכש מסמך מסמכים עסקה עסקאות
  הוצאה הוצאת הוצאות עלות עלויות עלה עלו הכנסה הכנסת הכנסות מחזור רווח רווחים הפסד הפסדים תזרים מזומנים כסף שווי דוח דוחות דו"ח דו"חות סיכום מאזן יומן גיול
  מכירה מכירות מכרנו מכרתי קניתי קנינו קנייה קניות רכישה רכישות הוצאתי הוצאנו הרווחתי הרווחנו הכנסנו
  לקוח לקוחה לקוחות הלקוח ספק ספקים עובד עובדת עובדים תלוש תלושי תלושים שכר משכורת משכורות פריט פריטים מוצר מוצרים שירות מלאי קטגוריה קטגוריית קטגוריות בנק תנועה תנועות
  אוטומציה אוטומציות כלל כללים הרצה ריצה חיבור חיבורים משתמש משתמשים חבר חברים צוות
  מע"מ מעמ מס מסים מיסים מטבע שקל שקלים ש"ח דולר דולרים יורו אחוז אחוזים שער
  ארגון מצב סטטוס פרטים פירוט היסטוריה אחרון אחרונה אחרונים אחרונות הבא הבאה קודם קודמת שעבר שעברה נוכחי נוכחית ראשון ראשונה ראשונים
  גדול גדולה גדולים גדולות גבוה גבוהה גבוהים קטן קטנה קטנים נמוך ישן ישנה ישנים ישנות יקר יקרה יקרים זול ממוצע
  יום ימים שבוע שבועות שבועיים חודש חודשים חודשיים רבעון שנה שנים שנתיים תאריך תקופה סוף תחילת מחצית אתמול מחר שלשום חודשי חודשית שבועי
  עזרה נכשל נכשלה נכשלו שגיאה קרה קיבל קיבלתי קיבלנו נכנס נכנסו יצא יצאו בשם שנקרא שנקראת שעות שעה יחידות יחידה כולל אלף אלפים אלפיים מיליון מאה מאתיים
  phone tel telephone mobile address including includes included include inclusive incl excluding excl exempt zero every each
  everyone everybody anyone someone net gross discount discounts regarding
  הנחה הנחת שלחתי שלחנו הפקתי הפקנו יצרתי רשמתי קיבלו מועד נטו ברוטו כולם מישהו
  הרבה מעט בעוד טלפון נייד כתובת פטור
  קבע הגדר תגדיר תקבע סגור סגורה תכניס הכנס להכניס`)

const stems = new Set(
  [...content].filter((word) => word.length > 3).flatMap((word) => (isHebrew(word) ? [] : formsOf(word))),
)

/** Whether the word is part of how people ask. Short Hebrew words count as they are: שלמה is a name, not ש and למה. */
export function isKnownWord(token: Token): boolean {
  if (small.has(token.text) || content.has(token.text)) return true
  if (token.text.startsWith('ו') && small.has(token.text.slice(1))) return true
  if (
    /^(ש|כש|וש|מש)(עוד|עדיין|כבר|יש|אין|הם|הן|הוא|היא|אני|אנחנו|זה|היו|היה|הייתה|טרם|לנו|לי|אפשר|צריך)$/.test(
      token.text,
    )
  )
    return true
  if (isHebrew(token.text))
    return token.forms.some((form) => form.length >= 3 && (content.has(form) || units.has(form)))
  return (
    token.forms.some((form) => !/ers?$/.test(form) && stems.has(formsOf(form)[0] ?? form)) || // a printer is nothing to print
    weekdays.has(token.text) ||
    monthNamed(token) !== undefined
  )
}

import type { Role } from '../../../core/define/access.ts'
import { Id, Instant, nullable, type Static, Type } from '../../../core/define/schema.ts'
import type { Language } from '../../../core/values/language.ts'
import { roleWords } from '../people/role-words.ts'

export const Notification = Type.Object({
  id: Id,
  organizationId: nullable(Id),
  kind: Type.String({ description: 'What happened, for programs.', examples: ['MEMBER_JOINED'] }),
  text: Type.String({ description: 'What happened, in the language of the person.' }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: 'The facts that the text tells.' }),
  readAt: nullable(Instant),
  createdAt: Instant,
})
export type Notification = Static<typeof Notification>

/** Data of every notification: the name of the actor (null for the product itself) and of the organization. */
export type CommonData = { by: string | null; organization: string | null }

type Texts<F> = Record<Language, (facts: F & CommonData) => string>
const kind = <F extends object>(words: Texts<F>) => words

/** All kinds of notifications with their texts. A feature adds its kinds here. */
const kinds = {
  MEMBER_JOINED: kind<{ name: string; role: Role }>({
    en: ({ name, role, organization }) => `${name} joined ${organization} as ${roleWords.en[role]}.`,
    he: ({ name, role, organization }) => `${name} בצוות של ${organization} מעכשיו, בתפקיד ${roleWords.he[role]}.`,
  }),
  MEMBER_LEFT: kind<{ name: string }>({
    en: ({ name, organization }) => `${name} no longer belongs to ${organization}.`,
    he: ({ name, organization }) => `${name} כבר לא בצוות של ${organization}.`,
  }),
  ROLE_CHANGED: kind<{ from: Role; to: Role }>({
    en: ({ from, to, by, organization }) =>
      `${by} made you ${roleWords.en[to]} of ${organization}; you were ${roleWords.en[from]}.`,
    he: ({ from, to, by, organization }) =>
      `התפקיד שלך ב־${organization} הוא מעכשיו ${roleWords.he[to]} במקום ${roleWords.he[from]}, לפי ${by}.`,
  }),
  BANK_ACCOUNT_CHANGED: kind<{ bankAccountId: string; accountName: string; change: 'ADDED' | 'CHANGED' | 'DELETED' }>({
    en: ({ accountName, change, by, organization }) =>
      `${by} ${change.toLowerCase()} the bank account ${accountName} of ${organization}. Make sure that this is right.`,
    he: ({ accountName, change, by, organization }) =>
      `חשבון הבנק ${accountName} של ${organization} ${changeWords[change]} על ידי ${by}. כדאי לוודא שזה נכון.`,
  }),
  CONTROL_WEAKENED: kind<{ control: Control; from: string | null; to: string | null }>({
    en: ({ control, from, to, by, organization }) =>
      `${by ?? 'Somebody'} ${controlWords.en[control](from, to)} of ${organization}. Make sure that this is right.`,
    he: ({ control, from, to, by, organization }) =>
      `${controlWords.he[control](from, to)} של ${organization} על ידי ${by ?? 'מישהו'}. כדאי לוודא שזה נכון.`,
  }),
  DOCUMENT_COMMENTED: kind<{ documentId: string; number: string; name: string }>({
    en: ({ number, name, organization }) => `${name} wrote about ${number} of ${organization}, on its public page.`,
    he: ({ number, name, organization }) =>
      `התקבלה הערה מאת ${name} על מסמך ${number} של ${organization}, בעמוד הציבורי שלו.`,
  }),
  DOCUMENT_DISPUTED: kind<{ documentId: string; number: string; name: string }>({
    en: ({ number, name, organization }) => `${name} disputes ${number} of ${organization}. Answer on the document.`,
    he: ({ number, name, organization }) =>
      `התקבלה השגה מאת ${name} על מסמך ${number} של ${organization}. יש להשיב במסמך.`,
  }),
  SCANS_COMPLETED: kind<{ batchId: string; total: number; failed: number }>({
    en: ({ total, failed, organization }) =>
      `All ${total} files of your batch of ${organization} were scanned${failed > 0 ? `; ${failed} failed` : ''}.`,
    he: ({ total, failed, organization }) =>
      `הסריקה של ${total} קבצים של ${organization} הסתיימה${failed > 0 ? `; ${failed} נכשלו` : ''}.`,
  }),
  MAILBOX_NEEDS_ATTENTION: kind<{ connectionId: string; name: string; reason: string }>({
    en: ({ name, reason, organization }) =>
      `The mailbox ${name} of ${organization} is no longer polled automatically. ${reason}`,
    he: ({ name, reason, organization }) =>
      `תיבת הדואר ${name} של ${organization} אינה נקראת עוד באופן אוטומטי. ${reason}`,
  }),
  TAX_AUTHORITY_FAILED: kind<{ integrationId: string; name: string; reason: string }>({
    en: ({ name, reason, organization }) =>
      `${name} no longer accepts the credentials of ${organization}, so no numbers are allocated. ${reason}`,
    he: ({ name, reason, organization }) =>
      `השירות ${name} כבר לא מקבל את פרטי הגישה של ${organization}, ולכן לא מוקצים מספרים. ${reason}`,
  }),
  /** At most once a day for each automation: `one_failure_notice_a_day`. */
  AUTOMATION_FAILED: kind<{ automationId: string; name: string; runId: string; reason: string }>({
    en: ({ name, reason, organization }) =>
      `A run of the automation ${name} of ${organization} failed. ${reason} Further failures of today are listed with its runs.`,
    he: ({ name, reason, organization }) =>
      `הרצה של האוטומציה ${name} של ${organization} נכשלה. ${reason} כשלים נוספים מהיום מופיעים ברשימת ההרצות שלה.`,
  }),
  BACKUP_FAILED: kind<{ reason: string; lastGoodAt: string | null }>({
    en: ({ reason, lastGoodAt }) =>
      `The daily backup of this Kontor failed. ${reason} ${lastGoodAt ? `The last good backup is of ${dayIn(lastGoodAt)}.` : 'There is no good backup yet.'}`,
    he: ({ reason, lastGoodAt }) =>
      `הגיבוי היומי של Kontor נכשל. ${reason} ${lastGoodAt ? `הגיבוי התקין האחרון הוא מ־${dayIn(lastGoodAt)}.` : 'עדיין אין גיבוי תקין.'}`,
  }),
  AUTOMATION_PAUSED: kind<{
    automationId: string
    name: string
    runId: string
    reason: string
    /** Missing if the owner has left, and in notifications of earlier versions. */
    ownerName?: string
    ownerRole?: string
  }>({
    en: ({ name, reason, organization, ownerName, ownerRole }) =>
      `The automation ${name} of ${organization} was paused. ${reason}${ownerRole ? ` The owner ${ownerName} is ${ownerRole}.` : ''}`,
    he: ({ name, reason, organization, ownerName, ownerRole }) =>
      `האוטומציה ${name} של ${organization} הושהתה: חסרות הרשאות. ${reason}${ownerRole ? ` התפקיד של ${ownerName}, בעל האוטומציה, הוא ${ownerRole}.` : ''}`,
  }),
  AUTOMATIONS_PAUSED: kind<{
    credential: 'API_KEY' | 'APP'
    credentialName: string | null
    automations: { id: string; name: string }[]
  }>({
    en: ({ credential, credentialName, automations, organization }) =>
      `${credentialWords.en[credential]} ${credentialName ?? ''} has ended, so these automations of ${organization} that it saved were paused: ${namesOf(automations)}. Their owners can enable them again.`,
    he: ({ credential, credentialName, automations, organization }) =>
      `${credentialWords.he[credential]} ${credentialName ?? ''} כבר לא בתוקף, ולכן האוטומציות של ${organization} שנשמרו באמצעותו הושהו: ${namesOf(automations)}. בעליהן יכולים להפעיל אותן שוב.`,
  }),
}
/** A rule that binds managers, and that owners alone may weaken. */
export type Control = 'APPROVAL' | 'APPROVAL_LIMIT' | 'PERIOD_LOCK' | 'NUMBERING' | 'CURRENCY'
type ControlWords = Record<Control, (from: string | null, to: string | null) => string>
const controlWords: Record<Language, ControlWords> = {
  en: {
    APPROVAL: () => 'switched off the rule that somebody else approves expenses',
    APPROVAL_LIMIT: (_, to) => `raised the amount up to which people approve their own expenses to ${to}`,
    PERIOD_LOCK: (from, to) =>
      `opened the books that were locked until ${from}${to ? ` again: they are locked until ${to}` : ''}`,
    NUMBERING: (from, to) => `changed the numbering of issued documents from ${from} to ${to}`,
    CURRENCY: (from, to) => `changed the main currency from ${from} to ${to}`,
  },
  he: {
    APPROVAL: () => 'בוטל הכלל שמישהו אחר מאשר הוצאות',
    APPROVAL_LIMIT: (_, to) => `הסכום שעד אליו אנשים מאשרים הוצאות של עצמם הועלה ל־${to}`,
    PERIOD_LOCK: (from, to) => `נפתחו הספרים שהיו נעולים עד ${from}${to ? `, וכעת הם נעולים עד ${to}` : ''}`,
    NUMBERING: (from, to) => `מספור המסמכים שהופקו שונה מ־${from} ל־${to}`,
    CURRENCY: (from, to) => `המטבע הראשי שונה מ־${from} ל־${to}`,
  },
}
const credentialWords = { en: { API_KEY: 'The API key', APP: 'The app' }, he: { API_KEY: 'מפתח ה־API', APP: 'היישום' } }
const dayIn = (instant: string) => instant.slice(0, 10)
const namesOf = (automations: { name: string }[]) => automations.map(({ name }) => name).join(', ')
const changeWords = { ADDED: 'נוסף', CHANGED: 'שונה', DELETED: 'נמחק' }

type Kinds = typeof kinds
export type Kind = keyof Kinds
export type NotificationFacts<K extends Kind> = Kinds[K] extends Texts<infer F> ? F : never

/** The text of a notification; for a kind that no longer exists, its name. */
export function textOf(language: Language, { kind: name, data }: { kind: string; data: unknown }): string {
  const words = Object.hasOwn(kinds, name) ? (kinds[name as Kind] as Texts<object>) : undefined
  return words ? words[language](data as CommonData) : name
}

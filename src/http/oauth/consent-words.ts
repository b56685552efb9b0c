import type { Access, Feature, Scope } from '../../core/define/access.ts'
import type { Language } from '../../core/values/language.ts'

type Words = {
  title: string
  asks: string
  isFrom: string
  sentTo: string
  checkHost: string
  signedInAs: string
  otherLanguage: string
  may: string
  access: Record<Access, string>
  both: string
  features: Record<Feature, string>
  whichOrganizations: string
  noOrganizations: string
  longLived: string
  shortLived: string
  limits: string
  /** What the right to change automations means. */
  savesAutomations: string
  approve: string
  deny: string
  failed: string
  /** Messages for refusals of the person's decision. */
  problems: Record<'organizationIds' | 'SIGN_IN_AGAIN' | 'UNAUTHENTICATED' | 'NOT_FOUND' | 'CONFLICT', string>
  needsScript: string
  expired: string
  refused: string
}

const en: Words = {
  title: 'Connect an app',
  asks: 'wants to work with your books',
  isFrom: 'It is from',
  sentTo: 'You will be sent to',
  checkHost: 'Apps choose their names themselves: connect only if you know this address.',
  signedInAs: 'Signed in as',
  otherLanguage: 'עברית',
  may: 'It would be able to',
  access: { read: 'see', write: 'change' },
  both: 'see and change',
  features: {
    invoices: 'invoices and other documents',
    expenses: 'expenses',
    customers: 'customers',
    suppliers: 'suppliers',
    orders: 'orders',
    logistics: 'items and stock',
    reports: 'reports',
    bank_accounts: 'bank accounts',
    organizations: 'organizations',
    users: 'people and their roles',
    automations: 'automations',
    integrations: 'integrations',
    settings: 'settings',
    payroll: 'payroll',
    companion: 'the companion',
  },
  whichOrganizations: 'In which organizations?',
  noOrganizations: 'You do not belong to an organization yet. Create one first, then connect the app again.',
  longLived: 'It stays connected until you disconnect it, or until it has not been used for 30 days.',
  shortLived: 'The connection ends after 15 minutes.',
  limits: 'It can never do more than you can yourself.',
  savesAutomations:
    'Automations that it saves run on their own later, without asking you, with the permissions granted here, until you disconnect the app.',
  approve: 'Connect',
  deny: 'Do not connect',
  failed: 'The server cannot be reached. Try again.',
  problems: {
    organizationIds: 'Choose at least one organization.',
    SIGN_IN_AGAIN: 'You signed in more than 12 hours ago. Reload this page and sign in again.',
    UNAUTHENTICATED: 'You are signed out. Reload this page and sign in again.',
    NOT_FOUND: 'This request has expired. Start again from the app.',
    CONFLICT: 'This request was already answered. Start again from the app.',
  },
  needsScript: 'This page needs JavaScript.',
  expired: 'This request has expired or was started in another browser. Start again from the app.',
  refused: 'The app’s request is not valid. Report this error to its developers:',
}

const he: Words = {
  title: 'חיבור יישום',
  asks: 'מבקש לעבוד עם הספרים שלכם',
  isFrom: 'הוא מגיע מ־',
  sentTo: 'תועברו אל',
  checkHost: 'יישומים בוחרים את שמם בעצמם: המשיכו רק אם הכתובת מוכרת לכם.',
  signedInAs: 'מחוברים בתור',
  otherLanguage: 'English',
  may: 'הוא יוכל',
  access: { read: 'לראות', write: 'לשנות' },
  both: 'לראות ולשנות',
  features: {
    invoices: 'חשבוניות ומסמכים אחרים',
    expenses: 'הוצאות',
    customers: 'לקוחות',
    suppliers: 'ספקים',
    orders: 'הזמנות',
    logistics: 'פריטים ומלאי',
    reports: 'דוחות',
    bank_accounts: 'חשבונות בנק',
    organizations: 'ארגונים',
    users: 'אנשים ותפקידיהם',
    automations: 'אוטומציות',
    integrations: 'חיבורים חיצוניים',
    settings: 'הגדרות',
    payroll: 'שכר',
    companion: 'העוזר האישי',
  },
  whichOrganizations: 'באילו ארגונים?',
  noOrganizations: 'עדיין אין לכם ארגון. הקימו אחד תחילה, ואז חברו את היישום שוב.',
  longLived: 'החיבור נשמר עד שתנתקו אותו, או עד שלא ייעשה בו שימוש 30 יום.',
  shortLived: 'החיבור תקף ל־15 דקות.',
  limits: 'הוא לעולם לא יוכל לעשות יותר ממה שאתם יכולים בעצמכם.',
  savesAutomations:
    'אוטומציות שהוא ישמור ירוצו מעצמן בהמשך, בלי לשאול אתכם, עם ההרשאות שניתנות כאן, עד שתנתקו את היישום.',
  approve: 'חיבור',
  deny: 'לא לחבר',
  failed: 'אין קשר עם השרת. נסו שוב.',
  problems: {
    organizationIds: 'בחרו ארגון אחד לפחות.',
    SIGN_IN_AGAIN: 'עבר זמן מאז שנכנסתם. טענו את הדף מחדש והיכנסו שוב.',
    UNAUTHENTICATED: 'יצאתם מהחשבון. טענו את הדף מחדש והיכנסו שוב.',
    NOT_FOUND: 'תוקף הבקשה פג. התחילו שוב מתוך היישום.',
    CONFLICT: 'הבקשה כבר נענתה. התחילו שוב מתוך היישום.',
  },
  needsScript: 'דף זה דורש JavaScript.',
  expired: 'תוקף הבקשה פג, או שהיא התחילה בדפדפן אחר. התחילו שוב מתוך היישום.',
  refused: 'אי אפשר לבצע את בקשת היישום. מסרו ליוצריו:',
}

export const consentWords: Record<Language, Words> = { en, he }

/** Describes scopes for people, one entry per feature: "customers", "see and change". */
export function describeScopes(scopes: readonly Scope[], lang: Language): { what: string; how: string }[] {
  const { features, access, both } = consentWords[lang]
  const named = Object.keys(features) as Feature[]
  return named.flatMap((feature) => {
    const kinds = (['read', 'write'] as const).filter((kind) => scopes.includes(`${feature}:${kind}`))
    const [only] = kinds
    return only ? [{ what: features[feature], how: kinds.length > 1 ? both : access[only] }] : []
  })
}

/** Describes one scope as a sentence, for OpenAPI: `See customers.` */
export function describeScope(scope: Scope): string {
  const [only] = describeScopes([scope], 'en')
  return `${only?.how.replace(/^\w/, (letter) => letter.toUpperCase())} ${only?.what}.`
}

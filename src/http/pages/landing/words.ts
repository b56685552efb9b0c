import type { Language } from '../../../core/values/language.ts'

const en = {
  title: 'Kontor: the books of a small company',
  description: 'Financial operations for small companies, their bookkeepers and their AI agents.',
  otherLanguage: 'עברית',
  headline: 'The books of a small company, kept by people and their agents.',
  lead: 'Kontor is for companies in Israel, Singapore and the United States. Your books stay on your own machine or server. Whatever a person can do here, a program or an AI agent can do too, within the same permissions.',
  signIn: 'Sign in',
  signUp: 'Make an account',
  signOut: 'Sign out',
  newHere: 'New here? Make an account',
  otherWays: 'With a passkey, or a forgotten password',
  account: 'Your account',
  accountShort: 'Account',
  email: 'E-mail',
  password: 'Password',
  passwordHint: 'At least 8 characters.',
  name: 'Your name',
  signedInAs: 'Signed in as',
  yourOrganizations: 'Your organizations',
  noOrganizations: 'You belong to no organization yet. Found one with POST /api/organizations.',
  failed: 'The server cannot be reached. Try again.',
  needsScript: 'Signing in on this page needs JavaScript. The API and its reference work without.',
  demo: 'This is a local copy. The demo login is printed by',
  addresses: 'Addresses',
  api: 'The API',
  apiAbout: 'JSON over HTTP, every path below it',
  docs: 'The reference',
  docsAbout: 'every operation, with examples',
  openapi: 'OpenAPI 3.1',
  openapiAbout: 'for clients and generators',
  tools: 'Tools',
  toolsAbout: 'the same operations for AI agents',
  mcp: 'MCP',
  mcpAbout: 'where agents connect',
  quickStart: 'Quick start',
  quickStartLead: 'From a terminal: sign in, make a key, found an organization, add a customer.',
  steps: ['Sign in', 'Make an API key', 'Found an organization', 'Add a customer'],
  license: 'Open source under the Apache License 2.0.',
}

const he: typeof en = {
  title: 'Kontor: הנהלת החשבונות של עסק קטן',
  description: 'ניהול פיננסי לעסקים קטנים, למנהלי החשבונות שלהם ולסוכני ה־AI שלהם.',
  otherLanguage: 'English',
  headline: 'הספרים של עסק קטן, בידי אנשים והסוכנים שלהם.',
  lead: 'Kontor נועדה לחברות בישראל, בסינגפור ובארצות הברית. הספרים נשארים במחשב או בשרת שלכם. כל מה שאדם יכול לעשות כאן, יכולים גם תוכנה או סוכן AI, באותן הרשאות בדיוק.',
  signIn: 'כניסה',
  signUp: 'פתיחת חשבון',
  signOut: 'יציאה',
  newHere: 'חדשים כאן? פתיחת חשבון',
  otherWays: 'עם מפתח גישה, או כששכחתם את הסיסמה',
  account: 'החשבון שלכם',
  accountShort: 'חשבון',
  email: 'דוא״ל',
  password: 'סיסמה',
  passwordHint: 'לפחות 8 תווים.',
  name: 'שם מלא',
  signedInAs: 'מחוברים בתור',
  yourOrganizations: 'הארגונים שלכם',
  noOrganizations: 'עדיין אין לכם ארגון. אפשר להקים אחד באמצעות POST /api/organizations.',
  failed: 'אין קשר עם השרת. נסו שוב.',
  needsScript: 'הכניסה בדף זה דורשת JavaScript. ה־API והתיעוד פועלים גם בלעדיו.',
  demo: 'זהו עותק מקומי. פרטי הכניסה להדגמה מודפסים על ידי',
  addresses: 'כתובות',
  api: 'ה־API',
  apiAbout: 'JSON מעל HTTP, כל הנתיבים תחתיו',
  docs: 'התיעוד',
  docsAbout: 'כל הפעולות, עם דוגמאות',
  openapi: 'OpenAPI 3.1',
  openapiAbout: 'ללקוחות ולמחוללי קוד',
  tools: 'כלים',
  toolsAbout: 'אותן הפעולות, לסוכני AI',
  mcp: 'MCP',
  mcpAbout: 'לכאן מתחברים סוכנים',
  quickStart: 'התחלה מהירה',
  quickStartLead: 'מתוך המסוף: נכנסים, יוצרים מפתח, מקימים ארגון, מוסיפים לקוח.',
  steps: ['כניסה', 'יצירת מפתח API', 'הקמת ארגון', 'הוספת לקוח'],
  license: 'קוד פתוח ברישיון Apache 2.0.',
}

export const words: Record<Language, typeof en> = { en, he }

/** The language asked for by name, else the one the browser likes best of those we speak. */
export function languageOf(asked: unknown, accepted = ''): Language {
  if (asked === 'en' || asked === 'he') return asked
  const preferred = accepted
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
      const quality = Number(
        parameters
          .find((parameter) => parameter.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      )
      return { language: tag.split('-')[0], quality: Number.isNaN(quality) ? 0 : quality }
    })
    .filter(({ language, quality }) => (language === 'en' || language === 'he' || language === 'iw') && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)[0]
  return preferred && preferred.language !== 'en' ? 'he' : 'en'
}

import type { Language } from '../../../../core/values/language.ts'
import { mailName } from '../../../../core/values/mail-name.ts'
import type { Content } from '../delivery.ts'
import { renderEmail, somebody } from './layout.ts'

/** The answer to a sign-up with an address that has an account: only its owner reads it. */
export function accountExists(language: Language, { name, url }: { name: string; url: string }): Content {
  const hello = mailName(name, somebody[language])
  const words = {
    en: {
      subject: 'You have an account already',
      paragraphs: [
        `Hello ${hello},`,
        'Somebody, probably you, wanted to make an account with this e-mail address. It has one already: sign in with its password.',
        `If you have forgotten the password, choose a new one: ${url}/reset`,
      ],
      action: { label: 'Sign in', url: `${url}/sign-in` },
      footnote: 'If it was not you, ignore this message; nothing has changed.',
    },
    he: {
      subject: 'כבר יש לך חשבון',
      paragraphs: [
        `שלום ${hello},`,
        'מישהו, כנראה את או אתה, ביקש לפתוח חשבון עם כתובת הדואר הזאת. כבר יש לה חשבון: אפשר להיכנס עם הסיסמה שלו.',
        `אם הסיסמה נשכחה, אפשר לבחור חדשה: ${url}/reset`,
      ],
      action: { label: 'כניסה', url: `${url}/sign-in` },
      footnote: 'אם לא היה זה מצידך, אפשר להתעלם מההודעה; דבר לא השתנה.',
    },
  }[language]
  return renderEmail({ language, sender: 'Kontor', ...words })
}

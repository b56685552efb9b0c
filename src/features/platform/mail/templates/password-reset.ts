import type { Language } from '../../../../core/values/language.ts'
import { mailName } from '../../../../core/values/mail-name.ts'
import type { Content } from '../delivery.ts'
import { renderEmail, somebody } from './layout.ts'

type PasswordReset = { name: string; url: string; validMinutes: number; senderName?: string }

/** The message with a link to choose a new password. */
export function passwordReset(language: Language, { url, validMinutes, ...data }: PasswordReset): Content {
  const name = mailName(data.name, somebody[language])
  const words = {
    en: {
      subject: 'Choose a new password',
      paragraphs: [
        `Hello ${name},`,
        `Somebody asked for a new password for your account. If that was you, choose one within ${validMinutes} minutes.`,
      ],
      action: { label: 'Choose a new password', url },
      footnote: 'If it was not you, ignore this message: your password stays as it is. Do not pass the link on.',
    },
    he: {
      subject: 'בחירת סיסמה חדשה',
      paragraphs: [
        `שלום ${name},`,
        `התקבלה בקשה לסיסמה חדשה לחשבון שלך. אם הבקשה שלך, אפשר לבחור סיסמה בתוך ${validMinutes} דקות.`,
      ],
      action: { label: 'בחירת סיסמה חדשה', url },
      footnote: 'אם הבקשה אינה שלך, אפשר להתעלם מההודעה: הסיסמה לא תשתנה. אין להעביר את הקישור לאחרים.',
    },
  }[language]
  return renderEmail({ language, sender: mailName(data.senderName ?? 'Kontor', 'Kontor'), ...words })
}

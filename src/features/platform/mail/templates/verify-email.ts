import type { Language } from '../../../../core/values/language.ts'
import { mailName } from '../../../../core/values/mail-name.ts'
import type { Content } from '../delivery.ts'
import { renderEmail, somebody } from './layout.ts'

type VerifyEmail = { name: string; url: string; validHours: number; senderName?: string }

/** The message with a link to confirm an e-mail address. */
export function verifyEmail(language: Language, { url, validHours, ...data }: VerifyEmail): Content {
  const name = mailName(data.name, somebody[language])
  const words = {
    en: {
      subject: 'Confirm your e-mail address',
      paragraphs: [`Hello ${name},`, `Please confirm within ${validHours} hours that this e-mail address is yours.`],
      action: { label: 'Confirm the address', url },
      footnote: 'If you have no account here, somebody mistyped an address; ignore this message.',
    },
    he: {
      subject: 'אישור כתובת הדואר שלך',
      paragraphs: [`שלום ${name},`, `נבקש לאשר בתוך ${validHours} שעות שכתובת הדואר הזאת שלך.`],
      action: { label: 'אישור הכתובת', url },
      footnote: 'אם אין לך חשבון כאן, כנראה שמישהו טעה בהקלדת כתובת; אפשר להתעלם מההודעה.',
    },
  }[language]
  return renderEmail({ language, sender: mailName(data.senderName ?? 'Kontor', 'Kontor'), ...words })
}

import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import { mailName, withoutLinks } from '../../../../core/values/mail-name.ts'
import type { Content } from '../delivery.ts'
import { renderEmail, somebody } from './layout.ts'

type NotificationDigest = {
  name: string
  /** A sentence each, the newest first. */
  items: readonly string[]
  /** The number of further notifications. */
  more: number
  url: string
  senderName?: string
}

/** The digest of unread notifications. */
export function notificationDigest(language: Language, { items, more, url, ...data }: NotificationDigest): Content {
  const name = mailName(data.name, somebody[language])
  const count = items.length + more
  const lines = items.map((item) => `• ${toLine(withoutLinks(item))}`)
  const words = {
    en: {
      subject: count === 1 ? 'There is one thing to know' : `There are ${count} things to know`,
      paragraphs: [`Hello ${name},`, 'This has happened:', ...lines, ...(more > 0 ? [`And ${more} more.`] : [])],
      action: { label: 'See it all', url },
      footnote: 'Sent because you asked for a summary. You can turn it off in your settings.',
    },
    he: {
      subject: count === 1 ? 'יש עדכון אחד בשבילך' : `יש ${count} עדכונים בשבילך`,
      paragraphs: [`שלום ${name},`, 'זה מה שקרה:', ...lines, ...(more > 0 ? [`ועוד ${more}.`] : [])],
      action: { label: 'לכל העדכונים', url },
      footnote: 'נשלח כי ביקשת סיכום. אפשר לבטל זאת בהגדרות.',
    },
  }[language]
  return renderEmail({ language, sender: mailName(data.senderName ?? 'Kontor', 'Kontor'), ...words })
}

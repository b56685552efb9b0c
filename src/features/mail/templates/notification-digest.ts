import { toLine } from '../../../core/line.ts'
import type { Content } from '../delivery.ts'
import { type Language, letter } from './letter.ts'

type NotificationDigest = { name: string; texts: string[]; url: string }

const shownMax = 50

/** Tells somebody what they have not read yet. */
export function notificationDigest(language: Language, { url, texts, ...data }: NotificationDigest): Content {
  const name = toLine(data.name)
  const shown = texts.slice(0, shownMax).map((text) => toLine(text, 500))
  const more = texts.length - shown.length
  const words = {
    en: {
      subject: texts.length === 1 ? 'One thing you have not read yet' : `${texts.length} things you have not read yet`,
      paragraphs: [`Hello ${name},`, ...shown, ...(more > 0 ? [`And ${more} more.`] : [])],
      action: { label: 'Open Kontor', url },
      footnote: 'Sent because you asked for digests; your account says how often, or never.',
    },
    he: {
      subject: texts.length === 1 ? 'עדכון אחד שלא נקרא' : `${texts.length} עדכונים שלא נקראו`,
      paragraphs: [`שלום ${name},`, ...shown, ...(more > 0 ? [`ועוד ${more}.`] : [])],
      action: { label: 'פתיחת Kontor', url },
      footnote: 'ההודעה נשלחה כי ביקשת תקצירים; בחשבון שלך אפשר לקבוע באיזו תדירות, או לבטל.',
    },
  }[language]
  return letter({ language, sender: 'Kontor', ...words })
}

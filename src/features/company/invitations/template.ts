import type { Role } from '../../../core/define/access.ts'
import type { Language } from '../../../core/values/language.ts'
import { mailName } from '../../../core/values/mail-name.ts'
import type { Content } from '../../platform/mail/delivery.ts'
import { renderEmail } from '../../platform/mail/templates/layout.ts'
import { roleWords } from '../people/role-words.ts'

type Invitation = { organizationName: string; inviterName: string; role: Role; url: string; validDays: number }

/** The invitation to join an organization. */
export function invitation(language: Language, { url, role, validDays, ...data }: Invitation): Content {
  const organization = mailName(data.organizationName, { en: 'an organization', he: 'ארגון' }[language])
  const inviter = mailName(data.inviterName, { en: 'A member', he: 'חבר צוות' }[language])
  const words = {
    en: {
      subject: `${inviter} invites you to ${organization}`,
      paragraphs: [
        'Hello,',
        `${inviter} invites you to work with ${organization} in Kontor, as ${roleWords.en[role]}.`,
        `The invitation is good for ${validDays === 1 ? 'one day' : `${validDays} days`}.`,
      ],
      action: { label: 'Accept the invitation', url },
      footnote: 'If you do not know the sender, ignore this message; nothing happens then.',
    },
    he: {
      subject: `הזמנה מאת ${inviter} להצטרף אל ${organization}`,
      paragraphs: [
        'שלום,',
        `קיבלת הזמנה מאת ${inviter} לעבוד עם ${organization} ב־Kontor, בתפקיד ${roleWords.he[role]}.`,
        `ההזמנה בתוקף למשך ${validDays === 1 ? 'יום אחד' : validDays === 2 ? 'יומיים' : `${validDays} ימים`}.`,
      ],
      action: { label: 'אישור ההזמנה', url },
      footnote: 'אם השולח אינו מוכר לך, אפשר להתעלם מההודעה ולא יקרה דבר.',
    },
  }[language]
  return renderEmail({ language, sender: organization, ...words })
}

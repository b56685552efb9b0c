import type { Language } from '../../../../core/values/language.ts'
import { mailName } from '../../../../core/values/mail-name.ts'
import type { Content } from '../delivery.ts'
import { renderEmail, somebody } from './layout.ts'

type AccessEnded = {
  name: string
  url: string
  sessions: number
  apiKeys: number
  connectedApps: number
  passkeys: number
  secondFactor: boolean
  password: boolean
  invitations: number
  automations: number
  organizations: number
}

/** Tells the owner of an address what was ended because nobody had confirmed the address before. */
export function accessEnded(language: Language, { name, url, ...ended }: AccessEnded): Content {
  const list = items[language](ended)
    .filter(([isEnded]) => isEnded)
    .map(([, text]) => `• ${text}`)
  const hello = mailName(name, somebody[language])
  const words = {
    en: {
      subject: 'Earlier access to your account was ended',
      paragraphs: [
        `Hello ${hello},`,
        'You have proven that this e-mail address is yours. Nobody had confirmed it before, so somebody else may have made the account with it. Everything that gave access to it until now was ended:',
        ...list,
        ...(ended.organizations > 0
          ? ['The account still belongs to organizations. Check them and their members.']
          : []),
      ],
      action: ended.password
        ? { label: 'Choose a password', url: `${url}/reset` }
        : { label: 'Your account', url: `${url}/account` },
      footnote: 'If you made the account yourself, you can set up again what you need.',
    },
    he: {
      subject: 'הגישה הקודמת לחשבון שלך הופסקה',
      paragraphs: [
        `שלום ${hello},`,
        'אישרת שכתובת הדואר הזאת שלך. איש לא אישר אותה קודם, ולכן ייתכן שמישהו אחר פתח את החשבון. כל מה שאפשר גישה לחשבון עד עכשיו הופסק:',
        ...list,
        ...(ended.organizations > 0 ? ['החשבון עדיין שייך לארגונים. כדאי לבדוק אותם ואת חבריהם.'] : []),
      ],
      action: ended.password
        ? { label: 'בחירת סיסמה', url: `${url}/reset` }
        : { label: 'החשבון שלך', url: `${url}/account` },
      footnote: 'אם פתחת את החשבון בעצמך, אפשר להגדיר מחדש את מה שנחוץ.',
    },
  }[language]
  return renderEmail({ language, sender: 'Kontor', ...words })
}

type Items = (ended: Omit<AccessEnded, 'name' | 'url'>) => [isEnded: boolean, text: string][]

const items: Record<Language, Items> = {
  en: (ended) => [
    [ended.sessions > 0, `Sessions: ${ended.sessions}`],
    [ended.password, 'The password'],
    [ended.apiKeys > 0, `API keys: ${ended.apiKeys}`],
    [ended.connectedApps > 0, `Connected apps: ${ended.connectedApps}`],
    [ended.passkeys > 0, `Passkeys: ${ended.passkeys}`],
    [ended.secondFactor, 'The authenticator app and its recovery codes'],
    [ended.invitations > 0, `Invitations, which were withdrawn: ${ended.invitations}`],
    [ended.automations > 0, `Automations, which were paused: ${ended.automations}`],
  ],
  he: (ended) => [
    [ended.sessions > 0, `כניסות פעילות: ${ended.sessions}`],
    [ended.password, 'הסיסמה'],
    [ended.apiKeys > 0, `מפתחות API: ${ended.apiKeys}`],
    [ended.connectedApps > 0, `יישומים מקושרים: ${ended.connectedApps}`],
    [ended.passkeys > 0, `מפתחות גישה: ${ended.passkeys}`],
    [ended.secondFactor, 'יישום האימות וקודי השחזור שלו'],
    [ended.invitations > 0, `הזמנות, שבוטלו: ${ended.invitations}`],
    [ended.automations > 0, `אוטומציות, שהושהו: ${ended.automations}`],
  ],
}

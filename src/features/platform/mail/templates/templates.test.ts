import { expect, test } from 'vitest'
import { html, Markup } from '../../../../core/values/html.ts'
import type { Language } from '../../../../core/values/language.ts'
import { invitation } from '../../../company/invitations/template.ts'
import type { Content } from '../delivery.ts'
import { accountExists } from './account-exists.ts'
import { emailChanged } from './email-changed.ts'
import { notificationDigest } from './notification-digest.ts'
import { passwordReset } from './password-reset.ts'
import { verifyEmail } from './verify-email.ts'

const url = 'https://books.example.com/invitations/accept?token=abc&x=1'

const golden: [string, (language: Language) => Content, Record<Language, { subject: string; text: string }>][] = [
  [
    'invitation',
    (language) =>
      invitation(language, { organizationName: 'Acme', inviterName: 'Dana', role: 'MANAGER', url, validDays: 7 }),
    {
      en: {
        subject: 'Dana invites you to Acme',
        text: `Hello,

Dana invites you to work with Acme in Kontor, as a manager.

The invitation is good for 7 days.

Accept the invitation:
${url}

--${' '}
Acme
If you do not know the sender, ignore this message; nothing happens then.
`,
      },
      he: {
        subject: 'הזמנה מאת Dana להצטרף אל Acme',
        text: `שלום,

קיבלת הזמנה מאת Dana לעבוד עם Acme ב־Kontor, בתפקיד מנהל.

ההזמנה בתוקף למשך 7 ימים.

אישור ההזמנה:
${url}

--${' '}
Acme
אם השולח אינו מוכר לך, אפשר להתעלם מההודעה ולא יקרה דבר.
`,
      },
    },
  ],
  [
    'password reset',
    (language) => passwordReset(language, { name: 'Dana', url, validMinutes: 30 }),
    {
      en: {
        subject: 'Choose a new password',
        text: `Hello Dana,

Somebody asked for a new password for your account. If that was you, choose one within 30 minutes.

Choose a new password:
${url}

--${' '}
Kontor
If it was not you, ignore this message: your password stays as it is. Do not pass the link on.
`,
      },
      he: {
        subject: 'בחירת סיסמה חדשה',
        text: `שלום Dana,

התקבלה בקשה לסיסמה חדשה לחשבון שלך. אם הבקשה שלך, אפשר לבחור סיסמה בתוך 30 דקות.

בחירת סיסמה חדשה:
${url}

--${' '}
Kontor
אם הבקשה אינה שלך, אפשר להתעלם מההודעה: הסיסמה לא תשתנה. אין להעביר את הקישור לאחרים.
`,
      },
    },
  ],
  [
    'confirmation of an address',
    (language) => verifyEmail(language, { name: 'Dana', url, validHours: 24, senderName: 'Acme' }),
    {
      en: {
        subject: 'Confirm your e-mail address',
        text: `Hello Dana,

Please confirm within 24 hours that this e-mail address is yours.

Confirm the address:
${url}

--${' '}
Acme
If you have no account here, somebody mistyped an address; ignore this message.
`,
      },
      he: {
        subject: 'אישור כתובת הדואר שלך',
        text: `שלום Dana,

נבקש לאשר בתוך 24 שעות שכתובת הדואר הזאת שלך.

אישור הכתובת:
${url}

--${' '}
Acme
אם אין לך חשבון כאן, כנראה שמישהו טעה בהקלדת כתובת; אפשר להתעלם מההודעה.
`,
      },
    },
  ],
  [
    'notice of a changed address',
    (language) => emailChanged(language, { name: 'Dana', email: 'dana@new.example' }),
    {
      en: {
        subject: 'Your e-mail address was changed',
        text: `Hello Dana,

Your account is now reached at dana@new.example. Messages no longer come to this address.

If it was not you who changed it, write to the people who run this server at once.

--${' '}
Kontor
Sent to the former address of the account. If you changed it yourself, there is nothing to do.
`,
      },
      he: {
        subject: 'כתובת הדואר שלך הוחלפה',
        text: `שלום Dana,

החשבון שלך מקושר מעתה לכתובת dana@new.example. הודעות לא יגיעו עוד לכתובת הזאת.

אם לא החלפת אותה, יש לפנות מיד למי שמפעיל את השרת הזה.

--${' '}
Kontor
נשלח לכתובת הקודמת של החשבון. אם החלפת אותה בעצמך, אין צורך לעשות דבר.
`,
      },
    },
  ],
  [
    'digest',
    (language) => notificationDigest(language, { name: 'Dana', items: ['A', 'B'], more: 3, url }),
    {
      en: {
        subject: 'There are 5 things to know',
        text: `Hello Dana,

This has happened:

• A

• B

And 3 more.

See it all:
${url}

--${' '}
Kontor
Sent because you asked for a summary. You can turn it off in your settings.
`,
      },
      he: {
        subject: 'יש 5 עדכונים בשבילך',
        text: `שלום Dana,

זה מה שקרה:

• A

• B

ועוד 3.

לכל העדכונים:
${url}

--${' '}
Kontor
נשלח כי ביקשת סיכום. אפשר לבטל זאת בהגדרות.
`,
      },
    },
  ],
]
const each = golden.flatMap(([name, write, expected]) =>
  (['en', 'he'] as const).map((language) => ({ name, language, content: write(language), ...expected[language] })),
)

test.each(each)('the $name reads well ($language)', ({ content, subject, text }) => {
  expect(content.subject).toBe(subject)
  expect(content.text).toBe(text)
})

test.each(each)('the $name says the same as HTML, in its direction ($language)', ({ language, content }) => {
  expect(content.html).toMatch(/^<!doctype html>\n/)
  const direction = `lang="${language}" dir="${language === 'he' ? 'rtl' : 'ltr'}"`
  expect(content.html).toContain(`<html ${direction}>`)
  expect(content.html).toContain(`<div ${direction} `)
  expect(content.html).not.toMatch(/<(table|img|script|style|link)\b/)
  const blocks = content.text.split('\n\n').slice(0, -1)
  for (const block of blocks) for (const line of block.split(':\n')) expect(shown(content.html)).toContain(line)
})

/** What a reader of the HTML sees. */
const shown = (markup: string) =>
  markup.replace(/<[^>]+>/g, '').replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') // biome-ignore format: a chain

const evil = '<script>alert(1)</script>"\'&\r\nBcc: eve@evil.test\u202e'
const written: [string, Content][] = (['en', 'he'] as const).flatMap((language): [string, Content][] => [
  [
    `invitation ${language}`,
    invitation(language, { organizationName: evil, inviterName: evil, role: 'OWNER', url, validDays: 1 }),
  ],
  [`reset ${language}`, passwordReset(language, { name: evil, url, validMinutes: 5, senderName: evil })],
  [`changed ${language}`, emailChanged(language, { name: evil, email: evil })],
  [`digest ${language}`, notificationDigest(language, { name: evil, items: [evil], more: 0, url, senderName: evil })],
  [`verify ${language}`, verifyEmail(language, { name: evil, url, validHours: 5, senderName: evil })],
  [`account exists ${language}`, accountExists(language, { name: evil, url })],
])

test.each(written)('THR-14, THR-18: what people typed is text in every form (%s)', (_, { subject, text, html }) => {
  expect(subject).not.toMatch(/[\r\n\u202e]/)
  expect(text).not.toMatch(/\r|\nBcc|\u202e/)
  expect(html).not.toMatch(/<script|\r|\nBcc|\u202e/)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp; Bcc: eve @ evil. test')
})

const linking = `Visit https://evil.example/win or evil.example, ask bob@evil.example ${'now '.repeat(40)}`
const mailFromKontor: [string, Content][] = (['en', 'he'] as const).flatMap((language): [string, Content][] => [
  [
    `invitation ${language}`,
    invitation(language, { organizationName: linking, inviterName: linking, role: 'OWNER', url, validDays: 1 }),
  ],
  [`reset ${language}`, passwordReset(language, { name: linking, url, validMinutes: 5 })],
  [`changed ${language}`, emailChanged(language, { name: linking, email: 'dana@example.com' })],
  [`digest ${language}`, notificationDigest(language, { name: linking, items: [linking.slice(0, 70)], more: 0, url })],
  [`verify ${language}`, verifyEmail(language, { name: linking, url, validHours: 5 })],
])

test.each(mailFromKontor)('THR-18: names in mail from Kontor are short and have no links (%s)', (_, content) => {
  for (const text of [content.subject, content.text, shown(content.html)]) {
    expect(text).not.toMatch(/evil\.example|bob@/)
    expect(text).not.toMatch(/(now ){20}/)
  }
  expect(content.text).toContain('Visit or evil. example, ask bob @ evil. example now now')
  expect([...content.html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(
    content.html.includes('href') ? [url.replace('&', '&amp;')] : [],
  )
})

test.each(['en', 'he'] as const)('a name of which nothing is left is replaced (%s)', (language) => {
  const link = 'https://evil.example'
  const given = { organizationName: link, inviterName: link, role: 'OWNER', url, validDays: 1 } as const
  expect(invitation(language, given).subject).toBe(
    { en: 'A member invites you to an organization', he: 'הזמנה מאת חבר צוות להצטרף אל ארגון' }[language],
  )
  expect(verifyEmail(language, { name: link, url, validHours: 5 }).text).toMatch(
    { en: /^Hello there,\n/, he: /^שלום לך,\n/ }[language],
  )
})

test('a link in an e-mail must be a web address, and it is escaped', () => {
  const to = (address: string) => verifyEmail('en', { name: 'Dana', url: address, validHours: 1 }).html
  expect(() => to('javascript:alert(1)')).toThrow('web pages only')
  expect(() => to('data:text/html,x')).toThrow('web pages only')
  expect(to('https://a.test/?a=1&b="><script>')).toContain('href="https://a.test/?a=1&amp;b=%22%3E%3Cscript%3E"')
})

test('a template escapes its values unless they are markup', () => {
  const items = ['a<b', 'c'].map((item) => html`<li>${item}</li>`)
  expect(html`<ul title="${'"'}">${items}${new Markup('<br>')}${3}</ul>`.text).toBe(
    '<ul title="&quot;"><li>a&lt;b</li><li>c</li><br>3</ul>',
  )
})

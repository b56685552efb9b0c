import { html, type Markup } from '../../../../core/values/html.ts'
import type { Language } from '../../../../core/values/language.ts'
import { toLine } from '../../../../core/values/line.ts'
import type { Content } from '../delivery.ts'

/** How a person is addressed of whose name nothing is left without links. */
export const somebody: Record<Language, string> = { en: 'there', he: 'לך' }

type Fact = { label: string; value: string }

/** The parts of an e-mail, in reading order. */
export type EmailParts = {
  language: Language
  subject: string
  /** The sender, shown at the top: the organization, or Kontor itself. */
  sender: string
  paragraphs: string[]
  /** Labelled values, such as amount and due date. */
  facts?: readonly Fact[]
  /** Paragraphs below the facts. */
  after?: readonly string[]
  /** The button. */
  action?: { label: string; url: string }
  /** Small print: why this message was sent, and what happens if it is ignored. */
  footnote: string
}

/** Renders an e-mail as text and as HTML. User input is reduced to one line, and escaped in HTML. */
export function renderEmail({
  language,
  subject,
  sender,
  paragraphs,
  facts = [],
  after = [],
  action,
  footnote,
}: EmailParts): Content {
  const url = action && webAddress(action.url)
  return {
    subject: toLine(subject, 300),
    text: toText([
      ...paragraphs,
      ...(facts.length > 0 ? [facts.map(({ label, value }) => `${label}: ${value}`).join('\n')] : []),
      ...after,
      ...(action && url ? [`${action.label}:\n${url}`] : []),
      `-- \n${sender}\n${footnote}`,
    ]),
    html: page({
      language,
      subject,
      sender,
      paragraphs,
      facts,
      after,
      footnote,
      action: action && url ? { ...action, url } : undefined,
    }),
  }
}

const toText = (blocks: string[]) => `${blocks.join('\n\n')}\n`

type Page = Omit<Required<EmailParts>, 'action'> & { action: EmailParts['action'] | undefined }

const directions: Record<Language, 'ltr' | 'rtl'> = { en: 'ltr', he: 'rtl' }

/**
 * No tables, images or style sheets: one column that looks the same in every mail program, in light and dark mode. Web mail
 * drops the attributes of html and body, so the direction is repeated inside.
 */
const page = ({ language, subject, sender, paragraphs, facts, after, action, footnote }: Page) =>
  html`<!doctype html>
<html lang="${language}" dir="${directions[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px">
<div lang="${language}" dir="${directions[language]}" style="max-width:34em;margin:0 auto;text-align:start;font:16px/1.6 -apple-system,'Segoe UI',Helvetica,Arial,sans-serif">
<p style="margin:0 0 24px;font-size:14px;letter-spacing:.02em;opacity:.7"><bdi>${sender}</bdi></p>
${toParagraphs(paragraphs)}${facts.map(fact)}${toParagraphs(after)}${action ? button(action) : ''}<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #8884;font-size:13px;opacity:.7">${footnote}</p>
</div>
</body>
</html>
`.text

const toParagraphs = (texts: readonly string[]): Markup[] =>
  texts.map(
    (text) => html`<p style="margin:0 0 16px${text.includes('\n') ? ';white-space:pre-line' : ''}">${text}</p>\n`,
  )

const fact = ({ label, value }: Fact): Markup =>
  html`<p style="margin:0 0 8px"><span style="font-size:13px;opacity:.7">${label}</span><br><strong><bdi>${value}</bdi></strong></p>\n`

const button = ({ label, url }: { label: string; url: string }): Markup =>
  html`<p style="margin:24px 0"><a href="${url}" style="display:inline-block;padding:10px 22px;border-radius:6px;background:#14532d;color:#fff;text-decoration:none">${label}</a></p>
<p style="margin:0 0 16px;font-size:13px;opacity:.7;word-break:break-all" dir="ltr">${url}</p>
`

/** Links must be web addresses. Anything else is a bug, because the addresses are made by our code. */
function webAddress(text: string): string {
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('An e-mail may link to web pages only.')
  return url.href
}

import { html } from '../../../../core/values/html.ts'
import { toLine } from '../../../../core/values/line.ts'
import type { Content } from '../delivery.ts'

/**
 * A message written by a user as plain text, as text and as HTML: a blank line begins a paragraph, line breaks are kept, and
 * markup is escaped. Each paragraph has the direction of its own language.
 */
export function message({ subject, body }: { subject: string; body: string }): Content {
  const text = body.replace(/\r\n?/g, '\n').replace(unprintable, '').trim()
  return {
    subject: toLine(subject, 300),
    text: `${text}\n`,
    html: page(
      subject,
      text.split(/\n{2,}/).map((paragraph) => paragraph.split('\n')),
    ),
  }
}

const unprintable = /[^\P{Cc}\t\n]/gu

const page = (subject: string, paragraphs: readonly (readonly string[])[]) =>
  html`<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px">
<div style="max-width:34em;margin:0 auto;text-align:start;font:16px/1.6 -apple-system,'Segoe UI',Helvetica,Arial,sans-serif">
${paragraphs.map((lines) => html`<p dir="auto" style="margin:0 0 16px">${lines.map((line, n) => (n === 0 ? line : html`<br>${line}`))}</p>\n`)}</div>
</body>
</html>
`.text

import { type Content, html } from '../../core/values/html.ts'
import type { Language } from '../../core/values/language.ts'

/** The paths of the style sheet, the icon and the scripts. Each name contains a hash of the content. */
export type Assets = {
  style: string
  icon: string
  reference: string
  landing: string
  consent: string
  forms: string
  document: string
}

type Page = {
  title: string
  description: string
  lang: Language
  assets: Assets
  script: string
  kind: string
  body: Content
}

/** The HTML document around the content of a page. */
export const page = ({ title, description, lang, assets, script, kind, body }: Page): string =>
  html`<!doctype html>
<html lang="${lang}" dir="${lang === 'he' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
<script src="${script}" defer></script>
</head>
<body class="${kind}">${body}</body>
</html>
`.text

/** The logo: a K above the double line that closes an account in a ledger. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0f6b57"/><g stroke="#fff" fill="none"><path d="M11.5 6.5v13M20.5 6.5l-8 6.5 8 6.5" stroke-width="2.6"/><path d="M8 23.4h16M8 26.4h16" stroke-width="1.5"/></g></svg>`

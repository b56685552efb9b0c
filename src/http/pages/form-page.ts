import { type Content, html } from '../../core/values/html.ts'
import type { Language } from '../../core/values/language.ts'
import { type SharedWords, sharedWords } from './account/words.ts'
import { landingWords } from './landing/words.ts'
import { type Assets, page } from './page.ts'

/** What every page needs: assets, language, and whether links keep the language because the reader chose it (`?lang=`). */
export type PageContext = { assets: Assets; lang: Language; keepsLang: boolean }

/** A link to one of our pages that keeps the language if the reader chose it. */
export function linkTo(
  { lang, keepsLang }: Pick<PageContext, 'lang' | 'keepsLang'>,
  path: string,
  more: Query = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(more)) if (value) query.set(name, value)
  if (keepsLang) query.set('lang', lang)
  return query.size > 0 ? `${path}?${query}` : path
}
type Query = Record<string, string | undefined>

type FormPage = {
  context: PageContext
  title: string
  /** Path and query of this page, for the link to the other language. */
  path: string
  query?: Query
  /** Texts for the script, in addition to the messages of every form. */
  words?: object
  /** The value of `step` in the URL after the script removed the token from it. */
  step?: string
  wide?: boolean
  links?: Content
  body: Content
}

/** A page with forms: the top bar with the link to the other language, then the content. */
export function formPage({
  context,
  title,
  path,
  query,
  words = {},
  step,
  wide = false,
  links,
  body,
}: FormPage): string {
  const { assets, lang } = context
  const say = sharedWords[lang]
  const other = lang === 'he' ? 'en' : 'he'
  const otherLink = linkTo({ lang: other, keepsLang: true }, path, query)
  const content = html`
<header class="bar"><a class="mark" href="${linkTo(context, '/')}"><img src="${assets.icon}" alt="" width="26" height="26">Kontor</a>
<nav class="bar-links" aria-label="${say.navigation}">${links}<a href="${otherLink}" lang="${other}" hreflang="${other}">${landingWords[lang].otherLanguage}</a></nav></header>
<main class="${wide ? 'wide' : 'single'}" data-words="${JSON.stringify({ ...formMessages(say), ...words })}"${step ? html` data-step="${step}"` : ''}>
<noscript><p class="notice">${say.needsScript}</p></noscript>
${body}
</main>`
  return page({
    title: `${title} · Kontor`,
    description: title,
    lang,
    assets,
    script: assets.forms,
    kind: 'people',
    body: content,
  })
}

/** The messages that every form may show. */
const formMessages = ({ problems, failed, tooMany, wrong }: SharedWords) => ({ problems, failed, tooMany, wrong })

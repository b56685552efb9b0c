import { type Content, html } from '../../core/values/html.ts'
import type { Language } from '../../core/values/language.ts'
import { type AccountWords, accountWordsCommon } from './account/words.ts'
import { words as landingWords } from './landing/words.ts'
import { type Assets, page } from './page.ts'

/** How a page is looked at: in which language, and whether the address says so. */
export type PageLook = { assets: Assets; lang: Language; lingers: boolean }

/** An address of ours that keeps the language which the reader chose by hand. */
export function linkTo({ lang, lingers }: Pick<PageLook, 'lang' | 'lingers'>, path: string, more: Query = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(more)) if (value) query.set(name, value)
  if (lingers) query.set('lang', lang)
  return query.size > 0 ? `${path}?${query}` : path
}
type Query = Record<string, string | undefined>

type Framed = {
  look: PageLook
  title: string
  /** The same page in the other language. */
  path: string
  query?: Query
  /** What the script says when something goes wrong, beside what it always may say. */
  words?: object
  /** Where the address goes once the script has taken the token out of it. */
  step?: string
  wide?: boolean
  links?: Content
  body: Content
}

/** A page around one thing to do: the mark, the other language, and a card in the middle. */
export function framed({ look, title, path, query, words = {}, step, wide = false, links, body }: Framed): string {
  const { assets, lang } = look
  const say = accountWordsCommon[lang]
  const other = lang === 'he' ? 'en' : 'he'
  const otherLink = linkTo({ lang: other, lingers: true }, path, query)
  const content = html`
<header class="bar"><a class="mark" href="${linkTo(look, '/')}"><img src="${assets.icon}" alt="" width="26" height="26">Kontor</a>
<nav class="bar-links" aria-label="${say.elsewhere}">${links}<a href="${otherLink}" lang="${other}" hreflang="${other}">${landingWords[lang].otherLanguage}</a></nav></header>
<main class="${wide ? 'wide' : 'single'}" data-words="${JSON.stringify({ ...said(say), ...words })}"${step ? html` data-step="${step}"` : ''}>
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

/** What every form may have to say. */
const said = ({ problems, failed, tooMany, wrong }: AccountWords) => ({ problems, failed, tooMany, wrong })

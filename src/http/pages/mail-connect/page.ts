import { type Content, html } from '../../../core/values/html.ts'
import type { Language } from '../../../core/values/language.ts'
import { type Assets, page } from '../page.ts'
import { mailConnectWords, type Trouble } from './words.ts'

type Context = { assets: Assets; lang: Language }

/** Shown when the provider has sent the browser back and the mailbox is connected. */
export function connectedPage(context: Context, { name, username }: { name: string; username: string }): string {
  const say = mailConnectWords[context.lang]
  return layout(
    context,
    html`<h1>${say.connected}</h1>
<p>${say.connectedAs} <b><bdi dir="ltr">${username}</bdi></b>.</p>
<p class="hint">${say.name}: <bdi>${name}</bdi></p>
<p>${say.next}</p>
<p class="choices"><a class="button" href="/">${say.home}</a></p>`,
  )
}

/** Why it is not. `detail` is a sentence of the API, which is in English. */
export function notConnectedPage(context: Context, trouble: Trouble, detail: string): string {
  const say = mailConnectWords[context.lang]
  const signIn = html`<a class="button quiet" href="/sign-in">${say.signIn}</a>`
  return layout(
    context,
    html`<h1>${say.notConnected}</h1>
<p class="notice">${say.troubles[trouble]}</p>
${trouble === 'REFUSED' || trouble === 'OTHER' ? html`<p class="hint" dir="auto">${detail}</p>` : ''}
<p>${say.nothingChanged}</p>
<p class="choices"><a class="button" href="/">${say.home}</a>${trouble === 'SIGNED_OUT' ? signIn : ''}</p>`,
  )
}

function layout({ assets, lang }: Context, content: Content): string {
  const { title } = mailConnectWords[lang]
  const body = html`
<header class="bar"><a class="mark" href="/"><img src="${assets.icon}" alt="" width="26" height="26">Kontor</a></header>
<main class="single"><section class="card" aria-label="${title}">${content}</section></main>`
  return page({
    title: `${title} · Kontor`,
    description: title,
    lang,
    assets,
    script: assets.forms,
    kind: 'people',
    body,
  })
}

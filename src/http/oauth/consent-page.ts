import type { Scope } from '../../core/define/access.ts'
import { type Content, html } from '../../core/values/html.ts'
import type { Language } from '../../core/values/language.ts'
import type { SignedIn } from '../../features/people/person.ts'
import { accountWordsCommon } from '../pages/account/words.ts'
import { type Assets, page } from '../pages/page.ts'
import { consentWords, inWords } from './consent-words.ts'

type Look = { assets: Assets; lang: Language }

export type Asked = {
  clientName: string
  /** Where a client that describes itself on the web lives; it cannot be made up as a name can. */
  clientHost: string | undefined
  /** Where the person goes with the answer. */
  redirectHost: string
  scopes: readonly Scope[]
  staysConnected: boolean
  signedIn: SignedIn
  /** Where somebody else signs in and comes back. */
  signIn: string
}

/** Asks a person whether an app may work with their books: which app, what, and where. */
export function consentPage({ assets, lang }: Look, asked: Asked): string {
  const say = consentWords[lang]
  const { clientName, clientHost, redirectHost, scopes, staysConnected } = asked
  const { user, organizations } = asked.signedIn
  const { roles, otherAccount } = accountWordsCommon[lang]
  const only = organizations.length === 1
  return framed(
    { assets, lang },
    html`
<h1><bdi>${clientName}</bdi> ${say.asks}</h1>
${clientHost ? html`<p>${say.isFrom} <code dir="ltr">${clientHost}</code></p>` : ''}
<p>${say.from} <code dir="ltr">${redirectHost}</code></p>
<p class="hint">${say.careful}</p>
<h2>${say.may}</h2>
<ul class="belongs">${inWords(scopes, lang).map(({ what, how }) => html`<li><bdi>${what}</bdi><span>${how}</span></li>`)}</ul>
<p class="hint">${staysConnected ? say.stays : say.ends} ${say.takeBack}</p>
<form class="consent" method="post" data-failed="${say.failed}" data-problems="${JSON.stringify(say.problems)}">
<fieldset><legend>${say.where}</legend>
${organizations.map(
  ({ id, name, role }) =>
    html`<label><input type="checkbox" name="organizationIds" value="${id}"${only ? html` checked` : ''}> <bdi>${name}</bdi> <span>${roles[role]}</span></label>`,
)}
${organizations.length === 0 ? html`<p class="notice">${say.none}</p>` : ''}
</fieldset>
<p class="problem" role="alert" hidden></p>
<noscript><p class="notice">${say.needsScript}</p></noscript>
${organizations.length > 0 ? html`<button value="approve">${say.approve}</button>` : ''}
<button class="quiet" value="deny">${say.deny}</button>
</form>
<p class="signed-in-as">${say.signedInAs} <bdi>${user.name}</bdi><br><bdi dir="ltr">${user.email}</bdi><br><a href="${asked.signIn}">${otherAccount}</a></p>`,
  )
}

/** For when there is nothing to ask (any more). */
export const expiredPage = (look: Look): string =>
  framed(look, html`<h1>${consentWords[look.lang].title}</h1><p>${consentWords[look.lang].expired}</p>`)

/** For a request of an app that cannot be answered by sending the person back to it. */
export const refusedPage = (look: Look, told: { error: string; error_description?: string | undefined }): string =>
  framed(
    look,
    html`<h1>${consentWords[look.lang].title}</h1><p>${consentWords[look.lang].cannotAsk}</p>
<p><code dir="ltr">${told.error}</code></p><p dir="ltr"><bdi>${told.error_description}</bdi></p>`,
  )

function framed({ assets, lang }: Look, content: Content): string {
  const say = consentWords[lang]
  const other = lang === 'he' ? 'en' : 'he'
  const body = html`
<header class="bar"><a class="mark" href="/?lang=${lang}"><img src="${assets.icon}" alt="" width="26" height="26">Kontor</a>
<nav class="bar-links"><a href="?lang=${other}" lang="${other}" hreflang="${other}">${say.otherLanguage}</a></nav></header>
<main class="alone"><section class="card" aria-label="${say.title}">${content}</section></main>`
  return page({ title: say.title, description: say.title, lang, assets, script: assets.consent, kind: 'consent', body })
}

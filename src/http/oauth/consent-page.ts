import type { Scope } from '../../core/define/access.ts'
import { type Content, html } from '../../core/values/html.ts'
import type { Language } from '../../core/values/language.ts'
import type { SignedIn } from '../../features/company/people/person.ts'
import { sharedWords } from '../pages/account/words.ts'
import { type Assets, page } from '../pages/page.ts'
import { consentWords, describeScopes } from './consent-words.ts'

type ConsentContext = { assets: Assets; lang: Language }

export type ConsentRequest = {
  clientName: string
  /** The host of a client whose id is a URL. Unlike the name, an app cannot invent it. */
  clientHost: string | undefined
  /** The host to which the person is sent afterwards. */
  redirectHost: string
  scopes: readonly Scope[]
  staysConnected: boolean
  signedIn: Pick<SignedIn, 'user' | 'organizations'>
  /** The sign-in page, for another account; it leads back here. */
  signIn: string
}

/** Asks a person whether an app may work with their books: shows the app, its scopes and the organizations. */
export function consentPage({ assets, lang }: ConsentContext, request: ConsentRequest): string {
  const say = consentWords[lang]
  const { clientName, clientHost, redirectHost, scopes, staysConnected } = request
  const { user, organizations } = request.signedIn
  const { roles, otherAccount } = sharedWords[lang]
  const only = organizations.length === 1
  return consentLayout(
    { assets, lang },
    html`
<h1><bdi>${clientName}</bdi> ${say.asks}</h1>
${clientHost ? html`<p>${say.isFrom} <code dir="ltr">${clientHost}</code></p>` : ''}
<p>${say.sentTo} <code dir="ltr">${redirectHost}</code></p>
<p class="hint">${say.checkHost}</p>
<h2>${say.may}</h2>
<ul class="belongs">${describeScopes(scopes, lang).map(({ what, how }) => html`<li><bdi>${what}</bdi><span>${how}</span></li>`)}</ul>
${scopes.includes('automations:write') ? html`<p class="hint">${say.savesAutomations}</p>` : ''}
<p class="hint">${staysConnected ? say.longLived : say.shortLived} ${say.limits}</p>
<form class="consent" method="post" data-failed="${say.failed}" data-problems="${JSON.stringify(say.problems)}">
<fieldset><legend>${say.whichOrganizations}</legend>
${organizations.map(
  ({ id, name, role }) =>
    html`<label><input type="checkbox" name="organizationIds" value="${id}"${only ? html` checked` : ''}> <bdi>${name}</bdi> <span>${roles[role]}</span></label>`,
)}
${organizations.length === 0 ? html`<p class="notice">${say.noOrganizations}</p>` : ''}
</fieldset>
<p class="problem" role="alert" hidden></p>
<noscript><p class="notice">${say.needsScript}</p></noscript>
${organizations.length > 0 ? html`<button value="approve">${say.approve}</button>` : ''}
<button class="quiet" value="deny">${say.deny}</button>
</form>
<p class="signed-in-as">${say.signedInAs} <bdi>${user.name}</bdi><br><bdi dir="ltr">${user.email}</bdi><br><a href="${request.signIn}">${otherAccount}</a></p>`,
  )
}

/** Shown when the request does not exist or has expired. */
export const expiredPage = (context: ConsentContext): string =>
  consentLayout(context, html`<h1>${consentWords[context.lang].title}</h1><p>${consentWords[context.lang].expired}</p>`)

/** Shown for an invalid request when the person cannot be sent back to the app with the error. */
export const refusedPage = (
  context: ConsentContext,
  { error, error_description }: { error: string; error_description?: string | undefined },
): string =>
  consentLayout(
    context,
    html`<h1>${consentWords[context.lang].title}</h1><p>${consentWords[context.lang].refused}</p>
<p><code dir="ltr">${error}</code></p><p dir="ltr"><bdi>${error_description}</bdi></p>`,
  )

function consentLayout({ assets, lang }: ConsentContext, content: Content): string {
  const say = consentWords[lang]
  const other = lang === 'he' ? 'en' : 'he'
  const body = html`
<header class="bar"><a class="mark" href="/?lang=${lang}"><img src="${assets.icon}" alt="" width="26" height="26">Kontor</a>
<nav class="bar-links"><a href="?lang=${other}" lang="${other}" hreflang="${other}">${say.otherLanguage}</a></nav></header>
<main class="alone"><section class="card" aria-label="${say.title}">${content}</section></main>`
  return page({ title: say.title, description: say.title, lang, assets, script: assets.consent, kind: 'consent', body })
}

import { type Config, signUpByLetter } from '../../../config/config.ts'
import { html } from '../../../core/values/html.ts'
import type { Language } from '../../../core/values/language.ts'
import { codeBlock, json } from '../../reference/code-samples.ts'
import { appPath } from '../../web-app/addresses.ts'
import { sharedWords } from '../account/words.ts'
import { type Assets, page } from '../page.ts'
import { landingWords } from './words.ts'

type Landing = {
  config: Pick<Config, 'url' | 'mode' | 'signUp' | 'smtpUrl'>
  assets: Assets
  lang: Language
  hasMcp: boolean
}

/** The landing page: sign in or open the web app, the addresses of the API, and the first calls. */
export function landingPage({ config, assets, lang, hasMcp }: Landing): string {
  const { url } = config
  const say = landingWords[lang]
  const other = lang === 'he' ? 'en' : 'he'
  const addresses = [
    { title: say.docs, about: say.docsAbout, path: '/docs', link: true },
    { title: say.openapi, about: say.openapiAbout, path: '/api/openapi.json', link: true },
    { title: say.tools, about: say.toolsAbout, path: '/api/tools', link: true },
    { title: say.api, about: say.apiAbout, path: '/api', link: false },
    ...(hasMcp ? [{ title: say.mcp, about: say.mcpAbout, path: '/mcp', link: false }] : []),
  ]
  const body = html`
<header class="bar"><a class="mark" href="/?lang=${lang}"><img src="${assets.icon}" alt="" width="26" height="26">Kontor</a>
<nav class="bar-links"><a href="/docs">${say.docs}</a><a href="/account?lang=${lang}">${say.accountShort}</a><a href="/?lang=${other}" lang="${other}" hreflang="${other}">${say.otherLanguage}</a></nav></header>
<main class="front">
<section class="hero"><h1>${say.headline}</h1><p class="lead">${say.lead}</p></section>
${signInCard(lang, config)}
<section class="addresses"><h2>${say.addresses}</h2><dl>${addresses.map(
    ({ title, about, path, link }) =>
      html`<div><dt>${title}</dt><dd>${link ? html`<a href="${path}" dir="ltr">${url}${path}</a>` : html`<code dir="ltr">${url}${path}</code>`}<span>${about}</span></dd></div>`,
  )}</dl></section>
<section class="quick"><h2>${say.quickStart}</h2><p>${say.quickStartLead}</p>
<ol>${quickStart(url).map((code, index) => html`<li>${codeBlock(say.steps[index] ?? '', code)}</li>`)}</ol></section>
</main>
<footer class="foot">${say.license}</footer>`
  return page({
    title: say.title,
    description: say.description,
    lang,
    assets,
    script: assets.landing,
    kind: 'landing',
    body,
  })
}

function signInCard(lang: Language, config: Landing['config']) {
  const { mode, signUp } = config
  const byLetter = signUpByLetter(config)
  const say = landingWords[lang]
  const shared = sharedWords[lang]
  const { WRONG_CREDENTIALS, ALREADY_EXISTS, SIGN_UP_CLOSED } = shared.problems
  const problems = { WRONG_CREDENTIALS, ALREADY_EXISTS, SIGN_UP_CLOSED }
  return html`
<section class="card" aria-label="${say.signIn}" data-failed="${say.failed}" data-none="${say.noOrganizations}" data-wrong="${shared.wrong}" data-problems="${JSON.stringify(problems)}">
<noscript><p class="notice">${say.needsScript}</p></noscript>
<div class="signed-out">
<h2>${say.signIn}</h2>
<form method="post" action="/api/auth/sign-in">
<label>${say.email}<input name="email" type="email" autocomplete="username" required dir="ltr"></label>
<label>${say.password}<input name="password" type="password" autocomplete="current-password" required dir="ltr"></label>
<p class="problem" role="alert" hidden></p>
<button>${say.signIn}</button>
</form>
<p class="hint more"><a href="/sign-in?lang=${lang}">${say.otherWays}</a></p>
${signUp === 'open' && (byLetter ? html`<p class="hint more"><a href="/sign-up?lang=${lang}">${say.newHere}</a></p>` : signUpForm(say))}
${mode === 'local' ? html`<p class="hint demo">${say.demo} <code dir="ltr">npm start</code></p>` : ''}
</div>
<div class="signed-in" aria-live="polite" hidden>
<p class="eyebrow">${say.signedInAs}</p><h2 class="who"></h2><p class="whose" dir="ltr"></p>
<h3>${say.yourOrganizations}</h3><ul class="belongs"></ul>
<p class="problem" role="alert" hidden></p>
<p><a class="button" href="${appPath}">${say.openApp}</a></p>
<p class="more"><a href="/account?lang=${lang}">${say.account}</a></p>
<form method="post" action="/api/auth/sign-out"><button class="quiet">${say.signOut}</button></form>
</div></section>`
}

const signUpForm = (
  say: (typeof landingWords)[Language],
) => html`<details class="sign-up"><summary>${say.newHere}</summary>
<form method="post" action="/api/auth/sign-up">
<label>${say.name}<input name="name" autocomplete="name" required></label>
<label>${say.email}<input name="email" type="email" autocomplete="email" required dir="ltr"></label>
<label>${say.password}<input name="password" type="password" autocomplete="new-password" minlength="8" required dir="ltr" aria-describedby="password-hint"></label>
<p class="hint" id="password-hint">${say.passwordHint}</p>
<p class="problem" role="alert" hidden></p>
<button>${say.signUp}</button>
</form></details>`

/** The commands of the quick start; each one uses the result of those before it. */
function quickStart(url: string) {
  const sent = `  -H 'Content-Type: application/json' \\\n  -d '`
  const withKey = `  -H "Authorization: Bearer $KONTOR_KEY" \\\n${sent}`
  return [
    [
      `curl -c cookies.txt ${url}/api/auth/sign-in \\\n${sent}`,
      json({ email: 'amy@example.com', password: '…' }, '  '),
      `'`,
    ],
    [
      `curl -b cookies.txt ${url}/api/api-keys \\\n${sent}`,
      json({ name: 'Terminal', scopes: ['*:*'], allOrgs: true }, '  '),
      `'\n\nexport KONTOR_KEY=kt_…`,
    ],
    [`curl ${url}/api/organizations \\\n${withKey}`, json({ name: 'Amber Trading', country: 'SG' }, '  '), `'`],
    [`curl ${url}/api/customers \\\n${withKey}`, json({ name: 'Blue Harbour', country: 'Singapore' }, '  '), `'`],
  ]
}

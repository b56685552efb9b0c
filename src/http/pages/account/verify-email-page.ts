import { html } from '../../../core/values/html.ts'
import { done, form } from '../form.ts'
import { framed, linkTo, type PageLook } from '../form-page.ts'
import { accountWordsCommon } from './words.ts'

/** Confirms an address by pressing a button: programs that look at mail follow links, and must confirm nothing by it. */
export function verifyEmailPage(look: PageLook): string {
  const say = accountWordsCommon[look.lang]
  const body = html`
<section class="card"><h1>${say.verifyTitle}</h1>
<p class="before">${say.verifyLead}</p>
${form({ action: '/api/auth/email/confirm', token: true, after: 'done', button: say.verify })}
${done(html`<bdi dir="ltr" data-fill="email"></bdi> ${say.verified}`)}
<p class="aside-links"><a href="${linkTo(look, '/account')}">${say.yourAccount}</a></p>
</section>`
  return framed({ look, title: say.verifyTitle, path: '/verify-email', body })
}

import { html } from '../../../core/values/html.ts'
import { doneMessage, form } from '../form.ts'
import { formPage, linkTo, type PageContext } from '../form-page.ts'
import { sharedWords } from './words.ts'

/** Confirms an address with a button. Opening the link confirms nothing, since mail scanners open links too. */
export function verifyEmailPage(context: PageContext): string {
  const say = sharedWords[context.lang]
  const body = html`
<section class="card"><h1>${say.verifyTitle}</h1>
<p class="before">${say.verifyLead}</p>
${form({ action: '/api/auth/email/confirm', token: true, after: 'done', button: say.verify })}
${doneMessage(html`<bdi dir="ltr" data-fill="email"></bdi> ${say.verified}`)}
<p class="aside-links"><a href="${linkTo(context, '/account')}">${say.yourAccount}</a></p>
</section>`
  return formPage({ context, title: say.verifyTitle, path: '/verify-email', body })
}

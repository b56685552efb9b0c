import { html } from '../../../core/values/html.ts'
import { doneSection, field, form } from '../form.ts'
import { formPage, linkTo, type PageContext } from '../form-page.ts'
import { endedAccess } from './ended-access.ts'
import { sharedWords } from './words.ts'

const path = '/verify-email'

/**
 * Confirms an address with a button. Opening the link confirms nothing, since mail scanners open links too. Somebody who is
 * not signed in is told that confirming ends earlier access, unless they enter the password or sign in first; the script keeps
 * the token for this tab.
 */
export function verifyEmailPage(context: PageContext, user: { name: string; email: string } | undefined): string {
  const say = sharedWords[context.lang]
  const signIn = linkTo(context, '/sign-in', { next: linkTo(context, path) })
  const whom = user
    ? html`<p class="whom">${say.signedInAs} <bdi>${user.name}</bdi><br><span dir="ltr">${user.email}</span></p>`
    : html`<p>${say.verifySignedOut}</p><p class="choices"><a class="button quiet" href="${signIn}">${say.signIn}</a></p>`
  const password = field({
    form: 'verify',
    name: 'password',
    label: say.verifyPassword,
    type: 'password',
    autocomplete: 'current-password',
    maxLength: 500,
    optional: true,
  })
  const body = html`
<section class="card"><h1>${say.verifyTitle}</h1>
<div class="before"><p>${say.verifyLead}</p>${whom}</div>
${form({ action: '/api/auth/email/confirm', token: true, after: 'done', button: say.verify, fields: !user && password })}
${doneSection(html`<p><bdi dir="ltr" data-fill="email"></bdi> ${say.verified}</p>${endedAccess(say)}
<p data-if="ended.password"><a href="${linkTo(context, '/reset')}">${say.choosePassword}</a></p>`)}
<p class="aside-links">${user && html`<a href="${signIn}">${say.otherAccount}</a>`}<a href="${linkTo(context, '/account')}">${say.yourAccount}</a></p>
</section>`
  return formPage({ context, title: say.verifyTitle, path, body })
}

import { html } from '../../../core/values/html.ts'
import { doneMessage, form } from '../form.ts'
import { formPage, linkTo, type PageContext } from '../form-page.ts'
import { sharedWords } from './words.ts'

export const invitationPath = '/invitations/accept'

/**
 * Accepts an invitation as the signed-in person. The script stores the token for this tab, so it does not appear in the URLs
 * of the sign-in and sign-up pages.
 */
export function invitationPage(context: PageContext, user: { name: string; email: string } | undefined): string {
  const say = sharedWords[context.lang]
  const back = { next: linkTo(context, invitationPath) }
  const signIn = linkTo(context, '/sign-in', back)
  const signUp = linkTo(context, '/sign-up', back)
  const signedOut = html`
<p>${say.invitedSignedOut}</p>
<p class="choices"><a class="button" href="${signIn}">${say.signIn}</a><a class="button quiet" href="${signUp}">${say.signUp}</a></p>`
  const signedIn = (name: string, email: string) => html`
<div class="before"><p>${say.invitedLead}</p>
<p class="whom">${say.signedInAs} <bdi>${name}</bdi><br><span dir="ltr">${email}</span></p></div>
${form({ action: '/api/invitations/accept', token: true, after: 'done', button: say.accept })}
${doneMessage(html`${say.joined} <bdi data-fill="organization.name"></bdi> ${say.joinedAs} <span data-fill="role"></span>.`)}
<p class="aside-links"><a href="${signIn}">${say.otherAccount}</a><a href="${linkTo(context, '/account')}">${say.yourAccount}</a></p>`
  const body = html`
<section class="card"><h1>${say.invitedTitle}</h1>
${user ? signedIn(user.name, user.email) : signedOut}
</section>`
  const problems = { ...say.problems, NOT_FOUND: say.problems.NO_INVITATION }
  return formPage({
    context,
    title: say.invitedTitle,
    path: invitationPath,
    words: { role: say.roles, problems },
    body,
  })
}

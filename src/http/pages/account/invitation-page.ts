import { html } from '../../../core/values/html.ts'
import { done, form } from '../form.ts'
import { framed, linkTo, type PageLook } from '../form-page.ts'
import { accountWordsCommon } from './words.ts'

const path = '/invitations/accept'

/**
 * Accepts an invitation, once it is clear who does. The script keeps its token for this tab, so that it need not travel
 * through the addresses of the pages for signing in and up.
 */
export function invitationPage(look: PageLook, user: { name: string; email: string } | undefined): string {
  const say = accountWordsCommon[look.lang]
  const back = { next: linkTo(look, path) }
  const signIn = linkTo(look, '/sign-in', back)
  const signUp = linkTo(look, '/sign-up', back)
  const stranger = html`
<p>${say.invitedStranger}</p>
<p class="choices"><a class="button" href="${signIn}">${say.signIn}</a><a class="button quiet" href="${signUp}">${say.signUp}</a></p>`
  const known = (name: string, email: string) => html`
<div class="before"><p>${say.invitedLead}</p>
<p class="whom">${say.signedInAs} <bdi>${name}</bdi><br><span dir="ltr">${email}</span></p></div>
${form({ action: '/api/invitations/accept', token: true, after: 'done', button: say.accept })}
${done(html`${say.joined} <bdi data-fill="organization.name"></bdi> ${say.joinedAs} <span data-fill="role"></span>.`)}
<p class="aside-links"><a href="${signIn}">${say.otherAccount}</a><a href="${linkTo(look, '/account')}">${say.yourAccount}</a></p>`
  const body = html`
<section class="card"><h1>${say.invitedTitle}</h1>
${user ? known(user.name, user.email) : stranger}
</section>`
  const problems = { ...say.problems, NOT_FOUND: say.problems.NO_INVITATION }
  return framed({ look, title: say.invitedTitle, path, words: { role: say.roles, problems }, body })
}

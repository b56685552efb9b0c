import { html } from '../../../core/values/html.ts'
import { field, form } from '../form.ts'
import { framed, linkTo, type PageLook } from '../form-page.ts'
import { home } from './next-path.ts'
import { accountWordsCommon } from './words.ts'

export function signUpPage(look: PageLook, next: string): string {
  const say = accountWordsCommon[look.lang]
  const query = { next: next === home ? undefined : next }
  const fields = [
    field({ form: 'up', name: 'name', label: say.name, autocomplete: 'name', maxLength: 200 }),
    field({ form: 'up', name: 'email', label: say.email, type: 'email', autocomplete: 'username' }),
    newPassword({ form: 'up', label: say.password, hint: say.passwordHint }),
  ]
  const body = html`
<section class="card"><h1>${say.signUp}</h1>
${form({ action: '/api/auth/sign-up', next, button: say.signUp, fields })}
<p class="aside-links"><a href="${linkTo(look, '/sign-in', query)}">${say.haveAccount}</a></p>
</section>`
  return framed({ look, title: say.signUp, path: '/sign-up', query, body })
}

/** A password that is being chosen. */
export const newPassword = (given: { form: string; label: string; hint: string }) =>
  field({ ...given, name: 'password', type: 'password', autocomplete: 'new-password', minLength: 8, maxLength: 500 })

import { type Content, html } from '../../../core/values/html.ts'
import { done, field, form } from '../form.ts'
import { framed, linkTo, type PageLook } from '../form-page.ts'
import { accountWords } from './account-page-words.ts'
import { newPassword } from './sign-up-page.ts'
import { accountWordsCommon } from './words.ts'

type Account = {
  user: { name: string; email: string; verified: boolean }
  /** Whether there is a list of connected apps to show. */
  hasApps: boolean
}

/** Somebody's own account: how they prove who they are, and where they are signed in. The lists are filled by the script. */
export function accountPage(look: PageLook, { user, hasApps }: Account): string {
  const say = accountWords[look.lang]
  const body = html`
<header class="head"><div><p class="eyebrow">${accountWordsCommon[look.lang].yourAccount}</p><h1><bdi>${user.name}</bdi></h1></div>
${form({ action: '/api/auth/sign-out', next: linkTo(look, '/sign-in'), button: say.signOut, kind: 'quiet' })}</header>
${emailPart(look, user)}
${passwordPart(look)}
${authenticatorPart(look)}
${passkeyPart(look)}
${sessionPart(look)}
${part('keys', say.keys, say.keysAbout, html`<ul class="entries" data-list="keys"></ul>${refused}`)}
${hasApps && part('apps', say.apps, say.appsAbout, html`<ul class="entries" data-list="apps"></ul>${refused}`)}`
  return framed({
    look,
    title: accountWordsCommon[look.lang].yourAccount,
    path: '/account',
    wide: true,
    words: say.script,
    body,
  })
}

/** A part of the page: what it is on one side, what can be done on the other. */
const part = (id: string, title: string, about: Content, content: Content) => html`
<section class="part" id="${id}" aria-labelledby="${id}-title"><div class="about"><h2 id="${id}-title">${title}</h2><p>${about}</p></div>
<div class="room">${content}</div></section>`

/** A form behind a button, so that the page stays calm. */
const folded = (title: string, content: Content) =>
  html`<details class="folded"><summary>${title}</summary>${content}</details>`

const refused = html`<p class="problem" role="alert" hidden></p>`

const password = (form: string, { lang }: PageLook) =>
  field({
    form,
    name: 'password',
    label: accountWords[lang].yourPassword,
    type: 'password',
    autocomplete: 'current-password',
  })

function emailPart(look: PageLook, { email, verified }: Account['user']) {
  const say = accountWords[look.lang]
  const fields = [
    field({ form: 'email', name: 'email', label: say.newEmail, type: 'email', autocomplete: 'email' }),
    password('email', look),
  ]
  const again = html`<div class="again"><p class="state">${say.notVerified}</p>
${form({ action: '/api/auth/email/verify', after: 'done', button: say.verifyAgain, kind: 'quiet' })}${done(say.letterSent)}</div>`
  const change = form({ action: '/api/auth/email', after: 'told', button: say.changeEmail, fields })
  return part(
    'email',
    say.email,
    say.emailAbout,
    html`<p class="value"><bdi dir="ltr">${email}</bdi>${verified && html` <span class="good">${say.verified}</span>`}</p>
${!verified && again}${folded(say.changeEmail, change)}${done(say.emailAsked)}`,
  )
}

function passwordPart({ lang }: PageLook) {
  const say = accountWords[lang]
  const { passwordHint, newPassword: label } = accountWordsCommon[lang]
  const current = {
    form: 'password',
    name: 'currentPassword',
    label: say.currentPassword,
    type: 'password',
    autocomplete: 'current-password',
  } as const
  const fields = [field(current), newPassword({ form: 'password', label, hint: passwordHint })]
  const change = form({ action: '/api/auth/password', after: 'told', button: say.changePassword, fields })
  return part(
    'password',
    say.password,
    say.passwordAbout,
    html`${folded(say.changePassword, change)}${done(say.passwordChanged)}`,
  )
}

function authenticatorPart(look: PageLook) {
  const say = accountWords[look.lang]
  const { code } = accountWordsCommon[look.lang]
  const begin = form({
    action: '/api/auth/authenticator',
    after: 'scan',
    button: say.goOn,
    fields: password('begin', look),
  })
  const confirm = form({
    action: '/api/auth/authenticator/confirm',
    after: 'codes',
    button: say.turnOn,
    fields: field({ form: 'confirm', name: 'code', label: code, autocomplete: 'one-time-code', hint: say.codeHint }),
  })
  const renew = form({
    action: '/api/auth/recovery-codes',
    after: 'codes',
    button: say.renewCodes,
    fields: password('renew', look),
  })
  const remove = form({
    action: '/api/auth/authenticator/remove',
    after: 'told',
    button: say.removeAuthenticator,
    kind: 'danger',
    fields: password('remove', look),
  })
  return part(
    'authenticator',
    say.authenticator,
    say.authenticatorAbout,
    html`
<div class="off" hidden><p class="state">${say.authenticatorOff}</p>${folded(say.setUp, begin)}</div>
<div class="scan" hidden><p>${say.scan}</p><img class="qr" alt="${say.qr}" width="200" height="200">
<p>${say.orType} <code class="secret" dir="ltr"></code></p>${confirm}</div>
<div class="on" hidden><p class="state"><span class="good">${say.authenticatorOn}</span> <span class="left"></span></p>
${folded(say.renewCodes, renew)}${folded(say.removeAuthenticator, remove)}</div>
<div class="kept" tabindex="-1" hidden><h3>${say.codes}</h3><p>${say.codesAbout}</p><ol class="codes" dir="ltr"></ol>
<p class="row"><button type="button" class="quiet" data-do="copyCodes">${say.copy}</button><button type="button" class="quiet" data-do="printCodes">${say.print}</button><button type="button" data-do="keptCodes">${say.kept}</button></p></div>`,
  )
}

function passkeyPart(look: PageLook) {
  const say = accountWords[look.lang]
  const fields = [
    field({
      form: 'passkey',
      name: 'name',
      label: say.passkeyName,
      autocomplete: 'off',
      hint: say.passkeyHint,
      maxLength: 80,
    }),
    password('passkey', look),
  ]
  const add = form({
    action: '/api/auth/passkeys',
    by: 'passkeyAdd',
    after: 'told',
    button: say.addPasskey,
    fields,
  })
  const removal = html`<div class="removal" hidden><p>${say.script.sureRemove} <strong><bdi></bdi></strong></p>
${form({
  action: '/api/auth/passkeys/remove',
  after: 'removed',
  button: say.script.remove,
  kind: 'danger',
  fields: [html`<input type="hidden" name="id">`, password('remove-passkey', look)],
})}</div>`
  return part(
    'passkeys',
    say.passkeys,
    say.passkeysAbout,
    html`<ul class="entries" data-list="passkeys"></ul>${removal}${folded(say.addPasskey, add)}${done(say.passkeyAdded)}`,
  )
}

function sessionPart(look: PageLook) {
  const say = accountWords[look.lang]
  const everywhere = form({
    action: '/api/auth/sign-out-everywhere',
    next: linkTo(look, '/sign-in'),
    button: say.signOutEverywhere,
    kind: 'danger',
    sure: say.sureEverywhere,
  })
  return part(
    'sessions',
    say.sessions,
    say.sessionsAbout,
    html`<ul class="entries" data-list="sessions"></ul>${refused}${everywhere}`,
  )
}

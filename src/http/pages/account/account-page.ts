import { type Content, html } from '../../../core/values/html.ts'
import { doneMessage, field, form } from '../form.ts'
import { formPage, linkTo, type PageContext } from '../form-page.ts'
import { accountPageWords } from './account-page-words.ts'
import { newPassword } from './sign-up-page.ts'
import { sharedWords } from './words.ts'

type Account = {
  user: { name: string; email: string; verified: boolean }
  /** Whether this server has connected apps to list. */
  hasApps: boolean
}

/** The account of the signed-in person: sign-in methods, sessions, API keys and apps. The script fills the lists. */
export function accountPage(context: PageContext, { user, hasApps }: Account): string {
  const say = accountPageWords[context.lang]
  const body = html`
<header class="head"><div><p class="eyebrow">${sharedWords[context.lang].yourAccount}</p><h1><bdi>${user.name}</bdi></h1></div>
${form({ action: '/api/auth/sign-out', next: linkTo(context, '/sign-in'), button: say.signOut, kind: 'quiet' })}</header>
${emailSection(context, user)}
${passwordSection(context)}
${authenticatorSection(context)}
${passkeySection(context)}
${sessionSection(context)}
${section('keys', say.keys, say.keysAbout, html`<ul class="entries" data-list="keys"></ul>${problemMessage}`)}
${hasApps && section('apps', say.apps, say.appsAbout, html`<ul class="entries" data-list="apps"></ul>${problemMessage}`)}`
  return formPage({
    context,
    title: sharedWords[context.lang].yourAccount,
    path: '/account',
    wide: true,
    words: say.script,
    body,
  })
}

/** A section of the page: title and explanation on one side, values and forms on the other. */
const section = (id: string, title: string, about: Content, content: Content) => html`
<section class="part" id="${id}" aria-labelledby="${id}-title"><div class="about"><h2 id="${id}-title">${title}</h2><p>${about}</p></div>
<div class="room">${content}</div></section>`

/** A form that opens when its title is clicked. */
const folded = (title: string, content: Content) =>
  html`<details class="folded"><summary>${title}</summary>${content}</details>`

const problemMessage = html`<p class="problem" role="alert" hidden></p>`

const password = (form: string, { lang }: PageContext) =>
  field({
    form,
    name: 'password',
    label: accountPageWords[lang].yourPassword,
    type: 'password',
    autocomplete: 'current-password',
  })

function emailSection(context: PageContext, { email, verified }: Account['user']) {
  const say = accountPageWords[context.lang]
  const fields = [
    field({ form: 'email', name: 'email', label: say.newEmail, type: 'email', autocomplete: 'email' }),
    password('email', context),
  ]
  const again = html`<div class="again"><p class="state">${say.notVerified}</p>
${form({ action: '/api/auth/email/verify', after: 'done', button: say.verifyAgain, kind: 'quiet' })}${doneMessage(say.emailSent)}</div>`
  const change = form({ action: '/api/auth/email', after: 'folded', button: say.changeEmail, fields })
  return section(
    'email',
    say.email,
    say.emailAbout,
    html`<p class="value"><bdi dir="ltr">${email}</bdi>${verified && html` <span class="good">${say.verified}</span>`}</p>
${!verified && again}${folded(say.changeEmail, change)}${doneMessage(say.emailRequested)}`,
  )
}

function passwordSection({ lang }: PageContext) {
  const say = accountPageWords[lang]
  const { passwordHint, newPassword: label } = sharedWords[lang]
  const current = {
    form: 'password',
    name: 'currentPassword',
    label: say.currentPassword,
    type: 'password',
    autocomplete: 'current-password',
  } as const
  const fields = [field(current), newPassword({ form: 'password', label, hint: passwordHint })]
  const change = form({ action: '/api/auth/password', after: 'folded', button: say.changePassword, fields })
  return section(
    'password',
    say.password,
    say.passwordAbout,
    html`${folded(say.changePassword, change)}${doneMessage(say.passwordChanged)}`,
  )
}

function authenticatorSection(context: PageContext) {
  const say = accountPageWords[context.lang]
  const { code } = sharedWords[context.lang]
  const begin = form({
    action: '/api/auth/authenticator',
    after: 'scan',
    button: say.goOn,
    fields: password('begin', context),
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
    fields: password('renew', context),
  })
  const remove = form({
    action: '/api/auth/authenticator/remove',
    after: 'folded',
    button: say.removeAuthenticator,
    kind: 'danger',
    fields: password('remove', context),
  })
  return section(
    'authenticator',
    say.authenticator,
    say.authenticatorAbout,
    html`
<div class="off" hidden><p class="state">${say.authenticatorOff}</p>${folded(say.setUp, begin)}</div>
<div class="scan" hidden><p>${say.scan}</p><img class="qr" alt="${say.qr}" width="200" height="200">
<p>${say.orType} <code class="secret" dir="ltr"></code></p>${confirm}</div>
<div class="on" hidden><p class="state"><span class="good">${say.authenticatorOn}</span> <span class="left"></span></p>
${folded(say.renewCodes, renew)}${folded(say.removeAuthenticator, remove)}</div>
<div class="recovery" tabindex="-1" hidden><h3>${say.codes}</h3><p>${say.codesAbout}</p><ol class="codes" dir="ltr"></ol>
<p class="row"><button type="button" class="quiet" data-do="copyCodes">${say.copy}</button><button type="button" class="quiet" data-do="printCodes">${say.print}</button><button type="button" data-do="hideCodes">${say.saved}</button></p></div>`,
  )
}

function passkeySection(context: PageContext) {
  const say = accountPageWords[context.lang]
  const fields = [
    field({
      form: 'passkey',
      name: 'name',
      label: say.passkeyName,
      autocomplete: 'off',
      hint: say.passkeyHint,
      maxLength: 80,
    }),
    password('passkey', context),
  ]
  const add = form({
    action: '/api/auth/passkeys',
    submitBy: 'passkeyAdd',
    after: 'folded',
    button: say.addPasskey,
    fields,
  })
  const removal = html`<div class="removal" hidden><p>${say.script.confirmRemove} <strong><bdi></bdi></strong></p>
${form({
  action: '/api/auth/passkeys/remove',
  after: 'removed',
  button: say.script.remove,
  kind: 'danger',
  fields: [html`<input type="hidden" name="id">`, password('remove-passkey', context)],
})}</div>`
  return section(
    'passkeys',
    say.passkeys,
    say.passkeysAbout,
    html`<ul class="entries" data-list="passkeys"></ul>${removal}${folded(say.addPasskey, add)}${doneMessage(say.passkeyAdded)}`,
  )
}

function sessionSection(context: PageContext) {
  const say = accountPageWords[context.lang]
  const everywhere = form({
    action: '/api/auth/sign-out-everywhere',
    next: linkTo(context, '/sign-in'),
    button: say.signOutEverywhere,
    kind: 'danger',
    confirmation: say.confirmEverywhere,
  })
  return section(
    'sessions',
    say.sessions,
    say.sessionsAbout,
    html`<ul class="entries" data-list="sessions"></ul>${problemMessage}${everywhere}`,
  )
}

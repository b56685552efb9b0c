import type { OAuthMailProvider } from '../../core/outside/mail-oauth.ts'
import type { SimulatedMailbox } from '../../core/outside/simulated-mailbox.ts'
import { type Content, html } from '../../core/values/html.ts'
import { simulatorPath } from './clients.ts'

type AuthorizePage = {
  provider: OAuthMailProvider
  accounts: readonly Pick<SimulatedMailbox, 'address' | 'name'>[]
  /** The fields of the request, which come back with the answer. */
  fields: readonly (readonly [string, string])[]
  path: string
}

/** Where a person chooses an account and allows or denies access, as at the provider. */
export function authorizePage({ provider, accounts, fields, path }: AuthorizePage): string {
  const name = provider === 'GMAIL' ? 'Google' : 'Microsoft'
  return layout(
    `Sign in with ${name} (simulated)`,
    html`<h1>Sign in with ${name} (simulated)</h1>
<p>This is the provider simulator of Kontor. It is served by this machine in local mode, and nothing is sent to ${name}.</p>
<form method="post" action="${path}">
${fields.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
<fieldset><legend>Choose an account</legend>
${accounts.map(
  ({ address, name: person }, index) =>
    html`<label><input type="radio" name="account" value="${address}"${index === 0 ? html` checked` : ''}> <b>${person}</b> <span>${address}</span></label>`,
)}
</fieldset>
<p>Kontor wants to read the mail of this account.</p>
<button name="answer" value="allow">Allow</button> <button class="quiet" name="answer" value="deny">Deny</button>
</form>`,
  )
}

export const refusedPage = (sentence: string): string =>
  layout('Request refused', html`<h1>Request refused</h1><p>${sentence}</p>`)

const layout = (title: string, content: Content) =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="${simulatorPath}/style.css">
</head>
<body><main>${content}</main></body>
</html>
`.text

export const style = `body { font: 16px/1.5 system-ui, sans-serif; margin: 0; padding: 2rem 1rem }
main { max-width: 26rem; margin: auto; border: 1px solid #8886; border-radius: 8px; padding: 1.5rem }
h1 { font-size: 1.3rem; margin-top: 0 }
fieldset { border: 0; padding: 0; margin: 1rem 0 }
legend { font-weight: 600 }
label { display: block; padding: .5rem 0 }
label span { opacity: .75 }
button { font: inherit; padding: .5rem 1.2rem; border-radius: 6px; border: 1px solid #0f6b57; background: #0f6b57; color: #fff; cursor: pointer }
button.quiet { background: none; color: inherit; border-color: #888 }
`

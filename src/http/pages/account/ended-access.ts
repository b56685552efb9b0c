import { html, type Markup } from '../../../core/values/html.ts'
import type { SharedWords } from './words.ts'

/** Tells what was ended because the address was proven for the first time. Shown if the answer says that it was. */
export function endedAccess(say: SharedWords): Markup {
  const { ended } = say
  const counted = (['sessions', 'apiKeys', 'connectedApps', 'passkeys', 'invitations', 'automations'] as const).map(
    (name) =>
      html`<li data-if="ended.${name}" data-ended="${name}">${ended[name]}: <span data-fill="ended.${name}"></span></li>`,
  )
  const others = (['password', 'secondFactor'] as const).map(
    (name) => html`<li data-if="ended.${name}" data-ended="${name}">${ended[name]}</li>`,
  )
  return html`<div data-if="ended.everything"><p>${ended.why}</p><ul>${others}${counted}</ul>
<p data-if="ended.organizations">${ended.organizations}</p></div>`
}

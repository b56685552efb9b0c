/**
 * The parts of oidc-provider, each from its own file: its front file only adds a complaint about the version of Node to the
 * console. They are the same things under the same types.
 */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider'
}
declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider'
  export import InvalidClient = errors.InvalidClient
  export import InvalidGrant = errors.InvalidGrant
  export import InvalidScope = errors.InvalidScope
  export import InvalidTarget = errors.InvalidTarget
  export import OIDCProviderError = errors.OIDCProviderError
}
declare module 'oidc-provider/lib/helpers/interaction_policy/index.js' {
  import { interactionPolicy } from 'oidc-provider'
  export import Check = interactionPolicy.Check
  export import base = interactionPolicy.base
}

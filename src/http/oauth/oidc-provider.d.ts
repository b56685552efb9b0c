/**
 * Types for the files of oidc-provider that are imported directly. The package's main file only adds a console warning about
 * the version of Node; the exports are the same.
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

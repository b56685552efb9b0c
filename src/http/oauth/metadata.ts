import { appScopes } from '../../core/define/access.ts'

/** The paths of the endpoints. */
export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  jwks: '/oauth/jwks',
  consent: '/oauth/consent',
}

export const authMethods = ['none', 'client_secret_basic', 'client_secret_post'] as const
export const grantTypes = ['authorization_code', 'refresh_token'] as const

/**
 * Authorization server metadata (RFC 8414), also served at the path that OpenID clients read. There are no identity tokens;
 * the fields about them are there because such clients require them.
 */
export const serverMetadata = (url: string) => ({
  issuer: url,
  authorization_endpoint: url + paths.authorize,
  token_endpoint: url + paths.token,
  registration_endpoint: url + paths.register,
  revocation_endpoint: url + paths.revoke,
  jwks_uri: url + paths.jwks,
  scopes_supported: [...appScopes, 'offline_access'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: authMethods,
  revocation_endpoint_auth_methods_supported: authMethods,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${url}/docs`,
  ui_locales_supported: ['en', 'he'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['EdDSA'],
})

/** Protected resource metadata (RFC 9728), which a refused call points to: the authorization server and the scopes. */
export const resourceMetadata = (url: string, path: '' | '/mcp') => ({
  resource: url + path,
  authorization_servers: [url],
  scopes_supported: appScopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Kontor',
  resource_documentation: `${url}/docs`,
})

/** The audience of a token for this resource: the API or the MCP endpoint, with or without a trailing slash. */
export function audienceOf(url: string, resource: string): string | undefined {
  const plain = resource.replace(/\/$/, '')
  return plain === url || plain === `${url}/mcp` ? plain : undefined
}

import type { Config } from '../../config.ts'
import { scopes } from '../../kinds/scopes.ts'
import { resourceOf } from '../../users/oauth/resource.ts'

type Base = Pick<Config, 'baseUrl'>

/** What `/mcp` is, and who gives tokens for it (RFC 9728). */
export function protectedResource({ baseUrl }: Base) {
  return {
    resource: resourceOf({ baseUrl }),
    authorization_servers: [baseUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'frontdesk',
    resource_documentation: `${baseUrl}/docs/guide/mcp`,
  }
}

/** Where tokens are asked for, and how (RFC 8414). */
export function authorizationServer({ baseUrl }: Base) {
  return {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/console/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

import { roles } from '../../core/define/access.ts'
import { invalid } from '../../core/define/failure.ts'
import { listMax } from '../../core/define/page.ts'
import { errorBody } from '../../core/run/errors.ts'
import { type Content, html } from '../../core/values/html.ts'
import { cookieName } from '../auth/credentials.ts'
import { codeBlock, json } from './code-samples.ts'
import { sourceWords } from './describe.ts'
import { refusals } from './openapi.ts'
import { withCode } from './prose.ts'
import { accountEndpoints, type ProtocolEndpoint, signInEndpoints } from './protocol-endpoints.ts'

export type Chapter = { id: string; title: string; body: Content }

/** The URL of the server, and whether it has the MCP endpoint. */
export type ServerAddress = { url: string; hasMcp: boolean }

/** The introduction of the reference: what holds for every operation. */
export const chapters = ({ url, hasMcp }: ServerAddress): Chapter[] => [
  { id: 'start', title: 'Getting started', body: start(url) },
  { id: 'authentication', title: 'Authentication', body: authentication(hasMcp) },
  { id: 'signing-in', title: 'Signing in', body: signingIn(url) },
  { id: 'organizations', title: 'Organizations and roles', body: organizations },
  { id: 'errors', title: 'Errors', body: errors },
  { id: 'paging', title: 'Paging', body: paging(url) },
  { id: 'idempotency', title: 'Idempotency keys', body: idempotency(url) },
  { id: 'rate-limits', title: 'Rate limits', body: rateLimits },
  { id: 'conventions', title: 'Money, time and ids', body: conventions },
  ...(hasMcp
    ? [
        { id: 'agents', title: 'Agents', body: agents(url) },
        { id: 'apps', title: 'Third-party apps', body: apps(url) },
      ]
    : []),
]

const start = (url: string) => html`
<p>The API speaks JSON over HTTP. Every path begins with <code>/api</code> at <a href="${url}">${url}</a>. A program with a person’s API key can do everything that the person can do.</p>
${codeBlock('Your first call', `curl ${url}/api/organizations \\\n  -H "Authorization: Bearer $KONTOR_KEY"`)}
<p>Machines read the same reference as <a href="/api/openapi.json">OpenAPI 3.1</a> and as a <a href="/api/tools">list of tools</a>.</p>`

/** The sources that are available today; apps only where they can connect. */
const credentialSources = (hasApps: boolean) =>
  ['SESSION', 'API_KEY', ...(hasApps ? (['OAUTH'] as const) : [])] as const

const authentication = (hasApps: boolean) => html`
<p>Programs send an API key with every request. People create keys while signed in. A key acts as its person, within its scopes and that person’s role.</p>
${codeBlock('An API key', 'Authorization: Bearer kt_…')}
<p>A scope is a feature and an access: <code>customers:read</code>, <code>expenses:write</code>. A star matches any: <code>*:read</code>. Writing does not include reading. A key reaches the organizations in its <code>organizationIds</code>, or every organization of its person with <code>allOrgs</code>.</p>
<p>Browsers <a href="#signing-in">sign in</a> and carry a cookie instead. If a request has an <code>Authorization</code> header, only that header counts and the cookie is ignored.</p>
<p>Some operations accept certain sources only, and say so:</p>
<table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">A call from</th></tr></thead>
<tbody>${credentialSources(hasApps).map((source) => html`<tr><th scope="row"><code>${source}</code></th><td>${sourceWords[source]}</td></tr>`)}</tbody></table>`

const signedIn = {
  user: { id: '01990000-0000-7000-8000-000000000001', name: 'Amy', email: 'amy@example.com' },
  organizations: [
    {
      id: '01990000-0000-7000-8000-000000000002',
      name: 'Amber Trading',
      country: 'SG',
      currency: 'SGD',
      role: 'OWNER',
    },
  ],
}

const session = {
  id: '01990000-0000-7000-8000-000000000003',
  current: true,
  signedInAt: '2026-01-31T08:00:00Z',
  lastSeenAt: '2026-01-31T09:30:00Z',
  endsAt: '2026-02-07T08:00:00Z',
  userAgent: 'curl/8.7.1',
  address: '192.0.2.7',
}

const signingIn = (url: string) => html`
<p>People sign in with an e-mail address and a password and get a session, which their browser carries as a cookie. These paths do not accept an API key.</p>
${endpointTable(signInEndpoints)}
${codeBlock('Sign in', [`curl -c cookies.txt ${url}/api/auth/sign-in \\\n  -H 'Content-Type: application/json' \\\n  -d '`, json({ email: 'amy@example.com', password: '…', remember: true }, '  '), `'`])}
${codeBlock('Who is signed in', json(signedIn))}
${codeBlock('GET /api/auth/sessions', json({ sessions: [session] }))}
<p>The cookie is <code>${cookieName({ url })}</code>: <code>HttpOnly</code>, <code>SameSite=Lax</code>${url.startsWith('https:') ? html`, <code>Secure</code>` : ''}, for the whole site. A session ends after 7 days, or after 30 with <code>remember</code>, and earlier if it is not used for 12 hours. Signing in ends the session whose cookie was sent with the request.</p>
<p>A write that carries the cookie must come from a page of this server: an <code>Origin</code> header, if present, names <code>${url}</code>, <code>Sec-Fetch-Site</code> is <code>same-origin</code> or <code>none</code>, and a body is <code>application/json</code>. Otherwise the answer is <code>403</code> with the detail <code>FOREIGN_ORIGIN</code> or <code>MEDIA_TYPE</code>. For signing up, in and out this holds without a cookie too.</p>
<p>After five failures an account is locked for a while, after twenty failures an address; <code>Retry-After</code> says how long.</p>
<p>The following paths change the password, the e-mail address and the second factor. Signing in to an account with an authenticator app is answered <code>401</code> with the detail <code>SECOND_FACTOR</code> until a <code>code</code> is sent with it. A new password ends every other session and invalidates every link sent by e-mail; API keys, connected apps and passkeys stay valid, except when the password is reset by e-mail for an address that was never confirmed.</p>
${endpointTable(accountEndpoints)}`

const endpointTable = (endpoints: readonly ProtocolEndpoint[]) => html`
<table class="plain"><thead><tr><th scope="col">Address</th><th scope="col">Takes</th><th scope="col">Answers</th></tr></thead>
<tbody>${endpoints.map(({ route, does, takes, answers }) => html`<tr><th scope="row"><code>${route}</code><br>${does}</th><td>${takes}</td><td>${answers}</td></tr>`)}</tbody></table>`

const roleWords: Record<(typeof roles)[number], string> = {
  EMPLOYEE: 'sees their own payslips and claims',
  VIEWER: 'reads the books',
  CONTRIBUTOR: 'does the daily work: most writes',
  MANAGER: 'approves, connects and changes settings',
  OWNER: 'everything, including deleting the organization',
}

const organizations = html`
<p>Almost everything belongs to an organization, and an operation runs inside exactly one. Lists take <code>organizationId</code>; without it they cover every organization you can reach. Creating takes it too; it is optional if you belong to one organization only. If the path contains the id of an object, the organization follows from it.</p>
<p>Naming an organization you are not in is <code>403</code>. An object of another organization is <code>404</code>, the same as one that does not exist.</p>
<p>A role includes those above it in this table.</p>
<table class="plain"><thead><tr><th scope="col">Role</th><th scope="col">What for</th></tr></thead>
<tbody>${roles.map((role) => html`<tr><th scope="row"><code>${role}</code></th><td>${roleWords[role]}</td></tr>`)}</tbody></table>`

const errors = html`
<p>Every error has the same shape. <code>code</code> is stable, so programs can rely on it. <code>message</code> is a sentence for a person. <code>details</code> says which field is wrong, with a more specific <code>code</code> where there is one, and in <code>params</code> the values that its message names.</p>
${codeBlock('400', json(errorBody(invalid('name', 'name is missing.'), '01990000-0000-7000-8000-0000000000ff')))}
<table class="plain"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead>
<tbody>${refusals.map(({ status, failure, when }) => html`<tr id="error-${status}"><th scope="row"><code>${status}</code></th><td><code>${failure.code}</code></td><td>${withCode(when)}</td></tr>`)}</tbody></table>
<p>Questionable data, such as a wrong check digit, is accepted; the answer then contains <code>warnings</code>.</p>`

const paging = (url: string) => html`
<p>Long lists come in pages. <code>page</code> counts from 1, <code>limit</code> is the number of entries per page. A page past the end is empty; a number out of range is <code>400</code>. Lists without pages return the first ${listMax} entries at most.</p>
${codeBlock('The second page', `curl '${url}/api/customers?page=2&limit=50' \\\n  -H "Authorization: Bearer $KONTOR_KEY"`)}
${codeBlock('With every page', json({ pagination: { page: 2, limit: 50, total: 131, totalPages: 3 } }))}`

const idempotency = (url: string) => html`
<p>A write may carry an <code>Idempotency-Key</code>: your own name for it, 1 to 255 visible ASCII characters. If the connection breaks, send the same request again with the same key. It returns the answer of the first request, marked <code>Idempotency-Replayed: true</code>, and nothing is done twice.</p>
${codeBlock('Safe to repeat', [`curl -X POST ${url}/api/customers \\\n  -H "Authorization: Bearer $KONTOR_KEY" \\\n  -H 'Idempotency-Key: import-7-row-42' \\\n  -H 'Content-Type: application/json' \\\n  -d '`, json({ name: 'Amber Trading', country: 'Singapore' }, '  '), `'`])}
<p>The same key with another request is <code>409</code> with the detail <code>IDEMPOTENCY_KEY_REUSED</code>. While the first request is still running, the detail is <code>IDEMPOTENCY_IN_PROGRESS</code>: wait and try again. Answers that contain a secret are stored for ten minutes only.</p>`

const rateLimits = html`
<p>Calls are counted per credential and per organization, reads and writes separately. Answers carry the remaining allowance; beyond the limit the answer is <code>429</code> and <code>Retry-After</code> says how many seconds to wait.</p>
<table class="plain"><thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><th scope="row"><code>RateLimit-Limit</code></th><td>how many calls fit in the bucket</td></tr>
<tr><th scope="row"><code>RateLimit-Remaining</code></th><td>how many are left in it</td></tr>
<tr><th scope="row"><code>RateLimit-Reset</code></th><td>seconds until it is full again</td></tr>
<tr><th scope="row"><code>Retry-After</code></th><td>seconds to wait, on a <code>429</code></td></tr>
</tbody></table>`

const conventions = html`
<dl class="terms">
<dt>Money</dt><dd>A number in major units: <code>1200.5</code> is 1,200.50, not cents. Rates are percent: <code>17</code> means 17 %.</dd>
<dt>Instants</dt><dd>ISO 8601 in UTC, ending in <code>Z</code>: <code>2026-01-31T08:00:00Z</code>. Their names end in <code>At</code>.</dd>
<dt>Days and months</dt><dd><code>2026-01-31</code> and <code>2026-01</code>.</dd>
<dt>Ids</dt><dd>UUIDs assigned by the server. If the path contains the <code>id</code>, the body may leave it out.</dd>
<dt>Changing and replacing</dt><dd><code>PATCH</code> changes the fields it names. <code>PUT</code> replaces: optional fields left out fall back to their default.</dd>
<dt>Versions</dt><dd>An object with a <code>version</code> also has it as <code>ETag</code>; documents, customers, suppliers, items, expenses and settings have their <code>updatedAt</code> there. A change with <code>If-Match: "3"</code> or <code>If-Match: "2026-01-31T09:30:00.000Z"</code> is refused with <code>409</code> if that is no longer the current version, and the details say who changed what.</dd>
<dt>Unknown fields</dt><dd>are refused in a body and ignored in a query. An object that was read can be sent back unchanged: fields that the server sets are ignored.</dd>
<dt>Request ids</dt><dd>Every answer carries <code>X-Request-Id</code>; if you send your own, it is used.</dd>
</dl>`

const agents = (url: string) => html`
<p>Every operation is a tool for AI agents under the same name, and its input is path, query and body in one object. <a href="/api/tools">${url}/api/tools</a> lists them all with their schemas. Each operation below shows the arguments of such a call.</p>
<p>Agents connect over MCP at <code>${url}/mcp</code> with an API key as the bearer token, or without one and request access <a href="#apps">as apps do</a>. Alternatively they start <code>kontor mcp</code>, which uses standard input and output and takes the key from <code>KONTOR_API_KEY</code>. They are shown the tools that the key's scopes and the person's roles allow; <code>search_tools</code> finds one by a few words.</p>
<p>The answer is in <code>structuredContent</code>; a list or <code>null</code> is in its field <code>result</code>. A refusal is a result with <code>isError</code>: the error described above, and <code>retry</code> with <code>retryable</code> and <code>retryAfterS</code>. A write may carry <code>_meta.idempotencyKey</code>, and <code>_meta.ifMatch</code> where HTTP has If-Match; a retry over HTTP with the same key counts as the same request.</p>`

const apps = (url: string) => html`
<p>A third-party app requests access from a person with OAuth 2.1, always with the authorization code flow and PKCE (<code>S256</code>). The endpoints are described at <code>${url}/.well-known/oauth-protected-resource</code>, to which a refused call points, and <code>${url}/.well-known/oauth-authorization-server</code>. An app registers at <code>POST /oauth/register</code>, or uses the https URL of a metadata document as its <code>client_id</code>.</p>
<table class="plain"><thead><tr><th scope="col">Address</th><th scope="col">For</th></tr></thead>
<tbody>
<tr><th scope="row"><code>POST /oauth/register</code></th><td>dynamic registration (RFC 7591)</td></tr>
<tr><th scope="row"><code>GET /oauth/authorize</code></th><td>the person signs in, sees what the app requests and chooses the organizations</td></tr>
<tr><th scope="row"><code>POST /oauth/token</code></th><td>exchanges a code or a refresh token for new tokens; each can be used once, and a second use ends the connection</td></tr>
<tr><th scope="row"><code>POST /oauth/revoke</code></th><td>revokes a token (RFC 7009)</td></tr>
</tbody></table>
<p>An access token lasts 15 minutes and is sent like an API key. It can do what its scopes and the person’s role allow in the chosen organizations, checked at each call. People see and disconnect their apps on <a href="/account">their account</a>. Request scopes by name, such as <code>customers:read</code>; there is no scope for everything.</p>`

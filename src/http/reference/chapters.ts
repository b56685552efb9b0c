import { roles } from '../../core/define/access.ts'
import { invalid } from '../../core/define/failure.ts'
import { listMax } from '../../core/define/page.ts'
import { errorBody } from '../../core/run/errors.ts'
import { type Content, html } from '../../core/values/html.ts'
import { cookieName } from '../auth/credentials.ts'
import { block, json } from './code-samples.ts'
import { sourceWords } from './describe.ts'
import { refusals } from './openapi.ts'
import { prose } from './prose.ts'
import { accountEndpoints, type ProtocolEndpoint, protocolEndpoints } from './protocol-endpoints.ts'

export type Chapter = { id: string; title: string; body: Content }

/** Where the server is, and whether agents can connect to it. */
export type ServerAddress = { url: string; hasMcp: boolean }

/** What holds for every operation, told once before them. */
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
        { id: 'apps', title: 'Apps of others', body: apps(url) },
      ]
    : []),
]

const start = (url: string) => html`
<p>The API speaks JSON over HTTP. Every path begins with <code>/api</code> at <a href="${url}">${url}</a>. Whatever a person may do, a program may do with that person’s key.</p>
${block('Your first call', `curl ${url}/api/organizations \\\n  -H "Authorization: Bearer $KONTOR_KEY"`)}
<p>Machines read the same reference as <a href="/api/openapi.json">OpenAPI 3.1</a> and as a <a href="/api/tools">list of tools</a>.</p>`

/** Of the sources there will be, those that one can come in by today; apps where they can connect. */
const waysIn = (hasApps: boolean) => ['SESSION', 'API_KEY', ...(hasApps ? (['OAUTH'] as const) : [])] as const

const authentication = (hasApps: boolean) => html`
<p>Programs send an API key with every request. People make keys for themselves while signed in; a key acts as its person, with no more than its scopes and never more than that person’s role.</p>
${block('An API key', 'Authorization: Bearer kt_…')}
<p>A scope is a feature and an access: <code>customers:read</code>, <code>expenses:write</code>. A star stands for any: <code>*:read</code>. Writing does not include reading. A key reaches the organizations in its <code>organizationIds</code>, or every organization of its person with <code>allOrgs</code>.</p>
<p>Browsers <a href="#signing-in">sign in</a> and carry a cookie instead. A request that has an <code>Authorization</code> header is judged by it alone.</p>
<p>Some operations are for one way in only, and say so:</p>
<table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">A call from</th></tr></thead>
<tbody>${waysIn(hasApps).map((source) => html`<tr><th scope="row"><code>${source}</code></th><td>${sourceWords[source]}</td></tr>`)}</tbody></table>`

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
<p>People sign in with an e-mail address and a password and get a session, which their browser carries as a cookie. These addresses are for that alone; they take no API key.</p>
${tableOf(protocolEndpoints)}
${block('Sign in', [`curl -c cookies.txt ${url}/api/auth/sign-in \\\n  -H 'Content-Type: application/json' \\\n  -d '`, json({ email: 'amy@example.com', password: '…', remember: true }, '  '), `'`])}
${block('Who is signed in', json(signedIn))}
${block('GET /api/auth/sessions', json({ sessions: [session] }))}
<p>The cookie is <code>${cookieName({ url })}</code>: <code>HttpOnly</code>, <code>SameSite=Lax</code>${url.startsWith('https:') ? html`, <code>Secure</code>` : ''}, for the whole site. A session ends after 7 days, after 30 with <code>remember</code>, and before that when it was not used for 12 hours. Signing in again ends the session that was sent along.</p>
<p>A write that carries the cookie must come from a page of this server: an <code>Origin</code> header, if there is one, names <code>${url}</code>, <code>Sec-Fetch-Site</code> is <code>same-origin</code> or <code>none</code>, and a body is <code>application/json</code>. Otherwise it is <code>403</code> with the detail <code>FOREIGN_ORIGIN</code> or <code>MEDIA_TYPE</code>. Signing up, in and out keep to this without a cookie too.</p>
<p>After five failures an account waits, after twenty an address; <code>Retry-After</code> says how long.</p>
<p>What proves a person, and their address, is changed at these. Signing in with an account that has an authenticator app is <code>401</code> with the detail <code>SECOND_FACTOR</code> until a <code>code</code> comes with it. A new password ends every other session and every link that is on its way by mail; API keys, connected apps and passkeys stay, except when a password is chosen by mail for an address that was never confirmed.</p>
${tableOf(accountEndpoints)}`

const tableOf = (addresses: readonly ProtocolEndpoint[]) => html`
<table class="plain"><thead><tr><th scope="col">Address</th><th scope="col">Takes</th><th scope="col">Answers</th></tr></thead>
<tbody>${addresses.map(({ route, does, takes, answers }) => html`<tr><th scope="row"><code>${route}</code><br>${does}</th><td>${takes}</td><td>${answers}</td></tr>`)}</tbody></table>`

const roleWords: Record<(typeof roles)[number], string> = {
  EMPLOYEE: 'sees their own payslips and claims',
  VIEWER: 'reads the books',
  CONTRIBUTOR: 'does the daily work: most writes',
  MANAGER: 'approves, connects and changes settings',
  OWNER: 'everything, including deleting the organization',
}

const organizations = html`
<p>Almost everything belongs to an organization, and an operation runs inside exactly one. Lists take <code>organizationId</code>; left out, they cover every organization you can reach. Creating takes it too, and may leave it out if you belong to one only. Where the path names a thing, the organization follows from it.</p>
<p>Naming an organization you are not in is <code>403</code>. A thing of another organization is <code>404</code>, like one that never was.</p>
<p>A role includes those above it in this table.</p>
<table class="plain"><thead><tr><th scope="col">Role</th><th scope="col">What for</th></tr></thead>
<tbody>${roles.map((role) => html`<tr><th scope="row"><code>${role}</code></th><td>${roleWords[role]}</td></tr>`)}</tbody></table>`

const errors = html`
<p>Every refusal has one shape. <code>code</code> is stable: let programs decide by it. <code>message</code> is a sentence for a person. <code>details</code> says which field is wrong, sometimes with a finer <code>code</code>.</p>
${block('400', json(errorBody(invalid('name', 'name is missing.'), '01990000-0000-7000-8000-0000000000ff')))}
<table class="plain"><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead>
<tbody>${refusals.map(({ status, failure, when }) => html`<tr id="error-${status}"><th scope="row"><code>${status}</code></th><td><code>${failure.code}</code></td><td>${prose(when)}</td></tr>`)}</tbody></table>
<p>Doubts about data, such as a check digit that does not fit, refuse nothing: they come as <code>warnings</code> in the answer.</p>`

const paging = (url: string) => html`
<p>Long lists come in pages. <code>page</code> counts from 1, <code>limit</code> is how many fit on one. A page past the end is empty; a number out of range is <code>400</code>. Lists without pages answer with the first ${listMax} at most.</p>
${block('The second page', `curl '${url}/api/customers?page=2&limit=50' \\\n  -H "Authorization: Bearer $KONTOR_KEY"`)}
${block('With every page', json({ pagination: { page: 2, limit: 50, total: 131, totalPages: 3 } }))}`

const idempotency = (url: string) => html`
<p>A write may carry an <code>Idempotency-Key</code>: your own name for it, 1 to 255 visible ASCII characters. If the connection breaks, send the same request again with the same key. It answers what the first one did, marked <code>Idempotency-Replayed: true</code>, and nothing is done twice.</p>
${block('Safe to repeat', [`curl -X POST ${url}/api/customers \\\n  -H "Authorization: Bearer $KONTOR_KEY" \\\n  -H 'Idempotency-Key: import-7-row-42' \\\n  -H 'Content-Type: application/json' \\\n  -d '`, json({ name: 'Amber Trading', country: 'Singapore' }, '  '), `'`])}
<p>The same key with another request is <code>409</code> with the detail <code>IDEMPOTENCY_KEY_REUSED</code>. While the first is still under way it is <code>IDEMPOTENCY_IN_PROGRESS</code>: wait and try again. Answers that hold a secret are remembered for ten minutes only.</p>`

const rateLimits = html`
<p>Calls are counted by credential and by organization, reads and writes apart. Answers say where you stand; past the limit it is <code>429</code> and <code>Retry-After</code> says how many seconds to wait.</p>
<table class="plain"><thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><th scope="row"><code>RateLimit-Limit</code></th><td>how many calls fit in the bucket</td></tr>
<tr><th scope="row"><code>RateLimit-Remaining</code></th><td>how many are left in it</td></tr>
<tr><th scope="row"><code>RateLimit-Reset</code></th><td>seconds until it is full again</td></tr>
<tr><th scope="row"><code>Retry-After</code></th><td>seconds to wait, on a <code>429</code></td></tr>
</tbody></table>`

const conventions = html`
<dl class="terms">
<dt>Money</dt><dd>A number in major units: <code>1200.5</code> is twelve hundred and a half. Rates are percent: <code>17</code> means 17 %.</dd>
<dt>Instants</dt><dd>ISO 8601 in UTC, ending in <code>Z</code>: <code>2026-01-31T08:00:00Z</code>. Their names end in <code>At</code>.</dd>
<dt>Days and months</dt><dd><code>2026-01-31</code> and <code>2026-01</code>.</dd>
<dt>Ids</dt><dd>UUIDs made by the server. An <code>id</code> in a body that also stands in the path may be left out.</dd>
<dt>Changing and replacing</dt><dd><code>PATCH</code> changes the fields it names. <code>PUT</code> replaces: optional fields left out fall back to their default.</dd>
<dt>Fields nobody knows</dt><dd>are refused in a body and ignored in a query. What was read can be written back: fields the server owns are ignored.</dd>
<dt>Request ids</dt><dd>Every answer carries <code>X-Request-Id</code>; send your own and it is kept.</dd>
</dl>`

const agents = (url: string) => html`
<p>Every operation is a tool for AI agents under the same name, and its input is path, query and body in one object. <a href="/api/tools">${url}/api/tools</a> lists them all with their schemas. Each operation below shows the arguments of such a call.</p>
<p>Agents connect over MCP at <code>${url}/mcp</code> with an API key as the bearer token, or with none and ask their person for access <a href="#apps">as apps do</a>, or start <code>kontor mcp</code>, which speaks over pipes and takes the key from <code>KONTOR_API_KEY</code>. They are shown the tools that the key's scopes and the person's roles allow; <code>search_tools</code> finds one by a few words.</p>
<p>An answer comes as <code>structuredContent</code>, a list or <code>null</code> under <code>result</code>. A refusal is a result with <code>isError</code>: the error above, and <code>retry</code> with <code>retryable</code> and <code>retryAfterS</code>. A write may carry <code>_meta.idempotencyKey</code>; the same request sent again over HTTP with that key is the same request.</p>`

const apps = (url: string) => html`
<p>An app of somebody else asks a person for access with OAuth 2.1: authorization code with PKCE (<code>S256</code>), nothing else. Everything about it is found from <code>${url}/.well-known/oauth-protected-resource</code>, which a refused call names, and <code>${url}/.well-known/oauth-authorization-server</code>. An app registers at <code>POST /oauth/register</code>, or its <code>client_id</code> is the https address of a document that describes it.</p>
<table class="plain"><thead><tr><th scope="col">Address</th><th scope="col">For</th></tr></thead>
<tbody>
<tr><th scope="row"><code>POST /oauth/register</code></th><td>dynamic registration (RFC 7591)</td></tr>
<tr><th scope="row"><code>GET /oauth/authorize</code></th><td>asking a person, who signs in, sees what the app wants and chooses the organizations</td></tr>
<tr><th scope="row"><code>POST /oauth/token</code></th><td>a code or a refresh token against new tokens; each is good once, and a second use ends the connection</td></tr>
<tr><th scope="row"><code>POST /oauth/revoke</code></th><td>giving a token back (RFC 7009)</td></tr>
</tbody></table>
<p>An access token lasts 15 minutes and is sent like an API key. It does what its scopes and the person’s role allow, in the organizations they chose, read afresh at each call; people see and disconnect their apps on <a href="/account">their account</a>. Ask for scopes by name, such as <code>customers:read</code>; there is none for everything.</p>`

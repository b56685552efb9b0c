import { roles, sources } from '../../core/access.ts'
import { errorBody } from '../../core/errors.ts'
import { invalid } from '../../core/failure.ts'
import { sourceWords } from '../describe.ts'
import { refusals } from '../openapi.ts'
import { block, json } from './code.ts'
import { type Content, html, prose } from './html.ts'

export type Chapter = { id: string; title: string; body: Content }

/** What holds for every operation, told once before them. */
export const chapters = (url: string): Chapter[] => [
  { id: 'start', title: 'Getting started', body: start(url) },
  { id: 'authentication', title: 'Authentication', body: authentication(url) },
  { id: 'organizations', title: 'Organizations and roles', body: organizations },
  { id: 'errors', title: 'Errors', body: errors },
  { id: 'paging', title: 'Paging', body: paging(url) },
  { id: 'idempotency', title: 'Idempotency keys', body: idempotency(url) },
  { id: 'rate-limits', title: 'Rate limits', body: rateLimits },
  { id: 'conventions', title: 'Money, time and ids', body: conventions },
  { id: 'agents', title: 'Agents', body: agents(url) },
]

const start = (url: string) => html`
<p>The API speaks JSON over HTTP. Every path begins with <code>/api</code> at <a href="${url}">${url}</a>. The same operations are tools for AI agents and actions in automations, with the same names, inputs and permissions.</p>
${block('Your first call', `curl ${url}/api/organizations \\\n  -H "Authorization: Bearer $KONTOR_KEY"`)}
<p>Machines read the same reference as <a href="/api/openapi.json">OpenAPI 3.1</a> and as a <a href="/api/tools">list of tools</a>.</p>`

const authentication = (url: string) => html`
<p>Programs send an API key with every request. People make keys for themselves while signed in; a key acts as its person, with no more than its scopes and never more than that person’s role.</p>
${block('An API key', 'Authorization: Bearer kt_…')}
<p>A scope is a feature and an access: <code>customers:read</code>, <code>expenses:write</code>. A star stands for any: <code>*:read</code>. Writing does not include reading. A key reaches the organizations in its <code>organizationIds</code>, or every organization of its person with <code>allOrgs</code>; payroll and the companion need a scope that begins with a star.</p>
<p>Browsers sign in and carry a cookie instead. A request that has an <code>Authorization</code> header is judged by it alone.</p>
${block('A session', [`curl -c cookies.txt ${url}/api/auth/sign-in \\\n  -H 'Content-Type: application/json' \\\n  -d '`, json({ email: 'amy@example.com', password: '…' }, '  '), `'`])}
<p>Each operation names where a call may come from:</p>
<table class="plain"><thead><tr><th scope="col">Source</th><th scope="col">A call from</th></tr></thead>
<tbody>${sources.map((source) => html`<tr><th scope="row"><code>${source}</code></th><td>${sourceWords[source]}</td></tr>`)}</tbody></table>`

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
<p>Long lists come in pages. <code>page</code> counts from 1, <code>limit</code> is how many fit on one. A page past the end is empty; a number out of range is <code>400</code>.</p>
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
<p>Every operation is a tool for AI agents under the same name, and its input is path, query and body in one object. <a href="/api/tools">${url}/api/tools</a> lists them all with their schemas. Each operation below shows the arguments of such a call.</p>`
